/**
 * How an open note is settled: by the issuer's webhook, by a lookup of its key, or by a person. Nothing else leaves
 * `incerta`; nothing here sends a note.
 */
import { CRASHED, type EffectView, entryOf, field, type Json } from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { INVOICE_CANCEL } from "../../effects/cancel.ts";
import { INVOICE_ISSUE } from "../../effects/invoice-issue.ts";
import { noteFacts, type NoteFacts, reasonOf, resultOf } from "../invoice-answer.ts";
import { closedFor, type Decided, type Decision, isUndecided, said } from "../decision.ts";
import { foundIssued, takeKey, takenBack, unproven } from "../proof/proved-key.ts";
import { can, isEnded } from "../life.ts";
import { type Invoice, isKeyless, revOf } from "../invoice.ts";
import { Matching } from "../proof/matching.ts";
import { holdUnrecorded, isRecorded, repairCancel } from "../effect-words.ts";
import { type Claim, lookUpAgain, provedBy } from "../proof/proving.ts";
import { endSale, keySale } from "./sale.ts";
import { isAnswered, stepped, uncertain } from "./answer.ts";

/** What became of a notice. `unmatched`: no open note of ours; `unproven`: a person has to look. */
type Settled = "settled" | "known" | "unmatched" | "unproven";

/** Counter of the notices that came to this process, by `end`. */
export const NOTICES = "invoicing_notices_total";

export class Settling {
  readonly #context: InvoicingContext;
  readonly #matching: Matching;

  constructor(context: InvoicingContext) {
    this.#context = context;
    this.#matching = new Matching(context.invoices);
  }

  /** A body posted to the issuer's URL: a claim. A key is checked offline and looked up once before it is believed. */
  async fromWebhook(account: string, body: Json): Promise<Settled> {
    const settled = await this.#judge(account, body);
    this.#context.counted?.(NOTICES, { end: settled });
    return settled;
  }

