/** What stood at a contact that proved to be another one, as mail of the one that won. */
import { isJsonObject, type Json } from "../base/index.ts";
import type { Acceptance, ContactId, MailItem } from "./port/port.ts";

/** Acknowledged under the other name: the mailbox of the one that won takes it, however full it is. */
export type Handed = Pick<Acceptance, "event" | "mail"> & { readonly handed: true };

/**
 * Its session first, then what waited, in its order; each under an event id that is known when it comes again. `via` tells
 * whose mail it was, kept over a second merge: what it answers is named in that one's session. Ticks are of nobody else.
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
