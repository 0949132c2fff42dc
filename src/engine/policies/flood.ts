/**
 * Protection against two bots that answer each other at the business's cost. Three patterns are cut off: too many
 * messages, the same sentence again and again, and many answers without progress. The person and the business are each
 * told once. The chat is answered again after an hour, or at the end of the day.
 */
import { foldWords } from "../../brazil/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { tellOperators } from "../requests/outreach.ts";
import { roleOf } from "../turn/programs.ts";
import type { Session } from "../session/session.ts";

/** Messages are counted in windows of this length, ms. */
const WINDOW_MS = 60_000;
/** The same sentence this often in a row comes from a machine. People who are not understood give up or change a word. */
const SAME = 6;
/** Shorter texts are answers ("1", "sim", "oi"), which repeat. Letters. */
const SENTENCE = 12;
/** The same text after a longer time is not a repeat, ms. */
const SAME_MS = 15 * 60_000;
/** How long a chat that was cut off gets no answers, ms. */
export const CUT_MS = 3_600_000;

const DAY_MS = 24 * 3_600_000;

/**
 * In each span so many replies may lead nowhere (`idle`): people who get nothing but menus twenty times in ten minutes have called a
 * person or left. `all`: replies of any kind, in minutes of the account's own limit, which is one of a minute in haste: the longest
 * form filled in as fast as one types takes forty in ten minutes.
 */
const SPANS = [
  { ms: 10 * 60_000, idle: 20, all: 1.5 },
  { ms: 3_600_000, idle: 40, all: 4 },
  { ms: DAY_MS, idle: 120, all: 12 },
] as const;

/** Events that show progress: an answer is accepted, changed or confirmed. */
const LEADS: ReadonlySet<string> = new Set(["ANSWER", "SKIP", "CORRECT", "YES"]);

type Flood = NonNullable<Session["flood"]>;
type Span = NonNullable<Flood["spans"]>[number];

/**
 * Whether this message is left without an answer. Called once for each message a customer writes. `isSameReply`: the reply is to
 * messages before it as well, so it is not counted.
 */
export function isFlood(draft: TurnDraft, text: string, isSameReply: boolean): boolean {
  const { session, env } = draft;
  if (session.role === "operator") return false;
  const { now } = env;
  const last = session.flood;
  if (last?.until !== undefined && now < last.until) return true;
  if (isSameReply) return false;
  const said = foldWords(text).slice(0, 80);
  const isNew = !last || last.until !== undefined || now - last.since >= WINDOW_MS;
  const count = isNew ? 1 : last.count + 1;
  const repeats = said.length >= SENTENCE && last?.said === said && now - last.at <= SAME_MS;
  const same = repeats ? last.same + 1 : 1;
  const { perMinute } = env.account.policy;
  const spans = last?.spans ?? [];
  const isFull = (span: Span, index: number): boolean => {
    const { ms, idle, all } = SPANS[index] ?? SPANS[0];
    return now - span.since < ms && (span.idle >= idle || span.all >= all * perMinute);
  };
  const cut = count > perMinute || same >= SAME || spans.some(isFull);
  // Whose replies of a day are used up is not answered before it is over: they would be cut every hour.
  const day = spans.find((span, index) => index === SPANS.length - 1 && isFull(span, index));
  const until = Math.max(now + CUT_MS, (day?.since ?? 0) + DAY_MS);
  session.flood = {
    since: isNew ? now : last.since,
    at: now,
    count,
    said,
    same,
    ...(cut ? { until } : {}),
    ...(spans.length > 0 ? { spans: cut ? spans.map(afterCut) : spans } : {}),
  };
  if (cut) {
    draft.cut = true;
    draft.word("loop-last");
    const hours = Math.ceil((until - now) / CUT_MS);
    tellOperators(draft, "loop-cut", { name: session.name ?? "", hours: String(hours) });
  }
  return cut;
}

/** The count of a day continues after the pause, so a machine is cut off again. */
function afterCut(span: Span, index: number): Span {
  return index === SPANS.length - 1 ? span : { ...span, idle: 0, all: 0 };
}

/** A message of theirs was read. Only what is taken as an answer, or confirmed, shows that somebody is there for the reply. */
export function countReply(draft: TurnDraft, isSaid: boolean): void {
  const { session, env, moves } = draft;
  const { flood } = session;
  if (!flood || session.role === "operator") return;
  const events = moves.flatMap(({ event, handled, flow }) =>
    handled && roleOf(draft, flow) !== "menu" ? [event] : [],
  );
  // A bot's whole conversation may be its menu; a choice from it may only be another round.
  const leads = draft.answersMenu || events.some((event) => LEADS.has(event));
  // Nobody but a person says yes to what they were shown.
  const confirms = events.includes("YES");
  if (!isSaid && !confirms) return;
  flood.spans = SPANS.map(({ ms }, index) => {
    const last = flood.spans?.[index];
    const span = last && env.now - last.since < ms ? last : { since: env.now, idle: 0, all: 0 };
    if (confirms) return { ...span, idle: 0, all: 0 };
    return { ...span, idle: span.idle + (leads ? 0 : 1), all: span.all + 1 };
  });
}