  async #judge(account: string, body: Json): Promise<Settled> {
    const data = field(body, "data") ?? field(body, "nfse") ?? body;
    const facts = noteFacts(data);
    const { id, sure, torn } = await this.#matching.find(account, data, facts);
    const found = id === undefined ? null : await this.#context.invoices.get(account, id);
    await this.#book(account, facts, found);
    if (!found) return "unmatched";
    if (torn) return unproven(this.#context, found);
    const claim = { facts, sure, by: "webhook" } as const;
    if (isEnded(found)) {
      await this.#tell(found);
      if (found.state === "autorizada" && facts.status === "rejeitada" && sure)
        return takenBack(this.#context, found);
      const wasIssued = facts.status === "autorizada" || facts.status === "cancelada";
      if (isKeyless(found) && wasIssued && facts.key !== undefined)
        return (await takeKey(this.#context, found, { ...claim, key: facts.key })).ok
          ? "settled"
          : unproven(this.#context, found);
      if (found.state === "autorizada" || facts.status !== "autorizada") return "known";
      // We were told, or a person said, that there is none. Only what the authority answers about its key says otherwise.
      const { key } = facts;
      const proof = await provedBy(this.#context, found, key, claim);
      if (!proof.ok || proof.facts.status !== "autorizada" || key === undefined)
        return unproven(this.#context, found);
      return this.#issued(found, key, claim, proof.facts);
    }
    if (facts.status === "processando" || facts.status === "unknown") return "known";
    if (facts.key !== undefined) return this.#byKey(found, facts.key, claim);
    // A refusal has no key to look up: only our own token, or the gateway's name for this very note, is proof enough.
    if (facts.status !== "rejeitada" || !sure) return unproven(this.#context, found);
    return this.#refuse(found, facts.error, "webhook");
  }

  /** What the day's report tells although no record of ours ends with it. */
  async #book(id: string, { status, key, names }: NoteFacts, found: Invoice | null): Promise<void> {
    const isStray = found === null && status === "autorizada";
    if (!isStray && status !== "cancelada") return;
    const account = await this.#context.accounts.get(id);
    const name = found?.id ?? key ?? names[0];
    if (!account || name === undefined) return;
    await this.#context.dailyCounters.note(account, isStray ? "unmatched" : "cancelled", name);
  }

  /** A person's decision about an open note, or about the sale of one that was given up. */
  async decide(account: string, id: string, of: Decision): Promise<Decided> {
    const invoice = await this.#context.invoices.get(account, id);
    if (!invoice) return { ok: false, why: "unknown" };
    if (!isUndecided(invoice, of)) return { ok: false, why: closedFor(invoice, of) };
    if (revOf(invoice) !== of.rev) return { ok: false, why: "stale", invoice };
    if (of.decision === "issued") return this.#decideIssued(invoice, of);
    const isResent = of.decision === "not_issued" && !isEnded(invoice);
    const waiting = of.decision === "not_issued" ? await this.#waitingOf(invoice) : null;
    if (isResent && !waiting) return { ok: false, why: "gone" };
    if (isResent && (await isAnswered(this.#context, invoice))) {
      // Settled and written down since it was read above, or settled alone.
      const now = await this.#context.invoices.get(account, id);
      return { ok: false, why: now && !isUndecided(now, of) ? closedFor(now, of) : "answered" };
    }
    // Given up while its request was on its way: who looked it up looked before it.
    if (!isResent && waiting?.state === "inflight") return { ok: false, why: "under-way" };
    const at = this.#context.clock.now();
    // Judged again on the record that is changed: a notice may have settled the note while the person's word was on its
    // way, or another person's word had it sent again.
    const decided = await this.#context.invoices.change(
      account,
      id,
      (now) => said(now, of, at),
      (now) => endSale(this.#context, now),
    );
    if (!decided) return { ok: false, why: "unknown" };
    if (!decided.changed)
      return isUndecided(decided.invoice, of)
        ? { ok: false, why: "stale", invoice: decided.invoice }
        : { ok: false, why: closedFor(decided.invoice, of) };
    if (!isResent) await this.#finish(decided.invoice);
    else {
      // As it rested before the record was changed: a process that stood still here lets go nothing that was lost since.
      await this.#resolve(decided.invoice, "resend", waiting?.rev);
      this.#context.wake("outbox");
    }
    return { ok: true, invoice: decided.invoice };
  }

  /** A note of somebody who was erased has its record still, and nothing that could be sent. */
  #waitingOf({ account, contact, effect: id }: Invoice): Promise<EffectView | null> {
    return this.#context.store.views.effect({ account, contact, id });
  }

  /**
   * What a crash left between a record and its effect: the one knows the end, or that it is to be sent again, and the other
   * still rests; or there is no record. A record whose request is on its way while the effect rests says so for ever: nobody
   * could have judged it each time that was tried.
   */
  async repair(effect: EffectView): Promise<void> {
    const entry = entryOf(effect.payload);
    if (entry.type !== "call") return;
    if (entry.name === INVOICE_CANCEL) await repairCancel(this.#context, effect);
    if (entry.name !== INVOICE_ISSUE) return;
    const invoice = await this.#context.invoices.ofEffect(effect.account, effect.id);
    if (invoice && isEnded(invoice)) await this.#tell(invoice);
    // What failed inside this program as often as is tried goes again when a person says so once more, not each minute.
    if (invoice && isToBeSent(invoice) && effect.reason !== CRASHED) {
      await this.#resolve(invoice, "resend", effect.rev);
      this.#context.wake("outbox");
    }
    if (invoice?.state === "enviando") await this.#lost(invoice, effect);
    if (!invoice && !(await isRecorded(this.#context, effect)))
      await holdUnrecorded(this.#context, effect);
  }

  /** It rests still, after the record was read: no attempt is under way whose request that could be. */
  async #lost(invoice: Invoice, { reason }: EffectView): Promise<void> {
    if ((await this.#waitingOf(invoice))?.state !== "held") return;
    await uncertain(this.#context, invoice, reason === CRASHED ? CRASHED : "process_lost");
  }

  /** Whatever the authority says but that it exists, nothing changes: who decides is told, and decides anew. */
  async #decideIssued(invoice: Invoice, of: Decision): Promise<Decided> {
    const claim = { sure: true, by: of.actor, why: of.reason };
    if (isKeyless(invoice)) return takeKey(this.#context, invoice, { ...claim, key: of.key });
    const proof = await provedBy(this.#context, invoice, of.key, claim);
    if (!proof.ok) return proof;
    const { account, id } = invoice;
    await this.#issued(invoice, of.key ?? "", claim, proof.facts);
    const settled = await this.#context.invoices.get(account, id);
    return { ok: true, invoice: settled ?? invoice };
  }

  /** A closed note that exists. What fails here is done again when its notice is posted again, with a lookup of its own. */
  async #found(invoice: Invoice, key: string, claim: Claim, found: NoteFacts): Promise<void> {
    try {
      await foundIssued(this.#context, invoice, key, { claim, found });
    } catch (error) {
      await lookUpAgain(this.#context, invoice, key, claim, false);
      throw error;
    }
  }

  /** Offline check, then one lookup. */
  async #byKey(invoice: Invoice, key: string, claim: Claim): Promise<Settled> {
    const proof = await provedBy(this.#context, invoice, key, claim);
    if (!proof.ok) return unproven(this.#context, invoice);
    if (proof.facts.status === "rejeitada")
      return this.#refuse(invoice, proof.facts.error, claim.by);
    return this.#issued(invoice, key, claim, proof.facts);
  }

  async #issued(invoice: Invoice, key: string, claim: Claim, found: NoteFacts): Promise<Settled> {
    const number = found.number ?? claim.facts?.number;
    const link = found.link ?? claim.facts?.link;
    const { clock } = this.#context;
    await keySale(this.#context, invoice, { type: "proof.issued" });
    const { by, why } = claim;
    const step = { at: clock.now(), by, why };
    const event = { type: "proof.issued" } as const;
    const issued = await stepped(this.#context, invoice, event, step, { key, number, link });
    if (issued.state === "autorizada") await this.#tell(issued);
    else await this.#found(issued, key, claim, found);
    return "settled";
  }

  /**
   * What leaves a doubt is no definite no: a note may exist, and a person has to look. Nor is a no that came from elsewhere to
   * one of several requests, which have all the same names: it may be about the one before.
   */
  async #refuse(invoice: Invoice, error: NoteFacts["error"], by: string): Promise<Settled> {
    const said = error ?? { message: "", code: "rejected" };
    const { doubt, ...reason } = reasonOf(said, invoice.locale);
    if (doubt) {
      // What was only taken in is open from now on; what its own answer left open is so already.
      const doubted = { type: "proof.doubted", sentAt: invoice.sentAt } as const;
      if (!can(invoice, doubted)) return unproven(this.#context, invoice);
      const ending = await uncertain(this.#context, invoice, doubt, { reason }, doubted.type);
      // It changed since it was read: another request of it may be out, or it has an end that the notice speaks against.
      if (ending.outcome.kind !== "held") return unproven(this.#context, invoice);
      await this.#context.pager.stored();
      return "unproven";
    }
    const { clock } = this.#context;
    const step = { at: clock.now(), by, why: reason.code };
    const event = { type: "proof.refused" } as const;
    const refused = await stepped(this.#context, invoice, event, step, { reason });
    if (!isEnded(refused)) return unproven(this.#context, refused);
    await this.#tell(refused);
    return "settled";
  }

  /** What an end brings with it; harmless when all of it happened already. */
  async #tell(invoice: Invoice): Promise<void> {
    await endSale(this.#context, invoice);
    await this.#finish(invoice);
  }

  /** The result to the flow that waits, and the end of the effect. */
  async #finish(invoice: Invoice): Promise<void> {
    await this.#resolve(invoice, "finish");
    this.#context.wake("turns");
  }

  async #resolve(invoice: Invoice, action: "finish" | "resend", rev?: number): Promise<void> {
    const { account, contact, effect, waiter } = invoice;
    const mail = waiter && { kind: "result" as const, effect, waiter, result: resultOf(invoice) };
    await this.#context.store.effects.resolve({
      id: effect,
      account,
      contact,
      action,
      rev,
      result: action === "finish" && mail ? { event: `r:${effect}:settled`, mail } : undefined,
    });
  }
}

/** A person's last word: what only waits (a 429) was put by the worker. */
function isToBeSent({ state, history }: Invoice): boolean {
  const last = history.at(-1);
  return state === "pendente" && last?.state === state && last.by !== "worker";
}
