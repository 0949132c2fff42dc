/** A run of words that say one amount ("dois mil e duzentos reais e dez centavos") → the cents it can mean. */
import { cardinal, isThousand, respelt } from "./cardinal.ts";

export const CURRENCY_BEFORE = new Set(["r$", "rs", "$", "brl"]);
export const CURRENCY_AFTER = new Set([
  "reais",
  "real",
  "reaus",
  "reias",
  "reals",
  "conto",
  "contos",
  "pila",
  "pilas",
  "mango",
  "mangos",
  "brl",
]);
export const CENT_WORDS = new Set(["centavo", "centavos", "cents"]);

export interface Amount {
  /** Distinct readings in cents, the likeliest first. Empty: not understood. */
  readonly cents: readonly number[];
  readonly sure: boolean;
  /** A currency word, a currency sign or cents after a comma: this number is certainly money. */
  readonly marked: boolean;
}

/** `words` are numerals, number words, `e`, `com`, `meio`, currency words. */
export function amountOf(words: readonly string[]): Amount {
  let list = words.map((word) => respelt(word) ?? word);
  const doubtful = words.some((word) => respelt(word) !== null);
  let marked = false;
  while (list[0] !== undefined && CURRENCY_BEFORE.has(list[0])) {
    list = list.slice(1);
    marked = true;
  }
  if (list.some((word) => CENT_WORDS.has(word) || CURRENCY_AFTER.has(word))) marked = true;
  if (list.length === 1 && /,\d{2}$/.test(list[0] ?? "")) marked = true;
  const { cents, sure } = read(list);
  const distinct = [...new Set(cents)];
  return { cents: distinct, sure: sure && distinct.length === 1 && !doubtful, marked };
}

interface Reading {
  readonly cents: readonly number[];
  readonly sure: boolean;
}
const NOTHING: Reading = { cents: [], sure: false };

function read(list: readonly string[]): Reading {
  const currency = list.findIndex((word) => CURRENCY_AFTER.has(word));
  if (currency === 0) return read(list.slice(1));
  if (currency > 0) return withCurrency(list.slice(0, currency), list.slice(currency + 1));
  if (CENT_WORDS.has(list.at(-1) ?? "")) return withoutCurrency(list.slice(0, -1));
  const value = units(list);
  return value.cents.length > 0 ? value : joined(list);
}

/** "150 reais", "150 reais e 50 centavos"; without the word "centavos" the rest is only a proposal. */
function withCurrency(before: readonly string[], after: readonly string[]): Reading {
  const whole = units(before);
  if (after.length === 0 || whole.cents.length === 0) return after.length === 0 ? whole : NOTHING;
  const named = CENT_WORDS.has(after.at(-1) ?? "");
  const tail = after.slice(after[0] === "e" || after[0] === "com" ? 1 : 0, named ? -1 : undefined);
  const part = centsPart(tail);
  if (part === null || whole.cents.some((cents) => cents % 100 !== 0)) return NOTHING;
  return { cents: whole.cents.map((cents) => cents + part), sure: whole.sure && named };
}

/**
 * "mil e duzentos e dez centavos": every "e" may divide reais from cents. One division that makes sense is the answer;
 * with several ("duzentos e cinquenta e cinco centavos") all are proposed.
 */
function withoutCurrency(list: readonly string[]): Reading {
  const found: number[] = [];
  const whole = centsPart(list);
  if (whole !== null) found.push(whole);
  list.forEach((word, at) => {
    if (word !== "e" && word !== "com") return;
    const part = centsPart(list.slice(at + 1));
    const left = units(list.slice(0, at));
    if (part === null || !left.sure) return;
    for (const cents of left.cents) if (cents % 100 === 0) found.push(cents + part);
  });
  return { cents: found, sure: found.length === 1 };
}

/** 1–99 cents. */
function centsPart(list: readonly string[]): number | null {
  const value = cardinal(list);
  return value !== null && value >= 1 && value <= 99 ? value : null;
}

/** A number of reais, in cents. */
function units(list: readonly string[]): Reading {
  const [first = "", second] = list;
  const isNumeral = /^\d/.test(first);
  if (isNumeral && list.length === 1) return numeralCents(first);
  if (isNumeral && isThousand(second) && list.length === 2) {
    const cents = thousandsOf(first).map((value) => value * 100);
    return { cents, sure: cents.length === 1 };
  }
  const value = cardinal(list);
  return value === null ? NOTHING : { cents: [value * 100], sure: true };
}

