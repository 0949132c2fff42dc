/**
 * One HTTP exchange. Its ends are told apart by one moment: whether the request began to be written.
 *
 * undici calls `onRequestStart` on a connected (and, for HTTPS, verified) socket, before the first byte. Everything that
 * fails earlier was certainly not sent; everything after may have taken effect. No redirects, no retries.
 */
import { type Dispatcher, Agent } from "undici";
import type { NotSentReason, UnknownReason } from "../answers/outcome.ts";
import type { LookupFunction } from "node:net";

/** Bodies of answers outside 2xx hold a message at most: 64 KiB. */
const REFUSAL_LIMIT_BYTES = 64 * 1024;
/** A body that pauses longer than this has died. 15 s, or the call's whole time if that is less. */
const BODY_IDLE_MS = 15_000;

export interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: no body. */
  readonly body: Uint8Array;
  /** From now to the last byte of the answer. */
  readonly totalMs: number;
  /** From the request written to the status line; the whole time when absent. */
  readonly headersMs?: number;
  /** Longest pause within the answer's body; {@link BODY_IDLE_MS} when absent. */
  readonly bodyIdleMs?: number;
  readonly limitBytes: number;
  /** On a connection of its own. */
  readonly fresh: boolean;
  readonly signal?: AbortSignal;
  /** Asked right before the first byte. */
  readonly mayLeave?: () => boolean;
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type ExchangeEnd =
  /** `body` is complete for 2xx; otherwise as much as came. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly body: Buffer;
    }
  | { readonly kind: "not_sent"; readonly reason: NotSentReason }
  | { readonly kind: "unknown"; readonly reason: UnknownReason; readonly status?: number };

/** Makes the exchange. Never rejects. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeEnd> {
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(request, resolve);
    handler.watch(request.signal);
    if (handler.settled) return;
    try {
      dispatcher.dispatch(
        {
          origin: request.origin,
          path: request.path,
          method: request.method,
          headers: request.headers,
          body: request.body.byteLength > 0 ? request.body : null,
          headersTimeout: request.headersMs ?? request.totalMs,
          bodyTimeout: Math.min(request.bodyIdleMs ?? BODY_IDLE_MS, request.totalMs),
          ...(request.fresh ? { reset: true } : {}),
        },
        handler,
      );
    } catch (error) {
      handler.fail(error);
    }
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  settled = false;
  readonly #request: ExchangeRequest;
  readonly #resolve: (end: ExchangeEnd) => void;
  readonly #timer: NodeJS.Timeout;
  #signal: AbortSignal | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: ResponseHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(request: ExchangeRequest, resolve: (end: ExchangeEnd) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#giveUp("timeout"), request.totalMs);
  }

  watch(signal: AbortSignal | undefined): void {
    this.#signal = signal;
    if (signal?.aborted) this.#aborted();
    else signal?.addEventListener("abort", this.#aborted, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#request.mayLeave?.() === false)
      this.#settle({ kind: "not_sent", reason: "too_late" });
    if (this.settled) {
      controller.abort(new Error("given up before it was sent"));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers["content-length"]) > this.#limit()) this.#giveUp("too_large");
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit()) this.#giveUp("too_large");
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(error);
  }

  /** The transport failed. */
  fail(error: unknown): void {
    if (!this.#controller) this.#settle({ kind: "not_sent", reason: notSentReason(error) });
    else this.#giveUp(isTimeout(error) ? "timeout" : "reset");
  }

  readonly #aborted = (): void => this.#giveUp("aborted");

  #limit(): number {
    const success = this.#status >= 200 && this.#status < 300;
    return success ? this.#request.limitBytes : REFUSAL_LIMIT_BYTES;
  }

  /** Ends without the whole answer. A status outside 2xx is an answer, whatever became of its body. */
  #giveUp(reason: "timeout" | "reset" | "aborted" | "too_large"): void {
    if (this.settled) return;
    const controller = this.#controller;
    if (!controller)
      this.#settle({ kind: "not_sent", reason: reason === "aborted" ? "aborted" : "timeout" });
    else if (this.#status >= 300) this.#answer();
    else
      this.#settle({
        kind: "unknown",
        reason,
        ...(this.#status > 0 ? { status: this.#status } : {}),
      });
    controller?.abort(new Error(reason));
  }

  #answer(): void {
    this.#settle({
      kind: "answer",
      status: this.#status,
      headers: this.#headers,
      body: this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks),
    });
  }

  #settle(end: ExchangeEnd): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#aborted);
    this.#chunks = [];
    this.#resolve(end);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return String(error.code);
}

function isTimeout(error: unknown): boolean {
  const code = codeOf(error);
  return code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT";
}

const TLS = /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_|EPROTO)/;

function notSentReason(error: unknown): NotSentReason {
  const code = codeOf(error);
  if (code === "ENOTFOUND" || code.startsWith("EAI_")) return "dns";
  if (code === "ECONNREFUSED") return "connection_refused";
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") return "connect_timeout";
  if (code === "UND_ERR_CLOSED" || code === "UND_ERR_DESTROYED") return "closed";
  if (code === "UND_ERR_INVALID_ARG") return "unsendable";
  return TLS.test(code) ? "tls" : "unreachable";
}

/** A TCP and TLS connection that takes longer than this is given up: nothing was sent. 5 s. */
const CONNECT_TIMEOUT_MS = 5_000;
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
