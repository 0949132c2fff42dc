/** Counts and re-wraps the data keys of a whole Redis: contacts, collections, the index key. */
import { Cluster, type Redis } from "ioredis";
import type { KeyCensus } from "../../port/port.ts";
import { KeyTally } from "../../key-tally.ts";
import type { RedisContext } from "../connection/redis-context.ts";

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
