/**
 * How many notices of the issuer's webhook an account had in a day, by what became of them. Notes nobody here knows are
 * part of the daily report: somebody else issues under the same document, or a record of ours is missing.
 */
import type { JsonObject, Store } from "../../../../plugin.ts";

const COLLECTION = "notices";
/** Counter of the notices that came to this process, by `end`. */
export const NOTICES = "invoicing_notices_total";
const WRITE_TRIES = 8;
const DAY_MS = 86_400_000;
/** Reports look back a month; older counts go with the day that is counted. */
const KEPT_MS = 31 * DAY_MS;

/** `unmatched`: no note of ours; `unproven`: a person has to look; `lookups`: charged queries made for them. */
export const NOTICE_KINDS = ["settled", "known", "unmatched", "unproven", "lookups"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export type NoticeCounts = Readonly<Record<NoticeKind, number>>;

export class Notices {
  readonly #store: Store;
  readonly #now: () => number;
  /** Counts not written yet; a flood of notices shares one write. */
  readonly #fresh = new Map<string, Map<NoticeKind, number>>();
  readonly #writing = new Map<string, Promise<void>>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Durable when it resolves. */
  async note(account: string, kind: NoticeKind): Promise<void> {
    const id = docId(account, this.#now());
    const fresh = this.#fresh.get(id) ?? new Map<NoticeKind, number>();
    fresh.set(kind, (fresh.get(kind) ?? 0) + 1);
    this.#fresh.set(id, fresh);
    // One that runs may have begun before this count; the next one takes it along.
    const before = this.#writing.get(id);
    if (before) await before;
    if (!this.#fresh.has(id)) return this.#writing.get(id);
    const writing = this.#write(account, id).finally(() => {
      if (this.#writing.get(id) === writing) this.#writing.delete(id);
    });
    this.#writing.set(id, writing);
    return writing;
  }

  /** Of the day (UTC) that holds this time, ms; zeros when there were none. */
  async of(account: string, at: number): Promise<NoticeCounts> {
    return countsIn((await this.#store.documents.get(COLLECTION, docId(account, at)))?.value);
  }

  async #write(account: string, id: string): Promise<void> {
    const fresh = this.#fresh.get(id);
    if (!fresh) return;
    this.#fresh.delete(id);
    for (let tries = 0; tries < WRITE_TRIES; tries++) {
      const old = await this.#store.documents.get(COLLECTION, id);
      const counts: Record<NoticeKind, number> = { ...countsIn(old?.value) };
      for (const [kind, count] of fresh) counts[kind] += count;
      if ((await this.#store.documents.put(COLLECTION, id, counts, old?.rev ?? 0)) === "conflict")
        continue;
      if (!old)
        await this.#store.documents.remove(COLLECTION, docId(account, this.#now() - KEPT_MS));
      return;
    }
    throw new Error("the count of notices was changed by others again and again");
  }
}

function docId(account: string, at: number): string {
  return `${account}.${new Date(at).toISOString().slice(0, 10)}`;
}

function countsIn(value: JsonObject | undefined): NoticeCounts {
  return Object.fromEntries(
    NOTICE_KINDS.map((kind) => {
      const found = value?.[kind];
      return [kind, typeof found === "number" ? found : 0];
    }),
  ) as unknown as NoticeCounts;
}
