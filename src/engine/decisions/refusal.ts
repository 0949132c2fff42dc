/** "Recusar, valor errado": the refusal of a request and its reason in one message. */
import { foldWords } from "../../brazil/index.ts";
import { decision } from "../../understanding/index.ts";
import type { Draft } from "../session/draft.ts";
import { programOf } from "../turn/programs.ts";
import type { ReadingContext } from "../turn/reader.ts";
import type { Frame } from "../session/session.ts";
import { take } from "../stack/taking.ts";
import { withThings } from "../turn/things.ts";

export interface Refusal {
  /** The word that refuses. */
  readonly word: string;
  readonly reason: string;
}

const REFUSES = withThings(
  ({ things }) =>
    new RegExp(
      String.raw`^(recus\w+|rejeit\w+|nego|negad[oa]|refus\w+|reject\w*|declin\w*)\b[\s,.:;\u2013-]*(?:(?:(?:o|a|ess[ea]|est[ea]|the|this)\s+)?(?:pedido|${things}|request)\b)?[\s,.:;\u2013-]*(?:(?:porque|pq|pois|because|motivo|reason)\b[\s:]*)?(\S.*)$`,
      "isu",
    ),
);
/** It takes the refusal back, or says nothing of why. */
const NO_REASON =
  /^(?:n[a\u00e3]o|ainda n[a\u00e3]o|agora|j\u00e1|ja|isso|essa?|esta?|aqui|a[i\u00ed]|ela?|it|mesmo)?[\s.!]*$/i;

const SMALL: ReadonlySet<string> = new Set(
  "a o e de da do das dos of for pra pro para cliente dona seu".split(" "),
);
/** "Recusa o pedido da Maria Souza": whose, which is no reason that a customer could read. */
const WHOSE =
  /^(?:d[aeo]|of|for|pr[ao]|para) (?:(?:[oa]|cliente|dona|seu) )*(?:\p{L}{2,20}|(?:\p{Lu}[\p{L}.]*|d[aeo]s?|e)(?: (?:\p{Lu}[\p{L}.]*|d[aeo]s?|e)){1,4})[\s.!]*$/u;

/** Whose request a text refuses, and by which word; undefined when it names nobody. */
export function refusedOf(
  text: string,
  context: ReadingContext,
): { readonly word: string; readonly of: string } | undefined {
  const [, word, reason = ""] = REFUSES(context).exec(text.trim()) ?? [];
  return word === undefined || !WHOSE.test(reason) ? undefined : { word, of: reason };
}

/** Whether all of a name stands in what was shown. */
export function isNamedIn(of: string, shown: string): boolean {
  const said = ` ${foldWords(shown)} `;
  return foldWords(of)
    .split(" ")
    .filter((word) => !SMALL.has(word))
    .every((word) => said.includes(` ${word} `));
}

/** The refusal a text spells out with its reason; undefined when it gives none. */
export function refusalIn(text: string, context: ReadingContext): Refusal | undefined {
  if (text.includes("?") || decision(text, context.business)) return undefined;
  const [, word, reason = ""] = REFUSES(context).exec(text.trim()) ?? [];
  return word === undefined || NO_REASON.test(reason) || WHOSE.test(reason)
    ? undefined
    : { word, reason };
}

/** Refuses, and answers what is asked then; false when nothing is refused here by that word. */
export function refuse(draft: Draft, frame: Frame, { word, reason }: Refusal): boolean {
  const program = programOf(draft, frame);
  const { asked, rests } = program.expects(frame.state, draft.context);
  const reading = rests === "choose" ? asked?.read(word, draft.context) : undefined;
  if (!asked || !reading?.ok) return false;
  const said = draft.paragraphs.length;
  take(draft, frame, { type: "ANSWER", values: { [asked.name]: reading.value } });
  if (!draft.session.frames.includes(frame)) return true;
  const next = program.expects(frame.state, draft.context).asked;
  const why = next?.kind === "text" ? next.read(reason, draft.context) : undefined;
  if (!next || !why?.ok) return true;
  draft.paragraphs.length = said;
  take(draft, frame, { type: "ANSWER", values: { [next.name]: why.value } });
  return true;
}
