/**
 * The names that flows can use, as types. An installation declares its own by merging {@link FlowRegistry}. Names of a
 * part that is not declared are plain strings; lint checks them when the flow is loaded.
 */

/** `$.account.policy`. */
export interface FlowPolicy {
  readonly openRequests: number;
  readonly requestsPerDay: number;
  readonly perMinute: number;
}

/** `$.account.retention`: how long what is kept. */
export interface FlowRetention {
  readonly draftDays: number;
  readonly chatDays: number;
}

/**
 * The account as flows see it (`$.account`). A plugin declares what its section adds by merging, here and in the two above:
 *
 *     declare module "prosa" {
 *       interface FlowAccount { readonly depots: readonly string[] }
 *     }
 */
export interface FlowAccount {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  readonly policy: FlowPolicy;
  readonly retention: FlowRetention;
  readonly operators: readonly string[];
  /** Whether the business is open, and its day, time and weekday (Sunday is 0), when the flow begins. */
  readonly open: boolean;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** `HH:MM`. */
  readonly time: string;
  readonly weekday: number;
  /** When the business is open; durations such as `2bh` and `1bd` count only this time. */
  readonly hours?: { readonly days: readonly number[]; readonly from: string; readonly to: string };
}

export interface FlowContact {
  readonly name?: string;
  readonly role: "customer" | "operator";
  /** Whether one more request would be within the account's limits, open ones and those of a day. */
  readonly mayRequest: boolean;
  /** Whether a fiscal effect they asked for here was done before; what they answered then may be known still. */
  readonly returning: boolean;
  /** What they asked of the business and is not answered yet, in short: `R$ 150,00 (Maria S.); R$ 80,00 (Rui L.)`. */
  readonly waiting?: string;
}

/**
 * Merge your own parts into it, each in one place:
 *
 *     declare module "prosa" {
 *       interface FlowRegistry {
 *         effects: {
 *           "pizzeria.order": {
 *             class: "costly";
 *             input: { value: number };
 *             ends: { done: { number: string }; rejected: CallRefused; failed: CallFailed };
 *           };
 *         };
 *         flows: {
 *           "approve-order": {
 *             input: { value: number };
 *             outcomes: "approved" | "refused";
 *             outs: { refused: { reason: string } };
 *           };
 *         };
 *         events: { "payment.received": { order: string; value: number } };
 *         texts: { "order": { say: "hello" | "ordered"; ask: "address"; confirm: "summary" } };
 *       }
 *     }
 *
 * `ends` tells what a call gives by how it ends, `outs` what a flow gives by its outcome: a branch reads only what is there.
 * In their place `result` and `out` tell it of every branch alike.
 */
export interface FlowRegistry {
  readonly account: FlowAccount;
}

/**
 * The gateway's routes as effects, by id: declared by the generated `flows/gateway.d.ts`, taken into a registry as
 * `effects: GatewayRoutes & { … }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a place for declarations to merge into
export interface GatewayRoutes {}

/**
 * The bot's own effects, by name: declared by the generated `effects.d.ts`, taken into a registry as
 * `effects: OwnEffects & { … }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a place for declarations to merge into
export interface OwnEffects {}

/** The parts of a registry; all but `account` may be absent. */
export interface AnyRegistry {
  readonly account: object;
  readonly effects?: object;
  readonly flows?: object;
  readonly events?: object;
  readonly texts?: object;
}

/** What a definite no brings, and what an end without an answer: the same of every call. */
export interface CallRefused {
  readonly code: string;
  readonly text: string;
}
export interface CallFailed extends CallRefused {
  readonly reason: string;
}

type Nothing = Record<never, never>;
type Part<R, K extends string> = R extends { readonly [P in K]: infer E } ? E : undefined;
type Names<E> = E extends object ? keyof E & string : string;
type Field<E, N, F extends string> = E extends object
  ? N extends keyof E
    ? E[N] extends { readonly [P in F]: infer V }
      ? V
      : undefined
    : undefined
  : undefined;

export type EventName<R> = Names<Part<R, "events">>;
/** What an event brings; undefined while none is declared. */
export type EventData<R, N> =
  Part<R, "events"> extends infer E
    ? E extends object
      ? N extends keyof E
        ? E[N]
        : undefined
      : undefined
    : undefined;
export type EffectName<R> = Names<Part<R, "effects">>;
export type EffectField<R, N, F extends "class" | "input" | "result" | "ends"> = Field<
  Part<R, "effects">,
  N,
  F
>;
/** What a call brings when it ends so. */
export type EffectEnd<R, N, End extends "done" | "rejected" | "failed"> =
  EffectField<R, N, "ends"> extends infer E
    ? E extends object
      ? End extends keyof E
        ? E[End]
        : Nothing
      : EffectField<R, N, "result">
    : never;
export type FlowName<R> = Names<Part<R, "flows">>;
export type FlowField<R, N, F extends "input" | "outcomes" | "out" | "outs"> = Field<
  Part<R, "flows">,
  N,
  F
>;
/** What another flow brings when it ends so. */
export type FlowEnd<R, N, Outcome> =
  FlowField<R, N, "outs"> extends infer E
    ? E extends object
      ? Outcome extends keyof E
        ? E[Outcome]
        : Nothing
      : FlowField<R, N, "out">
    : never;
/** Keys of one group of a flow's texts; any string while no types were generated for it. */
export type TextKey<R, Id, Group extends "say" | "ask" | "confirm"> =
  Part<R, "texts"> extends infer E
    ? Field<E, Id, Group> extends infer K
      ? K extends string
        ? K
        : string
      : string
    : string;

export interface RuntimeEffects {
  "privacy.overview": {
    class: "read";
    input: object;
    ends: {
      done: {
        name: string;
        phone: string;
        /** Turns of the conversation that are kept. */
        messages: number;
        chatDays: number;
        draftDays: number;
        fiscalYears: number;
      };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "privacy.export": {
    class: "read";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "privacy.ready": {
    class: "read";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "privacy.erase": {
    class: "replace";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
  "credits.state": {
    class: "read";
    input: object;
    ends: {
      done: { state: "open" | "no_balance" | "other" };
      rejected: CallRefused;
      failed: CallFailed;
    };
  };
  "credits.resume": {
    class: "replace";
    input: object;
    ends: { done: object; rejected: CallRefused; failed: CallFailed };
  };
}
