/** Everything a flow may ask the world for, by name. */
import { routes } from "../../gateway/index.ts";
import { invoiceIssue } from "./invoice-issue.ts";
import { routeEffect } from "./route-effect.ts";
import type { EffectSpec } from "./spec.ts";

export const effects: ReadonlyMap<string, EffectSpec> = new Map(
  [invoiceIssue, ...routes.map(routeEffect)].map((spec) => [spec.name, spec]),
);

export { INVOICE_ISSUE, IssueResult } from "./invoice-issue.ts";
export {
  IssueInput,
  businessKey,
  dadosOf,
  rawNote,
  termsOf,
  type IssueTerms,
} from "./issue-input.ts";
export { issueWord, type IssueWord } from "./words.ts";
export type { Answer, EffectSpec, PreparedCall } from "./spec.ts";
