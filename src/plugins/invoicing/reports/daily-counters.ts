/**
 * What happens to notes outside their records, by the account's day: sales that were asked for twice, notices about notes
 * we have no record of or that contradict one, cancellations. One small document a day; the same thing told again is one thing.
 */
import { z } from "zod";
import { type Account, changeDocument, type Keys, localDay, type Store } from "../../../plugin.ts";

const COLLECTION = "daily-counters";
/** Names kept of each kind; beyond it only the number goes on, and repeats count. */
const NAMES = 500;

export const Deed = z.enum(["blocked", "unmatched", "cancelled", "contradicted"]);
export type Deed = z.output<typeof Deed>;

const Page = z.object({
  names: z.record(z.string(), z.array(z.string())).default({}),
  counts: z.record(z.string(), z.number()).default({}),
});

export class DailyCounters {
  readonly #store: Pick<Store, "documents">;
  readonly #keys: Keys;
  readonly #now: () => number;

  /** `now`: virtual time, ms. */
  constructor(store: Pick<Store, "documents">, keys: Keys, now: () => number) {
    this.#store = store;
    this.#keys = keys;
    this.#now = now;
  }

  /** `name` tells one thing from another; only its hash is kept. */
  async note(account: Pick<Account, "id" | "zone">, deed: Deed, name: string): Promise<void> {
    const hash = this.#keys.hash(`dailyCounters:${name}`).slice(0, 16);
    const id = `${account.id}.${localDay(this.#now(), account.zone)}`;
    await changeDocument(this.#store, COLLECTION, id, (value) => {
      const page = Page.parse(value ?? {});
      const names = page.names[deed] ?? [];
      if (names.includes(hash)) return null;
      const counts = { ...page.counts, [deed]: (page.counts[deed] ?? 0) + 1 };
      const kept = { ...page.names, [deed]: [...names, hash].slice(0, NAMES) };
      return { counts, names: kept };
    });
  }

  async of(account: string, day: string): Promise<Readonly<Record<Deed, number>>> {
    const found = await this.#store.documents.get(COLLECTION, `${account}.${day}`);
    const { counts } = Page.parse(found?.value ?? {});
    const { blocked = 0, unmatched = 0, cancelled = 0, contradicted = 0 } = counts;
    return { blocked, unmatched, cancelled, contradicted };
  }
}
