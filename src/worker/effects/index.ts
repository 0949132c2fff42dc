/** Everything a flow may ask the world for, by name. */
import { routes } from "../../gateway/index.ts";
import { erase, exportCopy, overview, ready } from "../privacy/index.ts";
import { invoiceIssue } from "./invoice-issue.ts";
import type { LocalSpec } from "./local.ts";
import { routeEffect } from "./route-effect.ts";
import type { EffectSpec } from "./spec.ts";

export const effects: ReadonlyMap<string, EffectSpec> = new Map(
  [invoiceIssue, ...routes.map(routeEffect)].map((spec) => [spec.name, spec]),
);

/** What the house does itself, without the gateway. A new one is one file and one entry here. */
export const locals: ReadonlyMap<string, LocalSpec> = new Map(
  [overview, exportCopy, ready, erase].map((spec) => [spec.name, spec]),
);

export { done, refused, type LocalSpec, type LocalWork } from "./local.ts";
export { INVOICE_ISSUE, IssueResult } from "./invoice-issue.ts";
export { businessKey, rawNote } from "./business-key.ts";
export {
  centsOf,
  dadosOf,
  INSTEAD_OF_ITEMS,
  IssueInput,
  termsOf,
  wordsOf,
  type IssueTerms,
} from "./issue-input.ts";
export { issueWord, type IssueWord } from "./words.ts";
export type { Answer, EffectSpec, PreparedCall } from "./spec.ts";
