/**
 * From a route and its arguments to what goes over the wire: address, headers, exact bytes.
 *
 * The bytes of equal bodies are equal (canonical JSON), so a fiscal request can be frozen before its first attempt and
 * be sent again byte for byte.
 */
import { Fault, canonicalJson, type Json, type JsonObject } from "../base/index.ts";
import { pathOf, type AnyRoute, type RouteWords } from "./contract/table.ts";
import { shapeBody, type GatewayProfile } from "./profile.ts";
import { check, checkForms, refusalText, type Problem } from "./body-check.ts";

/** Bytes of one request: 16 MiB of media as Base64 are 22, and memory has to hold them several times. */
const REQUEST_LIMIT_BYTES = 32 * 1024 * 1024;
const NOTHING = new Uint8Array();

/** The body of a call, checked against the named variant, or against all until one fits. Throws `GATEWAY_BODY`. */
export function checkedBody(
  route: AnyRoute,
  body: unknown,
  variant: string | undefined,
): JsonObject {
  if (variant !== undefined && !Object.hasOwn(route.variants, variant))
    throw new Fault("GATEWAY_BODY", `${route.id} has no variant of that name.`, {
      details: { variants: Object.keys(route.variants) },
    });
  const named = variant === undefined ? undefined : route.variants[variant];
  const checked = named ? check(named.body, body ?? {}) : checkForms(route.variants, body ?? {});
  if (checked.ok) return checked.value as JsonObject;
  throw refused(route.id, checked.problems);
}

function refused(subject: string, problems: readonly Problem[]): Fault {
  return new Fault("GATEWAY_BODY", `${refusalText(subject, problems)}.`, { details: { problems } });
}

/** The bytes of a checked body; empty where no body is sent. */
export function bodyBytes(route: AnyRoute, body: JsonObject, profile: GatewayProfile): Uint8Array {
  const shaped = shapeBody(route, body, profile);
  if (filtersInQuery(route, profile)) return NOTHING;
  const mayLack = route.bodiless || route.method === "GET" || route.method === "DELETE";
  if (mayLack && Object.keys(shaped).length === 0) return NOTHING;
  const bytes = Buffer.from(canonicalJson(shaped), "utf8");
  if (bytes.byteLength > REQUEST_LIMIT_BYTES)
    throw refused(route.id, [{ path: "", reason: "must be at most 32 MiB" }]);
  return bytes;
}

/** Whether the fields of this route's body travel in the query. */
export function filtersInQuery(route: AnyRoute, profile: GatewayProfile): boolean {
  return route.method === "GET" && !route.bodiless && profile.filters !== "body";
}

interface TargetOptions {
  readonly words?: RouteWords;
  readonly profile: GatewayProfile;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly queued: boolean;
}

/** Path below the base address, and the query with its `?`, if any. Throws `GATEWAY_BODY` on a query that is wrong. */
export function targetOf(
  route: AnyRoute,
  body: JsonObject,
  options: TargetOptions,
): { path: string; search: string } {
  if (options.queued && route.queue !== "yes" && route.queue !== "refused")
    throw new Fault("GATEWAY_BODY", `${route.id} has no queue form.`);
  const path = pathOf(route, options.words, options.queued);
  const query = checkedQuery(route, options.query);
  const filters = filtersInQuery(route, options.profile);
  if (query === NO_QUERY && !filters) return { path, search: "" };
  const search = new URLSearchParams();
  flatten(search, "", query);
  if (filters) flatten(search, "", body);
  const text = search.toString();
  return { path, search: text === "" ? "" : `?${text}` };
}

const NO_QUERY: JsonObject = {};

function checkedQuery(
  route: AnyRoute,
  query: Readonly<Record<string, unknown>> | undefined,
): JsonObject {
  if (route.query === null) {
    if (query && Object.keys(query).length > 0)
      throw new Fault("GATEWAY_BODY", `${route.id} takes no query.`);
    return NO_QUERY;
  }
  const checked = check(route.query, query ?? {});
  if (checked.ok) return checked.value as JsonObject;
  throw refused(`${route.id}, query`, checked.problems);
}

/** `{where: {key: {id}}}` as `where[key][id]`. */
function flatten(search: URLSearchParams, prefix: string, value: Json | undefined): void {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    search.append(prefix, String(value));
    return;
  }
  for (const [key, entry] of Object.entries(value))
    flatten(search, prefix === "" ? key : `${prefix}[${key}]`, entry);
}

/** The routes that have it. */
export type TestModeId = `invoicing.${string}` | "sms.send";

/**
 * The body with the flag as the call wants it, else as the body says itself, else as the client is set. A call that asks for test mode where there is
 * none is refused (`GATEWAY_BODY`): it would be real and charged.
 */
export function inTestMode(
  route: AnyRoute,
  body: unknown,
  byClient: boolean | undefined,
  byCall: boolean | undefined,
): unknown {
  if (byCall === true && !route.homolog)
    throw new Fault("GATEWAY_BODY", `${route.id} has no test mode; it would be a real call.`);
  const wanted = byCall ?? byClient;
  if (!route.homolog || wanted === undefined || !isFields(body)) return body;
  const { homolog, ...rest } = body ?? {};
  if (byCall === undefined && homolog !== undefined) return body;
  return wanted ? { ...rest, homolog: true } : rest;
}

function isFields(body: unknown): body is Record<string, unknown> | undefined {
  return body === undefined || (typeof body === "object" && body !== null && !Array.isArray(body));
}
