/** What rests until a person decides, and what may be decided about it. Pure. */

/** As the API masks it. What cannot be opened has nothing in its payload. */
export interface HeldEffect {
  readonly id: string;
  readonly account: string;
  readonly contact: string;
  readonly class: string;
  /** Names the state that was seen. */
  readonly rev: number;
  readonly createdAt: number;
  readonly reason?: string;
  readonly payload: {
    readonly type?: string;
    readonly name?: string;
    readonly address?: string;
    readonly message?: { readonly text?: string };
    readonly input?: unknown;
    /** Its exact request, once it may have left. */
    readonly work?: { readonly frozen?: unknown };
  };
}

/** A note of the bot's own records. Times are virtual ms. */
export interface OpenNote {
  readonly id: string;
  readonly account: string;
  readonly contact: string;
  readonly effect: string;
  /** Names the state that was seen. */
  readonly rev: number;
  readonly state: string;
  readonly taker: { readonly name: string; readonly document: string };
  readonly cents: number;
  readonly createdAt: number;
  readonly sentAt?: number;
}

export interface Waiting {
  readonly effects: readonly HeldEffect[];
  readonly notes: readonly OpenNote[];
  /** More effects are held than were asked for. */
  readonly more: boolean;
}

export type EffectDeed = "retry" | "done" | "failed" | "discard";
export type NoteDeed = "issued" | "not_issued" | "abandon";

/** A note that is being sent or processed, or whose key may still come, is nobody's matter before: the alarm on phones comes after the same time, ms. */
const LONG_MS = 3_600_000;

/** A note and the effect that issues it are one matter: the note is shown. `now`: virtual. */
export function toDecide({ effects, notes, more }: Waiting, now: number): Waiting {
  const issuing = new Set(notes.map((note) => `${note.account} ${note.effect}`));
  return {
    effects: effects.filter(({ account, id }) => !issuing.has(`${account} ${id}`)),
    notes: notes.filter((note) => isDue(note, now)),
    more,
  };
}

function isDue(note: OpenNote, now: number): boolean {
  if (!["enviando", "processando", "autorizada"].includes(note.state)) return true;
  return now - sinceOf(note) >= LONG_MS;
}

export const sinceOf = (note: OpenNote): number => note.sentAt ?? note.createdAt;

/**
 * What the API takes of this effect. What files taxes is not sent again but for a cancellation that was turned away unread, a message has nobody to be told that it failed. A request
 * for a note is among the effects only where it has no record: unless it may have left, it is sent after all.
 */
export function effectDeeds(effect: HeldEffect): readonly EffectDeed[] {
  if (effect.class === "message") return ["retry", "done", "discard"];
  if (effect.class !== "fiscal") return ["retry", "done", "failed", "discard"];
  const { name, work } = effect.payload;
  if (name === undefined) return ["discard"];
  const isUnsent = work?.frozen === undefined;
  if (name === "invoice.cancel" && effect.reason === "rate_limited" && isUnsent)
    return ["retry", "done", "failed", "discard"];
  if (!isUnrecorded(effect)) return ["done", "failed", "discard"];
  return isUnsent ? ["retry", "failed", "discard"] : ["failed", "discard"];
}

/** A request for a note, or what may be one, that no record tells of. */
export function isUnrecorded({ class: callClass, payload: { name } }: HeldEffect): boolean {
  return callClass === "fiscal" && (name === undefined || name === "invoice.issue");
}

/** What the API takes of a note in this state. */
export function noteDeeds({ state }: OpenNote): readonly NoteDeed[] {
  // Issued without its key, which is all that it lacks.
  if (state === "autorizada") return ["issued"];
  if (state === "pendente") return ["not_issued", "abandon"];
  return state === "enviando" ? ["issued", "abandon"] : ["issued", "not_issued", "abandon"];
}

/** An access key as people paste it: blanks and dots do not count. Undefined when it is none. */
export function accessKey(text: string): string | undefined {
  const key = text.replace(/[\s.-]/g, "");
  return /^(?:[0-9A-Za-z]{44}|[0-9A-Za-z]{50})$/.test(key) ? key : undefined;
}

const part = encodeURIComponent;

/** One call of the operator API: a decision with what was seen. */
export interface Decided {
  readonly path: string;
  readonly body: object;
}

/** `reason` is kept in the audit; of a sending again it may be empty. */
export function effectCall(effect: HeldEffect, deed: EffectDeed, reason: string): Decided {
  const { account, contact, id, rev } = effect;
  const verb = deed === "done" || deed === "failed" ? "resolve" : deed;
  return {
    path: `/outbox/${part(account)}/${part(contact)}/${part(id)}/${verb}`,
    body: { ...(verb === "resolve" ? { decision: deed } : {}), reason, rev },
  };
}

/** `chave` with `issued` alone. */
export function noteCall(
  { account, id, rev }: OpenNote,
  decision: NoteDeed,
  reason: string,
  chave?: string,
): Decided {
  return {
    path: `/invoices/${part(account)}/${part(id)}/resolve`,
    body: { decision, ...(chave === undefined ? {} : { chave }), reason, rev },
  };
}
