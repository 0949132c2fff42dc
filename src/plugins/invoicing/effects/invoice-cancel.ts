/** `invoice.cancel` as a row of the registry. Its life (key, record, the answer) is led by `../note/cancel.ts`. */
import { z } from "zod";
import type { CallResult, EffectSpec, JsonObject } from "../../../plugin.ts";
import { knownCode } from "../fiscal/rejection.ts";

export const INVOICE_CANCEL = "invoice.cancel";

/** Reasons of the national cancellation event (101101), as flows name them. */
export const CANCEL_CODES = { error: "1", undone: "2", other: "9" } as const;

export const CancelInput = z.object({
  /** Id of the note's record. */
  note: z.string().max(64),
  reason: z.enum(["error", "undone", "other"]),
  why: z.string().min(15).max(255),
});
export type CancelInput = z.output<typeof CancelInput>;

const CancelResult = {
  done: z.object({ number: z.string(), text: z.string() }),
  rejected: z.object({ code: z.string(), text: z.string() }),
  /** `code` `waiting`: turned away unread by a rate limit; it goes later. */
  held: z.object({ code: z.string(), text: z.string() }),
  failed: z.object({ code: z.string(), text: z.string() }),
} as const;

export const invoiceCancel: EffectSpec = {
  name: INVOICE_CANCEL,
  class: "fiscal",
  version: 1,
  route: "invoicing.cancelamento",
  input: CancelInput,
  results: CancelResult,
  // The body needs the note's record; it is made where that is read.
  prepare: (input: JsonObject) =>
    CancelInput.safeParse(input).success ? { body: input, query: {} } : null,
  interpret: (answer): CallResult => {
    if (answer.kind === "done")
      return { outcome: "done", out: { answer: answer.data as CallResult["out"] } };
    const text = answer.message.slice(0, 300);
    return { outcome: "rejected", out: { code: knownCode(answer) ?? "", text } };
  },
};
