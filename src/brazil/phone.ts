/**
 * Brazilian phone numbers: area code (DDD) + 9 digits beginning with 9 (mobile) or 8 digits beginning with 2–5 (fixed).
 *
 * These rules are about numbers that people type. A messenger's chat id is an opaque key: it may lack the ninth digit or
 * hold no phone at all, and is never put through here.
 */

/** The area codes in use (Anatel's numbering plan). */
const AREA_CODES = new Set(
  (
    "11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 " +
    "61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99"
  ).split(" "),
);

export type PhoneType = "mobile" | "fixed";

export function isAreaCode(ddd: string): boolean {
  return AREA_CODES.has(ddd);
}

/** What a national number (10 or 11 digits, no 55) is, or null when it is no valid one. */
export function phoneType(national: string): PhoneType | null {
  if (!/^\d{10,11}$/.test(national) || !isAreaCode(national.slice(0, 2))) return null;
  if (national.length === 11) return /^..9[1-9]/.test(national) ? "mobile" : null;
  return /^..[2-5]/.test(national) ? "fixed" : null;
}

/** `5511900000001` → `(11) 90000-0001`. A number of another shape comes back as it is. */
export function formatPhone(value: string): string {
  const match = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(value);
  return match ? `(${match[1]}) ${match[2]}-${match[3]}` : value;
}

/** `5511900000001` → `(11) *****-0001`. Anything else is hidden whole. */
export function maskPhone(value: string): string {
  const match = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(value);
  return match ? `(${match[1]}) ${"*".repeat(match[2]?.length ?? 0)}-${match[3]}` : "***";
}
