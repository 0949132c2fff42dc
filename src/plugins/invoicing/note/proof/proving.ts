/**
 * What a claim about a note is worth: its key is checked offline, then looked up once, and the answer must be about this very
 * note. Lookups are charged; each is written down before it is made.
 */
import {
  aammOf,
  addMonths,
  callGateway,
  Fault,
  isKeyOf,
  type Json,
  localDay,
  readAccessKey,
} from "../../../../plugin.ts";
import { explainRejection, knownCode } from "../../fiscal/rejection.ts";
import type { InvoicingContext } from "../../context.ts";
import { noteFacts, type NoteFacts } from "../invoice-answer.ts";
import type { Invoice } from "../invoice.ts";
import { centsOf } from "./matching.ts";

/**
 * Lookups that notices may cause for one note; each is charged (0.50 BRL). A notice that names the note by what nobody can
 * guess has more: the town may need time. Past them a person decides.
 */
const CHECKS = { sure: 6, unsure: 2 } as const;
/** The same key is not looked up again for a notice within this time, ms: a notice told twice proves nothing new. */
const CHECK_AGAIN_MS = 5 * 60_000;
/** Lookups a record remembers. */
const CHECKS_KEPT = 20;

/** Who says that a note exists, and how well they named it. */
export interface Claim {
  readonly facts?: NoteFacts;
  readonly sure: boolean;
  /** `webhook`, or a person. */
  readonly by: string;
  readonly why?: string;
}

/** Why a claim is not believed. `lookup-failed`: nobody answered, it may be tried again. */
export type Unproved =
  | "key-missing"
  | "key-mismatch"
  | "key-unknown"
  | "key-other"
  | "key-refused"
  | "key-cancelled"
  | "key-processing"
  | "lookup-failed";

export type Proof =
  { readonly ok: true; readonly facts: NoteFacts } | { readonly ok: false; readonly why: Unproved };

/** What the gateway says of this key, when it is of this note and final: issued, or for a `sure` notice refused. */
export async function provedBy(
  context: InvoicingContext,
  invoice: Invoice,
  key: string | undefined,
  claim: Claim,
): Promise<Proof> {
  if (key === undefined) return no("key-missing");
  if (!isOurKey(invoice, key)) return no("key-mismatch");
  const account = await context.accounts.get(invoice.account);
  if (!account || !(await mayLookUp(context, invoice, key, claim))) return no("lookup-failed");
  const body = { emitente_id: invoice.issuer.emitente_id, chave: key };
  const note = { contact: invoice.contact, effect: invoice.effect, attempt: 1 };
  const outcome = await callGateway(context, account, "invoicing.nfseConsulta", body, {}, note);
  const isCrash =
    outcome.kind === "business_error" &&
    explainRejection(knownCode(outcome), outcome.message).crashed;
  if (outcome.kind === "not_sent" || outcome.kind === "unknown" || isCrash) {
    await lookUpAgain(context, invoice, key, claim, outcome.kind === "not_sent");
    // No answer proves nothing: who posted the notice is asked to post it again. A person is told at once.
    if (claim.by === "webhook")
      throw new Fault("GATEWAY_NOT_SENT", "A notice about an invoice could not be looked up.");
    return no("lookup-failed");
  }
  if (outcome.kind === "business_error") return no("key-unknown");
  if (outcome.kind !== "ok") return no("lookup-failed");
  return judged(invoice, key, claim, outcome.data as Json);
}

/** Lets the same notice look this key up again at once. `free`: the lookup certainly did not leave, and is not counted. */
export async function lookUpAgain(
  { invoices }: Pick<InvoicingContext, "invoices">,
  invoice: Invoice,
  key: string,
  { by }: Claim,
  free: boolean,
): Promise<void> {
  if (by !== "webhook") return;
  await invoices.change(invoice.account, invoice.id, (now) => ({
    ...now,
    // What certainly did not leave was no lookup; what may have left counts, and may be made again at once.
    checks: now.checks.flatMap((check) =>
      check.key !== key || check.by !== "notice" ? [check] : free ? [] : [{ ...check, at: 0 }],
    ),
  }));
}

