/** Money in reais: integer cents everywhere, formatted by hand because `Intl` puts a no-break space after `R$`. */

/** R$ 999.999.999,99: above any single amount of a chat; each account sets its own, much lower ceiling. */
export const MAX_CENTS = 99_999_999_999;

/** `123456` → `"R$ 1.234,56"` (plain space). Throws a TypeError on anything but a safe integer. */
export function formatBrl(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new TypeError("formatBrl: cents must be an integer");
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ".");
  return `${cents < 0 ? "-" : ""}R$ ${whole},${digits.slice(-2)}`;
}
