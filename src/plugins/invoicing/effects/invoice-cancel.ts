/** `invoice.cancel` as a row of the registry. Its life (key, record, the answer) is led by `../note/cancel/cancel.ts`. */
import { z } from "zod";
import type { CallResult, EffectSpec, JsonObject } from "../../../plugin.ts";
import { knownCode } from "../fiscal/index.ts";
import { CancelInput } from "./cancel-input.ts";

export const INVOICE_CANCEL = "invoice.cancel";

export const CancelResult = {
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
