/**
 * The plan's last share is kept for the results of calls; other messages wait. But a result leaves in its order. So the
 * messages right before a result may pass, too, and only the last of them is sent, as with messages that are late. A result
 * costs one more call at most.
 */
import type { Account } from "../../../engine/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { dropped, type Ending } from "../ending.ts";
import { entryOf, type SendEntry, everyEffect } from "../entry.ts";

/** A send that the reserve stops looks again after this long, ms. */
const PAUSE_MS = 60_000;

/** The end of a message for which no call is left; undefined when it may leave. */
export async function keptBack(
  context: Pick<SendContext, "store" | "budget" | "alarms" | "clock">,
  begun: Begun,
  entry: SendEntry,
  account: Account,
): Promise<Ending | undefined> {
  if (entry.work.result || (await context.budget.allows(account))) return undefined;
  const { before, result } = await behind(context, begun);
  if (result) return before && !entry.byHuman ? dropped("collapsed") : undefined;
  context.alarms.raise({
    code: "plan.reserve",
    account: account.id,
    message: "The rest of this month's messaging calls is kept for the results of calls.",
  });
  // The message waits; it did not leave, so no attempt is used.
  return { outcome: { kind: "not_sent", at: context.clock.now() + PAUSE_MS } };
}

/** Whether a result waits after this message, and whether another message is between the two. */
async function behind(
  { store }: Pick<SendContext, "store">,
  { account, contact, id }: Begun,
): Promise<{ result: boolean; before: boolean }> {
  const seen = { result: false, before: false };
  // The latest first. This message was begun because it is the first of its contact.
  for await (const other of everyEffect(store, { account, contact, states: ["pending"] })) {
    const entry = entryOf(other.payload);
    if (other.id === id || entry.type !== "send") continue;
    if (entry.work.result) Object.assign(seen, { result: true, before: false });
    else if (seen.result) seen.before = true;
  }
  return seen;
}
