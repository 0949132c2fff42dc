/**
 * Which messages that left the business's number are ours. The engines report both our own sends (echoes) and what a person
 * types on the phone. Mistaking one for the other silences the bot, or lets it talk over a person.
 *
 * Ours: the message id is known, or the same text went to the same contact within 60 s. This process remembers what it
 * sent; for sends of another process, or from before a restart, the contact's journal and outbox are read.
 */
import type { JsonObject } from "../../../base/index.ts";
import { echoHash } from "../../../channels/index.ts";
import { type Outbound, withNumbers } from "../../../engine/index.ts";
import { JOURNAL_PRODUCTION, Lru } from "../../../store/index.ts";
import type { Store } from "../../../store/port/port.ts";
import { EffectLine, marksOf, type SentMarks } from "../ending.ts";
import { entryOf, everyEffect } from "../entry.ts";
import { personOf } from "../../context/person.ts";
import { Tour } from "../../loop.ts";
import type { Keys } from "../../ports.ts";

/** An echo later than this cannot be told from a person who repeats the bot's words, ms. */
export const ECHO_MS = 60_000;
/** Sends remembered; at 100 a second this is more than {@link ECHO_MS}. */
const REMEMBERED = 20_000;
/** Journal lines read of a contact when memory does not know. */
const LINES_READ = 20;
const COLLECTION = "echoes";
/** Where one process listens and another sends, most echoes leave a document: one cleaning round can remove 10,000. */
const SWEPT_PAGES = 50;
const SWEPT_PAGE = 200;

/** An echo that came: virtual time, and the engine's id of the message. */
interface Heard {
  readonly at: number;
  readonly id: string;
}

/** Who a message was for, and where it went. */
interface Reader {
  readonly contact: string;
  readonly address: string;
}

export class Echoes {
  readonly #store: Store;
  readonly #keys: Keys;
  /** Virtual time: journal lines carry it. */
  readonly #now: () => number;
  readonly #sent = new Lru<string, number>(REMEMBERED);
  /** Who a message went to, by its id. */
  readonly #sentTo = new Lru<string, Reader>(REMEMBERED);
  readonly #heard = new Lru<string, Heard>(REMEMBERED);
  /** Sends that ended without an echo, and whose echo came since. */
  readonly #matched = new Lru<string, string>(REMEMBERED);
  readonly #swept: Tour<{ readonly id: string; readonly value: JsonObject }>;

