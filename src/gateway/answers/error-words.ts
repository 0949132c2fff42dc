/**
 * The words of a refusal, wherever the gateway, its engine or the municipality put them. Unchanged: callers mask and cut
 * them. Pure.
 */
import type { Json } from "../../base/index.ts";
import { fold } from "../../brazil/index.ts";

/** Texts of one answer that are told on. */
const TEXTS = 4;

/** One error that an answer lists. */
export interface SaidError {
  readonly code?: string;
  /** "" where it has a code alone. */
  readonly message: string;
}

/** Names of a field that holds a code or its words, small and without accents; the first that is there counts. */
const CODE = ["codigo", "code", "codigoerro", "cod"];
const WORDS = ["mensagem", "message", "descricao", "motivo", "detalhe", "texto", "erro"];

/**
 * First of `message`, a textual `error`, the engine's, the lists of errors, the field errors. Undefined: it says nothing.
 */
export function messageIn(body: Json): string | undefined {
  if (!isRecord(body)) return undefined;
  const inner = isRecord(body["response"]) ? body["response"] : {};
  const found = [body["message"], body["error"], inner["message"], inner["error"], body["response"]]
    .map(textOf)
    .filter((text) => text !== "");
  const listed = errorsIn(body).map(({ message }) => message);
  const fields = isRecord(body["errors"]) ? Object.values(body["errors"]).map(textOf) : [];
  const texts = [...found, ...listed, ...fields].filter(Boolean);
  const text = [...new Set(texts)].slice(0, TEXTS).join("; ");
  return text === "" ? undefined : text;
}

/** The machine-readable code; of several that are listed the first. */
export function codeIn(body: Json): string | undefined {
  return codesIn(body)[0];
}

/**
 * The code, or all that are listed. It is not known which field carries `queue_not_available`, so it is recognised by its
 * text.
 */
export function codesIn(body: Json): readonly string[] {
  if (JSON.stringify(body).includes("queue_not_available")) return ["queue_not_available"];
  if (!isRecord(body)) return [];
  const inner = isRecord(body["response"]) ? body["response"]["code"] : undefined;
  const code = body["code"] ?? inner;
  if (typeof code === "string" || typeof code === "number") return [String(code)];
  const listed = errorsIn(body).flatMap((error) => error.code ?? []);
  return listed.filter((one) => TOWN_CODE.test(one));
}

/** A municipality's code (`E0014`, `L10`). A bare number is a status: the words beside it tell more. */
const TOWN_CODE = /^[a-z_]+\d*$/i;

/**
 * The errors that a municipality's answer lists, beside the envelope or in its payload; the answer itself where it is the
 * one error.
 */
export function errorsIn(body: Json): readonly SaidError[] {
  if (!isRecord(body)) return [];
  const data = isRecord(body["data"]) ? body["data"] : {};
  const lists = [body["errors"], body["erros"], data["errors"], data["erros"]];
  return [...lists.flatMap(rowsOf), data, body].flatMap((row) => saidBy(row) ?? []);
}

/** A list, or the one error that stands in its place. */
function rowsOf(list: Json | undefined): readonly Json[] {
  if (list === undefined) return [];
  return Array.isArray(list) ? (list as readonly Json[]) : [list];
}

function saidBy(row: Json): SaidError | undefined {
  if (typeof row === "string") return row.trim() === "" ? undefined : { message: row.trim() };
  if (!isRecord(row)) return undefined;
  const fields = new Map(Object.entries(row).map(([name, value]) => [fold(name), value]));
  const code = CODE.map((name) => wordOf(fields.get(name))).find(Boolean);
  const message = WORDS.map((name) => wordOf(fields.get(name))).find(Boolean) ?? "";
  if (code === undefined && message === "") return undefined;
  return { message, ...(code === undefined ? {} : { code }) };
}

function wordOf(value: Json | undefined): string {
  return typeof value === "number" ? String(value) : textOf(value);
}

function textOf(value: Json | undefined): string {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value))
    return (value as readonly Json[]).map(textOf).filter(Boolean).join("; ");
  if (isRecord(value) && value["exists"] === false) return "recipient does not exist";
  return "";
}

function isRecord(value: Json | undefined): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
