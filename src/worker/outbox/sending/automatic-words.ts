/**
 * Words that the phone's own app sends by itself: a greeting, an away message. They leave from the business's number
 * although the bot did not send them, and no person took the conversation over.
 *
 * The turn recognises them by their time (`engine/arrival/staff-message.ts`). Here they are recognised by their words: the account
 * names them, or the same words went to another contact. Keyed digests of them are kept in the store, so that every process
 * knows them.
 */
import type { JsonObject } from "../../../base/index.ts";
import { fold } from "../../../brazil/index.ts";
import { echoHash } from "../../../channels/index.ts";
import type { Account, Mail } from "../../../engine/index.ts";
import { isOnePerson } from "../../context/person.ts";
import type { Context } from "../../context/context.ts";
import { Tour } from "../../loop.ts";

/** The same words to two contacts within this time are the app's, ms. */
const SAME_WORDS_MS = 24 * 3_600_000;
/** Words that went to several contacts are remembered for this long after they were last said, ms. */
const KNOWN_MS = 30 * 24 * 3_600_000;
/** Their time is written again no more often than this, ms. */
const NOTED_MS = 3_600_000;
/** Shorter words ("oi", "tudo bem") are what people say to everyone. Characters. */
const SHORTEST = 12;
/** Messages with the same words to one contact, and tries to write them down. */
const MESSAGES = 5;
const TRIES = 3;
const SAID = "phone-words";
const TOLD = "told-automatic-words";
const SWEPT_PAGES = 50;
const SWEPT_PAGE = 200;

interface Own {
  readonly messageId: string;
  readonly at: number;
  readonly text: string;
}

/** Who was sent some words, in which messages. `several`: they went to others, too. `at`: when they were last said. */
interface Said {
  readonly contact: string;
  readonly messages: readonly string[];
  readonly at: number;
  readonly several?: boolean;
}

type Tools = Pick<Context, "store" | "alarms" | "keys" | "clock" | "wake">;

export class AutomaticWords {
  readonly #context: Tools;
  readonly #swept: Tour<{ readonly id: string; readonly value: JsonObject }>;

  constructor(context: Tools) {
    this.#context = context;
    const { documents } = context.store;
    this.#swept = new Tour(SWEPT_PAGES, (after) =>
      documents.list(SAID, { limit: SWEPT_PAGE, after }),
    );
  }

  /** Whether the app said this, by its words. The operators are told once for an account. Throws what the store throws. */
  async are(account: Account, contact: string, own: Own): Promise<boolean> {
    const said = plain(own.text);
    if (said !== "" && account.automaticTexts.some((one) => plain(one) === said)) return true;
    if (said.length < SHORTEST || !(await this.#wentToAnother(account.id, contact, own)))
      return false;
    await this.tell(account.id);
    return true;
  }

  /** Tells the business once that its app answers by itself. Throws what the store throws. */
  async tell(account: string): Promise<void> {
    const { store, alarms } = this.#context;
    if ((await store.documents.put(TOLD, account, {}, 0)) === "conflict") return;
    alarms.raise({
      code: "phone.automatic",
      account,
      subject: account,
      message:
        "The phone's own app answers customers by itself (greeting or away message) beside the bot: switch it off there, or name its texts in the account's automaticTexts.",
    });
  }

  /** Forgets words that are old. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#context;
    await this.#swept.round(async ({ id, value }) => {
      if (!isKnown(value as unknown as Said, clock.now())) await store.documents.remove(SAID, id);
    });
  }

  async #wentToAnother(account: string, contact: string, own: Own): Promise<boolean> {
    const { store, keys } = this.#context;
    const id = keys.hash(`${account} ${echoHash(own.text)}`);
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await store.documents.get(SAID, id);
      const kept = found?.value as unknown as Said | undefined;
      const before = kept && isKnown(kept, own.at) ? kept : undefined;
      const next = await this.#next(account, contact, own, before);
      // First: the conversation that was taken for handed over is released, however often this is tried.
      if (before && next.several && !before.several) await this.#release(account, before);
      const isNoted = next === before || (before?.several && own.at - before.at < NOTED_MS);
      if (
        isNoted ||
        (await store.documents.put(SAID, id, { ...next }, found?.rev ?? 0)) !== "conflict"
      )
        return next.several === true;
    }
    return false;
  }

  /** What is known of these words with this message added; `before` itself where it has the message already. */
  async #next(account: string, contact: string, own: Own, before?: Said): Promise<Said> {
    const { messageId, at } = own;
    if (!before) return { contact, messages: [messageId], at };
    if (before.several) return { ...before, at };
    // Delivered twice, perhaps under two addresses of one person.
    if (before.messages.includes(messageId)) return before;
    if (!(await isOnePerson(this.#context, account, [before.contact, contact])))
      return { ...before, at, several: true };
    return { ...before, messages: [...before.messages, messageId].slice(-MESSAGES), at };
  }

  async #release(account: string, { contact, messages }: Said): Promise<void> {
    const { store, wake } = this.#context;
    const mail: Mail = { kind: "automatic", messages: [...messages] };
    const event = `automatic:${messages[0] ?? ""}`;
    await store.mail.accept([{ account, contact, event, mail }]);
    wake("turns");
  }
}

function isKnown({ at, several }: Said, now: number): boolean {
  return Math.abs(now - at) <= (several ? KNOWN_MS : SAME_WORDS_MS);
}

function plain(text: string): string {
  return fold(text)
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
