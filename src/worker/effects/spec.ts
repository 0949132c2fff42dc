/** A named effect a flow may ask for: what it takes, which call it becomes, what its answer means. */
import type { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { CallResult, EffectClass } from "../../engine/index.ts";
import type { RouteId } from "../../gateway/index.ts";

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
}

export interface PreparedCall {
  readonly body: JsonObject;
  readonly query: JsonObject;
}

export type Answer =
  | { readonly kind: "done"; readonly data: Json }
  | { readonly kind: "rejected"; readonly message: string; readonly code?: string };
