/** What a refusal says, wherever its gateway, its engine or its town put it. As it came: whoever tells it on masks and cuts it. Pure. */
import type { Json } from "../base/index.ts";

/** Texts of one answer that are told on. */
const TEXTS = 4;

/**
 * First of `message`, a textual `error`, the engine's, the lists of errors, the field errors. Undefined: it says nothing.
 */
export function messageIn(body: Json): string | undefined {
  if (!isRecord(body)) return undefined;
  const inner = isRecord(body["response"]) ? body["response"] : {};
  const found = [body["message"], body["error"], inner["message"], inner["error"], body["response"]]
    .map(textOf)
    .filter((text) => text !== "");
  const listed = errorsIn(body).map(saidBy).filter(Boolean);
  const fields = isRecord(body["errors"]) ? Object.values(body["errors"]).map(textOf) : [];
  const text = [...new Set([...found, ...listed, ...fields])].slice(0, TEXTS).join("; ");
  return text === "" ? undefined : text;
}

/** The machine-readable code. Which field carries `queue_not_available` is not shown, so it is known by sight. */
export function codeIn(body: Json): string | undefined {
  if (JSON.stringify(body).includes("queue_not_available")) return "queue_not_available";
  if (!isRecord(body)) return undefined;
  const inner = isRecord(body["response"]) ? body["response"]["code"] : undefined;
  const code = body["code"] ?? inner;
  if (typeof code === "string" || typeof code === "number") return String(code);
  return errorsIn(body)
    .map((error) => error["codigo"])
    .find((codigo): codigo is string => typeof codigo === "string" && TOWN_CODE.test(codigo));
}

/** A town's code (`E0014`, `L10`). A bare number is a status, or worse: the words beside it tell more. */
const TOWN_CODE = /^[a-z_]+\d*$/i;

/** The errors that a town's answer lists, beside the envelope or in its payload; the answer itself where it is the one. */
function errorsIn(body: Record<string, Json>): readonly Record<string, Json>[] {
  const data = isRecord(body["data"]) ? body["data"] : {};
  const lists = [body["errors"], body["erros"], data["errors"], data["erros"]];
  return [
    ...lists.flatMap((list) => (Array.isArray(list) ? (list as Json[]) : [])),
    data,
    body,
  ].filter(isRecord);
}

function saidBy({ mensagem, message }: Record<string, Json>): string {
  return textOf(mensagem) || textOf(message);
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
