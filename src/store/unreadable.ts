/**
 * Effects whose bytes cannot be opened: changed on disk, or sealed under an entry of `PROSA_KEYS` that this process was not
 * given. They keep nobody else's from leaving. One is left to its lease, so that a process that can open it has its chance;
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
