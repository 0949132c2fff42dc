/** What the answer of a request for a note comes to, and what its loss does: in the record, and for the effect. */
import {
  type Begun,
  type CallEntry,
  type CallOutcome,
  type CallResult,
  type Ending,
  Fault,
  formatBrl,
  type JsonObject,
  payloadOf,
  type Verdict,
} from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { issueWord } from "../../effects/words.ts";
import { knownCode } from "../../fiscal/rejection.ts";
import type { NoteEvent } from "../chart.ts";
import { noteFacts, reasonOf, resultOf } from "../invoice-answer.ts";
import { type Invoice, type moved, NOT_SENT } from "../invoice.ts";
import { advanced } from "../life.ts";
import { endSale, holdSale, keySale, saleOf } from "./sale.ts";
import { setTimeout as pause } from "node:timers/promises";

/** A pause is a wait of its own; what failed inside this process is tried again a little later. */
const AGAIN_MS = { pause: 0, retry: 1_000 } as const;

/** A request that left. */
interface Sent {
  readonly begun: Begun;
  readonly entry: CallEntry;
  readonly invoice: Invoice;
}

/** What the answer of a request comes to, in the record and for the effect. */
export async function conclude(
  context: InvoicingContext,
  sent: Sent,
  outcome: CallOutcome,
  judged: Verdict,
): Promise<Ending> {
  const { begun, invoice } = sent;
  switch (judged.kind) {
    case "done":
      return answered(context, invoice, outcome);
    case "rejected": {
      const code = knownCode(judged);
      return refused(context, invoice, { message: judged.message, code });
    }
    case "failed":
      return refused(context, invoice, { message: "", code: judged.reason });
    case "retry":
    case "pause":
      await unfreeze(context, sent);
      if (judged.kind === "pause") await context.scopes.pauseFor(begun.scope, judged.reason);
      if (judged.kind === "pause" && judged.reason === "no_balance")
        await tellWaits(context, begun);
      return { outcome: { kind: "not_sent", at: context.clock.now() + AGAIN_MS[judged.kind] } };
    case "held": {
      if (judged.pauseMs !== undefined)
        await context.scopes.pauseFor(
          begun.scope,
          "rate_limited",
          context.clock.shared() + judged.pauseMs,
        );
      if (!judged.known) return uncertain(context, invoice, judged.reason);
      await unfreeze(context, sent);
      const rested = await step(context, invoice, "answer.limited", {}, judged.reason);
      return held(judged.reason, resultOf(rested));
    }
  }
}

/** A top-up may take days: whoever was promised the number "in a moment" hears that it waits, once for a note. */
async function tellWaits(
  context: InvoicingContext,
  { id, account, contact }: Begun,
): Promise<void> {
  const mail = { kind: "notice", key: "note-waits", vars: {} } as const;
  await context.store.mail.accept([{ account, contact, event: `${id}:waits`, mail }]);
  context.wake("turns");
}

async function answered(
  context: InvoicingContext,
  invoice: Invoice,
  outcome: CallOutcome,
): Promise<Ending> {
  const facts = noteFacts(outcome.kind === "ok" ? (outcome.data as JsonObject) : null);
  // A refusal in so many words needs no reason to be one.
  if (facts.status === "rejeitada")
    return refused(context, invoice, facts.error ?? { message: "", code: "rejected" });
  const { key, number, link, names } = facts;
  const known = { names: [...names], key, number, link };
  if (facts.status === "incerta") return uncertain(context, invoice, "unconfirmed", known);
  if (facts.status !== "autorizada") {
    const waiting = await step(context, invoice, "answer.accepted", known);
    return held("processando", resultOf(waiting));
  }
  await keySale(context, invoice, { type: "answer.issued", sentAt: invoice.sentAt });
  const issued = await step(context, invoice, "answer.issued", known);
  // Settled meanwhile by another key, or closed by a person: then there are two notes, or one that nobody expects.
  if (issued.state !== "autorizada" || (key !== undefined && issued.key !== key))
    context.alarms.raise({
      code: "invoice.contradicted",
      account: invoice.account,
      subject: invoice.id,
      message: `An invoice was issued that was closed as ${issued.state} before; a person has to look.`,
    });
  return { outcome: { kind: "done" }, result: resultOf(issued) };
}

/**
 * A definite no: the key is free again, a corrected request is a new attempt. A hint at a duplicate is no definite no, nor is what
 * the authority's own program says when it fails.
 */
async function refused(
  context: InvoicingContext,
  invoice: Invoice,
  error: { readonly code?: string; readonly message: string },
): Promise<Ending> {
  const { doubt, ...reason } = reasonOf(error, invoice.locale);
  if (doubt) return uncertain(context, invoice, doubt, { reason });
  const settled = await step(context, invoice, "answer.refused", { reason }, reason.code);
  if (settled.state === "autorizada") return contradicted(context, settled);
  // After the record, which says whether there is a note all the same; a crash in between is made good by the reaper. Of a later
  // request this answer says nothing: who stood still since may not free what that one keeps.
  await keySale(context, settled, { type: "answer.refused", sentAt: invoice.sentAt });
  const result: CallResult =
    error.message === ""
      ? {
          outcome: "failed",
          out: { text: issueWord("failed", invoice.locale), code: reason.code, support: "" },
        }
      : resultOf(settled);
  return { outcome: { kind: "failed" }, result, line: { reason: reason.code } };
}

