/**
 * A ledger of the calls in a conversation that cost money or cannot be undone. It is kept from the program's inputs and
 * demands alone. Two such calls must never run at once, and a completed one is made again only after another yes.
 */
import { canonicalJson } from "../../base/index.ts";
import type { FlowEvent, ProgramStep } from "../../engine/index.ts";
import { isGrave } from "../authoring/vocabulary.ts";

/** Name of the property that the book proves. */
export const ONCE = "a call that counts is begun once";

export interface Ledger {
  /** Calls without a definite end, by step. */
  readonly open: { readonly [step: string]: string };
  /** Calls that were carried out since the last yes. */
  readonly done: readonly string[];
  /** Every call, in order. */
  readonly all: readonly string[];
  /** What must not have been. */
  readonly wrong?: string;
}

export const BLANK: Ledger = { open: {}, done: [], all: [] };

/** The book after a turn. */
export function booked(ledger: Ledger, event: FlowEvent | undefined, step: ProgramStep): Ledger {
  const { wrong: _told, ...before } = ledger;
  const settled = event && step.handled ? ended(before, event) : before;
  const open = { ...settled.open };
  const all = [...settled.all];
  let wrong: string | undefined;
  for (const demand of step.demands) {
    if (demand.type !== "effect" || !isGrave(demand.class)) continue;
    const call = `${demand.name} ${canonicalJson(demand.input)}`;
    const [other] = Object.keys(open);
    if (other !== undefined) wrong = `"${demand.step}" began while "${other}" was under way`;
    else if (settled.done.includes(call))
      wrong = `"${demand.step}" began again what had been done, without another yes`;
    open[demand.step] = call;
    all.push(call);
  }
  return { open, done: settled.done, all, wrong };
}

function ended(ledger: Ledger, event: FlowEvent): Ledger {
  if (event.type === "YES") return { ...ledger, done: [] };
  const dot = event.type.lastIndexOf(".");
  const id = event.type.slice(0, dot);
  const outcome = event.type.slice(dot + 1);
  if (dot < 0 || outcome === "held" || !Object.hasOwn(ledger.open, id)) return ledger;
  const { [id]: call = "", ...open } = ledger.open;
  return { ...ledger, open, done: outcome === "done" ? [...ledger.done, call] : ledger.done };
}
