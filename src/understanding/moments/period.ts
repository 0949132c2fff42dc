/** A part of a day → `HH:MM-HH:MM`; the end of the day is `24:00`. */
import {
  absent,
  ambiguous,
  clear,
  HEDGE,
  invalid,
  MAX_ANSWER,
  type Option,
  type TextContext,
  type Understood,
  type Within,
  proposed,
} from "../understood.ts";
import { findTimes, type Part, partsIn, TIME_TEXT } from "./clock-expressions.ts";
import { affirmed, lineOf } from "./line.ts";
import { choose, timeText } from "./time.ts";

interface Span {
  readonly from: number;
  readonly to: number;
  /** The part of the day that is named belongs to an hour of it. */
  readonly hasPart?: boolean;
}

const DAY = 24 * 60;
const HALF = 12 * 60;
const PARTS: Readonly<Record<Part, Span>> = {
  madrugada: { from: 0, to: 360 },
  manha: { from: 360, to: 720 },
  tarde: { from: 720, to: 1_080 },
  noite: { from: 1_080, to: DAY },
};
const WHOLE: Span = { from: 0, to: DAY };
const ANY_TIME =
  /\b(?:dia (?:todo|inteiro)|todo o dia|o dia td|qualquer (?:hora|horario|periodo)|tanto faz|any ?time|all day|whole day)\b/;
const DOUBT =
  /\b(?:nao|nem|ou|talvez|acho|quase|menos|exceto|or|not|except|unless|uns|umas|trabalho|trabalhando|reuniao|ocupad[oa]|evit[a-z]+|compromisso|consulta)\b|\?/;
const LEAD = "\\b(?:entre(?: as?| o)?|d?as|de|do|from|between) ";
const FROM_TO = new RegExp(
  `${LEAD}(${TIME_TEXT})(?: (?:e(?: as?| o)?|as|a|ao|ate(?: as| o)?|to|and|till|until) | ?- ?)(?:as )?(${TIME_TEXT})`,
);
/** Without a word that leads to it. */
const BARE_FROM_TO = new RegExp(
  `(?<![\\d/.,:-])(${TIME_TEXT})(?: (?:as|a|ao|ate(?: as| o)?|to|till|until) | ?- ?)(?:as )?(${TIME_TEXT})(?![\\d/])`,
);
const AFTER =
  /\b(?:depois|a partir|apos|passand?o|desde|after|from|mais tarde (?:que|do que))(?: (?:d?as?|d[eo]|meia))? ?$/;
const ONWARDS = /^ ?(?:em diante|pra frente|or later|onwards)/;
const UNTIL = /\b(?:ate|antes|before|until|till|by)(?: (?:d?as?|d[eo]|no|o))? ?$/;

export function period(text: string, context: TextContext): Understood<"period"> {
  if (text.length > MAX_ANSWER) return absent("period", "too-long");
  const { within = {} } = context;
  const line = affirmed(
    lineOf(text),
    (rest) => findTimes(rest).length > 0 || partsIn(rest).length > 0,
    true,
  );
  const parts = partsIn(line);
  const [part] = parts;
  const spans = spansOf(line, parts, within) ?? (ANY_TIME.test(line) ? [WHOLE] : undefined);
  if (spans === undefined) return part ? wholePart(line, parts, within, context) : absent("period");
  const taken = spans
    .map((span) => clipped(span, span.hasPart === true ? undefined : part, within))
    .filter((span) => span.from < span.to);
  const [only] = taken;
  if (!only)
    return spans.length === 0
      ? ambiguous("period", "which-time")
      : invalid("period", beside(spans, within));
  if (taken.length > 1 || parts.length > 1 || DOUBT.test(line) || HEDGE.test(line))
    return proposed(
      "period",
      taken.map((span) => optionOf(span, context)),
    );
  return clear("period", spanText(only), optionOf(only, context).echo);
}

