/** The sixth oracle: a process that crashes is started again, and the load goes on as if nothing were; here it is told. */
import type { Trouble } from "./book.ts";
import type { Ended } from "./life.ts";

/** How the processes of a run ended. */
export interface Ends {
  /** Those nobody asked to end, or who ended otherwise than asked. */
  readonly ended: readonly Ended[];
  /** What the last ones answered when all were asked to end. */
  readonly exits: readonly (number | null)[];
  /** What broke beside. */
  readonly broken?: readonly Trouble[];
}

/** 6. Nobody ended by itself, and who was asked to end did so with code 0. */
export function ends({ ended, exits, broken = [] }: Ends): string[] {
  const odd = exits.filter((code) => code !== 0);
  return [
    ...ended.filter((one) => !isInVain(one, broken)).map(told),
    ...(odd.length > 0 ? [`asked to end, ${odd.length} ended with ${odd.join(", ")}`] : []),
  ];
}

/**
 * A start while the store was away or its line broken, or one that stood still itself and heard the store's answers too late.
 * Whoever was ready once has to live through either.
 */
const isInVain = ({ ready, from, at, pid }: Ended, broken: readonly Trouble[]): boolean =>
  !ready &&
  broken.some(
    (one) =>
      (one.store === true || (one.frozen === true && one.pid === pid)) &&
      from <= one.to &&
      at >= one.from,
  );

function told({ role, code, signal, from, at, ready, words }: Ended): string {
  const when = `${ready ? "" : "before it was ready, "}${at - from} ms after its start`;
  return `${role} ended (code ${String(code)}, ${String(signal)}) ${when}: ${words || "no word"}`;
}
