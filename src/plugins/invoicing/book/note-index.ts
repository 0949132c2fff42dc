/**
 * Where notes are found: small lines beside the records, by month, number, key, taker and the contact they are of.
 *
 * The store keeps documents in the order of their ids, so a line's id is a path that ends in what it leads to. Lines are
 * written before the record they tell of: a crash in between leaves one that leads nowhere, never a note nobody finds.
 * What names a person or a company stands in them as a keyed hash.
 */
import type { Keys, Store } from "../../../plugin.ts";
import type { Invoice } from "../note/invoice.ts";

/** Ids sort the newest first by what is left until then, ms. */
const LAST_MS = 9_999_999_999_999;
/** Lines read at once. */
const PAGE = 100;

/** One way to a note. */
export type Way =
  | { readonly by: "all" }
  /** `YYYY-MM` of the service. */
  | { readonly by: "month"; readonly month: string }
  | { readonly by: "number"; readonly number: string }
  | { readonly by: "key"; readonly key: string }
  /** CPF or CNPJ of who receives it, in normal form. */
  | { readonly by: "taker"; readonly document: string }
  /** Who asked for it, or was sent it. */
  | { readonly by: "contact"; readonly contact: string };

export interface Line {
  /** The line's own id: what a next page begins after. */
  readonly at: string;
  readonly invoice: string;
}

type Found = Pick<
  Invoice,
  "id" | "account" | "contact" | "createdAt" | "competence" | "taker" | "number" | "key" | "shared"
>;

export class NoteIndex {
  readonly #store: Pick<Store, "documents">;
  readonly #keys: Keys;

  constructor(store: Pick<Store, "documents">, keys: Keys) {
    this.#store = store;
    this.#keys = keys;
  }

  /** Writes what leads to a note; of `before` it knows what is there already. */
  async note(invoice: Found, before?: Found): Promise<void> {
    const known = new Set(before ? this.#pathsOf(before) : []);
    const paths = this.#pathsOf(invoice).filter((path) => !known.has(path));
    const line = { invoice: invoice.id };
    await Promise.all(
      paths.map((path) => this.#store.documents.put(collectionOf(invoice.account), path, line)),
    );
  }

  /** Takes away what led to a note as it was, but for what leads to it as it is `now`. */
  async drop(before: Found, now?: Found): Promise<void> {
    const kept = new Set(now ? this.#pathsOf(now) : []);
    const paths = this.#pathsOf(before).filter((path) => !kept.has(path));
    await Promise.all(
      paths.map((path) => this.#store.documents.remove(collectionOf(before.account), path)),
    );
  }

  /** Lines along a way, the newest note first. `next`: where the following page begins. */
  async lines(
    account: string,
    way: Way,
    { after, limit }: { after?: string; limit: number },
  ): Promise<{ readonly lines: readonly Line[]; readonly next?: string }> {
    const start = this.#startOf(way);
    const page = await this.#store.documents.list(collectionOf(account), {
      after: after?.startsWith(start) ? after : start,
      limit,
    });
    const own = page.items.filter(({ id }) => id.startsWith(start));
    const lines = own.flatMap(({ id, value: { invoice } }) =>
      typeof invoice === "string" ? [{ at: id, invoice }] : [],
    );
    const last = lines.at(-1);
    const more = own.length === page.items.length && page.next !== undefined && last !== undefined;
    return { lines, next: more ? last.at : undefined };
  }

  /** Every line along a way. */
  async *all(account: string, way: Way): AsyncGenerator<Line> {
    let after: string | undefined;
    do {
      const page = await this.lines(account, way, { limit: PAGE, after });
      yield* page.lines;
      after = page.next;
    } while (after !== undefined);
  }

  #startOf(way: Way): string {
    switch (way.by) {
      case "all":
        return "a.";
      case "month":
        return `m.${way.month}.`;
      case "number":
        return `n.${this.#hash(`number:${plainNumber(way.number)}`)}.`;
      case "key":
        return `k.${this.#hash(`key:${way.key.toUpperCase()}`)}.`;
      case "taker":
        return `t.${this.#hash(`taker:${way.document}`)}.`;
      case "contact":
        return `c.${way.contact}.`;
    }
  }

  #pathsOf(invoice: Found): string[] {
    const { id, createdAt, competence, taker, contact, number, key, shared = [] } = invoice;
    const end = `${String(LAST_MS - createdAt).padStart(13, "0")}.${id}`;
    const ways: Way[] = [
      { by: "all" },
      { by: "month", month: competence.slice(0, 7) },
      // Nobody, once the person was erased.
      ...(taker.document === "" ? [] : [{ by: "taker", document: taker.document } as const]),
      ...[contact, ...shared].map((one) => ({ by: "contact", contact: one }) as const),
      ...(number === undefined ? [] : [{ by: "number", number } as const]),
      ...(key === undefined ? [] : [{ by: "key", key } as const]),
    ];
    return ways.map((way) => this.#startOf(way) + end);
  }

  #hash(text: string): string {
    return this.#keys.hash(text).slice(0, 32);
  }
}

/** Towns write the same number with and without zeros before it. */
function plainNumber(number: string): string {
  return number.replace(/\D+/g, "").replace(/^0+(?=\d)/, "") || number;
}

function collectionOf(account: string): string {
  return `notes:${account}`;
}
