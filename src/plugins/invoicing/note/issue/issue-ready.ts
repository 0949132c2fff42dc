/**
 * What stands between the wish to issue a note and its request: checks that need no gateway, the business key, the day's
 * ceiling, the record, and the exact bytes, frozen before the first send.
 */
import {
  type Account,
  type Begun,
  type CallEntry,
  type CallResult,
  type Ending,
  type Held,
  type JsonObject,
  payloadOf,
} from "../../../../plugin.ts";
import { endSale, isLetGo, saleIn, saleOf, windowOf, withinDay } from "./sale.ts";
import type { InvoicingContext } from "../../context.ts";
import { drawCode, drawToken, namesIn } from "./request-names.ts";
import {
  businessKey,
  centsOf,
  dadosOf,
  IssueInput,
  type IssueTerms,
  termsOf,
  wordsOf,
} from "../../effects/invoice-issue.ts";
import { issueWord, type IssueWord } from "../../effects/words.ts";
import { resultOf } from "../invoice-answer.ts";
import { can, isEnded } from "../life.ts";
import { type Invoice, revOf } from "../invoice.ts";
import { uncertain } from "./answer.ts";
import { invoicingOf } from "../../account.ts";

const ROUTE = "invoicing.nfseEnvio";
/** Until the next attempt, virtual ms. */
const AGAIN_MS = 1_000;

/** A request that may leave. */
interface Ready {
  readonly invoice: Invoice;
  readonly bytes: string;
}

/** What an attempt works on. `known`: the record as it was while the effect was surely this attempt's own. */
export interface Attempt {
  readonly begun: Held;
  readonly entry: CallEntry;
  readonly account: Account;
  readonly known: Invoice | null;
}

/** A person said: not issued, send the same bytes. Or these were frozen, and the attempt ended before they left. */
export async function thawed(
  context: InvoicingContext,
  { entry, account, known: invoice }: Attempt,
): Promise<Ready | Ending> {
  const bytes = entry.work.frozen?.bytes;
  if (!invoice || bytes === undefined)
    return {
      outcome: { kind: "held", reason: "record_missing" },
      line: { reason: "record_missing" },
    };
  // Only a recorded decision makes it `pendente` again; whatever else put the effect back does not count.
  if (!can(invoice, { type: "worker.depart", rev: revOf(invoice) }))
    return rested(context, invoice);
  // Another request was written over the record of this one, which may have left.
  if (namesIn(bytes)?.token !== invoice.token) return uncertain(context, invoice, "bytes_differ");
  // A fail-over may have lost the claim while people looked: then somebody else may have issued the sale.
  return (await claim(context, account, invoice)) ?? { invoice, bytes };
}

/** Somebody else is at this very note: what became of it is looked at a little later. */
export function again({ clock }: Pick<InvoicingContext, "clock">): Ending {
  return { outcome: { kind: "not_sent", at: clock.now() + AGAIN_MS } };
}

/** What becomes of the effect of a note that is past being sent; whoever ended it may not have lived to let its sale go. */
export async function rested(context: InvoicingContext, invoice: Invoice): Promise<Ending> {
  await endSale(context, invoice);
  if (isEnded(invoice))
    return {
      outcome: { kind: "done" },
      result: resultOf(invoice),
      line: { reason: invoice.state },
    };
  return { outcome: { kind: "held", reason: invoice.state }, line: { reason: invoice.state } };
}

/** Checks, draws, claims and freezes. */
export async function freshly(
  context: InvoicingContext,
  { begun, entry, account, known }: Attempt,
): Promise<Ready | Ending | null> {
  // Somebody closed it while it waited.
  if (known && !mayReserve(known)) return rested(context, known);
  const locale = await localeOf(context, begun);
  const no = (word: IssueWord, fixable: "customer" | "issuer" | "nobody", slots: string[] = []) =>
    rejected({ code: word, text: issueWord(word, locale), slots, fixable });
  const input = IssueInput.safeParse(entry.input);
  if (!input.success) return no("failed", "nobody");
  const { issuer, services } = termsOf(account, input.data);
  const asked = (slot: string): string[] => [input.data.items ? "items" : slot];
  if (!issuer) return no("issuer_missing", "issuer");
  if (!services) return no("service_missing", "customer", asked("service"));
  if (centsOf(input.data) > invoicingOf(account).policy.ceiling)
    return no("over_ceiling", "customer", asked("value"));
  const terms = { issuer, services };
  const now = context.clock.now();
  const drawn = {
    now,
    code: drawCode(context.random),
    token: drawToken(context.random),
    locale,
  } as const;
  const mapping = dadosOf(input.data, terms, drawn);
  if (!mapping.ok) return rejectedLocally(mapping.problems);
  const invoice = recordOf(context, begun, entry, { account, input: input.data, terms, drawn });
  const blocked = await claim(context, account, invoice);
  if (blocked) return blocked;
  await dropFormer(context, begun, invoice, [known?.businessKey, saleIn(entry)?.key]);
  if (!(await withinDay(context, account, invoice))) {
    await context.store.keys.free(account.id, invoice.businessKey, begun.id);
    return no("over_day", "nobody");
  }
  const body = {
    emitente_id: issuer.emitente_id,
    dados: mapping.dados,
    ...(account.homolog ? { homolog: true } : {}),
  };
  const bytes = Buffer.from(context.gatewayFor(account).exactBytes(ROUTE, body)).toString("utf8");
  const { opened, other } = await context.invoices.open(invoice, known);
  // Closed since it was looked at: its sale was let go then, and claimed again here.
  if (other) return mayReserve(other) ? again(context) : rested(context, other);
  const frozen = { route: ROUTE, bytes, at: now };
  const sale = saleOf(invoice);
  const ours = await context.store.effects.amend({
    id: begun.id,
    account: begun.account,
    contact: begun.contact,
    token: begun.token,
    payload: payloadOf({ ...entry, work: { ...entry.work, frozen, kept: sale } }),
  });
  return ours ? { invoice: opened, bytes } : null;
}

