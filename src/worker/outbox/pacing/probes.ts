/**
 * Probes: asking the gateway whether a paused scope may go on. They cost nothing (free routes, `GET /jobs`), except
 * `connectionState`, which is asked at most every 30 minutes and counted in the plan's budget.
 */
import type { Account } from "../../../engine/index.ts";
import { type CallOutcome, FREE_IN_CREDITS, type RouteId } from "../../../gateway/index.ts";
import { Lru } from "../../../store/index.ts";
import type { Pause } from "../../../store/port/port.ts";
import type { Alarms } from "../../alarms/alarms.ts";
import type { Accounts, Log } from "../../ports.ts";
import { planOf } from "../entry.ts";

/** A free probe is asked after these times (ms of real time), then once a minute. */
const FREE_PROBE_MS = [2_000, 5_000, 10_000, 30_000, 60_000] as const;
/** `connectionState` is billed. */
export const BILLED_PROBE_MS = 30 * 60_000;

/** Pauses whose alarm was raised. */
const REMEMBERED = 1_000;

export type ProbeCall = (account: Account, route: RouteId) => Promise<CallOutcome>;

interface ProbesOptions {
  readonly accounts: Accounts;
  readonly alarms: Alarms;
  readonly log: Log;
  /** Real time by the store's clock, ms. */
  readonly now: () => number;
  readonly probe: ProbeCall;
  /** The reason for this pause is over. */
  readonly passed: (scope: string, pause: Pause) => Promise<void>;
}

interface Probing {
  next: number;
  count: number;
  /** Whether the probe itself was ever refused. */
  refused: boolean;
  /** The account as it was when the scope was first asked about. */
  account?: string;
}

export class Probes {
  readonly #options: ProbesOptions;
  readonly #startedAt: number;
  readonly #probing = new Map<string, Probing>();
  /** Pauses for which an alarm said that a person has to end them, by when they began. */
  readonly #told = new Lru<string, number>(REMEMBERED);

  constructor(options: ProbesOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  /** What was seen of this scope says nothing about a later pause. */
  forget(scope: string): void {
    this.#probing.delete(scope);
  }

  /** Asks without making the loop wait: a gateway that hangs must not hold back other accounts' messages. */
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
    const was = (state.account ??= JSON.stringify(account));
    const outcome = await this.#options.probe(account, plan.route);
    if (!plan.passes(outcome)) state.refused = true;
    else if (!plan.half || state.refused || pause.since < this.#startedAt || isOther(account, was))
      await this.#options.passed(scope, pause);
    else this.#tellStands(scope, pause, account.id);
  }

  /** The free call succeeded all along, so the refused call would be refused again. */
  #tellStands(scope: string, { reason, since }: Pause, account: string): void {
    if (this.#told.get(scope) === since) return;
    this.#told.set(scope, since);
    this.#options.alarms.raise({
      code: "scope.paused",
      account,
      subject: `${scope} stands`,
      message: `The gateway takes the token and refuses the call all the same (${reason}): sending stays paused until a person resumes it or the account changes.`,
      vars: { reason },
    });
  }
}

/** A change of settings may be the cure. */
function isOther(account: Account, was: string): boolean {
  return JSON.stringify(account) !== was;
}

interface ProbePlan {
  readonly route: RouteId;
  readonly billed: boolean;
  readonly firstMs: number;
  /**
   * Passing proves only half of what has to be right: `jobs` checks the bearer token without the device's, the free list
   * checks the token without the right to file. If the probe was never refused, a person has to resume, or settings have to
   * change (the account's, or those of a restart). Otherwise the call would be refused again every few seconds.
   */
  readonly half?: true;
  readonly passes: (outcome: CallOutcome) => boolean;
}

/**
 * Null where no machine may ask: no balance (402), a rate limit, a pause by a person. After 401 and 403 no charged call is
 * made.
 */
function planOfProbe(scope: string, reason: string): ProbePlan | null {
  const free = { billed: false, firstMs: FREE_PROBE_MS[0], passes: isOk } as const;
  // Another channel's phone has no state to ask for; its pause has an end time.
  if (planOf(scope) !== undefined) return null;
  const credits = scope.startsWith("credits:");
  if (!credits && !scope.startsWith("plan:") && !scope.startsWith("jobs:")) return null;
  switch (reason) {
    case "unreachable":
      // Any answer proves that the gateway can be reached again.
      return {
        ...free,
        route: credits ? FREE_IN_CREDITS : "jobs.list",
        passes: ({ kind }) => kind !== "not_sent" && kind !== "unknown",
      };
    case "unauthorized":
    case "forbidden":
    case "no_device_token":
      return {
        ...free,
        route: credits ? FREE_IN_CREDITS : "jobs.list",
        half: true,
      };
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
