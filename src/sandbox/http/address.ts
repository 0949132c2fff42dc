/**
 * Addresses of people on the messenger: phone digits, `…@s.whatsapp.net`, `…@lid`, `…@g.us`. One person is one phone here;
 * linked ids are made on first use and remembered both ways.
 */
import { createHash } from "node:crypto";
import { LOST_NINTH, UNKNOWN_NUMBER } from "../invoicing/magic.ts";

export const PHONE_DOMAIN = "@s.whatsapp.net";
export const LID_DOMAIN = "@lid";

/** Digits of a linked id. */
const LID_DIGITS = 15;

/** People whose linked ids are remembered at once. */
const PEOPLE_LIMIT = 100_000;

export class AddressBook {
  readonly #phones = new Map<string, string>();
  readonly #lids = new Map<string, string>();
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The linked id of a phone: the same in every run of one seed, as a real one outlives restarts. */
  lidOf(phone: string): string {
    const known = this.#lids.get(phone);
    if (known !== undefined) return known;
    const hash = createHash("sha256").update(`${this.#seed}/lid/${phone}`).digest();
    const lid = (
      (hash.readBigUInt64BE() % 9n) * 10n ** 14n +
      (hash.readBigUInt64BE(8) % 10n ** 14n) +
      10n ** 14n
    )
      .toString()
      .slice(0, LID_DIGITS);
    if (this.#phones.size >= PEOPLE_LIMIT) {
      const [oldest, whose] = this.#phones.entries().next().value ?? ["", ""];
      this.#phones.delete(oldest);
      this.#lids.delete(whose);
    }
    this.#phones.set(lid, phone);
    this.#lids.set(phone, lid);
    return lid;
  }

  /** Who an address belongs to: phone digits as people write them, or the address itself (groups, unknown linked ids). */
  personOf(address: string): string {
    const [name = "", domain = ""] = address.split("@");
    const bare = name.replace(/:\d+$/, "");
    if (domain === "lid") return this.#phones.get(bare) ?? address;
    if (domain !== "" && `@${domain}` !== PHONE_DOMAIN && domain !== "c.us") return address;
    return withNinth(bare.replace(/\D/g, ""));
  }
}

/** The messenger's own address of a phone; some people registered before the ninth digit came. */
export function jidOf(phone: string): string {
  return `${LOST_NINTH.test(phone) ? phone.slice(0, 4) + phone.slice(5) : phone}${PHONE_DOMAIN}`;
}

/** Address of a person as {@link AddressBook.personOf} gives it. */
export function jidOfPerson(person: string): string {
  return person.includes("@") ? person : jidOf(person);
}

/** Whether a phone is registered on the messenger. */
export function isOnMessenger(phone: string): boolean {
  return /^\d{10,15}$/.test(phone) && !UNKNOWN_NUMBER.test(phone);
}

function withNinth(digits: string): string {
  const restored = `${digits.slice(0, 4)}9${digits.slice(4)}`;
  return digits.length === 12 && LOST_NINTH.test(restored) ? restored : digits;
}
