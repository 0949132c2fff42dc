/** Digits with separators as people type money, and every amount they can mean. */

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
