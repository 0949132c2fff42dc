/**
 * The life of a note: which state follows which event, and what becomes of its business key. Pure.
 *
 * A record is a snapshot of this chart, so whoever reads one after a crash knows what is left to do. A key is claimed, held or
 * settled before the record says so (`actions`), and let go only after it does (`meta`): a crash in between leaves a key that
 * stands too long, never one that is free too early.
 */
import { and, setup, type StateValue, transition } from "xstate";
import {
  type Invoice,
  InvoiceState,
  isKeyless,
  moved,
  revOf,
  sendings,
  wasUnsent,
} from "./invoice.ts";

/** What is done with the business key before the record is written. */
export type KeyAction = "claimKey" | "holdKey" | "settleKey" | "freeKey";
/** What is done with it after. `keep`: it stands for the note's window, as nobody knows whether there is a note. */
export type KeyEnd = "free" | "keep" | "release";

/** `sentAt`: the request it is about, by the time at which that left. `rev`: the record as whoever decides saw it. */
export type NoteEvent =
  /** The checks are passed. Its bytes are frozen with the effect next. */
  | { readonly type: "worker.reserve"; readonly rev: number | undefined }
  /** The checks refuse what has a record of an earlier attempt. */
  | { readonly type: "worker.close"; readonly rev: number | undefined }
  | { readonly type: "worker.depart"; readonly rev: number }
  /** Provably not sent. */
  | { readonly type: "worker.return"; readonly sentAt: number | undefined }
  /** Whether it was issued is unknown: the answer, its process or the record was lost, or the answer leaves a doubt. */
  | { readonly type: "worker.lose"; readonly sentAt: number | undefined }
  /** On its way since before then, virtual ms: its process is dead. */
  | { readonly type: "worker.expire"; readonly before: number }
  | { readonly type: "answer.issued"; readonly sentAt: number | undefined }
  | { readonly type: "answer.refused"; readonly sentAt: number | undefined }
  | { readonly type: "answer.accepted"; readonly sentAt: number | undefined }
  /** Turned away unread by a rate limit. */
  | { readonly type: "answer.limited"; readonly sentAt: number | undefined }
  /** By a notice or a person, with a key that was looked up. */
  | { readonly type: "proof.issued" }
  /** It was closed here, and exists. */
  | { readonly type: "proof.found" }
  /** The key of a note that was issued without telling it. */
  | { readonly type: "proof.key" }
  | { readonly type: "proof.refused" }
  /** The town refused it in words that leave a doubt. */
  | { readonly type: "proof.doubted"; readonly sentAt: number | undefined }
  /** Looked up, and not there: it is sent once more. */
  | { readonly type: "person.resend"; readonly rev: number }
  | { readonly type: "person.abandon"; readonly rev: number }
  /** Looked up after it was abandoned, and not there. */
  | { readonly type: "person.deny"; readonly rev: number };

/** `note`: null before its record is written. */
interface Context {
  readonly note: Invoice | null;
}

