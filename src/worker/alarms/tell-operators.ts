/** Words of the machine room for the business's people: mail in each operator's mailbox, once for an event id. */
import type { Account, Mail } from "../../engine/index.ts";
import type { Desk } from "../desk.ts";

export type Notice = Extract<Mail, { kind: "notice" }>;

/** Resolves when it is in every operator's mailbox, or was there already. Throws what the store throws. */
export async function tellOperators(
  desk: Pick<Desk, "store" | "wake">,
  account: Account,
  event: string,
  mail: Notice,
): Promise<void> {
  const contacts = new Set<string>();
  for (const { alias } of account.operators)
    contacts.add(await desk.store.identify(account.id, [alias]));
  if (contacts.size === 0) return;
  await desk.store.accept(
    [...contacts].map((contact) => ({ account: account.id, contact, event, mail })),
  );
  desk.wake("turns");
}
