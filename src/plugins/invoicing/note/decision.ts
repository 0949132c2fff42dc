/** What a person may say of a note, what comes of it, and whether it is still to be said. Pure. */
import type { NoteEvent } from "./chart.ts";
import { advanced, can } from "./life.ts";
import { type Invoice, revOf } from "./invoice.ts";
import type { Unproved } from "./proof/proving.ts";

export interface Decision {
  /**
   * `not_issued` of an open note: it goes once more. Of one that was given up: it was looked up and does not exist, its sale may
   * be issued anew, by another request.
   */
  readonly decision: "issued" | "not_issued" | "abandon";
  /** Access key; demanded for `issued`. */
  readonly key?: string;
  /** The note's {@link revOf} as the person saw it. */
  readonly rev: number;
  readonly actor: string;
  readonly reason: string;
}

export type Decided =
  | { readonly ok: true; readonly invoice: Invoice }
  | {
      readonly ok: false;
      /** `gone`: what would send it again is erased. `under-way`: its request is not back yet. `answered`: it is issued. */
      readonly why: "unknown" | "not-open" | "gone" | "under-way" | "answered" | Unproved;
    }
  /** It is not what the person saw: somebody decided since, and its fate may be open anew. */
  | { readonly ok: false; readonly why: "stale"; readonly invoice: Invoice };

/** What a word of theirs is in the life of a note. */
const EVENTS = {
  not_issued: ["person.resend", "person.deny"],
  abandon: ["person.abandon"],
} as const;

/**
 * A note the gateway turned away unread (429) waits as it was: it may be sent again or given up, not called issued. While a
 * call is on its way nobody can know that there is no note: who says so looked before it, as a second person who decides. One
 * that was given up may be called not issued, once. One that was refused or given up is issued by a key that proves it; to one that
 * was issued without its key that is given.
 */
export function isUndecided(note: Invoice, { decision }: Pick<Decision, "decision">): boolean {
  if (decision !== "issued")
    return EVENTS[decision].some((type) => can(note, { type, rev: revOf(note) }));
  const proofs: readonly NoteEvent[] = [
    { type: "proof.issued" },
    { type: "proof.found" },
    { type: "proof.key" },
  ];
  return note.state !== "pendente" && proofs.some((event) => can(note, event));
}

/** Why it is not to be decided so: a request that is on its way is no end. */
export function closedFor({ state }: Invoice, { decision }: Decision): "not-open" | "under-way" {
  return state === "enviando" && decision === "not_issued" ? "under-way" : "not-open";
}

/** The record with a person's word; null where it is none of the state that the person saw. */
export function said(
  now: Invoice,
  { decision, rev, actor: by, reason: why }: Decision,
  at: number,
): Invoice | null {
  if (decision === "issued") return null;
  const type = EVENTS[decision].find((one) => can(now, { type: one, rev }));
  return type ? advanced(now, { type, rev }, { at, by, why }) : null;
}
