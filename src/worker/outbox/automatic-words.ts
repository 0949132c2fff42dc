/**
 * Words that the phone's own app sends by itself: a greeting, an away message. They leave from the business's number and are
 * none of ours, and nobody has taken the conversation over for that.
 *
 * Three signs tell them from a person: the account names them, they come within two seconds of a message that begins a
 * conversation, or the same words went to another contact within a day. What this process saw is remembered in memory; after
 * a restart the first greeting of a text may count as a person's.
 */
import { trim } from "../../base/index.ts";
import { fold } from "../../brazil/index.ts";
import { echoHash } from "../../channels/index.ts";
import type { Account } from "../../engine/index.ts";
import type { Store } from "../../store/port.ts";
import type { Alarms } from "../alarms/alarms.ts";

/** Nobody reads a message and types an answer within this time, ms. Channels tell whole seconds. */
const AT_ONCE_MS = 2_000;
/** A message after so long a silence begins a conversation, ms. */
const SILENCE_MS = 30 * 60_000;
/** The same words to two contacts within this time are no person's, ms. */
const SAME_WORDS_MS = 24 * 3_600_000;
/** Shorter words ("oi", "ok") are what people say to everybody. Letters. */
const SHORTEST = 15;
/** Contacts and texts remembered. */
const REMEMBERED = 20_000;
const TOLD = "told-automatic-words";

interface Own {
  readonly at: number;
  readonly text: string;
}

export class AutomaticWords {
  readonly #store: Pick<Store, "put">;
  readonly #alarms: Pick<Alarms, "raise">;
  /** By contact: when it wrote last, and when it began to write after a silence. */
  readonly #wrote = new Map<string, { readonly last: number; readonly began: number }>();
  /** By text: whom it went to, and when. */
  readonly #said = new Map<string, { readonly contact: string; readonly at: number }>();

  constructor(store: Pick<Store, "put">, alarms: Pick<Alarms, "raise">) {
    this.#store = store;
    this.#alarms = alarms;
  }

  /** A contact wrote at `at`, by the channel's clock, ms. */
  wrote(account: string, contact: string, at: number): void {
    const key = `${account} ${contact}`;
    const before = this.#wrote.get(key);
    const isBegun = before !== undefined && at - before.last <= SILENCE_MS;
    this.#wrote.delete(key);
    this.#wrote.set(key, { last: at, began: isBegun ? before.began : at });
    trim(this.#wrote, REMEMBERED);
  }

  /** Whether the app said this. The operators are told once for an account. Throws what the store throws. */
  async are(account: Account, contact: string, own: Own): Promise<boolean> {
    if (this.#areNamed(account, own)) return true;
    const isSame = this.#wentToAnother(account.id, contact, own);
    const began = this.#wrote.get(`${account.id} ${contact}`)?.began ?? -Infinity;
    const isAtOnce = own.at >= began && own.at - began <= AT_ONCE_MS;
    if (!isSame && !isAtOnce) return false;
    await this.#tell(account.id);
    return true;
  }

  #areNamed({ automaticTexts }: Account, { text }: Own): boolean {
    const said = plain(text);
    return said !== "" && automaticTexts.some((one) => plain(one) === said);
  }

  #wentToAnother(account: string, contact: string, { text, at }: Own): boolean {
    if (plain(text).length < SHORTEST) return false;
    const key = `${account} ${echoHash(text)}`;
    const before = this.#said.get(key);
    this.#said.delete(key);
    this.#said.set(key, { contact, at });
    trim(this.#said, REMEMBERED);
    return before !== undefined && before.contact !== contact && at - before.at <= SAME_WORDS_MS;
  }

  async #tell(account: string): Promise<void> {
    if ((await this.#store.put(TOLD, account, {}, 0)) === "conflict") return;
    this.#alarms.raise({
      code: "phone.automatic",
      account,
      subject: account,
      message:
        "The phone's own app answers customers by itself (greeting or away message) beside the bot: switch it off there, or name its texts in the account's automaticTexts.",
    });
  }
}

function plain(text: string): string {
  return fold(text)
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
