/** What the typed client takes and gives. The methods follow from the contract by mapped types: no list of them anywhere. */
import type { Dispatcher } from "undici";
import type { AccountedCall } from "./client/accounting.ts";
import type {
  BodyOf,
  Contract,
  DataOf,
  QueryOf,
  RouteId,
  RouteOf,
  RouteWords,
} from "./contract/table.ts";
import type { CallClass, Method } from "./contract/route.ts";
import type { Enqueued } from "./contract/shapes.ts";
import type { Answer } from "./answers/envelope.ts";
import type { CallOutcome, NotSentReason, UnknownReason } from "./answers/outcome.ts";
import type { GatewayProfile } from "./profile.ts";
import type { TestModeId } from "./wire.ts";

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
  /**
   * Test mode: writes `homolog: true` into the body of every call that has it (invoicing, SMS), so that the gateway
   * answers from its fixed test base and takes no credit. Other calls are real.
   */
  readonly homolog?: boolean;
  readonly phases?: Phases;
  /** Shared connections (see `createDispatcher`); the client then leaves closing them to their owner. */
  readonly dispatcher?: Dispatcher;
  /** Called for every call, without bodies, query or credentials. */
  readonly onCall?: (call: ObservedCall) => void;
}

/** Times of the parts of a call, in real ms, within its whole time, which alone is exact: these may end a second late. */
interface Phases {
  /** TCP and TLS, of connections the client makes itself; a call that ends here was `not_sent`. Default 5,000. */
  readonly connectMs?: number;
  /** From the request written to the status line; `unknown` from here on. Default: the whole time. */
  readonly headersMs?: number;
  /** Longest pause within the body of the answer. Default 15,000. */
  readonly bodyIdleMs?: number;
}

/** One call as logs, metrics, the console and the books (`accounted`) see it. */
export interface ObservedCall extends AccountedCall {
  readonly method: Method;
  /** With the deployment's words, without query. */
  readonly path: string;
  readonly class: CallClass;
  readonly queued: boolean;
  readonly reason?: NotSentReason | UnknownReason;
  readonly ms: number;
}

export interface CallOptions {
  /** Which form the body has; found by trying when absent. */
  readonly variant?: string;
  /** Aborted before the request is written: `not_sent`; after: `unknown`. */
  readonly signal?: AbortSignal;
  /**
   * Asked in the very tick in which the request is written, on the connection that takes it. False: nothing is written and
   * the call is `not_sent`. For a caller whose lease may end.
   */
  readonly mayLeave?: () => boolean;
  /**
   * Bytes made earlier by `exactBytes`: sent as they are. The body argument is looked at only where the filter of a GET
   * goes into the query, which is no part of these bytes.
   */
  readonly frozenBytes?: Uint8Array;
  /** Called with the answer as it came, before it is read. It holds data that must not be logged. */
  readonly onAnswer?: (answer: Answer) => void;
}
/** For the calls that have a test mode. */
interface TestModeOptions {
  /** Writes the flag `homolog`, or leaves it out, whatever the client does otherwise. */
  readonly homolog?: boolean;
}
/** For calls by id: query and test mode are checked at run time. */
export interface CallByIdOptions extends CallOptions, TestModeOptions {
  readonly query?: Readonly<Record<string, unknown>>;
  /** Use the `/queue` form: the answer is {@link Enqueued}, for every id but `message.sendTextQueue` (its own form). */
  readonly queue?: boolean;
}

type RouteOptions<R> = (R extends { readonly id: TestModeId }
  ? CallOptions & TestModeOptions
  : CallOptions) &
  (QueryOf<R> extends null ? unknown : WithQuery<NonNullable<QueryOf<R>>>);
type WithQuery<Q> = object extends Q ? { readonly query?: Q } : { readonly query: Q };
/** The body may be left out where an empty one is valid, the options where no query is needed. */
type Args<R> =
  object extends RouteOptions<R>
    ? Record<string, never> extends BodyOf<R>
      ? [body?: BodyOf<R>, options?: RouteOptions<R>]
      : [body: BodyOf<R>, options?: RouteOptions<R>]
    : [body: BodyOf<R>, options: RouteOptions<R>];

/** A route as a method. */
type RouteCall<R> = ((...args: Args<R>) => Promise<CallOutcome<DataOf<R>>>) &
  (R extends { readonly queue: "yes" | "refused" }
    ? {
        /** The same call through the gateway's queue: answers a job id; charged when enqueued. */
        readonly queue: (...args: Args<R>) => Promise<CallOutcome<Enqueued>>;
      }
    : unknown);

type GatewayRoutes = {
  readonly [C in keyof Contract]: { readonly [K in keyof Contract[C]]: RouteCall<Contract[C][K]> };
};

interface GatewayCalls {
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