/** Colloquial joins that are never accepted, only proposed: "quinze e noventa", "dois e quinhentos", "mil e meio", "1 500". */
function joined(list: readonly string[]): Reading {
  const propose = (...cents: number[]): Reading => ({
    cents: cents.filter((c) => c > 0),
    sure: false,
  });
  const [first = "", second = ""] = list;
  if (list.length === 2 && /^[1-9]\d{0,2}$/.test(first) && /^\d{3}$/.test(second))
    return propose((Number(first) * 1000 + Number(second)) * 100);
  const last = list.lastIndexOf("e");
  if (last <= 0) return NOTHING;
  const left = units(list.slice(0, last));
  const [base] = left.cents;
  if (base === undefined) return NOTHING;
  const rest = list.slice(last + 1);
  if (rest.length === 1 && (rest[0] === "meio" || rest[0] === "meia")) {
    if (base % 100_000_000 === 0) return propose(base + 50_000_000);
    return base % 100_000 === 0
      ? propose(base + 50_000, base + 50)
      : propose(base + 50, base * 1000 + 50_000);
  }
  const right = cardinal(rest);
  if (right === null) return NOTHING;
  if (right >= 100 && right % 100 === 0 && base < 10_000) return propose(base * 1000 + right * 100);
  const digits = /^\d+$/.test(rest[0] ?? "") && /^\d+$/.test(list[0] ?? "");
  const sum = base + right * 100;
  return right < 100 && base % 100 === 0
    ? propose(base + right, ...(digits ? [sum] : []))
    : propose(...(digits ? [sum] : []));
}

/** More digits than this without a separator are rather a document, a phone or a CEP than an amount. */
const LONGEST_PLAIN = 7;

/**
 * The amounts in cents that a numeral (`[\d.,]+`, no separator at the end) can mean, the likeliest first: one when it is
 * clear, several when it is not, none when it is no way to write money.
 */
export function numeralCents(raw: string): {
  readonly cents: readonly number[];
  readonly sure: boolean;
} {
  const one = (units: string, hundredths = "00") => {
    const cents = Number(units.replace(/[.,]/g, "")) * 100 + Number(hundredths);
    return Number.isSafeInteger(cents) ? cents : Number.MAX_SAFE_INTEGER;
  };
  const sure = (cents: number) => ({ cents: [cents], sure: true });
  const unsure = (...cents: number[]) => ({ cents, sure: false });

  if (/^\d+$/.test(raw)) {
    if (raw.length > 1 && raw.startsWith("0"))
      return Number(raw) === 0 ? sure(0) : unsure(one(raw));
    return raw.length > LONGEST_PLAIN ? unsure(one(raw)) : sure(one(raw));
  }
  // 1.500 and 1.500.000: a dot before exactly three digits groups thousands.
  if (/^[1-9]\d{0,2}(?:\.\d{3})+$/.test(raw)) return sure(one(raw));
  // 1.234,56 · 1,234.56 · 1234,56 · 1500.50: the last separator with two digits is the decimal one.
  let match = /^((?:[1-9]\d{0,2}(?:\.\d{3})+)|0|[1-9]\d*),(\d{2})$/.exec(raw);
  match ??= /^((?:[1-9]\d{0,2}(?:,\d{3})+)|0|[1-9]\d*)\.(\d{2})$/.exec(raw);
  if (match) return sure(one(match[1] ?? "", match[2]));
  // 1,500,000 can only group; 1,500 can also be one and a half.
  if (/^[1-9]\d{0,2}(?:,\d{3}){2,}$/.test(raw)) return sure(one(raw));
  match = /^([1-9]\d{0,2}),(\d{2})(\d)$/.exec(raw);
  if (match)
    return match[3] === "0" ? unsure(one(raw), one(match[1] ?? "", match[2])) : unsure(one(raw));
  // 1.5 and 1,5: one and fifty cents, or fifteen hundred.
  match = /^(0|[1-9]\d*)[.,](\d)$/.exec(raw);
  if (match) {
    const [, whole = "", tenth = ""] = match;
    const asDecimal = one(whole, `${tenth}0`);
    return whole.length <= 2 && whole !== "0"
      ? unsure(asDecimal, (Number(whole) * 1000 + Number(tenth) * 100) * 100)
      : unsure(asDecimal);
  }
  // 1.234,5 and 1.234.56: a digit short, or the wrong separator.
  match = /^([1-9]\d{0,2}(?:\.\d{3})+),(\d)$/.exec(raw);
  if (match) return unsure(one(match[1] ?? "", `${match[2]}0`));
  match = /^([1-9]\d{0,2}(?:\.\d{3})+)\.(\d{2})$/.exec(raw);
  if (match) return unsure(one(match[1] ?? "", match[2]));
  return { cents: [], sure: false };
}

/** `1,5` before "mil": 1500 in units. Three decimals (`1.500 mil`) are either; anything longer is nothing. */
export function thousandsOf(raw: string): readonly number[] {
  const match = /^([1-9]\d{0,2}|0)(?:[.,](\d{1,3}))?$/.exec(raw);
  if (!match) return [];
  const [, whole = "", decimals = ""] = match;
  const units = Number(whole) * 1000 + Number(decimals.padEnd(3, "0"));
  return decimals.length === 3 ? [units, units * 1000] : [units];
}
