/** The gateway's own record of an issuer, read for nothing (`emitentes-lista` costs 0.00). */
import {
  callGateway,
  creditsScope,
  type Ending,
  type Json,
  type JsonObject,
  type LocalWork,
  refused,
  textField,
} from "../../../plugin.ts";
import { whilePaused } from "./paused-gateway.ts";

const ROUTE = "invoicing.emitentesLista";
/** All records the account's credentials see, or those of one id. */
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
