/** A named effect a flow may ask for: what it takes, which call it becomes, what its answer means. */
import type { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { Account, CallResult, EffectClass } from "../../engine/index.ts";
import type { RouteId } from "../../gateway/index.ts";
import type { Desk } from "../desk.ts";
import type { Ending } from "../outbox/ending.ts";

export interface EffectSpec {
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
  /**
   * The call as only the world outside the conversation can tell it: an address of ours, whether it is wanted still. Asked
   * before the first attempt; its bytes are frozen then. An ending instead: nothing is sent.
   */
  readonly complete?: (desk: Desk, call: Asking) => Promise<PreparedCall | Ending>;
  /** `told`: a 402, which certainly changed nothing, ends it as failed for `no_balance`; else it waits for the top-up. */
  readonly unpaid?: "told";
  /**
   * What an end leaves behind, done before the flow is told, also where a look or a person settled it. It may run again with
   * the same end. `data`: the answer, where it was done.
   */
  readonly settled?: (desk: Desk, call: Asking, ending: Ending, data: Json) => Promise<Ending>;
}

/** What the end of a call is judged by; without a route, by its class alone. */
export type JudgedSpec = Pick<EffectSpec, "name" | "class" | "interpret" | "settled" | "unpaid"> & {
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
  | { readonly kind: "done"; readonly data: Json }
  | { readonly kind: "rejected"; readonly message: string; readonly code?: string };
