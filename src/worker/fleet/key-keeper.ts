/**
 * While `PROSA_KEYS` has more than one entry, a rotation is under way. Data keys that no process uses are wrapped anew
 * here, and how much each entry still wraps is told, until the old one may be taken out.
 */
import type { KeyCensus, Store } from "../../store/index.ts";
import { Loop } from "../loop.ts";
import type { Log } from "../ports.ts";

/** The first count waits until a restart of this process has settled, ms. */
const FIRST_MS = 20_000;
/** Pause while something is left to do, ms. */
const BUSY_MS = 60_000;
/** Pause once nothing is left: another process may still have wrapped something with the old entry. Ms. */
const QUIET_MS = 10 * 60_000;

export interface KeyKeeper {
  start(): void;
  stop(): Promise<void>;
}

export function createKeyKeeper(options: {
  readonly store: Pick<Store, "census">;
  readonly log: Log;
  /** The entry that should wrap everything. */
  readonly first: string;
  readonly counted: (census: KeyCensus) => void;
  readonly firstMs?: number;
}): KeyKeeper {
  const { store, log, first, counted } = options;
  let pauseMs = options.firstMs ?? FIRST_MS;
  let waited = false;
  let done = false;
  return new Loop({
    async round() {
      // The loop begins with a round; the work begins after the first pause.
      if (!waited) {
        waited = true;
        return false;
      }
      pauseMs = BUSY_MS;
      const before = await store.census();
      // Before every process has the new entry first, wrapping anew would go back to the old one.
      const census = before.active === first ? await store.census({ rewrap: true }) : before;
      counted(census);
      const isDone = census.entries.every(
        ({ entry, keys, inUse }) => entry === first || (keys === 0 && !inUse),
      );
      if (isDone && !done)
        log.info({ active: first }, "all data keys are wrapped by the first entry of PROSA_KEYS");
      done = isDone;
      if (isDone) pauseMs = QUIET_MS;
      return false;
    },
    idleMs: () => pauseMs,
    failed: (error) => log.error({ err: error }, "data keys could not be wrapped anew"),
  });
}
