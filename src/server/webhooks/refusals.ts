/**
 * Webhooks that were not taken: each is counted and logged by channel and reason. Senders do not repeat after a 4xx, so
 * this is the only trace. Neither place gets the path, which holds a token, nor the body.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Counter } from "prom-client";
import { Fault, type Log } from "../../base/index.ts";
import type { ChannelName } from "../../engine/index.ts";
import type { AccountRepository } from "../../store/accounts.ts";
import {
  BAD_SIGNATURE,
  ENCODED,
  MALFORMED,
  NOT_FOUND,
  OVERLOADED,
  type Problem,
  refuse,
  send,
  TOO_LARGE,
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

interface Refusal {
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
    log.warn({ ...line, unlogged: unlogged || undefined }, "webhook: refused");
  };
}

/** Tokens of refused webhooks that are remembered at once; bounded, because strangers guess. */
const MOST = 1_000;

/** When webhooks of an account's channel were refused, first and last. Virtual ms. */
export interface Refused {
  readonly account: string;
  readonly channel: ChannelName;
  readonly from: number;
  readonly to: number;
  /** The store said that it takes nothing new. */
  readonly isFull: boolean;
}

interface Span extends Omit<Refused, "account"> {
  readonly token: string;
}

/**
 * Webhooks that were answered 503, by path token: mostly the account was not looked up yet, and under pressure it should
 * not be. Some engines never send such a webhook again, so back-fill learns of them from here, some seconds later. A
 * webhook that is taken costs nothing here.
 */
export class Refusals {
  readonly #accounts: Pick<AccountRepository, "byWebhookToken">;
  readonly #now: () => number;
  readonly #spans = new Map<string, Span>();

  constructor(accounts: Pick<AccountRepository, "byWebhookToken">, now: () => number) {
    this.#accounts = accounts;
    this.#now = now;
  }

  /** A webhook was refused; `error` is why, where something failed. */
  add(channel: ChannelName, token: string, error?: unknown): void {
    const at = this.#now();
    this.#keep({ channel, token, from: at, to: at, isFull: Fault.is(error, "STORE_FULL") });
  }

  /**
   * Hands over what was refused since, each account's channel once; an unknown token names no account. What cannot be
   * looked up, or is not taken, comes again the next time.
   */
  async hand(take: (refused: Refused) => Promise<void>): Promise<void> {
    const spans = [...this.#spans.values()];
    this.#spans.clear();
    for (const span of spans) {
      const { token, ...refused } = span;
      try {
        const tenant = await this.#accounts.byWebhookToken(span.channel, token);
        if (tenant) await take({ ...refused, account: tenant.account.id });
      } catch {
        // The store is away, or the account cannot be read: both were reported where they failed first.
        this.#keep(span);
      }
    }
  }

  #keep(span: Span): void {
    const key = `${span.channel} ${span.token}`;
    const known = this.#spans.get(key);
    if (!known && this.#spans.size >= MOST) return;
    this.#spans.set(key, {
      ...span,
      from: Math.min(span.from, known?.from ?? span.from),
      to: Math.max(span.to, known?.to ?? span.to),
      isFull: span.isFull || known?.isFull === true,
    });
  }
}

/*
 * Requests without a route: told apart in logs and metrics, and answered alike. One that may be a webhook is counted as such.
 */

/** Names of webhooks: channels, and those of plugins. */
type Named = ReadonlySet<string>;

/** The webhook that a path names; `unknown` where it names none that exists; null when it is no webhook's path. */
function channelOf(
  { url = "" }: { readonly url?: string | undefined },
  named: Named,
): string | null {
  const [, root, name = ""] = url.split(/[/?#]+/, 3);
  if (root !== "webhooks") return null;
  return named.has(name) ? name : "unknown";
}

function tellUnrouted(
  tell: TellRefusal,
  named: Named,
  request: FastifyRequest,
  reason: RefusalReason,
): void {
  const channel = channelOf(request.raw, named);
  if (channel !== null) tell({ channel, reason, id: request.id });
}

/** Well-formed paths without a route: answered before their body is looked at. */
export function answerUnrouted(app: FastifyInstance, tell: TellRefusal, named: Named): void {
  app.setNotFoundHandler(async (_request, reply) => send(reply, NOT_FOUND));
  app.addHook("onRequest", (request, reply, next) => {
    if (!request.is404) return next();
    tellUnrouted(tell, named, request, request.method === "POST" ? "unknown-path" : "method");
    void send(reply, NOT_FOUND);
  });
  app.server.on("drop", () => tell({ channel: "unknown", reason: "connections" }));
}

/** Options of the framework for requests that get as far as no route. */
export function unroutable(tell: TellRefusal, named: Named) {
  return {
    /** A path that the router cannot take is not repeated, because it may hold a token. */
    frameworkErrors(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
      tellUnrouted(tell, named, request, "bad-url");
      void send(reply, NOT_FOUND);
    },
    clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
      // The sender is gone; a body that was begun is counted where it was read.
      if (error.code === "ECONNRESET" || socket.destroyed) return;
      const reason = clientError(error.code);
      tell({ channel: "unknown", reason });
      const { status } = REFUSALS[reason];
      const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
      if (socket.writable)
        socket.write(`${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      socket.destroy(error);
    },
  };
}

function clientError(code: string | undefined): RefusalReason {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "timeout";
  return code === "HPE_HEADER_OVERFLOW" ? "headers-too-large" : "http";
}
