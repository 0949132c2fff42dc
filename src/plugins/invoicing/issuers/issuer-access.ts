/** Who may touch a business's issuers, in which language, and where they are kept. */
import {
  type Account,
  type Context,
  type Ending,
  type JsonObject,
  type LocalWork,
  newCode,
  personOf,
  refused,
} from "../../../plugin.ts";
import type { Issuer } from "../fiscal/index.ts";
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
