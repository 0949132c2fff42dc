/**
 * How an open note is settled: by the issuer's webhook, by a lookup of its key, or by a person. Nothing else leaves
 * `incerta`; nothing here sends a note.
 */
import type { Json } from "../base/index.ts";
import { aammOf, addDays, isKeyOf, localDay } from "../brazil/index.ts";
import { callGateway, field, textField, type Desk } from "./desk.ts";
import { giveBack } from "./ceiling.ts";
import { noteFacts, type NoteFacts, reasonOf, resultOf } from "./invoice-answer.ts";
import { FINAL, type Invoice, moved, OPEN } from "./invoices.ts";

/** A notice without any name of ours counts only for a note sent this close to the emission it tells. */
const NEAR_MS = 10 * 60_000;

/** What became of a notice. `unmatched`: no open note of ours; `unproven`: a person has to look. */
export type Settled = "settled" | "known" | "unmatched" | "unproven";

export interface Decision {
  readonly decision: "issued" | "not_issued" | "abandon";
  /** Access key; demanded for `issued`. */
  readonly key?: string;
  readonly actor: string;
  readonly reason: string;
}

export type Decided =
  | { readonly ok: true; readonly invoice: Invoice }
  | {
      readonly ok: false;
      readonly why: "unknown" | "not-open" | "key-missing" | "key-mismatch" | "lookup-failed";
    };

export class Settling {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** A body posted to the issuer's URL: a claim. A key is checked offline and looked up once before it is believed. */
  async fromWebhook(account: string, body: Json): Promise<Settled> {
    const data = field(body, "data") ?? field(body, "nfse") ?? body;
    const facts = noteFacts(data);
    const { found, sure } = await this.#match(account, data, facts);
    if (!found) return "unmatched";
    if (FINAL.includes(found.state)) {
      await this.#tell(found);
      return "known";
    }
    if (facts.status === "processando" || facts.status === "unknown") return "known";
    if (facts.key !== undefined) return this.#byKey(found, facts.key, "webhook", facts);
    // A refusal has no key to look up: only our own token, or the gateway's name for this very note, is proof enough.
    if (facts.status !== "rejeitada" || !sure) return this.#unproven(found);
    await this.#refuse(found, facts.error ?? { message: "" }, "webhook");
    return "settled";
  }

  /** A person's decision about an open note. */
  async decide(account: string, id: string, of: Decision): Promise<Decided> {
    const invoice = await this.#desk.invoices.get(account, id);
    if (!invoice) return { ok: false, why: "unknown" };
    // A note the gateway turned away unread (429) waits as it was: it may be sent again or given up, not called issued.
    const waits = invoice.state === "pendente" && of.decision !== "issued";
    if (!waits && !OPEN.includes(invoice.state)) return { ok: false, why: "not-open" };
    const by = { at: this.#desk.clock.now(), by: of.actor, why: of.reason };
    switch (of.decision) {
      case "issued":
        return this.#decideIssued(invoice, of);
      case "not_issued": {
        const waiting = await this.#change(invoice, (now) => moved(now, "pendente", by));
        await this.#resolve(waiting, "resend");
        this.#desk.wake("outbox");
        return { ok: true, invoice: waiting };
      }
      case "abandon": {
        const closed = await this.#change(invoice, (now) => moved(now, "abandonada", by));
        await this.#tell(closed);
        return { ok: true, invoice: closed };
      }
    }
  }

  /** The record knows the end, the effect still rests: a crash between the two. */
  async repair(account: string, effect: string): Promise<void> {
    const invoice = await this.#desk.invoices.ofEffect(account, effect);
    if (invoice && FINAL.includes(invoice.state)) await this.#tell(invoice);
  }

  async #decideIssued(invoice: Invoice, of: Decision): Promise<Decided> {
    if (of.key === undefined) return { ok: false, why: "key-missing" };
    if (!isOurKey(invoice, of.key)) return { ok: false, why: "key-mismatch" };
    const outcome = await this.#byKey(invoice, of.key, of.actor, undefined, of.reason);
    if (outcome !== "settled") return { ok: false, why: "lookup-failed" };
    const settled = await this.#desk.invoices.get(invoice.account, invoice.id);
    return { ok: true, invoice: settled ?? invoice };
  }

