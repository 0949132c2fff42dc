/** Failures on purpose. Nothing fails unless somebody put a fault here; what fails is decided by counters and a seed. */
import { z } from "zod";
import { Ids } from "../world/ids.ts";

/** Longest a fault may hold a call, in milliseconds of real time. */
const HOLD_LIMIT = 600_000;

/** Faults at once. */
const FAULT_LIMIT = 200;

export const FaultEffect = z.strictObject({
  /**
   * `status`: this HTTP status · `timeout`: no answer (the connection is cut after `ms`, default 120 s) · `reset`:
   * connection cut at once · `malformed`: half a JSON body · `html`: a proxy's page · `business_error`: 200 with
   * `error: true` · `slow`: the normal answer `ms` later · `accepted_then_lost`: the call takes effect, the connection is
   * cut instead of an answer · `no_balance`: 402.
   */
  kind: z.enum([
    "status",
    "timeout",
    "reset",
    "malformed",
    "html",
    "business_error",
    "slow",
    "accepted_then_lost",
    "no_balance",
  ]),
  status: z.number().int().min(200).max(599).optional(),
  message: z.string().max(1_000).optional(),
  /** `code` beside the message of a `business_error`. */
  code: z.string().max(100).optional(),
  /** `data.erros` of a `business_error`: what the authority said, error by error. */
  erros: z
    .array(z.strictObject({ codigo: z.string().max(100), mensagem: z.string().max(1_000) }))
    .max(20)
    .optional(),
  ms: z.number().int().min(0).max(HOLD_LIMIT).optional(),
});
export type FaultEffect = z.output<typeof FaultEffect>;

/** What happens between the two ends, whoever calls. */
const LINE_FAULTS: ReadonlySet<FaultEffect["kind"]> = new Set([
  "reset",
  "timeout",
  "malformed",
  "html",
  "slow",
]);

export const FaultRequest = z.strictObject({
  /** Route id; absent = every route. */
  route: z.string().max(100).optional(),
  /** Selector of an invoicing operation; absent = every one. */
  tipo: z.string().max(100).optional(),
  /** Account whose calls it strikes; absent = everybody's, also of who is not known. */
  caller: z.string().max(100).optional(),
  effect: FaultEffect,
  /** How often it strikes; absent = until removed. */
  times: z.number().int().min(1).max(1_000_000).optional(),
  /** Chance that a matching call is struck, decided by the seed. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.union([z.string().max(100), z.number()]).optional(),
});
export type FaultRequest = z.output<typeof FaultRequest>;

interface FaultRow extends FaultRequest {
  readonly id: number;
  /** Calls struck so far. */
  readonly hits: number;
}

interface Armed {
  row: FaultRow;
  readonly dice: Ids;
}

export class Faults {
  #armed: Armed[] = [];
  #count = 0;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Puts a fault in place; undefined when there are too many. */
  add(request: FaultRequest): FaultRow | undefined {
    if (this.#armed.length >= FAULT_LIMIT) return undefined;
    this.#count += 1;
    const row: FaultRow = { id: this.#count, ...request, hits: 0 };
    this.#armed.push({ row, dice: new Ids(String(request.seed ?? this.#seed), 0) });
    return row;
  }

  list(): readonly FaultRow[] {
    return this.#armed.map((armed) => armed.row);
  }

  clear(): number {
    const count = this.#armed.length;
    this.#armed = [];
    return count;
  }

  /**
   * The effect on a call, or undefined. The oldest fault that matches strikes; a used-up one is gone. A call that was not
   * admitted meets faults of the line only: what answers for the gateway is not spent on it.
   */
  strike(
    route: string,
    tipo: string | undefined,
    { admitted, caller }: { readonly admitted: boolean; readonly caller?: string | undefined },
  ): FaultEffect | undefined {
    for (const armed of this.#armed) {
      const { row } = armed;
      if (!admitted && !LINE_FAULTS.has(row.effect.kind)) continue;
      if (row.caller !== undefined && row.caller !== caller) continue;
      if (row.route !== undefined && row.route !== route) continue;
      if (row.tipo !== undefined && row.tipo !== tipo) continue;
      if (row.probability !== undefined && armed.dice.unit("fault") >= row.probability) continue;
      armed.row = { ...row, hits: row.hits + 1 };
      if (armed.row.hits === row.times)
        this.#armed = this.#armed.filter((other) => other !== armed);
      return row.effect;
    }
    return undefined;
  }
}
