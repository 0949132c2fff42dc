/**
 * People and companies an account issued notes to: remembered from the note, so that a name is enough the next time. Sealed
 * under the account's own key; ids and the words they are found by are keyed hashes.
 */
import { z } from "zod";
import { Address, changeDocument, fold, type Keys, type Store } from "../../../plugin.ts";
import type { Invoice } from "../note/invoice.ts";

export const Customer = z.object({
  id: z.string(),
  /** CPF or CNPJ in normal form. */
  document: z.string(),
  name: z.string(),
  address: Address.partial().optional(),
  /** Of the last note, ms. */
  at: z.number(),
});
export type Customer = z.output<typeof Customer>;

/** Words of a name that it is found by. */
const WORDS = 8;
/** People of one word that are looked through. */
const SAME_WORD = 200;
/** Between names, and in every other one. */
const SMALL = new Set([
  "da",
  "de",
  "do",
  "das",
  "dos",
  "e",
  "the",
  "of",
  "ltda",
  "me",
  "sa",
  "eireli",
]);

export class Customers {
  readonly #store: Pick<Store, "documents">;
  readonly #keys: Keys;

  constructor(store: Pick<Store, "documents">, keys: Keys) {
    this.#store = store;
    this.#keys = keys;
  }

  /** Remembers whom a note was issued to; a later note's name and address replace those of an earlier one. */
  async remember({ account, taker, createdAt }: Invoice): Promise<void> {
    const id = this.#idOf(taker.document);
    const old = await this.get(account, id);
    if (old && old.at > createdAt) return;
    const address = taker.address ?? old?.address;
    const known: Customer = {
      id,
      document: taker.document,
      name: taker.name,
      at: createdAt,
      address,
    };
    await this.#lines(account, known, "put");
    if (old && old.name !== known.name) await this.#dropWords(account, old, known);
    await changeDocument(this.#store, peopleOf(account), id, () => known);
  }

  /** Everybody all of whose words are in the name, the last one served first. */
  async find(account: string, name: string, limit: number): Promise<readonly Customer[]> {
    const words = wordsOf(name);
    const lists = await Promise.all(words.map((word) => this.#withWord(account, word)));
    const [first, ...others] = lists;
    const ids = (first ?? []).filter((id) => others.every((list) => list.includes(id)));
    const found = await Promise.all(ids.map((id) => this.get(account, id)));
    return found
      .flatMap((one) => (one ? [one] : []))
      .sort((a, b) => b.at - a.at)
      .slice(0, limit);
  }

  async ofDocument(account: string, document: string): Promise<Customer | null> {
    return this.get(account, this.#idOf(document));
  }

  async forgetDocument(account: string, document: string): Promise<void> {
    await this.forget(account, this.#idOf(document));
  }

  /** With the last note to somebody goes what was remembered of them. */
  async forgetLast({ account, taker, createdAt }: Invoice): Promise<void> {
    const known = await this.ofDocument(account, taker.document);
    if (known && known.at <= createdAt) await this.forget(account, known.id);
  }

  /** The notes stay; only the short cut to them is gone. True also when it was gone before. */
  async forget(account: string, id: string): Promise<void> {
    const known = await this.get(account, id);
    if (!known) return;
    await this.#lines(account, known, "remove");
    await this.#store.documents.remove(peopleOf(account), id);
  }

  async get(account: string, id: string): Promise<Customer | null> {
    const found = await this.#store.documents.get(peopleOf(account), id);
    return found ? (Customer.safeParse(found.value).data ?? null) : null;
  }

  async #withWord(account: string, word: string): Promise<readonly string[]> {
    const start = `${this.#hash(`word:${word}`)}.`;
    const page = await this.#store.documents.list(namesOf(account), {
      after: start,
      limit: SAME_WORD,
    });
    return page.items.flatMap(({ id }) => (id.startsWith(start) ? [id.slice(start.length)] : []));
  }

  async #lines(account: string, { id, name }: Customer, how: "put" | "remove"): Promise<void> {
    await Promise.all(
      wordsOf(name).map(async (word) => {
        const line = `${this.#hash(`word:${word}`)}.${id}`;
        if (how === "put") await this.#store.documents.put(namesOf(account), line, { of: id });
        else await this.#store.documents.remove(namesOf(account), line);
      }),
    );
  }

  async #dropWords(account: string, old: Customer, known: Customer): Promise<void> {
    const kept = new Set(wordsOf(known.name));
    for (const word of wordsOf(old.name))
      if (!kept.has(word))
        await this.#store.documents.remove(
          namesOf(account),
          `${this.#hash(`word:${word}`)}.${old.id}`,
        );
  }

  #idOf(document: string): string {
    return this.#hash(`customer:${document}`);
  }

  #hash(text: string): string {
    return this.#keys.hash(text).slice(0, 32);
  }
}

/** Words of a name, folded, without the small ones. */
export function wordsOf(name: string): string[] {
  const words = fold(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !SMALL.has(word));
  return [...new Set(words)].slice(0, WORDS);
}

const peopleOf = (account: string): string => `customers:${account}`;
const namesOf = (account: string): string => `customer-names:${account}`;
