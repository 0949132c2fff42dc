/**
 * The gateway's money strings (`balance`, `tax`, `extra_charges.total`) as integer thousandths of BRL.
 *
 * Brazilian style in some operations, a decimal dot in others; two or three decimals. Rule: the only kind of separator
 * present is the decimal one; with both kinds present the last one is.
 */

/** Digits before the decimals that still fit an exact integer of thousandths. */
const MAX_WHOLE_DIGITS = 12;

const PLAIN = /^(\d+)(?:[.,](\d{2,3}))?$/;
const GROUPED = /^(\d{1,3}(?:\.\d{3})+),(\d{2,3})$|^(\d{1,3}(?:,\d{3})+)\.(\d{2,3})$/;

/** Thousandths of BRL, or null for what is no amount. Takes a leading `R$`, a sign, and JSON numbers. */
export function parseThousandths(value: unknown): number | null {
  if (typeof value === "number") {
    const thousandths = Math.round(value * 1_000);
    return Number.isSafeInteger(thousandths) ? thousandths : null;
  }
  if (typeof value !== "string" || value.length > 40) return null;
  const match = /^(-?)\s*(?:R\$)?\s*(-?)([\d.,]+)$/.exec(value.trim());
  if (!match) return null;
  const [, before, after, amount = ""] = match;
  if (before && after) return null;
  const plain = PLAIN.exec(amount);
  const grouped = plain ? null : GROUPED.exec(amount);
  if (!plain && !grouped) return null;
  const whole = (plain?.[1] ?? grouped?.[1] ?? grouped?.[3] ?? "").replaceAll(/[.,]/g, "");
  const decimals = plain?.[2] ?? grouped?.[2] ?? grouped?.[4] ?? "";
  if (whole.length > MAX_WHOLE_DIGITS) return null;
  const thousandths = Number(whole) * 1_000 + Number(decimals.padEnd(3, "0"));
  return (before || after) && thousandths !== 0 ? -thousandths : thousandths;
}

/** The amount as the gateway would write it. Two decimals are kept to amounts of whole cents; others get three. */
export function formatThousandths(
  thousandths: number,
  style: { separator: "," | "."; decimals: 2 | 3; grouped?: boolean },
): string {
  const size = Math.abs(thousandths);
  const whole = String(Math.trunc(size / 1_000));
  const rest = String(size % 1_000).padStart(3, "0");
  const decimals = style.decimals === 2 && rest.endsWith("0") ? rest.slice(0, 2) : rest;
  const mark = style.separator === "," ? "." : ",";
  const shown = style.grouped ? whole.replaceAll(/\B(?=(?:\d{3})+$)/g, mark) : whole;
  return `${thousandths < 0 ? "-" : ""}${shown}${style.separator}${decimals}`;
}
