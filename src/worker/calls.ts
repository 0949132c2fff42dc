/** Calls of the gateway, and fields of answers whose shape is not known. */
import type { Json } from "../base/index.ts";
import type { Account } from "../engine/index.ts";
import {
  type CallByIdOptions,
  type CallOutcome,
  type Gateway,
  pathOf,
  type RouteId,
  routeOf,
} from "../gateway/index.ts";
import type { WorkerEvent } from "./events.ts";

/** What a call is made with, and who is told of it. */
export interface CallContext {
  /** The account's gateway with its own credentials and time-outs. */
  readonly gatewayFor: (account: Account) => Pick<Gateway, "call" | "exactBytes">;
  readonly budget: {
    readonly count: (account: string, route: RouteId, outcome: CallOutcome) => void;
  };
  readonly emit: (event: WorkerEvent) => void;
  readonly counted?: (metric: string, labels: Readonly<Record<string, string>>) => void;
}

interface CallSource {
  readonly contact?: string;
  readonly effect?: string;
  readonly attempt: number;
}

/** Makes one gateway call: timed, counted, shown to the console. Throws only `GATEWAY_BODY`, before anything is sent. */
export async function callGateway(
  context: CallContext,
  account: Account,
  route: RouteId,
  body: Json | undefined,
  options: CallByIdOptions,
  by: CallSource,
): Promise<CallOutcome> {
  const row = routeOf(route);
  const outcome: CallOutcome = await context.gatewayFor(account).call(route, body, options);
  context.budget.count(account.id, route, outcome);
  context.counted?.("gateway_calls", { route, outcome: outcome.kind });
  const what = { route, method: row.method, path: pathOf(row, {}, options.queue === true) };
  emitCall(context, account, what, outcome, by);
  return outcome;
}

/** Shows a call to the console. */
export function emitCall(
  { emit }: Pick<CallContext, "emit">,
  { id }: Pick<Account, "id">,
  what: { readonly route: string; readonly method: string; readonly path: string },
  outcome: CallOutcome,
  { attempt, contact, effect }: CallSource,
): void {
  const status = "status" in outcome ? outcome.status : undefined;
  const { kind, ms } = outcome;
  emit({ type: "call", account: id, ...what, outcome: kind, ms, attempt, status, contact, effect });
}

/** A field of a JSON object; undefined when there is none or the value is no object. */
export function field(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, Json | undefined>>)[name];
}

/** A text or number field as text. */
export function textField(value: Json | undefined, name: string): string | undefined {
  const found = field(value, name);
  if (typeof found === "string" && found !== "") return found;
  return typeof found === "number" ? String(found) : undefined;
}
