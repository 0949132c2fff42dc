/**
 * The words of a refusal, wherever the gateway, its engine or the municipality put them, and whether any of them hints that
 * the thing exists already: then it is no definite refusal, and a person decides about a fiscal call. Unchanged: callers
 * mask and cut them. Pure.
 */
import type { Json } from "../../base/index.ts";
import { fold } from "../../brazil/index.ts";
import { isRecord, parseJson } from "./json-text.ts";

/** Texts of one answer that are told on. */
const TEXTS = 4;

/** One error that an answer lists. */
interface SaidError {
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

/**
 * Texts by which tax systems say that this invoice exists: E0014 (national), E10 and E010 (ABRASF), and words for
 * duplicate, already issued, already sent, being processed.
 */
const DUPLICATE =
  /\bE0?10\b|\bE0014\b|duplic|\bj[aá]\s+(?:\S+\s+){0,3}?(?:emitid|informad|enviad|utilizad|usad|exist|processad|autorizad|registrad|cadastrad|gerad)|\balready\b|em processamento|in progress/i;

export function saysDuplicate(text: string): boolean {
  return DUPLICATE.test(text.normalize("NFC"));
}

/**
 * Whether any text of an answer hints that the thing exists already. It is not known which field tells the reason, so the
 * whole answer is read, JSON or not, before anything of it is masked or cut.
 */
export function hintsDuplicate(body: Buffer): boolean {
  const text = decoded(body);
  const value = parseJson(text);
  if (value === undefined) return saysDuplicate(wordsIn(text));
  for (const said of textsIn(value)) if (saysDuplicate(said)) return true;
  return false;
}

function decoded(body: Buffer): string {
  try {
    return UTF8.decode(body);
  } catch {
    return body.toString("latin1");
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Every text in it, and the names of fields that are true. */
function* textsIn(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === true) yield name;
    yield* textsIn(inner as Json);
  }
}

/**
 * The text of a page, or of JSON that was cut: without tags, and with escapes of `á`, the one letter that hints need,
 * replaced.
 */
function wordsIn(text: string): string {
  return text.replaceAll(/&(?:aacute|#225|#xe1);|\\u00e1/gi, "á").replaceAll(/<[^<>]*>/g, " ");
}
