/** Who may touch a business's issuers, in which language, where they are kept, and the gateway's own records of them. */
import {
  type Account,
  callGateway,
  type Context,
  creditsScope,
  type Ending,
  type Json,
  type JsonObject,
  type LocalWork,
  newCode,
  personOf,
  refused,
  textField,
} from "../../../plugin.ts";
import type { Issuer } from "../fiscal/issuer.ts";
import { defaultIssuer, type InvoicingAccount, invoicingOf } from "../account.ts";

/** Whether the contact is one of the account's people now: a conversation only knows who they were when it began. */
export async function isOperator(
  { store }: Pick<Context, "store">,
  account: Account,
  contact: string,
): Promise<boolean> {
  // Asked under a name they had before they proved to be one of them, it is theirs all the same.
  const current = (await personOf({ store }, account.id, contact)).contact;
  for (const { alias } of account.operators)
    if ((await store.contacts.lookup(account.id, alias)) === current) return true;
  return false;
}

export async function localeOf(
  { store }: Pick<Context, "store">,
  account: Account,
  contact: string,
): Promise<"pt-BR" | "en"> {
  const view = await store.views.session(account.id, contact);
  const said = (view?.session as JsonObject | undefined)?.["locale"];
  return (said ?? account.languages[0]) === "en" ? "en" : "pt-BR";
}

/** The issuer that is meant: the one named, else the only or the default one. */
export function issuerMeant(given: Account, id: string | null | undefined): Issuer | null {
  const account = invoicingOf(given);
  const found = id
    ? account.issuers.find(({ emitente_id }) => emitente_id === id)
    : defaultIssuer(account);
  return found ?? null;
}

/** The issuer that one of the account's people means; an ending where nobody may ask, or there is none. */
export async function issuerAsked(
  { context, begun, account }: LocalWork,
  id: string | null | undefined,
): Promise<Issuer | Ending> {
  if (!(await isOperator(context, account, begun.contact))) return refused("not_operator");
  return issuerMeant(account, id) ?? refused("no_issuer");
}

/** Changes the account's issuers, or leaves them (`change` gives null). */
export async function changeIssuers(
  { accounts }: Pick<Context, "accounts">,
  account: string,
  change: (issuers: readonly Issuer[]) => readonly Issuer[] | null,
): Promise<InvoicingAccount | null> {
  if (!accounts.change) throw new Error("accounts cannot be changed by this process");
  const changed = await accounts.change(account, (stored): InvoicingAccount | null => {
    const now = invoicingOf(stored);
    const issuers = change(now.issuers);
    return issuers && { ...now, issuers: [...issuers] };
  });
  return changed && invoicingOf(changed);
}

/** Our address for what the authority tells about the account's notes; its token is made when there is none. */
export async function webhookUrl(
  context: Pick<Context, "accounts" | "random" | "publicUrl">,
  account: Account,
): Promise<string> {
  let token = invoicingOf(account).invoicingToken;
  if (token === undefined) {
    const fresh = newCode(context.random);
    const changed = await context.accounts.change?.(
      account.id,
      (stored): InvoicingAccount | null => {
        const now = invoicingOf(stored);
        return now.invoicingToken === undefined ? { ...now, invoicingToken: fresh } : null;
      },
    );
    token = (changed && invoicingOf(changed).invoicingToken) ?? fresh;
  }
  if (context.publicUrl === undefined) throw new Error("this process does not know its PUBLIC_URL");
  return `${context.publicUrl}/webhooks/invoicing/${token}`;
}

/** Another business of this installation has the company: nobody registers it twice, or takes it over. */
export async function hasElsewhere(
  { accounts }: Pick<Context, "accounts">,
  account: Account,
  cnpj: string,
): Promise<boolean> {
  for (const id of await accounts.ids()) {
    if (id === account.id) continue;
    const other = await accounts.get(id);
    if (other && invoicingOf(other).issuers.some((issuer) => issuer.cnpj === cnpj)) return true;
  }
  return false;
}

/** The next look is after this, virtual ms. */
const PAUSED_MS = 30_000;

/**
 * What an effect does while the gateway's fiscal side is paused: it waits, or says that there is no balance, for a top-up may take
 * days. Undefined while nothing is paused.
 */
export function whilePaused({ context, account }: LocalWork): Ending | undefined {
  const scope = creditsScope(account.id);
  if (!context.scopes.isPaused(scope)) return undefined;
  if (context.scopes.reasonOf(scope) !== "no_balance")
    return { outcome: { kind: "not_sent", at: context.clock.now() + PAUSED_MS } };
  const reason = "no_balance";
  return {
    outcome: { kind: "failed" },
    result: { outcome: "failed", out: { reason, text: "" } },
    line: { reason },
  };
}

const ROUTE = "invoicing.emitentesLista";

/** The gateway's own records, read for nothing: all that the account's credentials see, or those of one id. */
export async function recordsOf(
  work: LocalWork,
  emitente?: string,
): Promise<{ readonly rows: readonly JsonObject[] } | Ending> {
  const { context, begun, account } = work;
  const scope = creditsScope(account.id);
  const paused = whilePaused(work);
  if (paused) return paused;
  const note = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
  const body = emitente === undefined ? {} : { emitente };
  const outcome = await callGateway(context, account, ROUTE, body, {}, note);
  if (outcome.kind !== "ok") return work.conclude(ROUTE, scope, outcome);
  const rows = (Array.isArray(outcome.data) ? outcome.data : [outcome.data]) as readonly Json[];
  return { rows: rows.filter(isRecord) };
}

export async function recordOf(
  work: LocalWork,
  emitente: string,
): Promise<{ readonly record: JsonObject } | Ending> {
  const read = await recordsOf(work, emitente);
  if ("outcome" in read) return read;
  const record = read.rows.find((row) => idOf(row) === emitente.toLowerCase());
  return record ? { record } : refused("unknown");
}

export function idOf(record: JsonObject): string | undefined {
  return (textField(record, "emitente_id") ?? textField(record, "id"))?.toLowerCase();
}

function isRecord(row: Json): row is JsonObject {
  return typeof row === "object" && row !== null && !Array.isArray(row);
}
