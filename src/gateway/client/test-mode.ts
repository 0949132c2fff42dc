/** Test mode: the body flag `homolog` makes the gateway answer from a fixed test base without consuming credit. */
import { Fault } from "../../base/index.ts";
import type { AnyRoute } from "../contract/index.ts";

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
