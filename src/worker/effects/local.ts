/**
 * Effects that are not gateway calls: code of the runtime or of a plugin. Each may be done again after a crash, so doing it
 * twice must have the same effect as once.
 */
import type { z } from "zod";
import type { Account, CallResult, EffectClass } from "../../engine/index.ts";
import type { CallOutcome } from "../../gateway/index.ts";
import type { Context } from "../context/context.ts";
import type { Held } from "../fleet/effect-lease.ts";
import type { Ending } from "../outbox/ending.ts";

/** `C`: what `perform` is given. The runtime's own effects see more than a plugin's. */
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
