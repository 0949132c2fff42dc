/** A note wanted in a person's own words: what flow they begin, and with which answers. */
import type { JsonObject } from "../../../base/index.ts";
import {
  likelyAmount,
  namedService,
  noteAsked,
  otherTaker,
  understand,
} from "../../../understanding/index.ts";
import type { Draft } from "../../../engine/draft.ts";
import { offered } from "../../../engine/offered.ts";
import { flowOf, type Role } from "../../../engine/roles.ts";

export interface Wanted {
  readonly flow: string;
  readonly prefill: JsonObject;
  readonly input?: JsonObject;
  /** Answers that nobody gave for sure: proposed where they are asked. */
  readonly likely?: JsonObject;
  /** What is said before it begins. */
  readonly word?: string;
  /** The words ask for it by themselves, however little they hold. */
  readonly isAsked?: true;
}

/**
 * A few digits and nothing else: a note's number, a value, a choice of a menu that is over. Nobody knows, so nothing begins by
 * it. Documents and phones are longer, and money says so (`R$ 13`, `13,50`, `1.500`).
 */
const LONE_NUMBER = /^\W*(?:n\W+)?(\d{1,9})\W*$/i;

export function loneNumber(text: string): string | undefined {
  return text.includes("$") ? undefined : LONE_NUMBER.exec(text)?.[1];
}

/** The flow by which this person has a note made, where it is offered. */
function issuing(draft: Draft): string | undefined {
  const role: Role = draft.session.role === "operator" ? "issue-note" : "ask-note";
  return offered(draft).find((program) => program.role === role)?.flow;
}

/** "nota 65 corte", "duas notas, uma de 100 e outra de 200": begun with nothing but the service, and asked. */
export function askedIn(draft: Draft, text: string): Wanted | undefined {
  const asked = noteAsked(text);
  const flow = asked ? issuing(draft) : undefined;
  if (!asked || flow === undefined || asked.how === "later") return undefined;
  if (asked.how === "several") return { flow, prefill: {}, word: "one-note", isAsked: true };
  const service = asked.work === "" ? null : serviceIn(draft, asked.work);
  const prefill = service === null ? {} : { service };
  return { flow, prefill, isAsked: true, ...likelyIn(draft, prefill, text) };
}

/** "É pra outra pessoa" where no note is being made: one for somebody who is asked for. */
export function forOther(draft: Draft, text: string): Wanted | undefined {
  const other = otherTaker(text);
  const flow = other ? issuing(draft) : undefined;
  if (!other || flow === undefined) return undefined;
  const said = other.rest === "" ? undefined : invoiceSentence(draft, other.rest);
  return said?.flow === flow ? { ...said, isAsked: true } : { flow, prefill: {}, isAsked: true };
}

/** "nota de 150 pra Maria, cpf …": the flow that issues, with what the sentence holds. */
export function invoiceSentence(draft: Draft, text: string): Wanted | undefined {
  const flow = issuing(draft);
  if (flow === undefined) return undefined;
  if (loneNumber(text) !== undefined) return undefined;
  const understood = understoodInvoice(draft, text);
  if (!understood) return undefined;
  const { date, ...rest } = understood;
  const keys = Object.keys(rest);
  // One word alone is no sentence: "cabelo" must not begin an invoice.
  if (keys.length === 0 || (keys.length === 1 && keys[0] !== "value" && keys[0] !== "document"))
    return undefined;
  const service = serviceIn(draft, rest["description"]);
  const prefill = {
    ...rest,
    ...(service === null ? {} : { service }),
    ...(typeof date === "string" ? { competence: date.slice(0, 7) } : {}),
  };
  // A person of the business names somebody and no document: a customer known from before.
  const known = draft.session.role === "operator" ? flowOf(draft, "known-customer") : undefined;
  // The wrapper has no slots of its own for these: it hands them on.
  return known && rest["name"] !== undefined && !rest["document"]
    ? { flow: known.flow, prefill: {}, input: prefill }
    : { flow, prefill, ...likelyIn(draft, prefill, text) };
}

/** The number that is most likely the amount, where the sentence told none. */
function likelyIn(
  { context }: Draft,
  prefill: JsonObject,
  text: string,
): { readonly likely?: JsonObject } {
  const value = prefill["value"] === undefined ? likelyAmount(text, context) : undefined;
  return value === undefined ? {} : { likely: { value } };
}

/** The business's service that what was done names, where that is one and no other; else it is asked. */
function serviceIn({ env }: Draft, description: string | number | undefined): string | null {
  if (typeof description !== "string") return null;
  const { services } = env.account;
  return namedService(
    description,
    services.map(({ id, name }) => ({ id, label: name })),
  );
}

function understoodInvoice(
  draft: Draft,
  text: string,
): Record<string, string | number> | undefined {
  const { now, zone, locale } = draft.context;
  const understood = understand("invoice", text, { now, zone, locale });
  if (!understood.ok || typeof understood.value !== "object" || understood.value === null)
    return undefined;
  return understood.value as Record<string, string | number>;
}
