/**
 * What a claim about a note is worth: its key is checked offline, then looked up once, and the answer must be about this very
 * note. Lookups are charged; each is written down before it is made.
 */
import { callGateway, Fault, type Json } from "../../../../plugin.ts";
import { explainRejection, knownCode } from "../../fiscal/index.ts";
import type { InvoicingContext } from "../../context.ts";
import { noteFacts, type NoteFacts } from "../invoice-answer.ts";
import type { Invoice } from "../invoice.ts";
import { isOfThis, isOurKey } from "./note-proof.ts";
import type { Notices } from "../decisions/notices.ts";

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

export class Proving {
  readonly #context: InvoicingContext;
  readonly #notices: Notices;

  constructor(context: InvoicingContext, notices: Notices) {
    this.#context = context;
    this.#notices = notices;
  }

  /** What the gateway says of this key, when it is of this note and final: issued, or for a `sure` notice refused. */
  async of(invoice: Invoice, key: string | undefined, claim: Claim): Promise<Proof> {
    if (key === undefined) return no("key-missing");
    if (!isOurKey(invoice, key)) return no("key-mismatch");
    const account = await this.#context.accounts.get(invoice.account);
    if (!account || !(await this.#mayLookUp(invoice, key, claim))) return no("lookup-failed");
    const body = { emitente_id: invoice.issuer.emitente_id, chave: key };
    const note = { contact: invoice.contact, effect: invoice.effect, attempt: 1 };
    const route = "invoicing.nfseConsulta";
    const outcome = await callGateway(this.#context, account, route, body, {}, note);
    const isCrash =
      outcome.kind === "business_error" &&
      explainRejection(knownCode(outcome), outcome.message).crashed;
    if (outcome.kind === "not_sent" || outcome.kind === "unknown" || isCrash) {
      await this.again(invoice, key, claim, outcome.kind === "not_sent");
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
  async again(invoice: Invoice, key: string, { by }: Claim, free: boolean): Promise<void> {
    if (by !== "webhook") return;
    await this.#context.invoices.change(invoice.account, invoice.id, (now) => ({
      ...now,
      // What certainly did not leave was no lookup; what may have left counts, and may be made again at once.
      checks: now.checks.flatMap((check) =>
        check.key !== key || check.by !== "notice" ? [check] : free ? [] : [{ ...check, at: 0 }],
      ),
    }));
  }

  /** Written down before it is made, so that no flood of notices and no crash makes more of them. */
  async #mayLookUp(invoice: Invoice, key: string, { by, sure }: Claim): Promise<boolean> {
    const at = this.#context.clock.now();
    const person = by !== "webhook";
    const noted = await this.#context.invoices.change(invoice.account, invoice.id, (now) => {
      const mine = now.checks.filter((check) => check.by === "notice");
      const again = mine.some((check) => check.key === key && at - check.at < CHECK_AGAIN_MS);
      const spent = mine.length >= CHECKS[sure ? "sure" : "unsure"];
      if (!person && (again || spent)) return null;
      const check = { at, key, by: person ? ("person" as const) : ("notice" as const) };
      return { ...now, checks: [...now.checks, check].slice(-CHECKS_KEPT) };
    });
    if (noted?.changed !== true) return false;
    if (!person) await this.#notices.note(invoice.account, "lookups");
    return true;
  }
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
