import type { Listeners, Work } from "../../listeners.ts";
import { Client } from "./client.ts";
import type { RedisPlace } from "./url.ts";

/**
 * Which partitions to ask for work. Those known to have some are asked first. All are asked when none is known, when the
 * known ones gave nothing, and once a second in any case, because hints may be lost and leases run out silently. A caller
 * that only follows a hint asks no others.
 */
const SWEEP_MS = 900;

export class PartitionPoller {
  readonly #partitions: number;
  readonly #marked = new Set<number>();
  #swept = -Infinity;
  #turn = 0;

  constructor(partitions: number) {
    this.#partitions = partitions;
  }

  mark(partition: number): void {
    this.#marked.add(partition);
  }

  /**
   * Asks partitions for up to `limit` things altogether. `ask(partition, share)` answers what it got and whether there is
   * more. `hinted`: only partitions known to have work, unless all are due. `inTurn`: one after the other. A partition that
   * cannot be reached does not stop the others; it is a failure only when all failed.
   */
  async gather<T>(
    { limit, hinted = false, inTurn }: { limit: number; hinted?: boolean; inTurn?: boolean },
    ask: (partition: number, share: number) => Promise<{ got: readonly T[]; more: boolean }>,
  ): Promise<T[]> {
    const late = performance.now() - this.#swept > SWEEP_MS;
    const sweep = late || (this.#marked.size === 0 && !hinted);
    const atOnce = inTurn === true ? 1 : this.#partitions;
    const found = await this.#ask(sweep ? this.#all() : [...this.#marked], limit, atOnce, ask);
    if (found.length > 0 || sweep || hinted) return found;
    return this.#ask(this.#all(), limit, atOnce, ask);
  }

  async #ask<T>(
    targets: readonly number[],
    limit: number,
    atOnce: number,
    ask: (partition: number, share: number) => Promise<{ got: readonly T[]; more: boolean }>,
  ): Promise<T[]> {
    if (targets.length === this.#partitions) this.#swept = performance.now();
    const found: T[] = [];
    let failure: Error | undefined;
    let answered = 0;
    let next = 0;
    while (next < targets.length && found.length < limit) {
      const left = limit - found.length;
      const batch = targets.slice(next, next + Math.min(left, atOnce));
      next += batch.length;
      const share = Math.floor(left / batch.length);
      for (const partition of batch) this.#marked.delete(partition);
      const answers = await Promise.allSettled(batch.map((partition) => ask(partition, share)));
      for (const [index, answer] of answers.entries()) {
        const partition = batch[index] ?? 0;
        if (answer.status === "rejected") {
          failure = asError(answer.reason);
          this.#marked.add(partition);
          continue;
        }
        answered += 1;
        found.push(...answer.value.got);
        if (answer.value.more) this.#marked.add(partition);
      }
    }
    // Not reached this time: asked next, whether known or not.
    for (const partition of targets.slice(next)) this.#marked.add(partition);
    if (answered === 0 && failure !== undefined) throw failure;
    return found;
  }

  /** Each time another one begins, so that none is always last. */
  #all(): number[] {
    this.#turn = (this.#turn + 1) % this.#partitions;
    const turn = this.#turn;
    return Array.from(
      { length: this.#partitions },
      (_, index) => (index + turn) % this.#partitions,
    );
  }
}

/** One for each caller that asks for other kinds of the same work, so that hints used up by one are not lost to the others. */
export class PartitionPollers {
  readonly #partitions: number;
  readonly #by = new Map<string, PartitionPoller>();

  constructor(partitions: number) {
    this.#partitions = partitions;
  }

  of(kinds: string): PartitionPoller {
    const known = this.#by.get(kinds);
    if (known) return known;
    const made = new PartitionPoller(this.#partitions);
    this.#by.set(kinds, made);
    return made;
  }

  mark(partition: number): void {
    for (const poller of this.#by.values()) poller.mark(partition);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

const CHANNEL = "prosa:wake";

/** Hints from other processes: one subscription for each process, opened when a listener asks for it. */
export class WakeHints {
  readonly #place: RedisPlace;
  readonly #wake: Listeners<Work>;
  readonly #poller: Readonly<Record<Work, Pick<PartitionPoller, "mark">>>;
  readonly #origin: string;
  #client: Client | undefined;

  constructor(options: {
    place: RedisPlace;
    wake: Listeners<Work>;
    poller: Readonly<Record<Work, Pick<PartitionPoller, "mark">>>;
    origin: string;
  }) {
    this.#place = options.place;
    this.#wake = options.wake;
    this.#poller = options.poller;
    this.#origin = options.origin;
  }

  listen(): void {
    if (this.#client) return;
    const client = new Client(this.#place, "wake");
    this.#client = client;
    client.raw.on("message", (_channel: string, message: string) => this.#heard(message));
    // Without hints work is found by polling; the client goes on trying to connect.
    client.raw.on("ready", () => void client.raw.subscribe(CHANNEL).catch(() => undefined));
    client.raw.connect().catch(() => undefined);
  }

  close(): void {
    this.#client?.close();
  }

  /** `t` or `o`, the partition's prefix, the process that said it. */
  #heard(message: string): void {
    const [, kind, partition, origin] = /^([to])prosa:\{p(\d+)\}:(.*)$/.exec(message) ?? [];
    if (kind === undefined || origin === this.#origin) return;
    const what: Work = kind === "t" ? "turns" : "outbox";
    this.#poller[what].mark(Number(partition));
    this.#wake.tell(what);
  }
}