export const noteChart = setup({
  types: { context: {} as Context, events: {} as NoteEvent, meta: {} as { readonly key: KeyEnd } },
  // Names alone: whoever has the store does them (`issue/sale.ts`).
  actions: { claimKey() {}, holdKey() {}, settleKey() {}, freeKey() {}, write() {} },
  guards: {
    isAsSeen: ({ context: { note }, event }) =>
      note !== null && "rev" in event && event.rev === revOf(note),
    isSameRequest: ({ context: { note }, event }) =>
      note !== null && "sentAt" in event && event.sentAt === note.sentAt,
    /** A no that came from elsewhere tells no request of several from the one before. */
    isOnlyRequest: ({ context: { note } }) => note !== null && sendings(note.history) <= 1,
    isExpired: ({ context: { note }, event }) =>
      note !== null && "before" in event && (note.sentAt ?? note.createdAt) <= event.before,
    isKeyless: ({ context: { note } }) => note?.key === undefined,
    isUnsent: ({ context: { note } }) => note !== null && wasUnsent(note.history),
    isUndenied: ({ context: { note } }) => note?.absent === undefined,
  },
}).createMachine({
  id: "note",
  context: { note: null },
  initial: "asked",
  states: {
    asked: {
      on: {
        "worker.reserve": { target: "open.pendente", actions: ["claimKey", "write"] },
      },
    },
    open: {
      initial: "pendente",
      on: {
        "answer.issued": {
          guard: "isSameRequest",
          target: "autorizada",
          actions: ["settleKey", "write"],
        },
        "answer.refused": { guard: "isSameRequest", target: "rejeitada", actions: "write" },
        "answer.accepted": { guard: "isSameRequest", target: ".processando", actions: "write" },
        "answer.limited": { guard: "isSameRequest", target: ".pendente", actions: "write" },
        "worker.lose": {
          guard: "isSameRequest",
          target: ".incerta",
          actions: ["holdKey", "write"],
        },
        "proof.issued": { target: "autorizada", actions: ["settleKey", "write"] },
        "proof.refused": { guard: "isOnlyRequest", target: "rejeitada", actions: "write" },
        "person.abandon": [
          {
            guard: and(["isAsSeen", "isUnsent"]),
            target: "abandonada.absent",
            actions: "write",
          },
          { guard: "isAsSeen", target: "abandonada.unknown", actions: "write" },
        ],
      },
      states: {
        pendente: {
          on: {
            "worker.reserve": {
              guard: "isAsSeen",
              target: "pendente",
              actions: ["claimKey", "write"],
            },
            "worker.close": { guard: "isAsSeen", target: "#note.rejeitada", actions: "write" },
            "worker.depart": {
              guard: "isAsSeen",
              target: "enviando",
              actions: ["holdKey", "write"],
            },
            "person.resend": { guard: "isAsSeen", target: "pendente", actions: "write" },
          },
        },
        enviando: {
          tags: "sent",
          on: {
            "worker.return": { guard: "isSameRequest", target: "pendente", actions: "write" },
            "worker.expire": { guard: "isExpired", target: "incerta", actions: "write" },
          },
        },
        processando: {
          tags: "sent",
          on: {
            "proof.doubted": {
              guard: "isSameRequest",
              target: "incerta",
              actions: ["holdKey", "write"],
            },
            "person.resend": { guard: "isAsSeen", target: "pendente", actions: "write" },
          },
        },
        incerta: {
          tags: "sent",
          on: { "person.resend": { guard: "isAsSeen", target: "pendente", actions: "write" } },
        },
      },
    },
    autorizada: {
      on: { "proof.key": { guard: "isKeyless", target: "autorizada", actions: "write" } },
    },
    rejeitada: {
      meta: { key: "free" },
      on: {
        "answer.refused": { guard: "isSameRequest", actions: "freeKey" },
        "proof.found": { target: "autorizada", actions: ["settleKey", "write"] },
      },
    },
    abandonada: {
      initial: "unknown",
      on: {
        "answer.refused": { guard: "isSameRequest", actions: "freeKey" },
        "proof.found": { target: "autorizada", actions: ["settleKey", "write"] },
        "person.deny": {
          guard: and(["isAsSeen", "isUndenied"]),
          target: ".absent",
          actions: "write",
        },
      },
      states: {
        unknown: { meta: { key: "keep" } },
        /** It certainly never left, or a person looked it up. */
        absent: { meta: { key: "free" } },
      },
    },
  },
});

const OPEN = noteChart.getStateNodeById("note.open").states;

/** Ended, as far as we know: nothing is sent any more, whoever says so. */
export function isEnded({ state }: Pick<Invoice, "state">): boolean {
  return !(state in OPEN);
}

/**
 * Sent, and without an end: a note may exist that we cannot name. It stands on the list of those (`decisions/uncertain.ts`), and
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
  return keyEndOf(note) === "free";
}

/** Where a record stands in the chart. */
function placeOf(note: Invoice): StateValue {
  if (!isEnded(note)) return { open: note.state };
  if (note.state !== "abandonada") return note.state;
  return {
    abandonada: note.absent !== undefined || wasUnsent(note.history) ? "absent" : "unknown",
  };
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

/** What is to be done with the key of a note as its record stands, by anybody and again after a crash. */
export function keyEndOf(note: Invoice): KeyEnd | undefined {
  const [meta] = Object.values(snapshotOf(note).getMeta());
  return meta?.key;
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
