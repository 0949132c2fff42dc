/** A sentence about a note: while its parts are cut out of it, as the rules leave it, and what it says. */

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

/** What one sentence says about a note; only the parts that are certain. */
export interface InvoiceSentence {
  /** Integer cents. */
  readonly value?: number;
  /** CPF or CNPJ in normal form. */
  readonly document?: string;
  readonly name?: string;
  readonly description?: string;
  /** `YYYY-MM-DD`. */
  readonly date?: string;
}

/** A note in one sentence, in the form in which answers of every kind are given. */
export type UnderstoodInvoice =
  | {
      readonly kind: "invoice";
      readonly ok: true;
      readonly value: InvoiceSentence;
      readonly echo: string;
    }
  | {
      readonly kind: "invoice";
      readonly ok: false;
      readonly reason: "absent";
      readonly hint?: "too-long";
    };

/** A sentence as the rules left it. */
export interface Sentence {
  /** As it was when documents, days and ways to reach somebody were cut out, and nothing else. */
  readonly draft: Pick<Draft, "line" | "parts">;
  /** Before anything was cut out. */
  readonly line: string;
  /** As it came. */
  readonly text: string;
  /** Words that make the amount doubtful stand in it. */
  readonly doubtful: boolean;
  /** The rules hold it for talk. */
  readonly refused: boolean;
  /** `YYYY-MM-DD` where the account is. */
  readonly today: string;
}