/** Written down before it is made, so that no flood of notices and no crash makes more of them. */
async function mayLookUp(
  { clock, invoices }: Pick<InvoicingContext, "clock" | "invoices">,
  invoice: Invoice,
  key: string,
  { by, sure }: Claim,
): Promise<boolean> {
  const at = clock.now();
  const person = by !== "webhook";
  const noted = await invoices.change(invoice.account, invoice.id, (now) => {
    const mine = now.checks.filter((check) => check.by === "notice");
    const again = mine.some((check) => check.key === key && at - check.at < CHECK_AGAIN_MS);
    const spent = mine.length >= CHECKS[sure ? "sure" : "unsure"];
    if (!person && (again || spent)) return null;
    const check = { at, key, by: person ? ("person" as const) : ("notice" as const) };
    return { ...now, checks: [...now.checks, check].slice(-CHECKS_KEPT) };
  });
  return noted?.changed === true;
}

function judged(invoice: Invoice, key: string, claim: Claim, data: Json): Proof {
  const facts = noteFacts(data);
  // A key of another note of this issuer passes every check but this one.
  if (!isOfThis(invoice, key, data, facts, claim.sure)) return no("key-other");
  switch (facts.status) {
    case "autorizada":
      return { ok: true, facts };
    case "rejeitada":
      // A refusal frees the sale's key. One of a note that only looks like this, or that a person calls issued (it may be
      // of an earlier try of the same sale), would have it issued twice.
      return claim.sure && claim.by === "webhook" ? { ok: true, facts } : no("key-refused");
    case "cancelada":
      return no("key-cancelled");
    case "processando":
      return no("key-processing");
    case "incerta":
    case "unknown":
      return no("lookup-failed");
  }
}

function no(why: Unproved): Proof {
  return { ok: false, why };
}

/**
 * Whether the gateway's answer about a key is about this note: the value must agree, and whatever else it names. A claim
 * that did not name the note needs an answer that tells the value.
 */
function isOfThis(
  invoice: Invoice,
  key: string,
  data: Json,
  found: NoteFacts,
  sure: boolean,
): boolean {
  if (found.key !== undefined && normal(found.key) !== normal(key)) return false;
  if (invoice.names.length > 0 && found.names.length > 0)
    if (!found.names.some((name) => invoice.names.includes(name))) return false;
  const cents = centsOf(data);
  return Number.isNaN(cents) ? sure : cents === invoice.cents;
}

function normal(key: string): string {
  const read = readAccessKey(key);
  return read.ok ? read.key.key : key;
}

/** Right form and check digit, our issuer and town, and a month in which the note may have been issued. */
export function isOurKey(invoice: Invoice, key: string): boolean {
  const { cnpj, town } = invoice.issuer;
  return isKeyOf(key, { issuer: cnpj, aamm: monthsOf(invoice), town });
}

const DAY_MS = 86_400_000;

/**
 * Months a key of this note can tell. Each of its requests may have become the note, so each time at which one was made or set
 * out counts. The month after it, because towns may be slow; that of the day before it, because the emission is told a little in
 * the past, and the authority's clock may stand in another zone.
 */
function monthsOf({ createdAt, sentAt = createdAt, history, issuer }: Invoice): string[] {
  const made = history.flatMap(({ state, at }) => (SETS_OUT.has(state) ? [at] : []));
  const days = [createdAt, sentAt, ...made].flatMap((at) => [at - DAY_MS, at]);
  const months = new Set(days.map((at) => localDay(at, issuer.zone).slice(0, 7)));
  return [...months].flatMap((month) => [aammOf(month), aammOf(addMonths(month, 1))]);
}

/** States in which a request's bytes are written, emission and all, or on their way. */
const SETS_OUT: ReadonlySet<Invoice["state"]> = new Set(["pendente", "enviando"]);