/** A note that was proved while its own answer was on its way stands, with its key: that answer says no. */
function contradicted(context: InvoicingContext, invoice: Invoice): Ending {
  context.alarms.raise({
    code: "invoice.unproven",
    account: invoice.account,
    subject: invoice.id,
    message: "An invoice that was proved as issued was refused afterwards; a person has to look.",
  });
  return { outcome: { kind: "done" }, result: resultOf(invoice) };
}

/**
 * This attempt was provably not sent: the next one writes its bytes anew, with the time and the codes of then. Those of an earlier
 * attempt stay, which may have left, whatever a person said of it: a note that turns up is known by their codes.
 */
export async function unfreeze(
  context: InvoicingContext,
  { begun, entry, invoice }: Sent,
): Promise<void> {
  // Whoever judged it meanwhile, or sets out anew, is not contradicted.
  await step(context, invoice, "worker.return", {}, NOT_SENT);
  if (entry.work.frozen) return;
  // Its sale stays claimed, and is let go by that name where the record is lost.
  await dropBytes(context, begun, { ...entry, work: { ...entry.work, kept: saleOf(invoice) } });
}

export async function dropBytes(
  context: InvoicingContext,
  begun: Begun,
  entry: CallEntry,
): Promise<void> {
  const { frozen: _frozen, ...work } = entry.work;
  await context.store.effects.amend({
    id: begun.id,
    account: begun.account,
    contact: begun.contact,
    token: begun.token,
    payload: payloadOf({ ...entry, work }),
  });
}

/** The gateway said that it is issued, and the process that heard it died before its key was written down. */
export const ANSWERED = "answered";

/**
 * Whether it is known to be issued although its key is not: by its record, or by its sale, which nothing else settles. Nobody
 * has it sent again.
 */
export async function isAnswered(
  context: Pick<InvoicingContext, "store">,
  invoice: Invoice,
): Promise<boolean> {
  const isKnown = invoice.history.some(({ by, why }) => by === "worker" && why === ANSWERED);
  return isKnown || (await holdSale(context, invoice)) === "settled";
}

/**
 * The record as it stands after the event, or as it was where that comes too late: a notice may have settled the note while the
 * call was under way, or a person let it go again while this process stood still. An end is never written over another.
 */
export async function stepped(
  context: InvoicingContext,
  invoice: Invoice,
  event: NoteEvent,
  by: Parameters<typeof advanced>[2],
  facts: Parameters<typeof moved>[3] = {},
): Promise<Invoice> {
  const change = (now: Invoice) => advanced(now, event, by, facts);
  const { account, id } = invoice;
  const changed = await context.invoices.change(account, id, change, (now) =>
    endSale(context, now),
  );
  return changed?.invoice ?? change(invoice) ?? invoice;
}

/** What may be said of the request that left at a time, and of no later one. */
type RequestEvent = Extract<NoteEvent, { readonly sentAt: unknown }>["type"];

/** The same of what the answer of its request says, or the loss of it. */
async function step(
  context: InvoicingContext,
  invoice: Invoice,
  type: RequestEvent,
  facts: Parameters<typeof moved>[3] = {},
  why?: string,
): Promise<Invoice> {
  const by = { at: context.clock.now(), by: "worker", why };
  return stepped(context, invoice, { type, sentAt: invoice.sentAt }, by, facts);
}

/**
 * Sent, and nobody knows. `facts`: what the answer tells of it all the same. Also what a dead process leaves behind, found by the
 * worker's reaper: when that process had settled the sale, the note is issued, and {@link ANSWERED} is the reason.
 */
export async function uncertain(
  context: InvoicingContext,
  invoice: Invoice,
  said: string,
  facts: Parameters<typeof moved>[3] = {},
  type: "worker.lose" | "proof.doubted" = "worker.lose",
): Promise<Ending> {
  const hold = await keySale(context, invoice, { type, sentAt: invoice.sentAt });
  const why = hold === "settled" ? ANSWERED : said;
  const lost = await step(context, invoice, type, facts, why);
  // A notice of the issuer was quicker than the answer.
  if (lost.state !== "incerta") return { outcome: { kind: "done" }, result: resultOf(lost) };
  context.alarms.raise({
    code: "invoice.uncertain",
    account: invoice.account,
    subject: invoice.id,
    message:
      why === ANSWERED
        ? `An invoice of ${formatBrl(invoice.cents)} was issued, as its gateway said, and its key was lost with the process that heard it; a person has to look it up.`
        : `An invoice of ${formatBrl(invoice.cents)} may have been issued (${why}); it is not sent again.${quoted(facts)}`,
  });
  return held(why, resultOf(lost));
}

/** The authority's own words, with people's numbers hidden. */
function quoted({ reason }: Parameters<typeof moved>[3] = {}): string {
  return reason?.words === undefined ? "" : ` The authority said: ${reason.words}`;
}

function held(reason: string, result: CallResult): Ending {
  return { outcome: { kind: "held", reason }, result, line: { reason } };
}

/** A store that restarts is back within this time; between two tries to write the answer of a call, real ms. */
const ANSWER_KEPT_MS = 30_000;
const ANSWER_PAUSE_MS = 300;

/**
 * The answer is known, and only here: a store that is away for a moment must not make a call uncertain whose end was told.
 * Each step of it may be done again. Another process may have called it uncertain since; the answer stands above that.
 */
export async function written(conclude: () => Promise<Ending>): Promise<Ending> {
  const until = performance.now() + ANSWER_KEPT_MS;
  for (;;) {
    try {
      return await conclude();
    } catch (error) {
      if (!Fault.is(error) || !error.retry || performance.now() > until) throw error;
      await pause(ANSWER_PAUSE_MS);
    }
  }
}
