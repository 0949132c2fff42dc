/**
 * The plan's last share is kept for the results of calls: what else would leave waits. But a result leaves in its order
 * alone, and who waits for one is to hear of it. So what stands right before a result passes, too, in its place: nothing is
 * lost and nothing overtaken. Of several that stand there only the last is said, as of those that come late: a result costs
 * one call more than its own at most.
 */
import type { Account } from "../../../engine/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import type { WorkerContext } from "../../context/worker-context.ts";
import { dropped, type Ending } from "../ending.ts";
import { entryOf, type SendEntry } from "../entry.ts";
import { everyEffect } from "../every-effect.ts";

/** A send that the reserve stops looks again after this long, ms. */
const PAUSE_MS = 60_000;

/** The end of a bubble for which no call is left; undefined when it may leave. */
export async function keptBack(
  context: Pick<WorkerContext, "store" | "budget" | "alarms" | "clock">,
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
  // It waits its turn; nothing left, so no attempt is used.
  return { outcome: { kind: "not_sent", at: context.clock.now() + PAUSE_MS } };
}

/** Whether a result waits behind this bubble, and whether another bubble does before the first one. */
async function behind(
  { store }: Pick<WorkerContext, "store">,
  { account, contact, id }: Begun,
): Promise<{ result: boolean; before: boolean }> {
  const seen = { result: false, before: false };
  // The latest first. This one was begun because nobody stands before it.
  for await (const other of everyEffect(store, { account, contact, states: ["pending"] })) {
    const entry = entryOf(other.payload);
    if (other.id === id || entry.type !== "send") continue;
    if (entry.work.result) Object.assign(seen, { result: true, before: false });
    else if (seen.result) seen.before = true;
  }
  return seen;
}
