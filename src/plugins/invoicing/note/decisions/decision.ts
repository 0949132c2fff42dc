/** What a person may say of a note, what comes of it, and whether it is still to be said. Pure. */
import { type Invoice, isKeyless, moved, OPEN } from "../invoice.ts";
import type { Unproved } from "../proof/proving.ts";

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

/**
 * A note the gateway turned away unread (429) waits as it was: it may be sent again or given up, not called issued. While a
 * call is on its way nobody can know that there is no note: who says so looked before it, as a second person who decides. One
 * that was given up may be called not issued, once. One that was refused or given up is issued by a key that proves it; to one that
 * was issued without its key that is given.
 */
export function isUndecided(
  { state, absent, key }: Pick<Invoice, "state" | "absent" | "key">,
  { decision }: Decision,
): boolean {
  if (isKeyless({ state, key })) return decision === "issued";
  if (state === "enviando" && decision === "not_issued") return false;
  if (decision === "issued" && (state === "rejeitada" || state === "abandonada")) return true;
  if (state === "abandonada") return decision === "not_issued" && absent === undefined;
  return OPEN.includes(state) || (state === "pendente" && decision !== "issued");
}

/** Why it is not to be decided so: a request that is on its way is no end. */
export function closedFor({ state }: Invoice, { decision }: Decision): "not-open" | "under-way" {
  return state === "enviando" && decision === "not_issued" ? "under-way" : "not-open";
}

/** The record with a person's word; of one given up alone the sale changes, it stays closed since then. */
export function said(now: Invoice, { decision, actor, reason }: Decision, at: number): Invoice {
  const by = { at, by: actor, why: reason };
  if (decision === "abandon") return moved(now, "abandonada", by);
  if (now.state !== "abandonada") return moved(now, "pendente", by);
  const { settledAt = at } = now;
  return { ...moved(now, "abandonada", by), settledAt, absent: at };
}
