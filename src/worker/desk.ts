/** What every part of the worker works with: made once, handed around. */
import type { Json } from "../base/index.ts";
import type { Account } from "../engine/index.ts";
import {
  type CallByIdOptions,
  type CallOutcome,
  pathOf,
  type RouteId,
  routeOf,
} from "../gateway/index.ts";
import type { Alarms } from "./alarms/alarms.ts";
import type { Budget } from "./alarms/budget.ts";
import type { Builds } from "./fleet/builds.ts";
import type { AutomaticWords } from "./outbox/automatic-words.ts";
import type { Echoes } from "./outbox/echoes.ts";
import type { EffectTable } from "./effects/table.ts";
import type { Ears } from "./backfill/ears.ts";
import type { Filters } from "./backfill/filters.ts";
import type { Gaps } from "./backfill/gaps.ts";
import type { Pacing } from "./outbox/pacing.ts";
import type { Pager } from "./alarms/pager.ts";
import type { WorkerDeps, WorkerEvent } from "./ports.ts";
import type { Queue } from "./outbox/queue.ts";
import type { Scopes } from "./outbox/scopes.ts";

export interface Desk extends Omit<WorkerDeps, "timeouts"> {
  readonly timeouts: { readonly callMs: number; readonly fiscalMs: number };
  readonly alarms: Alarms;
  readonly scopes: Scopes;
  readonly pacing: Pacing;
  readonly echoes: Echoes;
  readonly automatic: AutomaticWords;
  readonly gaps: Gaps;
  readonly ears: Ears;
  readonly pager: Pager;
  readonly filters: Filters;
  readonly budget: Budget;
  readonly queue: Queue;
  /** Effects of the runtime and its plugins. */
  readonly effects: EffectTable;
  readonly builds: Pick<Builds, "othersCan" | "othersLack">;
  readonly emit: (event: WorkerEvent) => void;
  /** Whether anybody listens: events that cost work are made only then. */
  readonly watched: () => boolean;
  readonly wake: (what: "turns" | "outbox") => void;
  /**
   * What a plugin keeps for this worker: `open` is called once, at the first use, and its answer is given from then on.
   *
   * ```ts
   * const orders = (desk: Desk) => desk.use(openOrders); // openOrders = (desk) => new Orders(desk.store)
   * ```
   */
  readonly use: <T>(open: (desk: Desk) => T) => T;
}

export interface CallSource {
  readonly contact?: string;
  readonly effect?: string;
  readonly attempt: number;
}

/** Makes one gateway call: timed, counted, shown to the console. Throws only `GATEWAY_BODY`, before anything is sent. */
export async function callGateway(
  desk: Pick<Desk, "gatewayFor" | "budget" | "emit" | "counted">,
  account: Account,
  route: RouteId,
  body: Json | undefined,
  options: CallByIdOptions,
  by: CallSource,
): Promise<CallOutcome> {
  const row = routeOf(route);
  const outcome: CallOutcome = await desk.gatewayFor(account).call(route, body, options);
  desk.budget.count(account.id, route, outcome);
  desk.counted?.("gateway_calls", { route, outcome: outcome.kind });
  desk.emit({
    type: "call",
    account: account.id,
    route,
    method: row.method,
    path: pathOf(row, {}, options.queue === true),
    outcome: outcome.kind,
    ms: outcome.ms,
    attempt: by.attempt,
    ...("status" in outcome && outcome.status !== undefined ? { status: outcome.status } : {}),
    ...(by.contact === undefined ? {} : { contact: by.contact }),
    ...(by.effect === undefined ? {} : { effect: by.effect }),
  });
  return outcome;
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
