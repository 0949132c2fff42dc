/**
 * `issuer.register`: a company becomes an issuer, for 19.00 BRL. In order: who asks, whether anybody has it, one claim of its
 * CNPJ, a free look whether the gateway has it; only then the one call. Its end is written into the account before anybody is
 * told. After a lost answer the claim stays: what is unclear is looked up, never repeated.
 */
import { z } from "zod";
import {
  type Account,
  type Asking,
  bareDocument,
  callGateway,
  type CallResult,
  type Context,
  type EffectSpec,
  type Ending,
  type Json,
  type JsonObject,
  type PreparedCall,
  type Proof,
  refused,
  routeEffect,
  routeOf,
  textField,
} from "../../../plugin.ts";
import { knownCode } from "../fiscal/rejection.ts";
import { fieldsOf, issuerOf, NewCompany } from "./company.ts";
import { changeIssuers, hasElsewhere, isOperator, webhookUrl } from "./issuer-access.ts";
import { invoicingOf } from "../account.ts";

export const ISSUER_REGISTER = "issuer.register";

const MINUTE_MS = 60_000;
/** Looks after a lost answer cost nothing. After the call, virtual ms. */
const LOOKS = [1, 2, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

/** The one company of this CNPJ in the gateway's list that may be the one that was registered. */
function proofBy(may: (row: Json, account: Account) => boolean): Proof {
  return {
    route: "invoicing.emitentesLista",
    query: {},
    body: {},
    after: LOOKS,
    find: ({ input, account }, answer) => {
      const cnpj = bareDocument(textField(input, "cnpj") ?? "");
      const all = Array.isArray(answer) ? (answer as readonly Json[]) : [answer];
      const rows = all.filter(
        (row) =>
          cnpj !== "" && bareDocument(textField(row, "cnpj") ?? "") === cnpj && may(row, account),
      );
      return rows.length === 1 ? (rows[0] ?? null) : null;
    },
  };
}

/** The gateway's words are cut here before a flow may say them. Characters. */
const TEXT_LIMIT = 300;

export const issuerRegister: EffectSpec = {
  name: ISSUER_REGISTER,
  class: "costly",
  version: 1,
  route: "invoicing.emitentesCadastro",
  input: NewCompany,
  result: ["text", "adopted", "issuer"],
  unpaid: "told",
  prepare: (input) => (NewCompany.safeParse(input).success ? { body: input, query: {} } : null),
  complete,
  settled,
  // A company that the account or another one has is refused before anything is sent: what stands there now is ours.
  proof: proofBy(() => true),
  interpret: (answer): CallResult => {
    if (answer.kind === "done") return { outcome: "done", out: { text: "", adopted: false } };
    const text = answer.message.slice(0, TEXT_LIMIT);
    return { outcome: "rejected", out: { code: knownCode(answer) ?? "", text } };
  },
};

const bare = routeEffect(routeOf("invoicing.emitentesCadastro"));

/** The bare route: it may register a company that the gateway has already, so only an issuer new to the account is proof. */
export const registerByRoute: EffectSpec = {
  ...bare,
  proof: proofBy((row, account) => {
    const id = textField(row, "emitente_id") ?? textField(row, "id");
    return id !== undefined && !invoicingOf(account).issuers.some((one) => one.emitente_id === id);
  }),
};

function claimOf(context: Pick<Context, "keys">, cnpj: string): string {
  return context.keys.hash(`issuer:${cnpj}`);
}

async function complete(context: Context, asking: Asking): Promise<PreparedCall | Ending> {
  const { effect, contact, account } = asking;
  const company = NewCompany.parse(asking.input);
  if (!(await isOperator(context, account, contact))) return refused("not_operator");
  const claimed = await context.store.keys.claim(
    account.id,
    claimOf(context, company.cnpj),
    effect,
  );
  if (!claimed.ok) return refused(claimed.state === "settled" ? "known" : "under_way");
  const known = await knownAs(context, account, company.cnpj);
  if (known !== undefined) {
    await context.store.keys.free(account.id, claimOf(context, company.cnpj), effect);
    return refused(known);
  }
  const url = await webhookUrl(context, account);
  const there = await found(context, asking, company.cnpj);
  if (there !== undefined) return adopted(context, asking, there);
  return {
    body: {
      ...fieldsOf(company),
      cnpj: company.cnpj,
      documentos: { nfe: false, nfce: false, nfse: true },
      webhook_url: url,
    },
    query: {},
  };
}

/** As the account stands in the store now, behind the claim: a registration that ended this second is in it. */
async function knownAs(
  context: Context,
  account: Account,
  cnpj: string,
): Promise<"known" | "elsewhere" | undefined> {
  const now = (await context.accounts.change?.(account.id, () => null)) ?? account;
  if (invoicingOf(now).issuers.some((issuer) => issuer.cnpj === cnpj)) return "known";
  return (await hasElsewhere(context, account, cnpj)) ? "elsewhere" : undefined;
}

/** The gateway has the company already: nothing is paid. Undefined when it has not, or does not say. */
async function found(context: Context, asking: Asking, cnpj: string): Promise<Json | undefined> {
  const { account, contact, effect } = asking;
  const note = { contact, effect, attempt: 1 };
  const route = "invoicing.emitentesLista";
  const answer = await callGateway(context, account, route, {}, {}, note);
  if (answer.kind !== "ok" || !Array.isArray(answer.data)) return undefined;
  return (answer.data as readonly Json[]).find(
    (row) => bareDocument(textField(row, "cnpj") ?? "") === cnpj,
  );
}

/**
 * Only under credentials of the account's own: where several businesses share the installation's, what is there may be
 * somebody else's.
 */
async function adopted(context: Context, asking: Asking, row: Json): Promise<Ending> {
  const isOwn = asking.account.gateway.token !== undefined;
  const ending: Ending = isOwn
    ? { outcome: { kind: "done" }, result: { outcome: "done", out: { text: "", adopted: true } } }
    : refused("exists");
  return settled(context, asking, ending, row);
}

/** The account holds the issuer before the flow hears of it; a definite no frees the CNPJ for another try. */
async function settled(
  context: Context,
  asking: Asking,
  ending: Ending,
  data: Json,
): Promise<Ending> {
  const { account, effect } = asking;
  const company = NewCompany.parse(asking.input);
  const claim = claimOf(context, company.cnpj);
  if (ending.outcome.kind === "failed") {
    await context.store.keys.free(account.id, claim, effect);
    return ending;
  }
  if (ending.outcome.kind !== "done") return ending;
  const id = textField(data, "emitente_id") ?? textField(data, "id");
  const kept =
    id !== undefined && z.uuid().safeParse(id).success && (await keep(context, asking, id));
  const { result } = ending;
  // Registered and paid for; what is missing is its number, which a person reads in the gateway's list.
  if (!kept)
    context.alarms.raise({
      code: "issuer.unkept",
      account: account.id,
      subject: effect,
      message:
        "An issuer was registered, and its answer has no id that can be kept; add it to the account from the gateway's list.",
    });
  // From here on the account's own list keeps it from being registered again.
  if (kept) await context.store.keys.free(account.id, claim, effect);
  else await context.store.keys.settle(account.id, claim, effect);
  // What comes next is about this company, and nobody is asked which.
  return kept && result
    ? { ...ending, result: { ...result, out: { ...result.out, issuer: id } } }
    : ending;
}

async function keep(context: Context, { account, input }: Asking, id: string): Promise<boolean> {
  const company = NewCompany.parse(input);
  const changed = await changeIssuers(context, account.id, (issuers) => {
    if (issuers.some(({ emitente_id }) => emitente_id === id)) return null;
    const issuer = issuerOf(company, id, issuers.length === 0);
    return issuer && [...issuers, issuer];
  });
  return changed?.issuers.some(({ emitente_id }) => emitente_id === id) === true;
}

/** A person said how a held registration ended: done, its CNPJ stays taken; failed, it may be tried again. */
export async function decidedRegistration(
  context: Context,
  of: { readonly account: string; readonly effect: string; readonly input: JsonObject },
  ended: "done" | "failed",
): Promise<void> {
  const company = NewCompany.safeParse(of.input).data;
  const account = await context.accounts.get(of.account);
  if (!company || !account) return;
  const claim = claimOf(context, company.cnpj);
  if (ended === "failed") return void (await context.store.keys.free(account.id, claim, of.effect));
  const asking = { effect: of.effect, contact: "", account, input: of.input };
  const row = await found(context, asking, company.cnpj);
  const ending: Ending = { outcome: { kind: "done" } };
  await settled(context, asking, ending, row ?? null);
}
