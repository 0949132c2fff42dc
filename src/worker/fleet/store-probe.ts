/**
 * Once a second: how long the store takes to answer, and whether its clock runs as expected. Both raise alarms, since
 * customers notice a slow disk or a jumping clock first.
 */
import type { Store } from "../../store/port/port.ts";
import type { Alarms } from "../alarms/alarms.ts";
import type { VirtualClock } from "../clock.ts";
import type { Log } from "../ports.ts";
import type { HeartbeatPart } from "../loop.ts";

/** Looks between two readings of what the store may evict. */
const INFO_BEATS = 60;
/** A store that takes longer than this delays every webhook, ms: five times the slowest that is allowed. */
export const SLOW_MS = 1_000;
/** A jump above this is an alarm, ms: clocks are corrected by less while they run. */
export const JUMP_MS = 5_000;

interface StoreProbeDeps {
  readonly store: Pick<Store, "now" | "info">;
  readonly clock: Pick<VirtualClock, "sync">;
  readonly alarms: Pick<Alarms, "raise">;
  readonly log: Pick<Log, "warn">;
  /** Ms of a clock that cannot be set. */
  readonly steady?: () => number;
}

export class StoreProbe implements HeartbeatPart {
  readonly everyMs = 1_000;
  readonly #deps: StoreProbeDeps;
  readonly #steady: () => number;
  #beating = false;
  #beats = 0;
  #evicted: number | undefined;
  #away = false;
  #last: { readonly told: number; readonly at: number } | undefined;

  constructor(deps: StoreProbeDeps) {
    this.#deps = deps;
    this.#steady = deps.steady ?? (() => performance.now());
  }

  /** The first look. Throws when the store cannot be asked now. */
  async start(): Promise<void> {
    await this.#ask();
  }

  /** One look; never two at a time. */
  async beat(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    const from = this.#steady();
    try {
      await this.#ask();
      if (this.#beats++ % INFO_BEATS === 0) await this.#lookForEviction();
      this.#away = false;
    } catch (error) {
      if (!this.#away) this.#deps.log.warn({ err: error }, "the store's clock could not be read");
      this.#away = true;
    } finally {
      this.#beating = false;
    }
    const ms = Math.round(this.#steady() - from);
    if (ms >= SLOW_MS)
      this.#deps.alarms.raise({
        code: "store.slow",
        subject: "store",
        message: `The store did not answer for ${ms} ms: look at its disk, its machine and the line to it.`,
      });
  }

  /** Also read while running: a setting of Redis can change, and another server may take its place. */
  async #lookForEviction(): Promise<void> {
    const { evicts, evicted = 0 } = await this.#deps.store.info();
    const lost = evicted - (this.#evicted ?? evicted);
    this.#evicted = evicted;
    if (evicts === undefined && lost <= 0) return;
    const what =
      lost > 0 ? `Redis threw ${lost} keys away` : `Redis may throw keys away (${evicts ?? ""})`;
    this.#deps.alarms.raise({
      code: "store.evicts",
      subject: "store",
      message: `${what}: messages, sessions or records may be lost. Set maxmemory-policy noeviction and give it more memory.`,
    });
  }

  async #ask(): Promise<void> {
    const before = this.#steady();
    const told = await this.#deps.clock.sync(this.#deps.store);
    const at = this.#steady();
    const last = this.#last;
    this.#last = { told, at };
    // The store's time was true at some moment between question and answer.
    const jumped = last === undefined ? 0 : told - last.told - (at - last.at);
    if (Math.abs(jumped) < JUMP_MS + (at - before)) return;
    const seconds = Math.round(jumped / 1_000);
    this.#deps.alarms.raise({
      code: "clock.jumped",
      subject: "store",
      message: `The store's clock jumped by ${seconds} s: timers that were set before are that much off. Let its clock be corrected slowly.`,
    });
  }
}

/**
 * Set up also for a process that makes no turns, since it may be the first to meet a missing key. The message names an
 * entry of `PROSA_KEYS` and no secret.
 */
export function raiseOfStore(
  store: Pick<Store, "onKeyMissing" | "onDamaged">,
  alarms: Pick<Alarms, "raise">,
): void {
  store.onKeyMissing((entry) =>
    alarms.raise({
      code: "keys.missing",
      subject: entry,
      message: `Data is sealed under the entry ${entry}, which is not in this process' PROSA_KEYS: messages of these contacts are refused (503) and what they have waits. Put it back behind the first entry and restart.`,
    }),
  );
  store.onDamaged((collection, id) =>
    alarms.raise({
      code: "document.damaged",
      subject: `${collection} ${id}`,
      message: `A document (${collection} ${id}) was changed in the store and cannot be opened: it is left out wherever all are looked through. Bring it back from a copy of the store.`,
    }),
  );
}
