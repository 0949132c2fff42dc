import { Listeners } from "../listeners.ts";
import { associatedData } from "../names.ts";
import type { DeadLetter, EffectState, EffectView } from "../port/port.ts";
import { openPayload } from "./journal.ts";
import { type DataKey, isChanged } from "./seal.ts";

/**
 * Stored data that cannot be opened: changed on disk, or sealed under an entry of `PROSA_KEYS` that this process was not
 * given. Lists leave it out and show everything else.
 *
 * An effect that cannot be opened does not stop others. It is left to its lease, so that another process may open it; then
 * it is tried again, and after a few attempts it is held for a person. A call that must not be made twice is held at once.
 */

/** Reason of such a held effect; in plain text, because its own words cannot be sealed either. */
export const UNREADABLE = "unreadable";

/** Attempts after which it is held: as many as any class has. */
const ATTEMPTS = 3;

const ONCE: ReadonlySet<string> = new Set(["fiscal", "costly", "destructive"]);

/** Letters under which both adapters store the state of an effect. */
export const LETTERS = { pending: "p", inflight: "i", held: "h", enqueued: "q" } as const;
const STATES: Readonly<Record<string, EffectState>> = {
  p: "pending",
  i: "inflight",
  h: "held",
  q: "enqueued",
};

export function stateOf(letter: string): EffectState {
  return STATES[letter] ?? "pending";
}

/**
 * What is shown of an effect's content; one that cannot be opened is shown without it. A reason that a script wrote is plain,
 * because it cannot seal.
 */
export function contentOf(
  of: Pick<EffectView, "id" | "contact">,
  key: () => DataKey,
  { sealed, reason }: { readonly sealed: string; readonly reason: string },
): Pick<EffectView, "payload" | "reason"> {
  try {
    const opened = key();
    const payload = openPayload(opened, of, sealed);
    if (reason === "") return { payload };
    const isPlain = reason === "turn" || reason === UNREADABLE;
    const why = isPlain ? reason : opened.openText(associatedData.why(of.id), reason);
    return { payload, reason: why };
  } catch {
    return { payload: {}, reason: UNREADABLE };
  }
}

/** What becomes of such an effect when its lease has run out. */
export function afterLease(effect: {
  readonly class: string;
  readonly attempt: number;
}): "again" | "held" {
  return ONCE.has(effect.class) || effect.attempt >= ATTEMPTS ? "held" : "again";
}

/** One item of a list, or none where it cannot be opened. */
export function readableOnly<T>(open: () => T): readonly T[] {
  try {
    return [open()];
  } catch {
    return [];
  }
}

/** A dead letter with what of it can be opened. It can be dropped all the same, or released for a process that can open it. */
export function letterOf(open: {
  readonly mail: () => Pick<DeadLetter, "event" | "mail">;
  readonly reason: () => string;
}): Pick<DeadLetter, "event" | "mail" | "reason"> {
  const [opened = { event: "", mail: null }] = readableOnly(open.mail);
  const [reason = UNREADABLE] = readableOnly(open.reason);
  return { ...opened, reason };
}

/**
 * Documents whose bytes were changed. A list leaves them out, because it may run over several accounts, and one document
 * must not stop the others. Listeners are told of each, each time. By its id such a document is refused.
 */
export class DamagedDocuments {
  readonly listeners = new Listeners<{ readonly collection: string; readonly id: string }>();

  /** One document of a list, or none. `open` is given a key that is known to exist. */
  readable<T>(collection: string, id: string, open: () => T): readonly T[] {
    try {
      return [open()];
    } catch (error) {
      if (!isChanged(error)) throw error;
      this.listeners.tell({ collection, id });
      return [];
    }
  }
}
