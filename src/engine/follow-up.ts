/** "E do mês passado?" after a month's notes: the same of another month, although the words ask for nothing by themselves. */
import { foldWords } from "../brazil/index.ts";
import { noteWish } from "../understanding/index.ts";
import type { Draft } from "./draft.ts";
import type { Wanted } from "../plugins/invoicing/talk/note-wanted.ts";
import { isOffered } from "./offered.ts";
import { programOf } from "./programs.ts";
import { roleOf } from "./roles.ts";
import type { Frame } from "./session.ts";

/** How long after their end a question still goes on with them. */
const FOLLOW_MS = 600_000;
const LONGEST = 60;
const MONTH =
  "(?:mes (?:passado|anterior|atual|retrasado)|(?:esse|este|neste|nesse|last|this|previous) (?:mes|month)|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december|(?:0?[1-9]|1[0-2]) 20\\d\\d)";
/** Nothing but the month stands there, as a question or led by an "and". */
const ELLIPTIC = new RegExp(
  `^(?:(?:e|and|what about|how about|agora|now) )?(?:(?:o|a|os|as|do|de|da|no|na|em|of|in|for|from|the|quanto (?:foi|deu)|how much) )*${MONTH}(?: (?:de |of )?20\\d\\d)?$`,
);

/** What the text goes on with; undefined where nothing of a month was told just now. */
export function followUp(draft: Draft, text: string, frame?: Frame): Wanted | undefined {
  const { session, env } = draft;
  const isFresh = env.now - (session.endedAt ?? -Infinity) < FOLLOW_MS;
  const flow = frame?.flow ?? (isFresh ? session.endedFlow : undefined);
  if (flow === undefined || text.length > LONGEST) return undefined;
  if (roleOf(draft, flow) !== "month-of-notes") return undefined;
  const said = foldWords(text);
  if (!ELLIPTIC.test(said) || !(text.trim().endsWith("?") || /^(?:e|and|agora|now) /.test(said)))
    return undefined;
  const program = env.library.get(flow);
  const { month } = noteWish(text, draft.context);
  if (month === undefined || !program || !isOffered(draft, program)) return undefined;
  // Answers that were given to it belong to the month before.
  if (frame && Object.keys(programOf(draft, frame).answers?.(frame.state) ?? {}).length > 0)
    return undefined;
  return { flow, prefill: {}, input: { month } };
}
