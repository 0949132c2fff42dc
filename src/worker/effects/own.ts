/** Effects of a bot's own, as the outbox calls them: the outcome is judged by class like that of a gateway call. */
import type { JsonObject } from "../../base/index.ts";
import type { OwnEffect } from "../../flow/index.ts";
import type { CallOutcome } from "../../gateway/index.ts";
import { answered } from "./route-effect.ts";
import type { JudgedSpec } from "./spec.ts";

/** One attempt. */
export interface OwnRequest {
  /** The effect's id, the same at each attempt. */
  readonly id: string;
  readonly account: { readonly id: string; readonly zone: string };
  readonly attempt: number;
  /** As `input` of the effect gave it. */
  readonly input: JsonObject;
  readonly bytes: Uint8Array;
  /** Asked right before the first byte. */
  readonly mayLeave: () => boolean;
}

/** How an effect is done: by HTTP, or by the author's function in a thread. */
export interface OwnCall {
  /** Why it cannot be called, in a sentence: a setting is missing, or its address is not allowed. */
  readonly problem?: string;
  /** What is sent; frozen before the first attempt where it must not be made twice. */
  bytes(input: JsonObject): Uint8Array;
  /** Never rejects. */
  call(request: OwnRequest): Promise<CallOutcome>;
}

export interface Own {
  readonly effect: OwnEffect;
  readonly call: OwnCall;
  /** The flow's view of a definite answer. Default: as for a gateway route. */
  readonly interpret?: JudgedSpec["interpret"];
}

/** A bot's own effects, by name. */
export type OwnEffects = ReadonlyMap<string, Own>;

/** How its end is judged and told to its flow. */
export function ownSpec({ effect: { name, class: kind }, interpret = answered }: Own): JudgedSpec {
  return { name, class: kind, interpret };
}
