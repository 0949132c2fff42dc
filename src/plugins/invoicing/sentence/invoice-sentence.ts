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
