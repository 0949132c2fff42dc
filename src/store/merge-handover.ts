/** What a merged contact had, as mail of the contact that won. */
import { isJsonObject, type Json } from "../base/index.ts";
import type { Acceptance, ContactId, MailItem } from "./port/port.ts";

/** It was acknowledged under the other name, so the winner's mailbox takes it, however full it is. */
export type Handed = Pick<Acceptance, "event" | "mail"> & { readonly handed: true };

/**
 * Its session first, then its mail in order, each under an event id that is known when it comes again. `via` says which
 * contact it came from, also over a second merge, because answers name that contact's frames. Ticks are not handed over.
 */
export function handover(
  from: ContactId,
  rev: number,
  session: Json | null,
  mail: readonly Pick<MailItem, "event" | "mail">[],
): Handed[] {
  const joined = { kind: "joined", from, session } as const;
  const all = [
    ...(session === null ? [] : [{ event: `joined:${from}:${rev}`, mail: joined }]),
    ...mail
      .filter((item) => !isJsonObject(item.mail) || item.mail["kind"] !== "tick")
      .map(({ event, mail: own }) => ({
        event,
        mail: isJsonObject(own) ? { via: from, ...own } : own,
      })),
  ];
  return all.map((item) => ({ ...item, handed: true }));
}
