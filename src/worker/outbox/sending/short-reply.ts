/**
 * Answers by short message that name the message answered and no sender, when nothing leads from it to a person
 * (`answer-name.ts`): finds the conversation, and tells the operators when it cannot.
 */
import type { Account, InboundEvent } from "../../../engine/index.ts";
import type { ContactId } from "../../../store/port/port.ts";
import type { WorkerContext } from "../../context/worker-context.ts";
import { tellOperators } from "../../alarms/tell-operators.ts";

/** Conversations looked through: those that changed last. */
const CONVERSATIONS = 50;
/** Only the beginning of longer words is told. Characters. */
const TOLD = 1_000;

/** The conversation in which a message of ours with this id was said, on any channel: the last of several. */
export async function saidTo(
  { store, echoes }: Pick<WorkerContext, "store" | "echoes">,
  account: string,
  id: string,
): Promise<ContactId | undefined> {
  const known = echoes.sentTo(account, id);
  if (known) return known.contact;
  const { items } = await store.sessions({ account, limit: CONVERSATIONS });
  for (const { contact } of items) if (await echoes.knows(account, contact, id)) return contact;
  return undefined;
}

/** Resolves when it is in every operator's mailbox, or was there already. */
export function tellUnmatched(
  context: Pick<WorkerContext, "store" | "wake">,
  account: Account,
  { id, content }: Extract<InboundEvent, { kind: "message" }>,
): Promise<void> {
  const text = content.type === "text" ? content.text.slice(0, TOLD) : "";
  return tellOperators(context, account, `unmatched:${id}`, {
    ...{ kind: "notice", key: "sms-unmatched", vars: { text } },
  });
}
