/**
 * `issuer.update`: the whole record as the gateway has it, with what was said put over it; whatever the interface does with
 * fields that are left out, nothing is lost. The bytes are written down before the first attempt, so every attempt sends the
 * same; the account follows when it is done.
 */
import { z } from "zod";
import {
  callGateway,
  creditsScope,
  type Ending,
  type JsonObject,
  type LocalSpec,
  type LocalWork,
  routeOf,
} from "../../../plugin.ts";
import { Regime } from "../fiscal/issuer.ts";
import { CompanyFields, fieldsOf, issuerAfter } from "./company.ts";
import { changeIssuers, issuerAsked, recordOf, webhookUrl, whilePaused } from "./issuer-access.ts";

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
      await context.store.documents.remove(COLLECTION, idOf(work));
    return kind === "done" ? { ...ending, result: { outcome: "done", out: {} } } : ending;
  },
};

const idOf = ({ context, begun }: LocalWork) => context.keys.hash(`issuer-update:${begun.id}`);

/** The frozen request; made, and kept, at the first attempt. */
async function bodyOf(
  work: LocalWork,
  input: z.output<typeof Input>,
  emitente_id: string,
): Promise<{ readonly bytes: string } | Ending> {
  const { context, account } = work;
  // Whoever wrote first is believed: a process that was late must not send other bytes.
  const kept = await context.store.documents.get(COLLECTION, idOf(work));
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
    idOf(work),
    { bytes, account: account.id, at: work.at },
    0,
  );
  const stored = await context.store.documents.get(COLLECTION, idOf(work));
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
