/**
 * What conversations do with the account's own companies once they are registered.
 *
 * `issuer.update`: the whole record as the gateway has it, with what was said put over it; whatever the interface does with
 * fields that are left out, nothing is lost. The bytes are written down before the first attempt, so every attempt sends the
 * same; the account follows when it is done. `issuer.list` and `issuer.show` tell what the gateway says of each. Free.
 */
import { z } from "zod";
import {
  callGateway,
  creditsScope,
  done,
  type Ending,
  type JsonObject,
  localDay,
  type LocalSpec,
  type LocalWork,
  refused,
  routeOf,
  textField,
} from "../../../plugin.ts";
import { Regime } from "../fiscal/issuer.ts";
import { cardOf, CompanyFields, fieldsOf, issuerAfter, rowOf } from "./company.ts";
import {
  changeIssuers,
  idOf,
  isOperator,
  issuerAsked,
  localeOf,
  recordOf,
  recordsOf,
  webhookUrl,
  whilePaused,
} from "./issuer-access.ts";
import { invoicingOf } from "../account.ts";

const ROUTE = "invoicing.emitentesAtualiza";
/** Requests that are on their way, by effect. */
const COLLECTION = "issuer-updates";

const Input = CompanyFields.extend({
  issuer: z.string().nullish(),
  /** `normal` issues nationally, `normal_town` by the town: where the law leaves it to the town, both are asked for at once. */
  regime: z.enum([...Regime.options, "normal_town"]).nullish(),
});

function saidIn({ regime, ...said }: z.output<typeof Input>): CompanyFields {
  if (regime === "normal_town") return { ...said, regime: "normal", portal: "town" };
  return regime === "normal" ? { ...said, regime, portal: "national" } : { ...said, regime };
}

export const issuerUpdate: LocalSpec<typeof Input> = {
  name: "issuer.update",
  class: "replace",
  version: 1,
  input: Input,
  result: ["code", "text", "reason", "razao"],
  unpaid: "told",
  async perform(work, input) {
    const { context, begun, account } = work;
    const issuer = await issuerAsked(work, input.issuer);
    if ("outcome" in issuer) return issuer;
    const scope = creditsScope(account.id);
    const paused = whilePaused(work);
    if (paused) return paused;
    const body = await bodyOf(work, input, issuer.emitente_id);
    if ("outcome" in body) return body;
    const options = { frozenBytes: Buffer.from(body.bytes), mayLeave: begun.lease.isHeld };
    const note = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
    const outcome = await callGateway(context, account, ROUTE, undefined, options, note);
    const ending = await work.conclude(ROUTE, scope, outcome);
    const { kind } = ending.outcome;
    if (kind === "done")
      await changeIssuers(context, account.id, (issuers) =>
        issuers.map((one) =>
          one.emitente_id === issuer.emitente_id ? issuerAfter(one, saidIn(input)) : one,
        ),
      );
    if (kind === "done" || kind === "failed")
      await context.store.documents.remove(COLLECTION, keptAs(work));
    return kind === "done" ? { ...ending, result: { outcome: "done", out: {} } } : ending;
  },
};

const keptAs = ({ context, begun }: LocalWork) => context.keys.hash(`issuer-update:${begun.id}`);

/** The frozen request; made, and kept, at the first attempt. */
async function bodyOf(
  work: LocalWork,
  input: z.output<typeof Input>,
  emitente_id: string,
): Promise<{ readonly bytes: string } | Ending> {
  const { context, account } = work;
  // Whoever wrote first is believed: a process that was late must not send other bytes.
  const kept = await context.store.documents.get(COLLECTION, keptAs(work));
  if (typeof kept?.value["bytes"] === "string") return { bytes: kept.value["bytes"] };
  const read = await recordOf(work, emitente_id);
  if ("outcome" in read) return read;
  const known = fitting(read.record);
  const body = {
    ...known,
    ...fieldsOf(saidIn(input)),
    emitente_id,
    webhook_url: await webhookUrl(context, account),
  };
  const bytes = Buffer.from(context.gatewayFor(account).exactBytes(ROUTE, body)).toString("utf8");
  await context.store.documents.put(
    COLLECTION,
    keptAs(work),
    { bytes, account: account.id, at: work.at },
    0,
  );
  const stored = await context.store.documents.get(COLLECTION, keptAs(work));
  const first = stored?.value["bytes"];
  return { bytes: typeof first === "string" ? first : bytes };
}

/** Fields of an answer that the interface takes back as they are. */
function fitting(record: JsonObject): JsonObject {
  const form: z.ZodType | undefined = Object.values(routeOf(ROUTE).variants)[0]?.body;
  const shape: Readonly<Record<string, unknown>> = form instanceof z.ZodObject ? form.shape : {};
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => {
      const field = shape[name];
      return value !== undefined && field instanceof z.ZodType && field.safeParse(value).success;
    }),
  );
}

/** Companies in one message; who has more reads them in the console. */
const SHOWN = 15;

const Nothing = z.object({});

/**
 * Credentials may be shared by several businesses, so only what the account itself has is told of a list. The day until which
 * a certificate is valid is the gateway's word where it has one, else ours.
 */
export const issuerList: LocalSpec<typeof Nothing> = {
  name: "issuer.list",
  class: "read",
  version: 1,
  input: Nothing,
  result: ["lines", "count", "more", "code", "text", "reason"],
  async perform(work) {
    const { context, begun, account } = work;
    if (!(await isOperator(context, account, begun.contact))) return refused("not_operator");
    const locale = await localeOf(context, account, begun.contact);
    const read = await recordsOf(work);
    if ("outcome" in read) return read;
    const now = context.clock.now();
    const { issuers } = invoicingOf(account);
    const lines = issuers.slice(0, SHOWN).map((issuer) => {
      const row = read.rows.find((one) => idOf(one) === issuer.emitente_id);
      const told = row && textField(row, "certificado_validade")?.slice(0, 10);
      const until = told && /^\d{4}-\d\d-\d\d$/.test(told) ? told : issuer.certificate_until;
      return rowOf(issuer, { until, today: localDay(now, issuer.zone) }, locale);
    });
    const count = issuers.length;
    return done({ lines: lines.join("\n\n"), count, more: Math.max(0, count - SHOWN) });
  },
};

const One = z.object({ issuer: z.string().nullish() });

export const issuerShow: LocalSpec<typeof One> = {
  name: "issuer.show",
  class: "read",
  version: 1,
  input: One,
  result: ["card", "regime", "town", "code", "text", "reason"],
  async perform(work, input) {
    const { context, begun, account } = work;
    const issuer = await issuerAsked(work, input.issuer);
    if ("outcome" in issuer) return issuer;
    const read = await recordOf(work, issuer.emitente_id);
    if ("outcome" in read) return read;
    const card = cardOf(read.record, await localeOf(context, account, begun.contact));
    return done({ card, regime: issuer.regime, town: issuer.town });
  },
};
