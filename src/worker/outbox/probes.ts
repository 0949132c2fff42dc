/**
 * Probes: asking the gateway whether a paused scope may go on. They cost nothing (`emitentes-lista`, `GET /jobs`), except
 * `connectionState`, which is asked at most every 30 minutes and counted in the plan's budget.
 */
import type { Account } from "../../engine/index.ts";
import type { CallOutcome, RouteId } from "../../gateway/index.ts";
import type { Store } from "../../store/port.ts";
import type { Accounts, Log } from "../ports.ts";
import { planOf } from "./entry.ts";

/** A free probe is asked after these times (ms of real time), then once a minute. */
const FREE_PROBE_MS = [2_000, 5_000, 10_000, 30_000, 60_000] as const;
/** `connectionState` is billed. */
export const BILLED_PROBE_MS = 30 * 60_000;

export type Pause = NonNullable<ReturnType<Awaited<ReturnType<Store["pauses"]>>["get"]>>;
export type ProbeCall = (account: Account, route: RouteId) => Promise<CallOutcome>;

interface ProbesOptions {
  readonly accounts: Accounts;
  readonly log: Log;
  /** Real time, ms. */
  readonly now: () => number;
  readonly probe: ProbeCall;
  /** What this pause was about is over. */
  readonly passed: (scope: string, pause: Pause) => Promise<void>;
}

interface Probing {
  next: number;
  count: number;
  /** Whether the probe itself was ever refused. */
  refused: boolean;
}

export class Probes {
  readonly #options: ProbesOptions;
  readonly #startedAt: number;
  readonly #probing = new Map<string, Probing>();

  constructor(options: ProbesOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  /** What was seen of this scope is nothing about a pause to come. */
  forget(scope: string): void {
    this.#probing.delete(scope);
  }

  /** Asks beside the loop that called: a gateway that hangs must not hold back other accounts' messages. */
  look(scope: string, pause: Pause): void {
    const plan = planOfProbe(scope, pause.reason);
    if (!plan) return;
    const now = this.#options.now();
    const state = this.#probing.get(scope);
    if (!state) {
      this.#probing.set(scope, { next: now + plan.firstMs, count: 0, refused: false });
      return;
    }
    if (now < state.next) return;
    state.next = now + (plan.billed ? BILLED_PROBE_MS : (FREE_PROBE_MS[++state.count] ?? 60_000));
    this.#ask(scope, plan, state, pause).catch((error: unknown) => {
      this.#options.log.error({ err: error, scope }, "a paused scope could not be probed");
    });
  }

  async #ask(scope: string, plan: ProbePlan, state: Probing, pause: Pause): Promise<void> {
    const account = await this.#options.accounts.get(scope.split(":")[1] ?? "");
    if (!account) return;
    const outcome = await this.#options.probe(account, plan.route);
    if (!plan.passes(outcome)) state.refused = true;
    // Jobs prove the Bearer alone. When it was good all along the device's token is the wrong one, and only a change
    // of settings helps: a person's, or that of a restart since.
    else if (!plan.half || state.refused || pause.since < this.#startedAt)
      await this.#options.passed(scope, pause);
  }
}

interface ProbePlan {
  readonly route: RouteId;
  readonly billed: boolean;
  readonly firstMs: number;
  /** Passing proves only half of what has to be right. */
  readonly half?: true;
  readonly passes: (outcome: CallOutcome) => boolean;
}

/** Null where no machine may ask: no balance (402), a rate limit, a pause by a person. Nothing charged after 401/403. */
function planOfProbe(scope: string, reason: string): ProbePlan | null {
  const free = { billed: false, firstMs: FREE_PROBE_MS[0], passes: isOk } as const;
  // Another channel's phone has no state that could be asked for; its pause ends by itself.
  if (planOf(scope) !== undefined) return null;
  const credits = scope.startsWith("credits:");
  if (!credits && !scope.startsWith("plan:") && !scope.startsWith("jobs:")) return null;
  switch (reason) {
    case "unreachable":
      // Any answer proves that the gateway can be reached again.
      return {
        ...free,
        route: credits ? "invoicing.emitentesLista" : "jobs.list",
        passes: ({ kind }) => kind !== "not_sent" && kind !== "unknown",
      };
    case "unauthorized":
    case "forbidden":
    case "no_device_token":
      return credits
        ? { ...free, route: "invoicing.emitentesLista" }
        : { ...free, route: "jobs.list", half: true };
    case "instance_not_open":
      return {
        route: "instance.connectionState",
        billed: true,
        firstMs: BILLED_PROBE_MS,
        passes: (outcome) => isOk(outcome) && /"state":"open"/.test(JSON.stringify(outcome.data)),
      };
    default:
      return null;
  }
}

function isOk(outcome: CallOutcome): outcome is Extract<CallOutcome, { kind: "ok" }> {
  return outcome.kind === "ok";
}
