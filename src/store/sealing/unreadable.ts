import type { Dead } from "../port/port.ts";
import { isChanged } from "./seal.ts";

/**
 * What is stored and cannot be opened: changed on disk, or sealed under an entry of `PROSA_KEYS` that this process was not
 * given. It is its own trouble, and lists tell of everything else.
 *
 * Such an effect keeps nobody else's from leaving. One is left to its lease, so that a process that can open it has its chance;
 * then it goes again, and after a few goes it is held for a person. What must not be done twice is held at once.
 */

/** Reason of an effect that was held because of it; plain, since its words cannot be sealed either. */
export const UNREADABLE = "unreadable";

/** Attempts after which it is held: as many as any class has. */
const ATTEMPTS = 3;

const ONCE: ReadonlySet<string> = new Set(["fiscal", "costly", "destructive"]);

/** What becomes of one whose lease has run out. */
export function afterLease(effect: {
  readonly class: string;
  readonly attempt: number;
}): "again" | "held" {
  return ONCE.has(effect.class) || effect.attempt >= ATTEMPTS ? "held" : "again";
}

/** One thing of a list, or nothing where it cannot be opened. */
export function readableOnly<T>(open: () => T): readonly T[] {
  try {
    return [open()];
  } catch {
    return [];
  }
}

/** A dead letter says what of it can be opened: it is there to be dropped all the same, or released to who can open it. */
export function letterOf(open: {
  readonly mail: () => Pick<Dead, "event" | "mail">;
  readonly reason: () => string;
}): Pick<Dead, "event" | "mail" | "reason"> {
  const [opened = { event: "", mail: null }] = readableOnly(open.mail);
  const [reason = UNREADABLE] = readableOnly(open.reason);
  return { ...opened, reason };
}

/**
 * Documents whose bytes were changed. A list leaves them out: it may run over several accounts, and one of them must not keep what
 * is read for all others from being read. Whoever listens is told of each, each time; asked for by its name it throws.
 */
export class DamagedDocuments {
  readonly #listeners = new Set<(collection: string, id: string) => void>();

  onDamaged(listener: (collection: string, id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One document of a list, or nothing; `open` is given a key that is known to be there. */
  readable<T>(collection: string, id: string, open: () => T): readonly T[] {
    try {
      return [open()];
    } catch (error) {
      if (!isChanged(error)) throw error;
      for (const listener of this.#listeners) listener(collection, id);
      return [];
    }
  }
}
