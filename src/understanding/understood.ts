/**
 * The answer of every kind: a value with its echo, or why there is none. A value is only ever given when the text leaves
 * no other sensible reading; everything else is `ambiguous` with proposals, `invalid` with a hint, or `absent`.
 * Words of doubt turn a value into a proposal.
 */
import type { Town, Uf } from "../brazil/index.ts";
import type { Business, Command } from "./business.ts";

export type YesNo = "yes" | "no" | "edit";

export type City = Pick<Town, "code" | "name" | "uf">;

/** The value of each kind. */
export interface Values {
  /** Integer cents. */
  money: number;
  /** `YYYY-MM-DD`; without {@link TextContext.within} never in the future. */
  date: string;
  /** `HH:MM`. */
  time: string;
  /** `YYYY-MM-DDTHH:MM` by the clock of the zone. */
  datetime: string;
  /** `HH:MM-HH:MM`; the end of the day is `24:00`. */
  period: string;
  /** `YYYY-MM`, never in the future. */
  month: string;
  yesno: YesNo;
  /** 11 digits. */
  cpf: string;
  /** `[0-9A-Z]{12}` and 2 digits. */
  cnpj: string;
  document: string;
  /** 8 digits. */
  cep: string;
  /** Digits with 55. */
  phone: string;
  /** Lower case. */
  email: string;
  uf: Uf;
  city: City;
  /** The runtime's, or the name of one of {@link Business.commands}. */
  command: Command | (string & Record<never, never>);
}
export type Kind = keyof Values;

export interface TextContext {
  /** Epoch ms. */
  readonly now: number;
  /** IANA zone of the account. */
  readonly zone: string;
  readonly locale?: "pt-BR" | "en";
  /** Words of the business that is talked about. */
  readonly business?: Business;
  /** The days or times that are taken. */
  readonly within?: Within;
}

/** The values that a question takes: from one to another, both included. */
export interface Within {
  /** The first and the last day of `date` and `datetime`, or time of `time` and `period`. */
  readonly from?: string;
  readonly to?: string;
  /** Of a `datetime`: the hours that are taken, `08:00-18:00`. */
  readonly hours?: string;
}

export interface Option {
  readonly value: Values[Kind];
  readonly echo: string;
  /** Present when the proposal is of another kind than the one asked. */
  readonly kind?: Kind;
}

export type Reason = "ambiguous" | "invalid" | "absent";

/**
 * A short machine word for why: `too-long` (any kind); `zero negative too-large currency percent expression confirm format`
 * (money); `future calendar too-old too-early too-late which-day which-year which-time clock which` (dates and times); `check-digit letter-o leading-zero repeated length is-cpf
 * is-cnpj cpf-or-phone which` (documents); `unknown-range` (CEP); `ddd ninth-digit foreign` (phone); `at-sign typo spoken`
 * (e-mail); `homonym similar unknown-town only-uf` (city); `unsure question` (yes/no; `unsure` also of a document or CEP
 * that the person doubts).
 */
export type Hint =
  | "too-long"
  | "zero"
  | "negative"
  | "too-large"
  | "currency"
  | "percent"
  | "expression"
  | "confirm"
  | "format"
  | "future"
  | "calendar"
  | "too-old"
  | "too-early"
  | "too-late"
  | "which-day"
  | "which-year"
  | "which-time"
  | "clock"
  | "which"
  | "check-digit"
  | "letter-o"
  | "leading-zero"
  | "repeated"
  | "length"
  | "is-cpf"
  | "is-cnpj"
  | "cpf-or-phone"
  | "unknown-range"
  | "ddd"
  | "ninth-digit"
  | "foreign"
  | "at-sign"
  | "typo"
  | "spoken"
  | "homonym"
  | "similar"
  | "unknown-town"
  | "only-uf"
  | "unsure"
  | "question";

export interface Misunderstood<K extends Kind> {
  readonly kind: K;
  readonly ok: false;
  readonly reason: Reason;
  readonly options?: readonly Option[];
  readonly hint?: Hint;
  /** What is sure of it, as a text: the day of a moment without its time. The next answer may be read behind it. */
  readonly piece?: string;
}

interface Clear<K extends Kind> {
  readonly kind: K;
  readonly ok: true;
  readonly value: Values[K];
  readonly echo: string;
}

export type Understood<K extends Kind = Kind> = { [P in K]: Clear<P> | Misunderstood<P> }[K];

/** No answer to one question is longer; what is longer is not read at all. Keeps every kind's work bounded. */
export const MAX_ANSWER = 2_000;
/** More proposals than this are no help on a phone. */
export const MAX_OPTIONS = 5;

export function clear<K extends Kind>(kind: K, value: Values[K], echo: string): Clear<K> {
  return { kind, ok: true, value, echo };
}

export function absent<K extends Kind>(kind: K, hint?: Hint): Misunderstood<K> {
  return { kind, ok: false, reason: "absent", ...(hint ? { hint } : {}) };
}

export function invalid<K extends Kind>(
  kind: K,
  hint: Hint,
  options: readonly Option[] = [],
): Misunderstood<K> {
  return { kind, ok: false, reason: "invalid", ...some(options), hint };
}

export function ambiguous<K extends Kind>(
  kind: K,
  hint: Hint,
  options: readonly Option[] = [],
): Misunderstood<K> {
  return { kind, ok: false, reason: "ambiguous", ...some(options), hint };
}

/** Readings of which the person picks one, or says yes to the only one. */
export function proposed<K extends Kind>(kind: K, options: readonly Option[]): Misunderstood<K> {
  return ambiguous(kind, options.length === 1 ? "confirm" : "which", options);
}

function some(options: readonly Option[]): { options?: readonly Option[] } {
  return options.length > 0 ? { options: options.slice(0, MAX_OPTIONS) } : {};
}

/** Words of not being sure, whatever it is about. Of plain text (see `plainOf`). */
export const HEDGE =
  /\b(?:acho|acredito|creio|penso|imagino|suponho|parece|provavelmente|talvez|sera|se nao me engano|salvo engano|se bem me lembro|lembro que|por volta|em torno|(?:la|ali) pel[oa]s?|mais ou menos|ou algo assim|deve (?:ser|ter sido)|devia ser|nao sei|nao tenho certeza|nao sei se|i think|i guess|maybe|probably|about|around)\b/;
const NOT_SO = /\bnao (?:e|eh|era|foi) |\bnot |(?:^|[ ,])nao(?:,|$)/;
/** The number and a question mark, without a word of asking around it: "01310-100?". */
const ASKED = /^(?:(?:cep|cpf|cnpj|o|e|eh|seria)\b[: ]*)*[\d./ -]+\?+$/;

/** For a number that somebody owns (document, CEP), in plain text: what is doubtful is proposed, never taken. */
export function isDoubtful(line: string): boolean {
  return HEDGE.test(line) || NOT_SO.test(line) || ASKED.test(line);
}
