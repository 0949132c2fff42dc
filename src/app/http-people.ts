/** The people of a chat file on a running server: their phones, and who they are there. */
import { CUSTOMER, OPERATOR } from "../flow/index.ts";
import type { ChatSetting } from "./chat-setting.ts";
import type { ApiClient } from "./client.ts";

export interface Phone {
  readonly number: string;
  readonly name: string;
  contact?: string;
  /** Ids of what it sent and got. */
  readonly own: string[];
  readonly got: string[];
}

/** Sessions looked through for the people of a file. */
const SESSIONS = 1_000;

/** Contacts by number, of those who have written or were written to. */
export async function peopleOf(
  api: ApiClient,
  account: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { contact, address = "" } of await sessionsOf(api, account)) {
    const number = numbers.find((one) => bare(one) === bare(address));
    if (number !== undefined) found.set(number, contact);
  }
  return found;
}

/** Everybody of an account. */
export async function sessionsOf(
  api: ApiClient,
  account: string,
): Promise<readonly { readonly contact: string; readonly address?: string }[]> {
  const { items } = await api.get(`/api/sessions?account=${account}&limit=${SESSIONS}&reveal=1`);
  return items as unknown as readonly { contact: string; address?: string }[];
}

/** Brazilian mobiles appear with and without their ninth digit. */
export function bare(text: string): string {
  return text
    .replace(/@.*$/, "")
    .replace(/\D/g, "")
    .replace(/^(55\d\d)9(\d{8})$/, "$1$2");
}

const CUSTOMER_PHONE = "5511988880001";

/** Of whom the file gives no number. */
export function madeUp(index: number): string {
  return `55119888810${String(index).padStart(2, "0")}`;
}

/** Everybody a file may name, with their phones. */
export function phonesOf({ account, contacts }: ChatSetting): ReadonlyMap<string, Phone> {
  const phones = new Map<string, Phone>();
  const add = (speaker: string, number: string, name = speaker): void => {
    // Two names of one person, such as an operator who writes as the customer of a file: heard once.
    const known = [...phones.values()].find((phone) => phone.number === number);
    phones.set(speaker, known ?? { number, name, own: [], got: [] });
  };
  const operator = account.operators[0]?.alias.replace(/^phone:/, "");
  // By the names the file gives; the two that need none come after.
  for (const [index, { speaker, number, name }] of contacts.entries()) {
    const usual =
      speaker === CUSTOMER ? CUSTOMER_PHONE : speaker === OPERATOR ? operator : undefined;
    add(speaker, number ?? usual ?? madeUp(index), name);
  }
  if (!phones.has(CUSTOMER)) add(CUSTOMER, CUSTOMER_PHONE);
  if (operator !== undefined && !phones.has(OPERATOR)) add(OPERATOR, operator);
  return phones;
}

/** Numbers people that come up for the first time. */
export class Strangers {
  readonly #names: string[] = [];
  readonly #from: number;

  constructor(from: number) {
    this.#from = from;
  }

  of(speaker: string): number {
    if (!this.#names.includes(speaker)) this.#names.push(speaker);
    return this.#from + this.#names.indexOf(speaker);
  }
}

export function known(phones: ReadonlyMap<string, Phone>, speaker: string): Phone {
  const phone = phones.get(speaker);
  if (!phone) throw new Error(`the account has nobody called ${speaker}`);
  return phone;
}
