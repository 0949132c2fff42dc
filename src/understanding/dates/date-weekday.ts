/** Days of the week, in the midst of a text: "na sexta", "segunda passada", "domingo da semana passada". */
import { addDays, weekday } from "../../brazil/index.ts";
import { type Business, perBusiness } from "../business.ts";
import { weekdayOf } from "./date-words.ts";

/** Days that an expression can mean (one when clear), or why it means none. */
export interface DayRead {
  readonly days: readonly string[];
  readonly bad?: "calendar" | "future";
}

const TIME_AFTER = /^ (?:a|de|pela|na|no) (?:tarde|manha|noite|madrugada)\b/;
/** What goes on after a day, never after an ordinal: "na sexta quero uma". */
const GOES_ON =
  /^ (?:quero|queria|preciso|faz|faca|manda|emite|emita|pode|pra|para|pro|no|na|com|cpf|cnpj|valor)\b/;

/** "segunda via", "quarta parcela": what is counted. */
const ordersOf = perBusiness(
  (thing) =>
    new RegExp(`^ (?:via|mao|parcela|etapa|fase|parte|vez|aula|sessao|turma|feira|${thing})\\b`),
);
const DID = /^ (?:eu |a gente )?[a-z]{3,}(?:ei|amos|emos)\b/;
const WORKED = /\b[a-z]{3,}(?:ei|i|amos|emos)\b[a-z ']{0,40} $/;

/** "segunda" is also an ordinal ("segunda via", "quarta parcela"), so a bare one needs a sign that it is a day. */
export function readWeekday(
  match: RegExpExecArray,
  today: string,
  text: string,
  { eager = false, business }: { readonly eager?: boolean; readonly business?: Business } = {},
): DayRead | null {
  const [whole, before = "", name = "", fair, after = ""] = match;
  const lead = text.slice(0, match.index);
  const tail = text.slice(match.index + whole.length);
  const isCounted = ordersOf(business).test(tail);
  const weekend = name === "domingo" || name === "sabado";
  const alone =
    lead.trim() === "" &&
    /^[\s.,!]*$|^,? (?:a|de|pela|na) (?:tarde|manha|noite)[\s.!]*$/.test(tail);
  // "…, segunda": a part of a sentence by itself.
  const apart = /[,;]\s*$/.test(lead) && /^\s*(?:$|[,;.!\u0001])/.test(tail);
  const led =
    /\b(?:na|no|n?est[ae]|n?ess[ae]|desde|foi)\s?$/.test(lead) &&
    (!/^ [a-z]/.test(tail) || TIME_AFTER.test(tail) || GOES_ON.test(tail));
  // "drenagem de quinta": at the end of what is said; "de segunda mão" is no day.
  const of =
    (/\b(?:de|feit[oa]|realizad[oa]|executad[oa]|prestad[oa]) $/.test(lead) ||
      (name === "terca" &&
        /(?<!\btodas?| as|cada|uma) $/.test(lead) &&
        /[a-z\u0001] $/.test(lead))) &&
    /^\s*(?:$|[,;.!\u0001])/.test(tail);
  // "toquei sexta no casamento", "terça troquei a torneira", "do banho de quinta 70 reais": "segunda" and "quarta" are ordinals too.
  const told =
    !isCounted &&
    !/\b(?:tod[ao]s?(?: as?| os)?|cada|toda|as|na|a|d[ao]|uma|para|pra|ate) $/.test(lead) &&
    ((DID.test(tail) && /(?:^|[,;.!\u0001] ?)$/.test(lead)) ||
      (WORKED.test(lead) && /^ (?:n[ao]|deu|foi|cobrei|ficou)\b/.test(tail)) ||
      (/\bde $/.test(lead) && /^(?: (?:r\$ ?)?\d|\?|:| k{2,})/.test(tail)));
  const perhaps = eager && !isCounted;
  if (!(weekend || fair || before || after || alone || apart || led || of || told || perhaps))
    return null;
  if (/^proxim/.test(before) || after === "que vem") return { days: [], bad: "future" };
  const back = (weekday(today) - weekdayOf(name) + 7) % 7;
  if (after === "da semana passada") return ofLastWeek(name, today);
  const last = lastBefore(today, weekdayOf(name));
  if (/^retrasad/.test(after)) return { days: [addDays(last, -7)] };
  if (back === 0 && before === "" && (after === "" || after === "agora"))
    return { days: [today, last] };
  return { days: [last] };
}

/** Weeks begin on Sunday for some and on Monday for others: a Sunday can be either. */
export function ofLastWeek(name: string, today: string): DayRead {
  const monday = addDays(today, -((weekday(today) + 6) % 7) - 7);
  const day = addDays(monday, (weekdayOf(name) + 6) % 7);
  return { days: name === "domingo" ? [day, addDays(day, -7)] : [day] };
}

/** The last such weekday (Sunday is 0) that is not today. */
export function lastBefore(today: string, wanted: number): string {
  const back = (weekday(today) - wanted + 7) % 7;
  return addDays(today, -(back === 0 ? 7 : back));
}
