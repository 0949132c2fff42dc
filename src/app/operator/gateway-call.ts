/** One gateway call with the configured credentials, for the command line: the answer as it came, credentials masked. */
import type { z } from "zod";
import { Fault, type Json, type JsonObject } from "../../base/index.ts";
import {
  createGateway,
  findRoute,
  maskSecrets,
  parseBody,
  routes,
  type Answer,
  type AnyRoute,
  type CallOutcome,
} from "../../gateway/index.ts";
import { nearest } from "../../flow/index.ts";
import type { Settings } from "../settings.ts";
import { sandboxUrl } from "./client.ts";

const SANDBOX = { token: "sandbox-token", deviceToken: "sandbox-device" };

interface GatewayCallRequest {
  readonly id: string;
  readonly body: unknown;
  /** As written on the command line: numbers and booleans are texts still. */
  readonly query: Readonly<Record<string, string>>;
  readonly queue: boolean;
  readonly variant: string | undefined;
  readonly signal: AbortSignal;
}

export interface GatewayCallResult {
  readonly outcome: CallOutcome;
  /** Base address that was called. */
  readonly address: string;
  /** The answer's own JSON; absent when nothing came, or what came was none. */
  readonly envelope?: Json;
  /** What came, when an answer came. */
  readonly came?: { readonly status: number; readonly type: string; readonly bytes: number };
}

/**
 * Makes the call. Throws `GATEWAY_BODY` for an unknown route, variant or query field and for a body that breaks its
 * schema, `SETTING_INVALID` where a credential that the route needs is not configured. Nothing is sent then.
 */
export async function callGateway(
  settings: Settings,
  request: GatewayCallRequest,
): Promise<GatewayCallResult> {
  const route = routeNamed(request.id);
  const { url, routeWords, timeoutMs, fiscalTimeoutMs } = settings.gateway;
  const token = settings.gateway.token ?? (url === undefined ? SANDBOX.token : undefined);
  const deviceToken =
    settings.gateway.deviceToken ?? (url === undefined ? SANDBOX.deviceToken : undefined);
  if (token === undefined)
    throw new Fault("SETTING_INVALID", `GATEWAY_TOKEN is not set and ${route.id} needs it.`);
  if (route.auth === "bearer+device" && deviceToken === undefined)
    throw new Fault("SETTING_INVALID", `GATEWAY_DEVICE_TOKEN is not set and ${route.id} needs it.`);
  const address = url ?? `${sandboxUrl(settings)}/api/v2`;
  const gateway = createGateway({
    baseUrl: address,
    token,
    deviceToken,
    routeWords,
    timeoutMs,
    fiscalTimeoutMs,
  });
  let answer: Answer | undefined;
  try {
    const outcome = await gateway.call(route.id, request.body, {
      query: typedQuery(route, request.query),
      queue: request.queue,
      signal: request.signal,
      variant: request.variant,
      onAnswer: (came) => (answer = came),
    });
    const envelope = answer && parseBody(answer);
    return {
      outcome,
      address,
      came: answer && told(answer),
      envelope: envelope === undefined ? undefined : maskSecrets(envelope, [token, deviceToken]),
    };
  } finally {
    await gateway.close();
  }
}

/** An example body of a route's variant (the first when none is named), for whoever has to write one. */
export function exampleBody(id: string, variant: string | undefined): Json | undefined {
  const route = findRoute(id);
  if (!route) return undefined;
  const form = variant === undefined ? Object.values(route.variants)[0] : route.variants[variant];
  return form?.example as Json | undefined;
}

function told(answer: Answer) {
  const type = answer.headers["content-type"];
  return {
    status: answer.status,
    type: typeof type === "string" ? (type.split(";")[0] ?? "") : "",
    bytes: answer.body.length,
  };
}

/** Suggestions at most. */
const NEAR_LIMIT = 4;

function routeNamed(id: string): AnyRoute {
  const route = findRoute(id);
  if (route) return route;
  const name = id.slice(0, 80);
  // The controller may be left out, or written in another case.
  const ending = `.${name.toLowerCase().split(/[./]/).at(-1) ?? ""}`;
  const known = routes.map((one) => one.id);
  const ends = known.filter((one) => one.toLowerCase().endsWith(ending));
  const near = ends.length > 0 ? ends.slice(0, NEAR_LIMIT) : (nearest(name, known) ?? []);
  const hint = near.length > 0 ? ` Did you mean ${[near].flat().join(", ")}?` : "";
  throw new Fault("GATEWAY_BODY", `There is no route ${name}.${hint} See: prosa gateway routes.`);
}

/** `page=2` as a number and `getParticipants=true` as a boolean, where the route's query says so. */
function typedQuery(route: AnyRoute, query: Readonly<Record<string, string>>): JsonObject {
  const fields: Readonly<Record<string, z.ZodType>> = route.query?.shape ?? {};
  const typed: Record<string, Json> = {};
  for (const [key, text] of Object.entries(query)) {
    const schema = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!schema) {
      const known = Object.keys(fields).join(", ") || "none";
      throw new Fault(
        "GATEWAY_BODY",
        `${route.id} has no query field of that name; it has ${known}.`,
      );
    }
    const read = /^(?:true|false|-?\d{1,15})$/.test(text) ? (JSON.parse(text) as Json) : text;
    typed[key] = schema.safeParse(text).success ? text : read;
  }
  return typed;
}
