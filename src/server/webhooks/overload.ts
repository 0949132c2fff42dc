/** Protection from overload: how many bodies may be in this process at once, and whether it has all it can bear. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

/** Bodies at once, and their bytes together: 16 bodies of the largest size, or hundreds of ordinary ones. */
const GATE = { bodies: 1_000, bytes: 256 * 1024 * 1024 } as const;
/** What a body of unstated length is taken for, bytes. */
const UNSTATED = 1024 * 1024;

interface Gate {
  /** A place for a body of this stated length. The answer gives the place back; null: there is none. */
  enter(length: number | undefined): (() => void) | null;
  readonly inside: number;
}

export function createGate(limit: { bodies: number; bytes: number } = GATE): Gate {
  let bodies = 0;
  let bytes = 0;
  return {
    enter(length) {
      const size = length ?? UNSTATED;
      if (bodies >= limit.bodies || (bytes + size > limit.bytes && bodies > 0)) return null;
      bodies++;
      bytes += size;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        bodies--;
        bytes -= size;
      };
    },
    get inside() {
      return bodies;
    },
  };
}

/** How often the pressure is measured, ms. */
const SAMPLE_MS = 1_000;
/** How often the loop is looked at; that much of every delay is the look itself. Ms. */
const RESOLUTION_MS = 10;

interface Pressure {
  readonly isHigh: () => boolean;
  stop(): void;
}

/**
 * Whether this process has all it can bear: a late event loop (`eventLoopDelayMs`: mean of the last second), or a heap that is
 * nearly full (`heapShare`: of what it may grow to). It opens no file; the usual ways to read memory do, and would end the
 * process when file descriptors are short.
 */
export function watchPressure(most: { eventLoopDelayMs: number; heapShare: number }): Pressure {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let isHigh = false;
  const timer = setInterval(() => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    // No look in a whole second: the loop stood still.
    const delay = Number.isNaN(delays.mean) ? Infinity : delays.mean / 1e6 - RESOLUTION_MS;
    delays.reset();
    isHigh = delay > most.eventLoopDelayMs || used > most.heapShare * limit;
  }, SAMPLE_MS).unref();
  return {
    isHigh: () => isHigh,
    stop() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
