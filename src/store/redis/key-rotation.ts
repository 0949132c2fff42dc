/**
 * A rotation of `PROSA_KEYS`: which entry the running processes wrap with, and how much each entry wraps. They are restarted one
 * after the other. Until the last one has the new entry first, all go on wrapping with the old one, so that none meets a
 * data key it cannot open.
 */
import { Cluster, type Redis } from "ioredis";
import { Fault } from "../../base/index.ts";
import type { KeyRing } from "../sealing/seal.ts";
import type { Client } from "./connection/client.ts";
import { list, text } from "./connection/script-calls.ts";
import type { KeyCensus } from "../port/port.ts";
import { KeyTally } from "../key-tally.ts";
import type { RedisContext } from "./connection/redis-context.ts";

const KEY = "prosa:keys";
/** Reports in the time a process counts as running. */
const REPORTS = 3;

export class KeyHolders {
  readonly #client: Client;
  readonly #ring: KeyRing;
  readonly #process: string;
  readonly #spanMs: number;
  /** Another entry wraps from now on. */
  readonly #switched: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: {
    client: Client;
    ring: KeyRing;
    process: string;
    spanMs: number;
    switched: () => Promise<void>;
  }) {
    this.#switched = options.switched;
    this.#client = options.client;
    this.#ring = options.ring;
    this.#process = options.process;
    this.#spanMs = options.spanMs;
  }

  /** Reports which entries this process has, now and regularly. Throws `KEY_UNKNOWN` when others wrap with none of them. */
  async join(): Promise<void> {
    await this.#report();
    this.#timer = setInterval(() => {
      // A report that fails is made up for by the next one; until then this process wraps as it did.
      void this.#renew().catch(() => undefined);
    }, this.#spanMs / REPORTS);
    this.#timer.unref();
  }

  /** Others need not wait for this process any more. */
  async leave(): Promise<void> {
    // The report failed, perhaps because there is no connection; without one no answer would come.
    if (!this.#timer) return;
    clearInterval(this.#timer);
    await this.#client.script("hold-keys", KEY, this.#process, 0).catch(() => undefined);
  }

  /** Entries that running processes wrap with. */
  async inUse(): Promise<ReadonlySet<string>> {
    const all = await this.#client.ask((redis) => redis.hgetall(KEY));
    const granted = Object.entries(all)
      .filter(([field]) => field.startsWith("p:"))
      .map(([, entry]) => entry.split("|")[2] ?? "");
    return new Set(granted);
  }

  async #renew(): Promise<void> {
    const before = this.#ring.active;
    await this.#report();
    if (this.#ring.active !== before) await this.#switched();
  }

  async #report(): Promise<void> {
    const { entries } = this.#ring;
    const answer = await this.#client.script(
      "hold-keys",
      KEY,
      this.#process,
      this.#spanMs,
      ...entries,
    );
    const [entry, latest] = list(answer).map(text);
    if (entry === "")
      throw new Fault("KEY_UNKNOWN", `Data is sealed under the key "${latest ?? ""}".`);
    this.#ring.use(entry ?? "");
  }
}

/** Keys looked at in one step of the server: far below a millisecond of its time. */
const STEP = 500;
/** Names of contacts' and collections' facts, among all keys with that beginning. */
const PATTERN = "prosa:{[pd]*}:[sm]*";
const CONTACT = /^prosa:\{p\d+\}:s:([0-9a-f]{32})$/;
const COLLECTION = /^prosa:\{d:(.*)\}:meta$/;
const META = "prosa:meta";

interface Place {
  readonly key: string;
  readonly field: string;
  /** The owner to which the wrapping is bound. */
  readonly owner: string;
}

/** Counts and re-wraps the data keys of a whole Redis: contacts, collections, the index key. */
export async function takeCensus(
  context: RedisContext,
  options: { readonly rewrap: boolean; readonly inUse: () => Promise<ReadonlySet<string>> },
): Promise<KeyCensus> {
  const tally = new KeyTally(context.ring);
  const seen = new Set<string>();
  await count(context, tally, { key: META, field: "index", owner: "index" }, options.rewrap);
  const { raw } = context.work;
  for (const node of raw instanceof Cluster ? raw.nodes("master") : [raw])
    for await (const key of keysOf(context, node)) {
      const found = key.flatMap(placeOf).filter((place) => !seen.has(place.key));
      // A key may be met twice while the server's table grows.
      for (const place of found) seen.add(place.key);
      await Promise.all(found.map((place) => count(context, tally, place, options.rewrap)));
    }
  return tally.result(await options.inUse());
}

async function* keysOf(context: RedisContext, node: Redis): AsyncGenerator<readonly string[]> {
  let cursor = "0";
  do {
    const from = cursor;
    const [next, keys] = await context.work.ask(() =>
      node.scan(from, "MATCH", PATTERN, "COUNT", STEP),
    );
    cursor = next;
    yield keys;
  } while (cursor !== "0");
}

function placeOf(key: string): Place[] {
  const contact = CONTACT.exec(key)?.[1];
  if (contact !== undefined) return [{ key, field: "k", owner: contact }];
  const collection = COLLECTION.exec(key)?.[1];
  if (collection === undefined) return [];
  return [{ key, field: "k", owner: `collection ${decodeURIComponent(collection)}` }];
}

async function count(
  context: RedisContext,
  tally: KeyTally,
  place: Place,
  rewrap: boolean,
): Promise<void> {
  const { key, field, owner } = place;
  const wrapped = await context.work.ask((redis) => redis.hget(key, field));
  if (wrapped === null) return;
  const anew = rewrap ? tally.anew(owner, wrapped) : undefined;
  if (anew === undefined) return tally.add(owner, wrapped);
  if ((await context.work.script("rewrap-field", key, field, wrapped, anew)) === 1)
    return tally.add(owner, anew, true);
  // Another process was faster, or the person was erased meanwhile.
  const now = await context.work.ask((redis) => redis.hget(key, field));
  if (now !== null) tally.add(owner, now);
}
