/** A sentence about a note while its parts are cut out of it. */

/** Stands where a part was cut out; no text has it, for control characters are taken out first. */
export const CUT = "\u0001";

export interface Draft {
  /** Original letters; same length as `folded`. */
  line: string;
  folded: string;
  /** Where documents were. */
  readonly marks: Set<number>;
  /** Where the amount ended that was cut out. */
  amount?: number;
}

export function cut(draft: Draft, start: number, end: number): void {
  const gap = CUT.repeat(end - start);
  draft.line = draft.line.slice(0, start) + gap + draft.line.slice(end);
  draft.folded = draft.folded.slice(0, start) + gap + draft.folded.slice(end);
}
