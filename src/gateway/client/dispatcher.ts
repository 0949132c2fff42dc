/** Connections to the gateway. */
import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher } from "undici";

/** A TCP and TLS connection that takes longer than this is given up: nothing was sent. 5 s. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Idle connections are closed by us before the usual 5 s of a Node or PHP front, so that few calls meet a dead one. 4 s. */
const KEEP_ALIVE_MS = 4_000;
/** Connections per origin; further calls wait for one within their own time. 128 keep a 2-core worker busy. */
const MAX_CONNECTIONS = 128;

/**
 * A pool for everyday calls, and a new connection for each call marked `reset` (fiscal and costly ones): a kept
 * connection may be dying at the other end, and its loss after the write could not be told from a call that took effect.
 */
export function createDispatcher(
  options: { connectTimeoutMs?: number; lookup?: LookupFunction } = {},
): Dispatcher {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, lookup } = options;
  const connect = { timeout: connectTimeoutMs, ...(lookup ? { lookup } : {}) };
  const kept = new Agent({
    connect,
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
  const fresh = new Agent({ connect, connections: MAX_CONNECTIONS, pipelining: 0 });
  return kept.compose(
    (dispatch) => (request, handler) =>
      request.reset === true ? fresh.dispatch(request, handler) : dispatch(request, handler),
  );
}
