/**
 * Whether this process has all it can bear: a late event loop, or a heap that is nearly full. It opens no file; the usual
 * ways to read memory do, and would end the process when file descriptors are short.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

const SAMPLE_MS = 1_000;
/** How often the loop is looked at; that much of every delay is the look itself. Ms. */
const RESOLUTION_MS = 10;

export interface Pressure {
  readonly isHigh: () => boolean;
  stop(): void;
}

/** `eventLoopDelayMs`: mean of the last second; `heapShare`: of what the heap may grow to. Above either it is high. */
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
