/** A sentence about a note while its parts are cut out of it. */

/** Stands where a part was cut out; no text has it, for control characters are taken out first. */
export const CUT = "\u0001";

/** What a part is that its reader is sure of. */
export type PartKind = "contact" | "document" | "reference" | "date";

export interface Draft {
  /** Original letters; same length as `folded`. */
  line: string;
  folded: string;
  /** Where documents were. */
  readonly marks: Set<number>;
  /** The parts that were cut out and what each is, in the order of their reading; they may overlap. */
  readonly parts: { readonly kind: PartKind; readonly start: number; readonly end: number }[];
  /** Where the amount ended that was cut out. */
  amount?: number;
}

export function cut(draft: Draft, start: number, end: number, kind?: PartKind): void {
  if (kind) draft.parts.push({ kind, start, end });
  const gap = CUT.repeat(end - start);
  draft.line = draft.line.slice(0, start) + gap + draft.line.slice(end);
  draft.folded = draft.folded.slice(0, start) + gap + draft.folded.slice(end);
}
