/** Live events for consoles: a numbered ring of the last thousand, and listeners. It is a view, and no state depends on it. */
import type { Json, JsonObject } from "../../base/index.ts";

/** Events kept for a console that was away for a moment. */
export const RING_SIZE = 1_000;

export interface HubEvent extends JsonObject {
  readonly type: string;
  readonly [key: string]: Json | undefined;
}

export interface Numbered {
  readonly seq: number;
  readonly at: number;
  readonly event: HubEvent;
}

export interface EventHub {
  /** An event that costs work is given as a function, which is called once, when a console listens. */
  publish(event: HubEvent | (() => HubEvent)): void;
  /** Events after `seq`. A number of an earlier process (higher than ours) gives all that are kept. */
  since(seq: number): readonly Numbered[];
  /** Called for each new event; the answer ends it. A listener must not throw. */
  listen(listener: (event: Numbered) => void): () => void;
  /** Ends every stream; later listeners end at once. */
  close(): void;
  onClose(listener: () => void): () => void;
  readonly closed: boolean;
}

export function createEventHub(options: { now: () => number; size?: number }): EventHub {
  const size = options.size ?? RING_SIZE;
  const ring: Numbered[] = [];
  const listeners = new Set<(event: Numbered) => void>();
  const closers = new Set<() => void>();
  let seq = 0;
  let closed = false;
  return {
    publish(event) {
      if (closed) return;
      const numbered = numberedOf(++seq, options.now(), event);
      ring.push(numbered);
      if (ring.length > size) ring.shift();
      for (const listener of listeners) listener(numbered);
    },
    since: (last) => (last > seq ? [...ring] : ring.filter((one) => one.seq > last)),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      for (const closer of [...closers]) closer();
      closers.clear();
      listeners.clear();
    },
    onClose(listener) {
      if (closed) listener();
      else closers.add(listener);
      return () => closers.delete(listener);
    },
    get closed() {
      return closed;
    },
  };
}

function numberedOf(seq: number, at: number, given: HubEvent | (() => HubEvent)): Numbered {
  if (typeof given !== "function") return { seq, at, event: given };
  let make: (() => HubEvent) | undefined = given;
  let made: HubEvent | undefined;
  return {
    seq,
    at,
    get event() {
      if (make) made = make();
      make = undefined;
      return made as HubEvent;
    },
  };
}
