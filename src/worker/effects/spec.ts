/** A named effect a flow may ask for: what it takes, which call it becomes, what its answer means. */
import type { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { Account, CallResult, EffectClass } from "../../engine/index.ts";
import type { RouteId, CallOutcome } from "../../gateway/index.ts";
import type { Begun, EffectView } from "../../store/port/port.ts";
import type { Context } from "../context/context.ts";
import type { Held } from "../fleet/effect-lease.ts";
import type { Ending } from "../outbox/ending.ts";
import type { CallEntry } from "../outbox/entry.ts";
import type { Refusal } from "../outbox/verdict.ts";

/**
 * One gateway call under a name of its own.
 *
 * `C`: what the hooks are given. The runtime's own effects see more than a plugin's.
 *
 * The road of every call: `prepare` → `complete` → the bytes of what must not be done twice are stored → the call → its outcome
 * is judged by class → `settled` → the flow is told. The optional hooks change one step of it each.
 *
 * ```ts
 * const order: EffectSpec = {
 *   name: "orders.place", class: "costly", version: 1, route: "message.sendText",
 *   input: z.object({ number: z.string(), text: z.string() }),
 *   prepare: (input) => ({ body: input, query: {} }),
 *   interpret: (answer) => ({ outcome: answer.kind === "done" ? "done" : "rejected", out: {} }),
 * };
 * ```
 */
export interface EffectSpec<C = Context> {
  readonly name: string;
  readonly class: EffectClass;
  /** Raised when the meaning of the input changes. */
  readonly version: number;
  readonly input: z.ZodType;
  /** The gateway route behind it. */
  readonly route: RouteId;
  /** Body and query of the call. `null` = the input does not fit; nothing is sent. */
  readonly prepare: (input: JsonObject) => PreparedCall | null;
  /** The flow's view of a definite answer. */
  readonly interpret: (answer: Answer) => CallResult;
  /** Names that the branch of a success may read; absent for a plain route, whose answer may hold anything. */
  readonly result?: readonly string[];
  /** What each branch of a flow may read, by outcome, where branches differ. Stands in place of `result`. */
  readonly results?: Readonly<Record<string, z.ZodObject>>;
  /** Fields of the input that a list of items under another field stands in for: `{ value: "items" }`. */
  readonly unless?: Readonly<Record<string, string>>;
  /**
   * Adds to the call what only the world outside the conversation can tell: an address of ours, whether it is still wanted.
   * Asked before the first attempt; its bytes are frozen then. An ending instead: nothing is sent.
   */
  readonly complete?: (context: C, call: Asking) => Promise<PreparedCall | Ending>;
  /** `told`: a 402, which certainly changed nothing, ends it as failed for `no_balance`; else it waits for the top-up. */
  readonly unpaid?: "told";
  /**
   * What an end changes besides, done before the flow is told, also where a look or a person settled it. It may run again
   * with the same end. `data`: the answer, where it was done.
   */
  readonly settled?: (context: C, call: Asking, ending: Ending, data: Json) => Promise<Ending>;
  /**
   * Leads a whole attempt itself, with records of its own around the one call; `prepare` and `complete` are not called
   * then. It may store the bytes itself, or leave that to `send`. Null: another worker has the effect by now.
   */
  readonly perform?: (context: C, call: Call) => Promise<Ending | null>;
  /**
   * Judges a call whose process died after its bytes were stored: it may have left. Without this hook the outcome counts as
   * unknown and is judged by class.
   */
  readonly lost?: (context: C, call: LostCall) => Promise<Ending>;
  /** What the flow that waits hears of a call that this program failed to handle several times. */
  readonly unhandled?: (context: C, effect: Begun, mayHaveLeft: boolean) => Promise<CallResult>;
  /** Looks at one that is held, about once a minute, so it must be harmless when repeated. */
  readonly repair?: (context: C, effect: EffectView) => Promise<void>;
  /** Whether the reminder after an hour of a held call is left out, because the plugin reports it in another way. */
  readonly isToldElsewhere?: (context: C, effect: EffectView) => Promise<boolean>;
  /** The account's `onRateLimit` from which on a call that a 429 turned away goes again by itself. Absent: never. */
  readonly goesAgain?: "messages" | "all";
  /** How to look up whether a costly call took effect whose answer was lost. */
  readonly proof?: Proof;
}

/** One attempt of an effect that leads its own call. */
interface Call {
  readonly begun: Held;
  readonly entry: CallEntry;
  readonly account: Account;
  /** Stores the bytes where that is due, calls, and judges the outcome. Null as of `perform`. */
  readonly send: (prepared: PreparedCall) => Promise<Ending | null>;
}

interface LostCall extends Pick<Call, "entry" | "account"> {
  readonly begun: Begun;
  /** The ending by class, `settled` included. */
  readonly judge: () => Promise<Ending>;
}

/** A read that shows whether a lost costly call took effect. Finding it settles the call; not finding it proves nothing. */
export interface Proof {
  readonly route: RouteId;
  readonly query: JsonObject;
  /** Body of the read, where its route takes one. */
  readonly body?: JsonObject;
  /** Times of the looks after the call, virtual ms. */
  readonly after: readonly number[];
  /** What the lost answer would have held, when this answer proves that it took effect. */
  readonly find: (asked: Asked, answer: Json) => Json | null;
}

interface Asked {
  readonly input: JsonObject;
  /** When the call began, virtual ms. */
  readonly at: number;
  readonly account: Account;
}

/** What the end of a call is judged by; without a route, by its class alone. */
export type JudgedSpec<C = Context> = Pick<
  EffectSpec<C>,
  "name" | "class" | "interpret" | "settled" | "unpaid"
> & {
  readonly route?: RouteId;
};

/** One call of an effect, whichever attempt. */
export interface Asking {
  readonly effect: string;
  readonly contact: string;
  readonly account: Account;
  readonly input: JsonObject;
}

export interface PreparedCall {
  readonly body: JsonObject;
  readonly query: JsonObject;
}

export type Answer =
  { readonly kind: "done"; readonly data: Json } | ({ readonly kind: "rejected" } & Refusal);

/**
 * An effect that is no gateway call: code of the runtime or of a plugin. It may be done again after a crash, so doing it
 * twice must have the same effect as once.
 *
 * `C`: what `perform` is given. The runtime's own effects see more than a plugin's.
 */
export interface LocalSpec<I extends z.ZodObject = z.ZodObject, C = Context> {
  readonly name: string;
  /** `read`, or `replace` for what changes something. */
  readonly class: Extract<EffectClass, "read" | "replace">;
  /** Raised when the meaning of the input changes. */
  readonly version: number;
  readonly input: I;
  /** Names the branches of a flow may read. */
  readonly result: readonly string[];
  /** What a 402 of its gateway calls does; as `EffectSpec.unpaid`. */
  readonly unpaid?: "told";
  perform(work: LocalWork<C>, input: z.output<I>): Promise<Ending | null>;
}

export interface LocalWork<C = Context> {
  readonly context: C;
  readonly begun: Held;
  readonly account: Account;
  /** When it was asked for, virtual ms. */
  readonly at: number;
  /** Judges a gateway call that was made on the way, like any other of that route in that scope. */
  conclude(route: string, scope: string, outcome: CallOutcome): Promise<Ending>;
}

/** It was done; what the flow reads. At most 16 KiB: it stays in the session. */
export function done(out: CallResult["out"]): Ending {
  return { outcome: { kind: "done" }, result: { outcome: "done", out } };
}

/** A definite refusal, with its reason for the flow. */
export function refused(code: string, text = ""): Ending {
  return {
    outcome: { kind: "failed" },
    result: { outcome: "rejected", out: { code, text } },
    line: { reason: code },
  };
}
