/** People and their numbers. Pure. */
import type { SessionLive } from "./model.ts";

export interface Person {
  readonly number: string;
  readonly name: string;
}

/** Digits of an address as engines write it (`5511…@s.whatsapp.net`, `+55 11 …`), or undefined for linked ids and groups. */
export function numberOf(address: string | undefined): string | undefined {
  const [name = "", domain = ""] = (address ?? "").split("@");
  if (domain === "lid" || domain === "g.us") return undefined;
  const digits = name.replace(/:\d+$/, "").replace(/\D/g, "");
  return digits.length >= 8 ? digits : undefined;
}

/** Some Brazilian addresses lack the ninth digit; it is the same phone. */
const withoutNinth = (digits: string): string =>
  /^55\d{2}9\d{8}$/.test(digits) ? digits.slice(0, 4) + digits.slice(5) : digits;

export function samePhone(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && withoutNinth(a) === withoutNinth(b);
}

export function sessionOf(
  sessions: Iterable<SessionLive>,
  number: string,
): SessionLive | undefined {
  for (const session of sessions) if (samePhone(numberOf(session.address), number)) return session;
  return undefined;
}

/** `+55 11 98888-0001` for Brazilian numbers, the digits for others. */
export function printNumber(digits: string): string {
  const match = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits);
  return match ? `+55 ${match[1]} ${match[2]}-${match[3]}` : `+${digits}`;
}

/** Two letters for the round picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? (words[words.length - 1]?.[0] ?? "") : "";
  return `${words[0]?.[0] ?? "?"}${last}`.toUpperCase();
}