  /** Offline check, then one lookup. */
  async #byKey(
    invoice: Invoice,
    key: string,
    by: string,
    claimed?: NoteFacts,
    why?: string,
  ): Promise<Settled> {
    if (!isOurKey(invoice, key)) return this.#unproven(invoice);
    const account = await this.#desk.accounts.get(invoice.account);
    if (!account) return "unmatched";
    const body = { emitente_id: invoice.issuer.emitente_id, chave: key };
    const note = { contact: invoice.contact, effect: invoice.effect, attempt: 1 };
    const route = "invoicing.nfseConsulta";
    const outcome = await callGateway(this.#desk, account, route, body, {}, note);
    if (outcome.kind !== "ok") return this.#unproven(invoice);
    const found = noteFacts(outcome.data as Json);
    if (found.status === "rejeitada") {
      await this.#refuse(invoice, found.error ?? { message: "" }, by);
      return "settled";
    }
    if (found.status !== "autorizada") return this.#unproven(invoice);
    const number = found.number ?? claimed?.number;
    const link = found.link ?? claimed?.link;
    const { store, clock } = this.#desk;
    await store.settleKey(invoice.account, invoice.businessKey, invoice.effect);
    const issued = await this.#change(invoice, (now) =>
      moved(
        now,
        "autorizada",
        { at: clock.now(), by, ...(why === undefined ? {} : { why }) },
        {
          key,
          ...(number === undefined ? {} : { number }),
          ...(link === undefined ? {} : { link }),
        },
      ),
    );
    await this.#tell(issued);
    return "settled";
  }

  async #refuse(
    invoice: Invoice,
    error: { readonly code?: string; readonly message: string },
    by: string,
  ): Promise<void> {
    const { duplicate, ...reason } = reasonOf(error, invoice.locale);
    if (duplicate) return;
    const { store, clock } = this.#desk;
    await store.freeKey(invoice.account, invoice.businessKey, invoice.effect);
    await giveBack(this.#desk, invoice);
    const refused = await this.#change(invoice, (now) =>
      moved(now, "rejeitada", { at: clock.now(), by, why: reason.code }, { reason }),
    );
    await this.#tell(refused);
  }

  #unproven(invoice: Invoice): Settled {
    this.#desk.alarms.raise({
      code: "invoice.unproven",
      account: invoice.account,
      subject: invoice.id,
      message: "A notice about an open invoice could not be proved; a person has to look.",
    });
    return "unproven";
  }

  /** The result to the flow that waits, and the end of the effect; harmless when both happened already. */
  async #tell(invoice: Invoice): Promise<void> {
    await this.#resolve(invoice, "finish");
    this.#desk.wake("turns");
  }

  async #resolve(invoice: Invoice, action: "finish" | "resend"): Promise<void> {
    const { account, contact, effect, waiter } = invoice;
    const told = action === "finish" && waiter !== undefined;
    await this.#desk.store.resolve({
      ...{ id: effect, account, contact, action },
      ...(told
        ? {
            result: {
              event: `r:${effect}:settled`,
              mail: { kind: "result", effect, waiter, result: resultOf(invoice) },
            },
          }
        : {}),
    });
  }

  async #change(invoice: Invoice, change: (now: Invoice) => Invoice): Promise<Invoice> {
    const changed = await this.#desk.invoices.change(invoice.account, invoice.id, change);
    return changed?.invoice ?? change(invoice);
  }

  /**
   * The note a notice is about. `sure`: it names our token, our code, or what the gateway called this very note. Else
   * issuer, value and time, if they fit exactly one open note.
   */
  async #match(
    account: string,
    data: Json,
    facts: NoteFacts,
  ): Promise<{ found?: Invoice; sure: boolean }> {
    const issuer = textField(data, "emitente_id");
    const own = await this.#desk.invoices.all(
      account,
      (invoice) => issuer === undefined || invoice.issuer.emitente_id === issuer,
    );
    const text = JSON.stringify(data);
    const named = own.find(
      (invoice) =>
        (invoice.token !== "" && text.includes(`"${invoice.token}"`)) ||
        (facts.key !== undefined && invoice.key === facts.key) ||
        facts.names.some((name) => invoice.names.includes(name)),
    );
    if (named) return { found: named, sure: true };
    const code = textField(data, "codigo_aleatorio");
    const coded = own.filter((invoice) => code !== undefined && invoice.code === code);
    if (coded[0] && coded.length === 1) return { found: coded[0], sure: true };
    const cents = Math.round(Number(textField(data, "valor_servicos") ?? Number.NaN) * 100);
    const emitted = Date.parse(textField(data, "data_emissao") ?? "");
    const alike = own.filter(
      (invoice) =>
        (invoice.state === "incerta" || invoice.state === "enviando") &&
        invoice.cents === cents &&
        Math.abs((invoice.sentAt ?? 0) - emitted) <= NEAR_MS,
    );
    return alike[0] && alike.length === 1 ? { found: alike[0], sure: false } : { sure: false };
  }
}

/** Right form and check digit, our issuer and town, and the month of sending (or the next: towns may be slow). */
function isOurKey(invoice: Invoice, key: string): boolean {
  const { cnpj, town, zone } = invoice.issuer;
  const day = localDay(invoice.sentAt ?? invoice.createdAt, zone);
  const months = [aammOf(day), aammOf(addDays(day, 31)), aammOf(addDays(day, -1))];
  return isKeyOf(key, { issuer: cnpj, aamm: months, town });
}
