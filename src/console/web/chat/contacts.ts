/** People and their numbers. Pure. */
import type { SessionLive } from "../data/model.ts";

export interface Person {
  readonly number: string;
  readonly name: string;
}

/** The number that approves in the demo account; until it wrote nothing else tells its role. */
const DEMO_OPERATOR = "5511900000001";

export function roleOf(person: Person, session: SessionLive | undefined): SessionLive["role"] {
  return session?.role ?? (person.number === DEMO_OPERATOR ? "operator" : "customer");
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

/**
 * The conversation of a person: by contact id (real gateway, where numbers are hidden), by phone, or, when the sandbox
 * addresses people by linked id, by the name they send along. The demo's operator is known before they ever wrote.
 */
export function sessionOf(
  sessions: Iterable<SessionLive>,
  person: Person,
): SessionLive | undefined {
  const all = [...sessions];
  return (
    all.find((one) => one.contact === person.number) ??
    all.find((one) => samePhone(numberOf(one.address), person.number)) ??
    all.find((one) => one.address?.endsWith("@lid") === true && one.name === person.name) ??
    all.find(
      (one) =>
        one.address === undefined && one.role === "operator" && person.number === DEMO_OPERATOR,
    )
  );
}

/** The person a conversation belongs to. */
export function personOf(people: readonly Person[], session: SessionLive): Person | undefined {
  return people.find((one) => sessionOf([session], one) !== undefined);
}

/** How a person who wrote is listed; undefined for somebody the sandbox could not write as. */
export function newPerson(session: SessionLive, sandbox: boolean): Person | undefined {
  const [local = ""] = (session.address ?? "").split("@");
  if (!sandbox) return { number: session.contact, name: session.name ?? local };
  const number = numberOf(session.address);
  return number === undefined ? undefined : { number, name: session.name ?? printNumber(number) };
}

/** `+55 11 98888-0001` for Brazilian numbers, the digits for others. */
export function printNumber(digits: string): string {
  if (!/^\d+$/.test(digits)) return "";
  const match = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits);
  return match ? `+55 ${match[1]} ${match[2]}-${match[3]}` : `+${digits}`;
}

/** Two letters for the round picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? (words[words.length - 1]?.[0] ?? "") : "";
  return `${words[0]?.[0] ?? "?"}${last}`.toUpperCase();
}