  constructor(store: Store, keys: Keys, now: () => number) {
    this.#store = store;
    this.#keys = keys;
    this.#now = now;
    this.#swept = new Tour(SWEPT_PAGES, (after) =>
      store.documents.list(COLLECTION, { limit: SWEPT_PAGE, after }),
    );
  }

  /** Digests under which an echo of this message may come back: as rendered, plain, and with numbered choices. */
  hashes(message: Outbound, rendered = message.text): string[] {
    const texts = new Set([rendered, message.text, withNumbers(message)]);
    texts.delete("");
    return [...new Set([...texts].map(echoHash))];
  }

  /** Before a send leaves: its echo may be back before its answer. */
  sending(account: string, contact: string, hashes: readonly string[]): void {
    for (const hash of hashes) this.#sent.set(key(account, contact, hash), this.#now());
  }

  /** After its answer: the engine's id of the message, and where it went. */
  sent(account: string, contact: string, id: string, address?: string): void {
    this.#sent.set(key(account, contact, `id:${id}`), this.#now());
    if (address !== undefined) this.#sentTo.set(`${account} ${id}`, { contact, address });
  }

  marks(who: { readonly account: string; readonly contact: string }, sent: SentMarks): SentMarks {
    return marksOf(this.#keys, who, sent);
  }

  /** The contact to which this process sent this message. */
  sentTo(account: string, id: string): Reader | undefined {
    return this.#sentTo.get(`${account} ${id}`);
  }

  /** Whether this message is ours by its id: its send has ended. Throws what the store throws. */
  async knows(account: string, contact: string, messageId: string): Promise<boolean> {
    if (this.#sent.has(key(account, contact, `id:${messageId}`))) return true;
    for (const name of await this.#namesOf(account, contact)) {
      const { id } = this.marks({ account, contact: name }, { id: messageId, hashes: [] });
      if ((await this.#linesOf(account, name)).some(({ sent }) => sent?.id === id)) return true;
    }
    return false;
  }

  /**
   * True for an echo of ours, false for a person's words. An echo settles a send whose answer was lost, so it is not
   * repeated. Throws what the store throws.
   */
  async isOurs(
    account: string,
    contact: string,
    event: { readonly messageId: string; readonly text: string },
  ): Promise<boolean> {
    // A message known by its id had its answer, so it must not count as the echo of another send with the same words.
    if (this.#sent.has(key(account, contact, `id:${event.messageId}`))) return true;
    const hash = event.text === "" ? undefined : echoHash(event.text);
    const sender =
      hash !== undefined && this.#fresh(key(account, contact, hash))
        ? contact
        : await this.#senderOf(account, contact, event.messageId, hash);
    const heard = { at: this.#now(), id: event.messageId };
    // Written under the name it was sent to, where that send looks for it.
    if (sender !== undefined && hash !== undefined)
      this.#heard.set(key(account, sender, hash), heard);
    return sender !== undefined;
  }

  /**
   * Whether a message that was pulled back is ours, by what was known when it left. About messages older than the contact's
   * journal nothing is known: taking one of ours for a person's would silence the bot. Throws what the store throws.
   */
  async whose(
    account: string,
    contact: string,
    event: { readonly messageId: string; readonly text: string; readonly at: number },
  ): Promise<"ours" | "human" | "nobody"> {
    const hashes = event.text === "" ? [] : [echoHash(event.text)];
    let isOlder = false;
    for (const name of await this.#namesOf(account, contact)) {
      const items = await this.#store.views.journal(account, name, LINES_READ);
      const marks = this.marks({ account, contact: name }, { id: event.messageId, hashes });
      for (const { at, sent } of items.flatMap((item) => EffectLine.safeParse(item).data ?? [])) {
        const near = Math.abs(at - event.at) <= ECHO_MS;
        if (sent?.id === marks.id) return "ours";
        if (near && marks.hashes.some((hash) => sent?.hashes.includes(hash))) return "ours";
      }
      // A journal with fewer lines than the smallest limit is complete.
      if (items.length < JOURNAL_PRODUCTION) continue;
      const times = items.map((item) => Number((item as { at?: unknown }).at ?? 0));
      isOlder ||= event.at <= Math.min(...times) + ECHO_MS;
    }
    // Includes what left just before a crash and has no written end.
    if (await this.isOurs(account, contact, event)) return "ours";
    return isOlder ? "nobody" : "human";
  }

  /**
   * The echo of one of these hashes, heard since a send with these words began: then it left, whatever its call said. Taken
   * once. Answers the message's id. `since`: virtual ms.
   */
  async take(
    account: string,
    contact: string,
    hashes: readonly string[],
    since: number,
  ): Promise<string | undefined> {
    const id = this.takeKnown(account, contact, hashes, since);
    if (id !== undefined) return id;
    for (const hash of hashes) {
      const digest = this.#keys.hash(key(account, contact, hash));
      const stored = await this.#store.documents.get(COLLECTION, digest);
      const { at, id: heard } = stored?.value ?? {};
      if (typeof at !== "number" || at < since) continue;
      if (await this.#store.documents.remove(COLLECTION, digest))
        return typeof heard === "string" ? heard : "";
    }
    return undefined;
  }

  /**
   * The send that its job ended first and that still waits for this echo, by the contact's journal. The echo then belongs
   * to it, and proves nothing about another send with the same words. `heard.at`: when the message left, virtual ms.
   */
  async awaiting(
    account: string,
    contact: string,
    heard: { readonly messageId: string; readonly at: number },
    hash: string,
  ): Promise<EffectLine | undefined> {
    for (const name of await this.#namesOf(account, contact)) {
      const [mark = ""] = this.marks({ account, contact: name }, { hashes: [hash] }).hashes;
      const owner = (await this.#linesOf(account, name)).find(
        ({ effect, at, sent }) =>
          sent?.id === undefined &&
          sent?.hashes.includes(mark) === true &&
          heard.at <= at + ECHO_MS &&
          !this.#matched.has(effect),
      );
      if (!owner) continue;
      this.#matched.set(owner.effect, heard.messageId);
      this.sent(account, contact, heard.messageId);
      return owner;
    }
    return undefined;
  }

  /** The same, of echoes that this process heard itself. */
  takeKnown(
    account: string,
    contact: string,
    hashes: readonly string[],
    since: number,
  ): string | undefined {
    for (const hash of hashes) {
      const at = key(account, contact, hash);
      const heard = this.#heard.get(at);
      if (heard === undefined || heard.at < since) continue;
      this.#heard.delete(at);
      return heard.id;
    }
    return undefined;
  }

  /** What was sent before two contacts were merged is written down at the former one. */
  async #namesOf(account: string, contact: string): Promise<ReadonlySet<string>> {
    return (await personOf({ store: this.#store }, account, contact)).contacts;
  }

  /** The name of this person that it was sent to; undefined when it is not ours. */
  async #senderOf(
    account: string,
    contact: string,
    id: string,
    hash: string | undefined,
  ): Promise<string | undefined> {
    for (const name of await this.#namesOf(account, contact)) {
      if (name !== contact && this.#sent.has(key(account, name, `id:${id}`))) return name;
      if (name !== contact && hash !== undefined && this.#fresh(key(account, name, hash)))
        return name;
      if (await this.#recorded(account, name, id, hash)) return name;
    }
    return undefined;
  }

  async #recorded(
    account: string,
    contact: string,
    id: string,
    hash: string | undefined,
  ): Promise<boolean> {
    const since = this.#now() - ECHO_MS;
    const marks = this.marks(
      { account, contact },
      { id, hashes: hash === undefined ? [] : [hash] },
    );
    for (const { at, sent } of await this.#linesOf(account, contact)) {
      if (sent?.id === marks.id) return true;
      if (at >= since && marks.hashes.some((mark) => sent?.hashes.includes(mark))) return true;
    }
    if (hash === undefined) return false;
    // Finds it however many failed sends and waiting messages there are beside it.
    for await (const { payload } of everyEffect(this.#store, { account, contact, tried: true })) {
      const entry = entryOf(payload);
      if (entry.type !== "send" || !this.hashes(entry.message).includes(hash)) continue;
      // Another process sent it, or one that died: the document keeps it from being sent again.
      const digest = this.#keys.hash(key(account, contact, hash));
      await this.#store.documents.put(COLLECTION, digest, { at: this.#now(), id });
      return true;
    }
    return false;
  }

  async #linesOf(account: string, contact: string): Promise<readonly EffectLine[]> {
    const items = await this.#store.views.journal(account, contact, LINES_READ);
    return items.flatMap((item) => EffectLine.safeParse(item).data ?? []);
  }

  /** Forgets documents without an echo. */
  async sweep(): Promise<void> {
    await this.#swept.round(async ({ id, value }) => {
      if (Number(value["at"]) < this.#now() - 10 * ECHO_MS)
        await this.#store.documents.remove(COLLECTION, id);
    });
  }

  #fresh(mark: string): boolean {
    const at = this.#sent.get(mark);
    return at !== undefined && this.#now() - at <= ECHO_MS;
  }
}

function key(account: string, contact: string, mark: string): string {
  return `${account} ${contact} ${mark}`;
}
