/** What the shipped bot understands: the runtime's readings with the words of its plugins, and their own kinds. */
import { businessOf } from "../../src/engine/index.ts";
import { invoice } from "../../src/plugins/invoicing/sentence/invoice.ts";
import type { UnderstoodInvoice } from "../../src/plugins/invoicing/sentence/sentence.ts";
import * as runtime from "../../src/understanding/index.ts";
import { plugins } from "./plugins.ts";

export const business = businessOf(plugins.flatMap(({ readers = [] }) => readers));

export type Kind = runtime.Kind | "invoice";
export const KINDS: readonly Kind[] = [...runtime.KINDS, "invoice"];

export function isKind(text: string): text is Kind {
  return KINDS.some((kind) => kind === text);
}

export type Understood = runtime.Understood | UnderstoodInvoice;

export function understand(
  kind: "invoice",
  text: string,
  context: runtime.TextContext,
): UnderstoodInvoice;
export function understand<K extends runtime.Kind>(
  kind: K,
  text: string,
  context: runtime.TextContext,
): runtime.Understood<K>;
export function understand(kind: Kind, text: string, context: runtime.TextContext): Understood;
export function understand(kind: Kind, text: string, context: runtime.TextContext): Understood {
  return kind === "invoice"
    ? invoice(text, { ...context, business })
    : runtime.understand(kind, text, { ...context, business });
}

export function personOrCompany(text: string): string | null {
  return runtime.personOrCompany(text, business);
}
