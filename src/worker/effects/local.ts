/**
 * Effects that are no call of the gateway: what the house knows or does itself, with the store. Each may be done again after
 * a crash: doing it twice must be the same as doing it once.
 */
import type { z } from "zod";
import type { Account, CallResult, EffectClass } from "../../engine/index.ts";
import type { CallOutcome } from "../../gateway/index.ts";
import type { Desk } from "../desk.ts";
import type { Held } from "../fleet/tenure.ts";
import type { Ending } from "../outbox/ending.ts";

export interface LocalSpec<I extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** `read`, or `replace` for what changes something. */
  readonly class: Extract<EffectClass, "read" | "replace">;
  /** Raised when the meaning of the input changes. */
  readonly version: number;
  readonly input: I;
  /** Names the branches of a flow may read. */
  readonly result: readonly string[];
  /** Of the calls it makes, as of an effect's own. */
  readonly unpaid?: "told";
  perform(work: LocalWork, input: z.output<I>): Promise<Ending | null>;
}

export interface LocalWork {
  readonly desk: Desk;
  readonly begun: Held;
  readonly account: Account;
  /** When it was asked for, virtual ms. */
  readonly at: number;
  /** Judges a call of the gateway that was made on the way, as any other of that route in that scope. */
  conclude(route: string, scope: string, outcome: CallOutcome): Promise<Ending>;
}

/** It was done; what the flow reads. At most 16 KiB: it stays in the session. */
export function done(out: CallResult["out"]): Ending {
  return { outcome: { kind: "done" }, result: { outcome: "done", out } };
}

/** A definite no, with its reason for the flow. */
export function refused(code: string, text = ""): Ending {
  return {
    outcome: { kind: "failed" },
    result: { outcome: "rejected", out: { code, text } },
    line: { reason: code },
  };
}
