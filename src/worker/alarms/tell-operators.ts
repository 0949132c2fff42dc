/** Tells the business's people something about the runtime: mail in each operator's mailbox, once for an event id. */
import { type Account, ChannelName, type Mail } from "../../engine/index.ts";
import type { Context } from "../context/context.ts";
import { planScope } from "../outbox/entry.ts";
import { localTime } from "../../brazil/index.ts";

/** `DD/MM HH:MM`; `at` in ms. */
export function whenIn(zone: string, at: number): string {
  const { day, time } = localTime(at, zone);
  return `${day.slice(8)}/${day.slice(5, 7)} ${time.slice(0, 5)}`;
}

export const CHANNEL_LETTERS: Readonly<Record<ChannelName, string>> = {
  "engine-a": "A",
  "engine-b": "B",
  "engine-c": "C",
  sms: "SMS",
};

export type Notice = Extract<Mail, { kind: "notice" }>;

/**
 * Resolves when it is in every operator's mailbox, or was there already. `but`: the operator it comes from, who is not
 * told. Throws what the store throws.
 */
export async function tellOperators(
  context: Pick<Context, "store" | "wake">,
  account: Account,
  event: string,
  mail: Notice,
  but?: string,
): Promise<void> {
  const contacts = new Set<string>();
  for (const { alias } of account.operators)
    contacts.add(await context.store.contacts.identify(account.id, [alias]));
  if (but !== undefined) contacts.delete(but);
  if (contacts.size === 0) return;
  await context.store.mail.accept(
    [...contacts].map((contact) => ({ account: account.id, contact, event, mail })),
  );
  context.wake("turns");
}

/** Whether a message could leave now for at least one operator, by the channel they last wrote on. */
export async function isReachable(
  { store, scopes }: Pick<Context, "store" | "scopes">,
  { id, operators }: Account,
): Promise<boolean> {
  for (const { alias } of operators) {
    const contact = await store.contacts.lookup(id, alias);
    const view = contact === null ? null : await store.views.session(id, contact);
    const session = view?.session as { readonly channel?: unknown } | null | undefined;
    // An operator who never wrote is told by engine B.
    const channel = ChannelName.safeParse(session?.channel).data;
    if (!scopes.isPaused(planScope(id, channel))) return true;
  }
  return false;
}
