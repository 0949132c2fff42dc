/**
 * Forgetting a person: the one way, whoever asks for it (the person in the chat, somebody of the business, time). Issued notes
 * stand under the account's key and stay.
 */
import type { EffectView } from "../../store/port.ts";
import type { Desk } from "../../plugins/invoicing/desk.ts";
import { entryOf } from "../outbox/entry.ts";
import { everyEffect } from "../outbox/every-effect.ts";
import { personOf } from "../person.ts";
import { forgetAside } from "./aside.ts";

export type ForgetDesk = Pick<Desk, "store" | "certificates" | "invoices">;

/**
 * `note-open`: a note that may be on its way keeps the conversation it is told in; its end frees it. What stands beside the
 * conversation goes first, so that what is cut off can be asked for again.
 */
export async function forgetPerson(
  desk: ForgetDesk,
  account: string,
  contact: string,
): Promise<"done" | "unknown" | "note-open"> {
  const person = await personOf(desk, account, contact);
  for await (const effect of underWay(desk, account, person.contacts))
    if (mayIssue(effect)) return "note-open";
  await forgetAside(desk, account, person);
  return (await desk.store.erase(account, person.contact)) ? "done" : "unknown";
}

/** What is under way for a person, under whichever name it was asked for. */
export async function* underWay(
  { store }: Pick<Desk, "store">,
  account: string,
  contacts: ReadonlySet<string>,
): AsyncGenerator<EffectView> {
  for (const contact of contacts) yield* everyEffect(store, { account, contact });
}

/** Whether a note may come of it. */
export function mayIssue(effect: EffectView): boolean {
  if (effect.class === "fiscal") return true;
  const entry = entryOf(effect.payload);
  return entry.type === "call" && entry.name.startsWith("invoice.");
}
