/**
 * A note that a flow submits by the bare route (`call("invoicing.nfseEnvio")`) instead of `invoice.issue`. The same sale may
 * still be asked for by two contacts, in either way: it claims the same business key, and keeps to the ceilings of a note and
 * of a day. The record among the invoices and the similar-note warning belong to `invoice.issue` alone. Nothing else knows of a
 * call whose outcome is unknown, so its claim has no end of its own and is written down beside it (`sale-claims.ts`): the time
 * within which notes are alike runs from its end.
 */
import {
  type Account,
  type Begun,
  type EffectSpec,
  type EffectView,
  type Ending,
  entryOf,
  failed,
  type Held,
  type JsonObject,
  routeEffect,
  routeOf,
  textField,
} from "../../../../plugin.ts";
import { withinDay } from "./ceiling.ts";
import { type InvoicingContext, invoicingContext } from "../../context.ts";
import { issueWord } from "../../effects/words.ts";
import { rawNote } from "../../effects/business-key.ts";
import { knownCode } from "../../fiscal/index.ts";
import { noteFacts, reasonOf } from "../invoice-answer.ts";
import { windowOf } from "./sale.ts";
import { claimOf, dropClaim, endClaim, keepClaim, type SaleClaim } from "./sale-claims.ts";
import { invoicingOf } from "../../account.ts";

const ROUTE = "invoicing.nfseEnvio";

const { interpret, ...route } = routeEffect(routeOf(ROUTE));
const bare: EffectSpec = {
  ...route,
  interpret: (answer) => {
    if (answer.kind === "done") return interpret(answer);
    const code = knownCode(answer);
    return interpret({ ...answer, ...(code === undefined ? {} : { code }) });
  },
};

/** The bare route, led by this plugin. */
export const rawNoteRoute: EffectSpec = {
  ...bare,
  async perform(context, { begun, entry, account, send }) {
    const invoicing = invoicingContext(context);
    const prepared = bare.prepare(entry.input);
    if (!prepared) return failed("input");
    const claim = await claimRawNote(invoicing, begun, account, prepared.body);
    if ("refused" in claim) return claim.refused;
    const ending = await send(prepared);
    return ending && settleRawNote(invoicing, claim, ending);
  },
  goesAgain: "all",
};

/** The claim of this call, or the answer to the flow when nothing may be sent. */
async function claimRawNote(
  context: InvoicingContext,
  begun: Held,
  account: Account,
  body: JsonObject,
): Promise<SaleClaim | { readonly refused: Ending }> {
  const claim = await claimNow(context, begun, claimIn(context, begun, account, body));
  if (!claim) return { refused: { outcome: { kind: "not_sent", at: context.clock.now() } } };
  const { key, effect, counted } = claim;
  const refuse = async (code: "over_ceiling" | "over_day" | "blocked_duplicate") => {
    // It may be of an attempt that did not leave.
    await dropClaim(context, claim);
    if (code === "blocked_duplicate")
      await context.dailyCounters.note(account, "blocked", begun.id);
    return { refused: refused(code) };
  };
  if (counted.cents > invoicingOf(account).policy.ceiling) return refuse("over_ceiling");
  await keepClaim(context, claim);
  const claimed = await context.store.claimKey(account.id, key, effect);
  const lost =
    claimed.ok &&
    (await context.invoices.unsettledOf(account.id, { businessKey: key, id: counted.id }));
  if (!claimed.ok || lost) return refuse("blocked_duplicate");
  return (await withinDay(context, account, counted)) ? claim : refuse("over_day");
}

/**
 * The claim of this attempt. An earlier one that did not leave may have known the sale by another name, which is let go; one that may
 * have left stays its own. Null = this process stood still: the name may be in use by now.
 */
async function claimNow(
  context: InvoicingContext,
  begun: Held,
  claim: SaleClaim,
): Promise<SaleClaim | null> {
  const kept = await claimOf(context, begun.id);
  if (!kept || kept.key === claim.key) return claim;
  if (entryOf(begun.payload).work.frozen) return kept;
  if (!begun.tenure.stands()) return null;
  await dropClaim(context, kept);
  return claim;
}

function claimIn(
  context: Pick<InvoicingContext, "keys" | "invoices">,
  effect: Pick<Begun, "id" | "contact" | "createdAt">,
  account: Account,
  body: JsonObject,
): SaleClaim {
  const { issuers, policy } = invoicingOf(account);
  const { similarHours } = policy;
  const { cents, key } = rawNote(body, account, { effect: effect.id, similarHours });
  const issuer = issuers.find((one) => one.emitente_id === body["emitente_id"]);
  return {
    ...{ account: account.id, contact: effect.contact, effect: effect.id },
    key: context.keys.hash(key),
    window: windowOf(account),
    counted: {
      ...{ id: context.invoices.idOf(effect.id), account: account.id, cents },
      ...{ createdAt: effect.createdAt, issuer: { zone: issuer?.zone ?? account.zone } },
    },
  };
}

/** The claim of one that rests: as it was written down, else as its payload tells it; null when it is no bare note. */
export async function rawClaimOf(
  context: InvoicingContext,
  effect: EffectView,
): Promise<SaleClaim | null> {
  const kept = await claimOf(context, effect.id);
  if (kept) return kept;
  const entry = entryOf(effect.payload);
  const isBare = entry.type === "call" && entry.name === ROUTE;
  const body = isBare && bare.prepare(entry.input)?.body;
  const account = await context.accounts.get(effect.account);
  if (!body || !account) return null;
  return claimIn(context, effect, account, body);
}

/**
 * A note that stands settles its key, a definite no frees it. What the gateway only took in, or refused because there may be one
 * already, keeps it: it rests until a person says what became of it, like one whose answer was lost.
 */
async function settleRawNote(
  context: InvoicingContext,
  claim: SaleClaim,
  ending: Ending,
): Promise<Ending> {
  const { kind } = ending.outcome;
  const out = ending.result?.out ?? {};
  const rests = (reason: string): Ending => ({
    outcome: { kind: "held", reason },
    result: { outcome: "held", out },
    line: { reason },
  });
  if (kind === "failed") {
    const said = { message: textField(out, "text") ?? "", code: textField(out, "code") ?? "" };
    const { doubt } = reasonOf(said, "pt-BR");
    if (ending.result?.outcome === "rejected" && doubt) return rests(doubt);
    await endClaim(context, claim, "free");
  }
  if (kind !== "done") return ending;
  const { status, error = { message: "" } } = noteFacts(out);
  switch (status) {
    case "processando":
      return rests("processando");
    case "incerta":
    case "unknown":
      return rests("unconfirmed");
    case "rejeitada": {
      const { doubt } = reasonOf(error, "pt-BR");
      if (doubt) return rests(doubt);
      await endClaim(context, claim, "free");
      return ending;
    }
    case "autorizada":
    case "cancelada":
      await endClaim(context, claim, "settle");
      return ending;
  }
}

function refused(code: "over_ceiling" | "over_day" | "blocked_duplicate"): Ending {
  return {
    outcome: { kind: "failed" },
    result: bare.interpret({ kind: "rejected", message: issueWord(code, "pt-BR"), code }),
    line: { reason: code },
  };
}
