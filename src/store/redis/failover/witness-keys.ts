/**
 * Witness keys of the guard. In a Cluster a primary may hold no partition and still hold business keys, records or the list
 * of pauses. Each such primary has a key like a partition's own, under a number past them, in which is written down who it
 * is.
 */
import { Cluster } from "ioredis";
import type { RedisContext } from "../connection/redis-context.ts";
import { type Reply, list, number, text } from "../connection/script-calls.ts";

/** How long the list of primaries is used, ms: operators change it by hand. */
const KNOWN_MS = 2_000;
/** Names tried: enough to find one in any slot. */
const TRIES = 200_000;

export class WitnessKeys {
  readonly #context: RedisContext;
  #known: readonly number[] = [];
  #at = -Infinity;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /**
   * One number for each primary that holds no partition; none outside a Cluster. It is the same for every process that sees
   * the same slots, also after a replica took them over. Throws `STORE_UNAVAILABLE`.
   */
  async numbers(): Promise<readonly number[]> {
    const { work } = this.#context;
    if (!(work.raw instanceof Cluster)) return [];
    if (performance.now() - this.#at < KNOWN_MS) return this.#known;
    const slots = (await work.ask((client) => client.call("CLUSTER", "SLOTS"))) as Reply;
    const holders = holdersOf(slots);
    const without = new Set(holders.values());
    const name = (at: number) => slotOf(`p${String(at).padStart(2, "0")}`);
    for (const partition of this.#context.all()) without.delete(holders.get(name(partition)) ?? "");
    const found: number[] = [];
    for (let at = this.#context.partitions; without.size > 0 && at < TRIES; at += 1)
      if (without.delete(holders.get(name(at)) ?? "")) found.push(at);
    this.#known = found;
    this.#at = performance.now();
    return found;
  }
}

/** Each slot's primary, of `CLUSTER SLOTS`: rows of first slot, last slot, primary (address, port, id, …), replicas …. */
function holdersOf(slots: Reply): Map<number, string> {
  const holders = new Map<number, string>();
  for (const row of list(slots)) {
    const [first, last, primary] = list(row);
    const [, , id] = list(primary ?? []);
    for (let slot = number(first); slot <= number(last); slot += 1) holders.set(slot, text(id));
  }
  return holders;
}

/** The slot of a hash tag: CRC-16 (polynomial 0x1021, begun with 0) of its bytes, of 16,384. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return crc % 16_384;
}
