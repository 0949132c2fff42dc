/**
 * Body and query against the contract. A body is valid when one documented variant takes it, and what the other variants
 * know of it is right by them; keys that no variant knows are let through, as gateways do. Older spellings are read as
 * today's first. The inside of an invoice is the authority's business, not ours.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { AnyRoute } from "../../gateway/index.ts";
import { isObject } from "./bounded.ts";

/** Errors told at most; a body of a thousand wrong fields is told often enough. */
const ERRORS_TOLD = 50;

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Errors by field, or undefined when the call may go on. */
export function fieldErrors(
  route: AnyRoute,
  body: JsonObject,
  query: Readonly<Record<string, string>>,
): FieldErrors | undefined {
  if (route.group && !query["groupJid"]) return { groupJid: ["O campo groupJid é obrigatório."] };
  if (route.id === "invoicing.nfseEnvio") return submissionErrors(route, body);
  let closest: readonly z.core.$ZodIssue[] | undefined;
  const forms = Object.values(route.variants).map((variant) => variant.body);
  for (const form of forms) {
    const issues = [...issuesOf(form, body), ...foreignIssues(form, forms, body)];
    if (issues.length === 0) return undefined;
    if (!closest || distance(issues) < distance(closest)) closest = issues;
  }
  return byField(closest ?? []);
}

/** How far a body is from a form: a wrong word tells of another form, the rest of slips. */
function distance(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, { code }) => sum + (code === "invalid_value" ? 3 : 1), 0);
}

/**
 * What is wrong with fields that this form has not and others have: a reply whose quote is a number is no plain text with
 * an unknown key.
 */
function foreignIssues(
  form: z.ZodType,
  forms: readonly z.ZodType[],
  body: JsonObject,
): readonly z.core.$ZodIssue[] {
  if (forms.length < 2) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    if (value === undefined || fieldOf(form, key)) return [];
    const readings = forms.flatMap((other) => fieldOf(other, key)?.safeParse(value) ?? []);
    if (readings.some((reading) => reading.success)) return [];
    const issues = readings[0]?.error?.issues ?? [];
    return issues.map((issue) => ({ ...issue, path: [key, ...issue.path] }));
  });
}

function fieldOf(form: z.ZodType, key: string): z.ZodType<Json> | undefined {
  if (!(form instanceof z.ZodObject) || !Object.hasOwn(form.shape, key)) return undefined;
  return form.shape[key] as z.ZodType<Json>;
}

function issuesOf(schema: z.ZodType, body: JsonObject): readonly z.core.$ZodIssue[] {
  const parsed = schema.safeParse(body);
  if (parsed.success) return [];
  return parsed.error.issues.filter(
    (issue) => issue.code !== "unrecognized_keys" && !isEngines(issue, body),
  );
}

/** Fields that hold a media, and what makes one wrong: neither Base64 nor an address. */
const MEDIA_FIELDS: ReadonlySet<PropertyKey> = new Set(["media", "audio", "sticker", "content"]);
const MEDIA_CODES: ReadonlySet<string> = new Set(["custom", "invalid_format", "invalid_union"]);

/** Whether a text is a media nobody can read: the engine says so itself, with a 400. */
function isEngines(issue: z.core.$ZodIssue, body: JsonObject): boolean {
  const [field = "", deeper] = issue.path;
  if (deeper !== undefined || !MEDIA_FIELDS.has(field) || !MEDIA_CODES.has(issue.code))
    return false;
  const value = body[String(field)];
  return typeof value === "string" && value !== "";
}

/** An invoice needs an issuer's id and an object; what is inside is refused by codes, not by 422. */
function submissionErrors(route: AnyRoute, body: JsonObject): FieldErrors | undefined {
  const issues = Object.values(route.variants)
    .flatMap((variant) => issuesOf(variant.body, body))
    .filter((issue) => issue.path[0] !== "dados");
  const errors = {
    ...byField(issues),
    ...(isObject(body["dados"]) ? {} : { dados: ["O campo dados é obrigatório."] }),
  };
  return Object.keys(errors).length === 0 ? undefined : errors;
}

function byField(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const issue of issues.slice(0, ERRORS_TOLD)) {
    const field = issue.path.map(String).join(".") || "body";
    (errors[field] ??= []).push(sentenceOf(issue, field));
  }
  return errors;
}

/** What is wrong with a field, in the gateway's language. The value itself is never told: it may be a document. */
function sentenceOf(issue: z.core.$ZodIssue, field: string): string {
  const subject = `O campo ${field}`;
  switch (issue.code) {
    case "invalid_type":
      return /received undefined$/.test(issue.message)
        ? `${subject} é obrigatório.`
        : `${subject} deve ser ${TYPES[issue.expected] ?? issue.expected}.`;
    case "invalid_value":
      return `${subject} deve ser um destes: ${issue.values.map(String).join(", ")}.`;
    case "too_small":
      return `${subject} não pode ter menos que ${Number(issue.minimum)}.`;
    case "too_big":
      return `${subject} não pode ter mais que ${Number(issue.maximum)}.`;
    default:
      return `${subject} tem um valor inválido.`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "um texto",
  number: "um número",
  int: "um número inteiro",
  boolean: "true ou false",
  array: "uma lista",
  object: "um objeto",
};

/** Objects whose fields stand in the body itself today. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "textMessage",
  "pollMessage",
  "mediaMessage",
  "audioMessage",
  "locationMessage",
  "reactionMessage",
  "statusMessage",
  "privacySettings",
]);

/** Fields under another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["contactMessage", "contact"],
  ["rejectCall", "reject_call"],
  ["msgCall", "msg_call"],
  ["groupsIgnore", "groups_ignore"],
]);

/** The body in today's spelling; the same object when it is already. */
export function todaysSpelling(body: JsonObject): JsonObject {
  let modern: Record<string, Json | undefined> | undefined;
  for (const [key, value] of Object.entries(body)) {
    const fields = todaysFields(key, value);
    if (!fields) continue;
    modern ??= { ...body };
    if (key !== "options") delete modern[key];
    for (const [name, field] of Object.entries(fields))
      if (field !== undefined) modern[name] ??= field;
  }
  return modern ?? body;
}

/** What an older field says today; undefined for one that is not older. */
function todaysFields(key: string, value: Json | undefined): JsonObject | undefined {
  if (value === undefined) return undefined;
  const name = RENAMED.get(key);
  if (name !== undefined) return { [name]: value };
  if (!isObject(value)) return undefined;
  if (WRAPPERS.has(key)) return value;
  if (key === "stickerMessage") return present({ sticker: value["image"] });
  if (key !== "options") return undefined;
  const { quoted, mentions, encoding } = value;
  if (quoted === undefined && mentions === undefined && encoding === undefined) return undefined;
  const called = isObject(mentions) ? mentions : {};
  return present({
    quoted,
    encoding,
    mentionsEveryOne: called["everyOne"],
    mentioned: called["mentioned"],
  });
}

function present(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
