/**
 * Two bots that answer each other would talk for ever, at the business's cost. What no person does is cut: a stream of
 * messages, or the same sentence again and again. The business is told once; after an hour the chat is heard again.
 */
import { foldWords } from "../brazil/index.ts";
import type { Draft } from "./draft.ts";
import { tellOperators } from "./outreach.ts";

/** Messages are counted in windows of this length, ms. */
const WINDOW_MS = 60_000;
/** The same sentence so often in a row is a machine's; people who are not understood give up or change a word. */
const SAME = 6;
/** Shorter texts are answers ("1", "sim", "oi"), which repeat. Letters. */
const SENTENCE = 12;
/** Repeats further apart than this are none, ms. */
const SAME_MS = 15 * 60_000;
/** How long a chat that was cut is not answered, ms. */
export const CUT_MS = 3_600_000;

/** Whether this message is left without an answer. Called once for each message a customer writes. */
export function isFlood(draft: Draft, text: string): boolean {
  const { session, env } = draft;
  if (session.role === "operator") return false;
  const { now } = env;
  const said = foldWords(text).slice(0, 80);
  const last = session.flood;
  if (last?.until !== undefined && now < last.until) return true;
  const isNew = !last || last.until !== undefined || now - last.since >= WINDOW_MS;
  const count = isNew ? 1 : last.count + 1;
  const repeats = said.length >= SENTENCE && last?.said === said && now - last.at <= SAME_MS;
  const same = repeats ? last.same + 1 : 1;
  const cut = count > env.account.policy.perMinute || same >= SAME;
  session.flood = {
    ...{ since: isNew ? now : last.since, at: now, count, said, same },
    ...(cut ? { until: now + CUT_MS } : {}),
  };
  if (cut) {
    draft.cut = true;
    tellOperators(draft, "loop-cut", { name: session.name ?? "" });
  }
  return cut;
}
