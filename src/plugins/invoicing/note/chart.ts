/**
 * The life of a note: which state follows which event, and what becomes of its business key. Pure.
 *
 * A record is a snapshot of this chart, so whoever reads one after a crash knows what is left to do. A key is claimed, held or
 * settled before the record says so (`actions`), and let go only after it does (`meta`): a crash in between leaves a key that
 * stands too long, never one that is free too early.
 */
import { and, not, or, setup } from "xstate";
import { type Invoice, revOf, sendings, wasUnsent } from "./invoice.ts";

/** Before the record is written. `freeKey` leads to no new state: a refusal after the end frees what was claimed again. */
export type KeyAction = "claimKey" | "holdKey" | "settleKey" | "freeKey" | "claimCancelKey";

/** What is done with keys once a record stands so, by anybody and again after a crash. */
export interface KeyEnds {
  /** Of the business key. `keep`: it stands for the note's window, as it is unknown whether there is a note. */
  readonly key?: "free" | "keep" | "release";
  /** Of the key under which a cancellation is asked for once. */
  readonly cancelKey?: "free" | "settle";
}

export const NO_ENDS: KeyEnds = {};

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
  | { readonly type: "person.deny"; readonly rev: number }
  /** By an effect whose bytes are frozen already, or are not. */
  | { readonly type: "cancel.ask"; readonly effect: string; readonly isFrozen: boolean }
  /** For people to carry out. */
  | { readonly type: "cancel.wish" }
  /** At the town's own portal, as the authority says about its key. */
  | { readonly type: "cancel.elsewhere" }
  | (CancelWord & { readonly type: "cancel.confirmed" | "cancel.replaced" | "cancel.refused" })
  /** Sent, and its end is unknown; or turned away unread; or refused by a check before it was sent. */
  | (CancelWord & { readonly type: "cancel.lose" | "cancel.limited" | "cancel.close" })
  /** A person said that it happened, that it did not, or that it cannot be found out. */
  | (CancelWord & { readonly type: "person.cancelled" | "person.kept" | "person.quit" });

/** About the cancellation that this effect asked for at that time, virtual ms. */
export interface CancelWord {
  readonly effect: string;
  readonly asked: number | undefined;
}

/** `note`: null before its record is written. */
interface Context {
  readonly note: Invoice | null;
}

export const noteChart = setup({
  types: { context: {} as Context, events: {} as NoteEvent, meta: NO_ENDS },
  // Names alone. `issue/sale.ts` holds, settles and frees; claims, which may be refused, are made in `issue/issue-ready.ts`
  // and `cancel.ts`.
  actions: {
    claimKey() {},
    holdKey() {},
    settleKey() {},
    freeKey() {},
    claimCancelKey() {},
    write() {},
  },
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
    isSameWish: ({ context: { note }, event }) =>
      "asked" in event && note?.cancel?.effect === event.effect && note.cancel.at === event.asked,
    /** Its own effect asks again. */
    isOwnWish: ({ context: { note }, event }) =>
      "effect" in event && note?.cancel?.effect === event.effect,
    isFrozen: ({ event }) => "isFrozen" in event && event.isFrozen,
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
      initial: "standing",
      on: {
        "proof.key": { guard: "isKeyless", actions: "write" },
        // The authority's own answer stands above whatever was said before.
        "cancel.confirmed": { guard: "isSameWish", target: ".confirmada", actions: "write" },
        "cancel.replaced": { guard: "isSameWish", target: ".cancelada", actions: "write" },
        "cancel.refused": { guard: "isSameWish", target: ".recusada", actions: "write" },
      },
      states: {
        standing: {
          on: {
            "cancel.ask": { target: "undecided.enviando", actions: ["claimCancelKey", "write"] },
            "cancel.wish": { target: "undecided.pedida", actions: "write" },
            "cancel.elsewhere": { target: "cancelada", actions: "write" },
          },
        },
        undecided: {
          initial: "enviando",
          on: {
            "cancel.close": { guard: "isSameWish", target: "recusada", actions: "write" },
            "cancel.elsewhere": { target: "cancelada", actions: "write" },
            "person.cancelled": { guard: "isSameWish", target: "cancelada", actions: "write" },
            "person.kept": { guard: "isSameWish", target: "recusada", actions: "write" },
            "person.quit": { guard: "isSameWish", target: "indefinida", actions: "write" },
          },
          states: {
            pedida: {
              on: { "cancel.ask": { target: "enviando", actions: ["claimCancelKey", "write"] } },
            },
            enviando: {
              on: {
                "cancel.ask": {
                  guard: "isOwnWish",
                  target: "enviando",
                  actions: ["claimCancelKey", "write"],
                },
                "cancel.lose": { guard: "isSameWish", target: "incerta", actions: "write" },
                "cancel.limited": { guard: "isSameWish", target: "enviando", actions: "write" },
              },
            },
            incerta: {
              on: {
                // A person had it sent again.
                "cancel.ask": {
                  guard: and(["isOwnWish", "isFrozen"]),
                  target: "enviando",
                  actions: ["claimCancelKey", "write"],
                },
                "cancel.lose": { guard: "isSameWish", target: "incerta", actions: "write" },
                "cancel.limited": { guard: "isSameWish", target: "enviando", actions: "write" },
              },
            },
          },
        },
        /** A person gave it up: whether it is cancelled is unknown. */
        indefinida: {
          meta: { cancelKey: "free" },
          on: {
            "cancel.ask": {
              guard: or([not("isOwnWish"), "isFrozen"]),
              target: "undecided.enviando",
              actions: ["claimCancelKey", "write"],
            },
            "cancel.wish": { target: "undecided.pedida", actions: "write" },
            "cancel.elsewhere": { target: "cancelada", actions: "write" },
          },
        },
        recusada: {
          meta: { cancelKey: "free" },
          on: {
            "cancel.ask": {
              guard: not("isOwnWish"),
              target: "undecided.enviando",
              actions: ["claimCancelKey", "write"],
            },
            "cancel.wish": { target: "undecided.pedida", actions: "write" },
            "cancel.elsewhere": { target: "cancelada", actions: "write" },
          },
        },
        /** As a person said, or replaced by another note: its business key stands. */
        cancelada: { meta: { cancelKey: "settle" } },
        /** As the authority itself said. */
        confirmada: { meta: { key: "release", cancelKey: "settle" } },
      },
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
