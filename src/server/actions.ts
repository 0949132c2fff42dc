/**
 * What operators can do that is more than a store call: rules of workers, flows and clocks stand behind it.
 * Every answer is a value; `absent` = no such thing, `refused` = not in this state, `stale` = not what the operator saw any
 * more, `unseen` = who decides about it must say what was seen. The last three with a sentence for the operator.
 */
import type { Json, JsonObject } from "../base/index.ts";
import type { Account } from "../engine/index.ts";
import type { Chart } from "../flow/chart-model.ts";

export type Done =
  | { readonly ok: true; readonly detail?: JsonObject }
  | { readonly ok: false; readonly reason: "absent" }
  | {
      readonly ok: false;
      readonly reason: "refused" | "stale" | "unseen";
      readonly message: string;
      /** A word for exactly this message, where consoles have their own for it. */
      readonly why?: string;
    };

export interface EffectRef {
  readonly account: string;
  readonly contact: string;
  readonly id: string;
}

export interface InvoiceRef {
  readonly account: string;
  readonly id: string;
}

/** A note as a chat file's `@note` names it. */
export interface SeededNote {
  readonly number: string;
  /** Digits of the phone it is of. */
  readonly by: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface Actions {
  /** Forgets a person, the way the chat does it: also what stands beside the conversation. Refused while a note is on its way. */
  forget(account: string, contact: string): Promise<Done>;
  /**
   * A person's decision about an effect that waits: sent again, known to be done or failed, or given up. `rev`: the effect's
   * own, as the person saw it; demanded of what costs or files taxes.
   */
  decideEffect(
    ref: EffectRef,
    decision: "retry" | "done" | "failed" | "discard",
    by: { readonly actor: string; readonly reason: string; readonly rev?: number },
  ): Promise<Done>;
  /** Against a sandbox: the result of a waiting effect of the house itself, in place of doing it. It waits on. */
  answerEffect(
    ref: EffectRef,
    result: { readonly outcome: string; readonly out: JsonObject },
  ): Promise<Done>;
  /** Against a sandbox: what stands in the books of a business made for a chat file. */
  setNotes(account: Account, notes: readonly SeededNote[]): Promise<Done>;
  /**
   * The newest first. `month`: `YYYY-MM` of the service. `open`: those alone that have no end and that a person may have to
   * decide about, the longest waiting first.
   */
  invoices(
    account: string | undefined,
    query?: { readonly month?: string; readonly number?: string; readonly open?: boolean },
  ): Promise<readonly JsonObject[]>;
  invoice(ref: InvoiceRef): Promise<JsonObject | null>;
  /** The notes of a month (`YYYY-MM`) as CSV, a part after the other; null when there are more than one table holds. */
  sheet(account: string, month: string): Promise<AsyncIterable<string> | null>;
  /**
   * `rev`: the note's own, as the person saw it. `not_issued` has an open note sent once more; of one that was given up it says
   * that there is none: the record stays closed, its sale may be issued anew.
   */
  resolveInvoice(
    ref: InvoiceRef,
    decision: "issued" | "not_issued" | "abandon",
    by: {
      readonly actor: string;
      readonly reason: string;
      readonly rev: number;
      readonly chave?: string;
    },
  ): Promise<Done>;
  /** The account's calls of this month: plan, credits, balance, what was charged. Money is BRL. */
  usage(account: string): Promise<JsonObject>;
  /** What became of a day's notes (`YYYY-MM-DD` of the account's zone, default today), and all that is open. */
  reconciliation(account: Account, day: string | undefined): Promise<JsonObject>;
  /** Alarms an account's people are told of, by code: how many, since when, when told. */
  alarms(account: string): Promise<JsonObject>;
  /** Classes of effects held back after a fail-over or a restored backup, with their reasons. */
  holds(): Promise<readonly JsonObject[]>;
  releaseHold(effectClass: string): Promise<boolean>;
  /** Ends a scope's pause; what it turned away (429) stands in its place again before anything may leave. */
  resumeScope(scope: string): Promise<boolean>;
  /** `{flow, title, version, hash, steps, lint, audience}` of each loaded flow. */
  flows(): Promise<readonly JsonObject[]>;
  /** Versions of flows that conversations are in, with how many rest at each step; nothing of anybody. */
  occupied(): Promise<readonly JsonObject[]>;
  chart(flow: string): Promise<Chart | null>;
  /** The chart with places, as the console draws it. */
  layout(flow: string): Promise<Json>;
  /**
   * Moves the virtual clock (sandbox target only); resolves when due timers have drained. An earlier time changes nothing
   * unless the clock was set `back`.
   */
  setClock(now: number, back: boolean): Promise<number>;
  /** Resolves when no mail, timer or effect is due. */
  drain(): Promise<void>;
}
