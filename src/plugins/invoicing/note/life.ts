/** What the chart makes of a record: which events it takes, what follows, and what is done with its keys. Pure. */
import { type StateValue, transition } from "xstate";
import { type KeyAction, type KeyEnds, NO_ENDS, noteChart, type NoteEvent } from "./chart.ts";
import {
  type Cancellation,
  type Invoice,
  InvoiceState,
  isKeyless,
  moved,
  wasUnsent,
} from "./invoice.ts";

const OPEN = noteChart.getStateNodeById("note.open").states;

/** Ended, as far as we know: nothing is sent any more, whoever says so. */
export function isEnded({ state }: Pick<Invoice, "state">): boolean {
  return !(state in OPEN);
}

/**
 * Sent, and without an end: a note may exist that we cannot name. It stands on the list of those (`open-notes.ts`), and
 * keeps its sale until somebody judges it.
 */
export function isListed({ state }: Pick<Invoice, "state">): boolean {
  return OPEN[state]?.tags.includes("sent") ?? false;
}

/** Whether it stands on the list, for whichever reason. */
export function isOnList(note: Pick<Invoice, "state" | "key">): boolean {
  return isListed(note) || isKeyless(note);
}

/** Its record says that there is no note. */
export function isFree(note: Invoice): boolean {
  return keyEndsOf(note).key === "free";
}

/** Whether its cancellation was asked for, and nobody said how it ended. */
export function isCancelling(note: Invoice): boolean {
  return snapshotOf(note).matches({ autorizada: "undecided" });
}

/** Where a record stands in the chart. */
export function placeOf(note: Invoice): StateValue {
  const { state, absent, history, cancel } = note;
  if (!isEnded(note)) return { open: state };
  if (state === "autorizada") return { autorizada: cancel ? wishAt(cancel) : "standing" };
  if (state === "rejeitada") return state;
  return { abandonada: absent !== undefined || wasUnsent(history) ? "absent" : "unknown" };
}

function wishAt({ state, givenUp, confirmed }: Cancellation): StateValue {
  if (state === "incerta" && givenUp !== undefined) return "indefinida";
  if (state === "recusada") return state;
  if (state === "cancelada") return confirmed ? "confirmada" : state;
  return { undecided: state };
}

function snapshotOf(note: Invoice | null) {
  const value = note === null ? "asked" : placeOf(note);
  return noteChart.resolveState({ value, context: { note } });
}

/** Whether it is an event of the state in which the note is. */
export function can(note: Invoice | null, event: NoteEvent): boolean {
  return snapshotOf(note).can(event);
}

/** What is done with the key before the event is written; undefined: nothing, or it is no event of this state. */
export function keyActionOf(note: Invoice, event: NoteEvent): KeyAction | undefined {
  const [, actions] = transition(noteChart, snapshotOf(note), event);
  return actions.map(({ type }) => type).find((type): type is KeyAction => type !== "write");
}

/** What is to be done with the keys of a note as its record stands. */
export function keyEndsOf(note: Invoice): KeyEnds {
  const [meta = NO_ENDS] = Object.values(snapshotOf(note).getMeta());
  return meta;
}

/** The record after the event; null where it is no event of the state in which the note is. */
export function advanced(
  note: Invoice,
  event: NoteEvent,
  step: { readonly at: number; readonly by: string; readonly why?: string },
  facts?: Parameters<typeof moved>[3],
): Invoice | null {
  const [{ value }, actions] = transition(noteChart, snapshotOf(note), event);
  if (!actions.some(({ type }) => type === "write")) return null;
  const next = moved(note, stateOf(value), step, facts);
  if (event.type !== "person.deny") return next;
  const { settledAt = step.at } = note;
  return { ...next, settledAt, absent: step.at };
}

/** The record's state at a place. */
function stateOf(value: StateValue): InvoiceState {
  if (typeof value === "string") return InvoiceState.parse(value);
  return InvoiceState.parse(value["open"] ?? Object.keys(value)[0]);
}
