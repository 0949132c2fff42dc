/**
 * Webhooks that were not taken: each is counted and logged by channel and reason. Senders do not repeat after a 4xx, so
 * this is the only trace. Neither place gets the path, which holds a token, nor the body.
 */
import type { Counter } from "prom-client";
import type { Log } from "../log.ts";
import {
  BAD_SIGNATURE,
  ENCODED,
  MALFORMED,
  NOT_FOUND,
  OVERLOADED,
  refuse,
  TOO_LARGE,
  type Problem,
} from "../problem.ts";

/** Every reason and what it is answered with. The names are labels of a counter. */
export const REFUSALS = {
  "unknown-token": NOT_FOUND,
  "unknown-path": NOT_FOUND,
  "bad-url": NOT_FOUND,
  method: NOT_FOUND,
  signature: BAD_SIGNATURE,
  "signature-too-old": BAD_SIGNATURE,
  compressed: ENCODED,
  "too-large": TOO_LARGE,
  empty: MALFORMED,
  "not-utf8": MALFORMED,
  "not-json": MALFORMED,
  "too-deep": MALFORMED,
  "too-many-values": MALFORMED,
  "prototype-key": MALFORMED,
  /** JSON, but not of the kind that the channel posts. */
  shape: MALFORMED,
  /** The body ended before it was whole, or was of another length than announced. */
  incomplete: MALFORMED,
  /** No HTTP that can be read. */
  http: MALFORMED,
  "headers-too-large": refuse("TOO_LARGE", "The headers are too large.", 431),
  timeout: refuse("TIMEOUT", "The request took too long.", 408),
  connections: OVERLOADED,
  overloaded: OVERLOADED,
  stopping: OVERLOADED,
  store: OVERLOADED,
  failed: OVERLOADED,
} satisfies Record<string, Problem>;

export type RefusalReason = keyof typeof REFUSALS;

export interface Refusal {
  /** A channel, the name of a plugin's webhook, or `unknown` where the request names none. */
  readonly channel: string;
  readonly reason: RefusalReason;
  /** Known once the token was looked up. */
  readonly account?: string;
  /** The request's correlation id. */
  readonly id?: string;
  /** More than the reason tells; never a part of the request. */
  readonly detail?: string;
}

/** Strangers can send anything, any number of times: their refusals of one kind are logged once in this time. Ms. */
const QUIET_MS = 10_000;

export type TellRefusal = (refusal: Refusal) => void;

/** `now` tells ms that only grow. */
export function refusalLog(
  counter: Counter<"channel" | "reason">,
  log: Log,
  now: () => number,
): TellRefusal {
  const quiet = new Map<string, { until: number; unlogged: number }>();
  return ({ channel, reason, ...more }) => {
    counter.inc({ channel, reason });
    const line = { channel, reason, status: REFUSALS[reason].status, ...more };
    if (more.account !== undefined) return log.warn(line, "webhook: refused");
    const kind = `${channel} ${reason}`;
    const known = quiet.get(kind);
    if (known && now() < known.until) {
      known.unlogged++;
      return;
    }
    const unlogged = known?.unlogged ?? 0;
    quiet.set(kind, { until: now() + QUIET_MS, unlogged: 0 });
    log.warn({ ...line, ...(unlogged > 0 ? { unlogged } : {}) }, "webhook: refused");
  };
}
