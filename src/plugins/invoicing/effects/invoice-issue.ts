/** `invoice.issue` as a row of the registry. Its life (key, frozen bytes, record) is led by `../note/issue/issue.ts`. */
import { z } from "zod";
import type { EffectSpec, JsonObject } from "../../../plugin.ts";
import { INSTEAD_OF_ITEMS, IssueInput } from "./issue-input.ts";

export const INVOICE_ISSUE = "invoice.issue";

/** What the branches of a flow may read: `issue.number`, `issue.text`, … */
export const IssueResult = {
  done: z.object({
    number: z.string(),
    key: z.string(),
    link: z.string(),
    text: z.string(),
    support: z.string(),
  }),
  rejected: z.object({
    code: z.string(),
    text: z.string(),
    /** What the town said of a reason nobody knows: for the business alone. */
    words: z.string().optional(),
    slots: z.array(z.string()),
    fixable: z.enum(["customer", "issuer", "nobody"]),
    support: z.string(),
    /** Of the earlier note, when that is why. */
    number: z.string(),
  }),
  /** `waiting`: nothing was sent, it goes later; `processing`: taken in, not decided; `uncertain`: nobody knows. */
  held: z.object({
    code: z.enum(["waiting", "processing", "uncertain"]),
    text: z.string(),
    /** As of a rejection: why nobody knows. */
    words: z.string().optional(),
    support: z.string(),
  }),
  failed: z.object({ text: z.string(), code: z.string(), support: z.string() }),
} as const;

export const invoiceIssue: EffectSpec = {
  name: INVOICE_ISSUE,
  class: "fiscal",
  version: 1,
  route: "invoicing.nfseEnvio",
  input: IssueInput,
  results: IssueResult,
  unless: Object.fromEntries(INSTEAD_OF_ITEMS.map((name) => [name, "items"])),
  // The bytes depend on time and chance; they are made once, where they can be frozen.
  prepare: (input: JsonObject) =>
    IssueInput.safeParse(input).success ? { body: input, query: {} } : null,
  interpret: () => ({ outcome: "held", out: {} }),
};
