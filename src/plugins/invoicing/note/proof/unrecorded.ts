/**
 * A request for a note whose effect rests while its record is not there: the store lost it (a fail-over, an older copy), or
 * its account was away before anything was written. What may have left gets its record again, from its own frozen bytes and as
 * `incerta`: then notices, alarms and people find it like any other. What nobody can make a record of is decided by its effect.
 */
import {
  type Begun,
  type CallEntry,
  type CallResult,
  entryOf,
  type Json,
} from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { centsOf, INVOICE_ISSUE, IssueInput, termsOf } from "../../effects/invoice-issue.ts";
import { issueWord } from "../../effects/words.ts";
import { namesIn } from "../issue/request-names.ts";
import { supportCode, unended } from "../invoice-answer.ts";
import { advanced } from "../life.ts";
import type { Invoice } from "../invoice.ts";
import { localeOf, recordOf, saleKey } from "../issue/issue-ready.ts";
import { type Claimed, saleIn, windowOf } from "../issue/sale.ts";

type Named = Pick<Begun, "id" | "account" | "contact">;
/** `issuer`: the gateway's id of the one it was sent for, who need not be the account's default any more. */
type Drawn = Readonly<Record<"code" | "token" | "issuer", string>> & { readonly now: number };

/** The lost record of a request that may have left; null where nothing left, or the account lacks what it was made of. */
export async function recordedAnew(
  context: InvoicingContext,
  effect: Named,
  entry: CallEntry,
): Promise<Invoice | null> {
  const { frozen } = entry.work;
  if (entry.name !== INVOICE_ISSUE || !frozen) return null;
  const names = namesIn(frozen.bytes);
  if (!names) return null;
  const drawn = { now: frozen.at, ...names };
  const record = await draftOf(context, effect, entry, drawn);
  if (!record) return null;
  // As it was claimed: the account may name the sale otherwise by now.
  const sale = saleIn(entry);
  const own = sale ? { ...record, businessKey: sale.key, window: sale.window } : record;
  const by = { at: context.clock.now(), by: "worker", why: "record_missing" };
  const lost = advanced(own, { type: "worker.lose", sentAt: undefined }, by, { sentAt: frozen.at });
  return lost && context.invoices.restore(lost);
}

/** What the flow that waits is told of a request that a person closed by its effect: nothing left, or nobody knows. */
export async function closedUnrecorded(
  context: InvoicingContext,
  effect: Named,
  entry: CallEntry,
  isUnsent: boolean,
): Promise<CallResult> {
  const word = isUnsent ? "abandoned_unsent" : "abandoned";
  const text = issueWord(word, await localeOf(context, effect));
  const support = supportCode({ id: context.invoices.idOf(effect.id) });
  return { outcome: "failed", out: { text, code: "abandoned", support } };
}

/** What it is told of one that rests because it could not be handled; its record may be why, and is not looked at. */
export async function restsUnrecorded(
  context: Pick<InvoicingContext, "store" | "invoices">,
  effect: Named,
  mayHaveLeft: boolean,
): Promise<CallResult> {
  const support = supportCode({ id: context.invoices.idOf(effect.id) });
  return unended(mayHaveLeft ? "uncertain" : "waiting", await localeOf(context, effect), support);
}

/**
 * The sale of a request that has no record, as its payload has it, else as its account tells it; null when it cannot be told.
 * Given up it stands for the account's window whoever named it: no record is there that a person could free it by later.
 */
export async function unrecordedSale(
  context: InvoicingContext,
  { id: effect, account: of, payload }: Named & { readonly payload: Json },
): Promise<(Claimed & { readonly window: number }) | null> {
  const entry = entryOf(payload);
  const account = await context.accounts.get(of);
  if (entry.type !== "call" || entry.name !== INVOICE_ISSUE || !account) return null;
  const input = IssueInput.safeParse(entry.input).data;
  const issuer = input && termsOf(account, input).issuer;
  const sale = saleIn(entry);
  const key = sale?.key ?? (issuer && saleKey(context, effect, account, { input, issuer }));
  if (!key) return null;
  return {
    id: context.invoices.idOf(effect),
    account: of,
    effect,
    businessKey: key,
    window: sale?.window ?? windowOf(account),
    cents: input ? centsOf(input) : 0,
    createdAt: entry.work.at,
    issuer: { zone: sale?.zone ?? issuer?.zone ?? account.zone },
  };
}

async function draftOf(
  context: InvoicingContext,
  effect: Named,
  entry: CallEntry,
  drawn: Drawn,
): Promise<Invoice | null> {
  const account = await context.accounts.get(effect.account);
  const input = IssueInput.safeParse(entry.input).data;
  if (!account || !input) return null;
  const { issuer, services } = termsOf(account, { ...input, issuer: drawn.issuer });
  if (!issuer || !services) return null;
  const locale = await localeOf(context, effect);
  const of = { account, input, terms: { issuer, services }, drawn: { ...drawn, locale } };
  return recordOf(context, effect, entry, of);
}