function wholePart(
  line: string,
  parts: readonly Part[],
  within: Within,
  context: TextContext,
): Understood<"period"> {
  const spans = parts.map((part) => clipped(PARTS[part], undefined, within));
  const [only] = spans;
  if (spans.length > 1 || !only || DOUBT.test(line) || HEDGE.test(line) || /\d/.test(line))
    return proposed(
      "period",
      spans.filter((span) => span.from < span.to).map((span) => optionOf(span, context)),
    );
  if (only.from < only.to) return clear("period", spanText(only), optionOf(only, context).echo);
  const whole = parts.map((part) => PARTS[part]);
  return invalid("period", beside(whole, within));
}

function optionOf(span: Span, context: TextContext): Option & { readonly value: string } {
  const value = spanText(span);
  return { value, echo: periodEcho(value, context) };
}

/** Spans that the times of a text mean; none where they mean no span, undefined where there are no times. */
function spansOf(
  line: string,
  parts: readonly Part[],
  within: Within,
): readonly Span[] | undefined {
  const part = parts.length === 1 ? parts[0] : undefined;
  const both = FROM_TO.exec(line) ?? BARE_FROM_TO.exec(line);
  if (both) {
    const [, one = "", other = ""] = both;
    const meridiem = /\d ?([ap]\.?m)\b/.exec(other)?.[1] ?? "";
    const start = /[ap]\.?m\b/.test(one) ? one : `${one}${meridiem}`;
    const [from] = findTimes(`as ${start}`, part);
    const [to] = findTimes(`as ${other}`, part);
    if (from && to && !from.isBad && !to.isBad)
      return pairs(choose(from, {}), choose(to, {}), within);
  }
  const times = findTimes(line, part);
  const [found] = times;
  if (!found || found.ahead !== undefined) return undefined;
  if (times.length > 1 || found.isBad) return [];
  const [lead, tail] = [line.slice(0, found.start), line.slice(found.end)];
  const taken = choose(found, within);
  const hasPart = found.hasPart === true;
  const minutes = taken.length > 0 ? taken : found.minutes;
  if (AFTER.test(lead) || ONWARDS.test(tail))
    return minutes.map((from) => ({ from, to: DAY, hasPart }));
  if (UNTIL.test(lead)) return minutes.map((to) => ({ from: 0, to, hasPart }));
  return [];
}

/** Two hours without a part of the day lie in the same half of it. */
function pairs(
  starts: readonly number[],
  ends: readonly number[],
  within: Within,
): readonly Span[] {
  const all = starts.flatMap((from) => ends.map((to) => ({ from, to: to === 0 ? DAY : to })));
  const isOpen = starts.length > 1 && ends.length > 1;
  const inHalf = ({ from, to }: Span): boolean =>
    !isOpen || Math.floor(from / HALF) === Math.floor((to - 1) / HALF);
  const good = all.filter((span) => span.from < span.to && inHalf(span));
  const left = good.filter((span) => {
    const { from, to } = clipped(span, undefined, within);
    return from === span.from && to === span.to;
  });
  return left.length > 0 ? left : good;
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

function clipped(
  span: Span,
  part: Part | undefined,
  { from = "00:00", to = "24:00" }: Within,
): Span {
  const bounds = part === undefined ? WHOLE : PARTS[part];
  return {
    from: Math.max(span.from, bounds.from, minutesOf(from)),
    to: Math.min(span.to, bounds.to, minutesOf(to)),
  };
}

function beside(spans: readonly Span[], { from = "00:00" }: Within): "too-early" | "too-late" {
  return spans.every((span) => span.to <= minutesOf(from)) ? "too-early" : "too-late";
}

function spanText({ from, to }: Span): string {
  return `${timeText(from)}-${timeText(to)}`;
}

/** "das 14:00 às 16:00". */
export function periodEcho(
  value: string,
  { locale = "pt-BR" }: Pick<TextContext, "locale">,
): string {
  const [from = "", to = ""] = value.split("-");
  return locale === "en" ? `from ${from} to ${to}` : `das ${from} às ${to}`;
}
