/** What chat files play of a plugin: its calls wait for a `*` line, and its documents lie in a store in memory. */
import type { JsonObject } from "../../base/index.ts";
import type { Account, CallEffect, CallResult, Session } from "../../engine/index.ts";
import type { Context } from "../../worker/index.ts";

/** Where a plugin's part of a chat file happens. */
export interface Stage {
  /** The worker's, on a store in memory. */
  readonly context: Context;
  readonly account: Account;
  /** The contact of a speaker of the file, such as `ana`. */
  readonly contactOf: (speaker: string) => Promise<string>;
  /** 0, 1, 2 and so on: tells what is written in one file apart. */
  readonly serial: () => number;
}

/**
 * Every part is optional.
 *
 *     rehearsal: {
 *       headers: { parcel: (rest, stage) => parcelsOf(stage.context).keep(parcelIn(rest, stage.account)) },
 *       does: ["deliveries.track"],
 *     }
 *
 * With it `@parcel PX123456 out` stands above the first line of a chat file, and `deliveries.track` finds that parcel.
 */
export interface Rehearsal {
  /** Headers by name: what exists before the first line. One that means nothing throws a sentence, told with its place. */
  readonly headers?: Readonly<Record<string, (rest: string, stage: Stage) => Promise<void>>>;
  /** Local effects that are done on the documents. Every other effect waits for a `*` line. */
  readonly does?: readonly string[];
  /** What a call leaves in the documents that a `*` line ends as done. `now`: virtual ms. */
  readonly done?: (
    call: { readonly effect: CallEffect; readonly contact: string; readonly now: number },
    out: JsonObject,
    stage: Stage,
  ) => Promise<void>;
  /** What the flow gets of a gateway's no that a `!` line asks for; undefined: `{ code, text }`. */
  readonly refused?: (
    effect: string,
    no: { readonly code: string; readonly message: string },
    locale: Session["locale"],
  ) => CallResult | undefined;
}