/** The language of who asked, as of their last turn. */
export async function localeOf(
  { store }: Pick<InvoicingContext, "store">,
  { account, contact }: Pick<Begun, "account" | "contact">,
): Promise<"pt-BR" | "en"> {
  const view = await store.views.session(account, contact);
  const said = (view?.session as JsonObject | undefined)?.["locale"];
  return said === "en" ? "en" : "pt-BR";
}

function mayReserve(note: Invoice): boolean {
  return can(note, { type: "worker.reserve", rev: revOf(note) });
}

function rejected(reason: NonNullable<Invoice["reason"]>, number = ""): Ending {
  const { words, ...known } = reason;
  const out: CallResult["out"] = { ...known, slots: [...reason.slots], number, support: "" };
  if (words !== undefined) out["words"] = words;
  return {
    outcome: { kind: "failed" },
    result: { outcome: "rejected", out },
    line: { reason: reason.code },
  };
}

export function rejectedLocally(
  problems: readonly { readonly code: string; readonly slot: string; readonly text: string }[],
): Ending {
  const own = problems.filter(({ slot }) => slot !== "issuer" && slot !== "system");
  const [first] = own.length > 0 ? own : problems;
  return rejected({
    code: first?.code ?? "unknown",
    text: first?.text ?? "",
    slots: [...new Set(own.map(({ slot }) => slot))],
    fixable: own.length > 0 ? "customer" : first?.slot === "issuer" ? "issuer" : "nobody",
  });
}

/** The record of a note that was not sent yet. */
export function recordOf(
  context: Pick<InvoicingContext, "invoices" | "keys">,
  begun: Pick<Begun, "id" | "account" | "contact">,
  entry: CallEntry,
  of: {
    account: Account;
    input: IssueInput;
    terms: IssueTerms;
    drawn: { now: number; code: string; token: string; locale: "pt-BR" | "en" };
  },
): Invoice {
  const { account, input, terms, drawn } = of;
  const { emitente_id, cnpj, town, zone } = terms.issuer;
  return {
    id: context.invoices.idOf(begun.id),
    account: begun.account,
    contact: begun.contact,
    effect: begun.id,
    locale: drawn.locale,
    state: "pendente",
    issuer: { emitente_id, cnpj, town, zone },
    taker: { document: input.document, name: input.name, address: input.address ?? undefined },
    cents: centsOf(input),
    competence: input.competence,
    service: [...new Set(terms.services.map(({ name }) => name))].join(", "),
    serviceId: terms.services.length === 1 ? terms.services[0]?.id : undefined,
    description: wordsOf(input),
    businessKey: saleKey(context, begun.id, account, { input, issuer: terms.issuer }),
    window: windowIn(account, input),
    token: drawn.token,
    code: drawn.code,
    createdAt: drawn.now,
    names: [],
    checks: [],
    history: [{ at: drawn.now, state: "pendente", by: "worker" }],
    waiter: entry.waiter,
  };
}

/** Keyed hash of the sale that an effect asks a note for. */
export function saleKey(
  { keys }: Pick<InvoicingContext, "keys">,
  effect: string,
  account: Account,
  { input, issuer }: { readonly input: IssueInput; readonly issuer: IssueTerms["issuer"] },
): string {
  const { similarHours } = invoicingOf(account).policy;
  return keys.hash(businessKey(input, issuer, { effect, similarHours }));
}

/** The business's own id of a sale stands for it for good; what only looks alike may be another sale a day later. */
function windowIn(account: Account, { sale }: { readonly sale?: unknown }): number | null {
  return typeof sale === "string" && sale !== "" ? null : windowOf(account);
}

/**
 * Two contacts may ask for one sale; the first owns its key. Null = it is ours, for as long as it may take to write its record.
 */
async function claim(
  context: InvoicingContext,
  account: Account,
  invoice: Invoice,
): Promise<Ending | null> {
  const { businessKey: key, effect } = invoice;
  const ours = () => context.store.keys.claim(account.id, key, effect, windowOf(account));
  const claimed = await ours();
  if (!claimed.ok) {
    const other = await context.invoices.ofEffect(account.id, claimed.owner);
    const isFreed = other !== null && (await isLetGo(context, other)) && (await ours()).ok;
    if (!isFreed) return blocked(context, account, invoice, other);
  }
  const lost = await context.invoices.unsettledOf(account.id, invoice);
  if (!lost) return null;
  await context.store.keys.free(account.id, key, effect);
  return blocked(context, account, invoice, lost);
}

/**
 * An earlier attempt, which did not leave, may have known the sale by another name: the account's issuer or its window was another
 * one. Nobody else would let that go.
 */
async function dropFormer(
  { store }: InvoicingContext,
  { account, id, lease }: Held,
  { businessKey }: Invoice,
  former: readonly (string | undefined)[],
): Promise<void> {
  for (const key of new Set(former))
    // Who stood still may meet a name that the attempt after it has taken.
    if (key !== undefined && key !== businessKey && lease.isHeld())
      await store.keys.free(account, key, id);
}

async function blocked(
  context: InvoicingContext,
  account: Account,
  { effect, locale }: Invoice,
  other: Invoice | null,
): Promise<Ending> {
  await context.dailyCounters.note(account, "blocked", effect);
  const number = other?.number ?? "";
  const text =
    number === ""
      ? issueWord("blocked_duplicate", locale)
      : issueWord("blocked_duplicate_number", locale, number);
  return rejected({ code: "blocked_duplicate", text, slots: [], fixable: "nobody" }, number);
}
