/** The typed client: every route of the contract as a method, `gateway.message.sendText({…})`. */
import type { Dispatcher } from "undici";
import { Fault } from "../base/index.ts";
import {
  Enqueued,
  contract,
  routeOf,
  type AnyRoute,
  type BodyOf,
  type CallClass,
  type Contract,
  type DataOf,
  type Method,
  type QueryOf,
  type RouteId,
  type RouteOf,
  type RouteWords,
} from "./contract/index.ts";
import { createDispatcher } from "./dispatcher.ts";
import { readAnswer, type Answer } from "./envelope.ts";
import { exchange, type ExchangeEnd } from "./exchange.ts";
import type { CallOutcome, NotSentReason, OutcomeKind, UnknownReason } from "./outcome.ts";
import { payloadPlaces, type GatewayProfile } from "./profile.ts";
import { redactor, secretsIn } from "./redact.ts";
import { bodyBytes, checkedBody, filtersInQuery, targetOf } from "./wire.ts";

export interface GatewayOptions {
  /** Address of the gateway including `api/v2`. */
  readonly baseUrl: string;
  /** Bearer token. */
  readonly token: string;
  /** Sent to plan-billed routes only; without it those answer `not_sent` with reason `no_device_token`. */
  readonly deviceToken?: string;
  readonly routeWords?: RouteWords;
  readonly profile?: GatewayProfile;
  /** Whole time of one call, in real ms. Default 20,000. */
  readonly timeoutMs?: number;
  /** The same for invoicing, where a town's system answers. Default 60,000. */
  readonly fiscalTimeoutMs?: number;
  /** Shared connections (see `createDispatcher`); the client then leaves closing them to their owner. */
  readonly dispatcher?: Dispatcher;
  /** Told of every call, without bodies, query or credentials. */
  readonly onCall?: (call: ObservedCall) => void;
}

/** One call as logs, metrics and the console see it. */
export interface ObservedCall {
  readonly routeId: RouteId;
  readonly method: Method;
  /** With the deployment's words, without query. */
  readonly path: string;
  readonly class: CallClass;
  readonly queued: boolean;
  readonly kind: OutcomeKind;
  readonly status?: number;
  readonly reason?: NotSentReason | UnknownReason;
  readonly ms: number;
}

export interface CallOptions {
  /** Which form the body has; found by trying when absent. */
  readonly variant?: string;
  /** Aborted before the request is written: `not_sent`; after: `unknown`. */
  readonly signal?: AbortSignal;
  /**
   * Bytes made earlier by `exactBytes`: sent as they are. The body argument is looked at only where the filter of a GET
   * goes into the query, which is no part of these bytes.
   */
  readonly frozenBytes?: Uint8Array;
  /** Told the answer as it came, before it is read, whatever it says. It holds what nobody may log. */
  readonly onAnswer?: (answer: Answer) => void;
}
/** For calls by id: the query is checked at run time. */
export interface CallByIdOptions extends CallOptions {
  readonly query?: Readonly<Record<string, unknown>>;
  /** Use the `/queue` form: the answer is {@link Enqueued}, for every id but `message.sendTextQueue` (its own form). */
  readonly queue?: boolean;
}

type RouteOptions<R> =
  QueryOf<R> extends null ? CallOptions : CallOptions & WithQuery<NonNullable<QueryOf<R>>>;
type WithQuery<Q> = object extends Q ? { readonly query?: Q } : { readonly query: Q };
/** The body may be left out where an empty one is valid, the options where no query is needed. */
type Args<R> =
  object extends RouteOptions<R>
    ? Record<string, never> extends BodyOf<R>
      ? [body?: BodyOf<R>, options?: RouteOptions<R>]
      : [body: BodyOf<R>, options?: RouteOptions<R>]
    : [body: BodyOf<R>, options: RouteOptions<R>];

/** A route as a method. */
export type RouteCall<R> = ((...args: Args<R>) => Promise<CallOutcome<DataOf<R>>>) &
  (R extends { readonly queue: "yes" | "refused" }
    ? {
        /** The same call through the gateway's queue: answers a job id; charged when enqueued. */
        readonly queue: (...args: Args<R>) => Promise<CallOutcome<Enqueued>>;
      }
    : unknown);

export type GatewayRoutes = {
  readonly [C in keyof Contract]: { readonly [K in keyof Contract[C]]: RouteCall<Contract[C][K]> };
};

export interface GatewayCalls {
  /** Any route by its id (the methods of the controller `call` hang on this function too). */
  readonly call: <Id extends RouteId>(
    id: Id,
    body?: unknown,
    options?: CallByIdOptions,
  ) => Promise<CallOutcome<DataOf<RouteOf<Id>>>>;
  /** The bytes that `call` would send for this body: freeze them to send the same again. Empty: no body. */
  readonly exactBytes: (id: RouteId, body?: unknown, variant?: string) => Uint8Array;
  /** Closes idle connections, unless the dispatcher came from outside. Calls under way end first. */
  readonly close: () => Promise<void>;
}

/**
 * Calls resolve to a {@link CallOutcome}, whatever the network and the gateway do. They reject only for a mistake of the
 * caller, before anything is sent: `GATEWAY_BODY` for a body or query that breaks its schema. Nothing is retried here.
 */
export type Gateway = GatewayRoutes & GatewayCalls;

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_FISCAL_TIMEOUT_MS = 60_000;

/** A client for one account. Throws `SETTING_INVALID` for an address that is none. */
export function createGateway(options: GatewayOptions): Gateway {
  const caller = new Caller(options);
  const byId = (id: RouteId, body?: unknown, given?: CallByIdOptions) =>
    caller.call(routeOf(id), body, given ?? {});
  const controllers: Record<string, unknown> = {};
  for (const [name, routes] of Object.entries(contract)) {
    const methods: Record<string, unknown> =
      name === "call" ? (byId as object as typeof methods) : {};
    for (const [key, entry] of Object.entries(routes))
      methods[key] = routeMethod(caller, entry as AnyRoute);
    controllers[name] = methods;
  }
  return {
    ...controllers,
    exactBytes: (id: RouteId, body?: unknown, variant?: string) =>
      caller.exactBytes(routeOf(id), body, variant),
    close: () => caller.close(),
  } as Gateway;
}

function routeMethod(caller: Caller, route: AnyRoute) {
  const method = (body?: unknown, given?: CallByIdOptions) => caller.call(route, body, given ?? {});
  if (route.queue !== "yes" && route.queue !== "refused") return method;
  const queue = (body?: unknown, given?: CallByIdOptions) =>
    caller.call(route, body, { ...given, queue: true });
  return Object.assign(method, { queue });
}

class Caller {
  readonly #options: GatewayOptions;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #profile: GatewayProfile;
  readonly #dispatcher: Dispatcher;

  constructor(options: GatewayOptions) {
    const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
      throw new Fault("SETTING_INVALID", "The gateway's address is no plain http(s) address.");
    this.#options = options;
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, "");
    this.#profile = options.profile ?? {};
    this.#dispatcher = options.dispatcher ?? createDispatcher();
  }

  exactBytes(route: AnyRoute, body: unknown, variant: string | undefined): Uint8Array {
    return bodyBytes(route, checkedBody(route, body, variant), this.#profile);
  }

  async close(): Promise<void> {
    if (!this.#options.dispatcher) await this.#dispatcher.close();
  }

  async call(route: AnyRoute, body: unknown, given: CallByIdOptions): Promise<CallOutcome<never>> {
    const started = performance.now();
    const queued = given.queue === true && route.queue !== "only";
    const frozen = given.frozenBytes !== undefined && !filtersInQuery(route, this.#profile);
    const checked = frozen ? {} : checkedBody(route, body, given.variant);
    const bytes = given.frozenBytes ?? bodyBytes(route, checked, this.#profile);
    const { path, search } = targetOf(route, checked, {
      profile: this.#profile,
      queued,
      ...(this.#options.routeWords ? { words: this.#options.routeWords } : {}),
      ...(given.query ? { query: given.query } : {}),
    });
    const end = await this.#send(route, `${this.#prefix}${path}${search}`, bytes, given.signal);
    const ms = Math.round(performance.now() - started);
    if (end.kind === "answer") show(end, given.onAnswer);
    const outcome =
      end.kind === "answer"
        ? readAnswer(end, {
            schema: queued ? Enqueued : route.response,
            envelope: queued ? "optional" : route.envelope,
            places: payloadPlaces(route, this.#profile),
            redact: this.#redactor(route, bytes),
            ms,
            now: Date.now(),
          })
        : { ...end, ms };
    this.#tell(route, path, queued, outcome);
    return outcome as CallOutcome<never>;
  }

  async #send(
    route: AnyRoute,
    path: string,
    body: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<ExchangeEnd> {
    const headers: Record<string, string> = {
      accept: "application/json",
      "content-type": "application/json",
      authorization: `Bearer ${this.#options.token}`,
    };
    if (route.auth === "bearer+device") {
      if (!this.#options.deviceToken) return { kind: "not_sent", reason: "no_device_token" };
      headers["DeviceToken"] = this.#options.deviceToken;
    }
    const { timeoutMs = DEFAULT_TIMEOUT_MS, fiscalTimeoutMs = DEFAULT_FISCAL_TIMEOUT_MS } =
      this.#options;
    return exchange(this.#dispatcher, {
      origin: this.#origin,
      path,
      method: route.method,
      headers,
      body,
      totalMs: route.area === "invoicing" ? fiscalTimeoutMs : timeoutMs,
      limitBytes: route.maxResponseBytes,
      fresh: route.class === "fiscal" || route.class === "costly",
      ...(signal ? { signal } : {}),
    });
  }

  #redactor(route: AnyRoute, bytes: Uint8Array): (text: string) => string {
    const { token, deviceToken } = this.#options;
    const inBody = route.id === "invoicing.certificadoUpload" ? secretsIn(bytes) : [];
    return redactor([token, deviceToken, ...inBody]);
  }

  #tell(route: AnyRoute, path: string, queued: boolean, outcome: CallOutcome): void {
    try {
      this.#options.onCall?.({
        routeId: route.id,
        method: route.method,
        path,
        class: route.class,
        queued: queued || route.queue === "only",
        kind: outcome.kind,
        ...("status" in outcome && outcome.status !== undefined ? { status: outcome.status } : {}),
        ...("reason" in outcome ? { reason: outcome.reason } : {}),
        ms: outcome.ms,
      });
    } catch {
      // An observer that throws must not make a call that was sent look like one that was not.
    }
  }
}

function show(answer: Answer, observer: CallOptions["onAnswer"]): void {
  try {
    observer?.(answer);
  } catch {
    // As with `onCall`: what was sent was sent.
  }
}
