/** One contact's turn: from what was claimed to what is to be committed. */
import type { Account } from "../../engine/index.ts";
import { run, type TurnResult } from "../../engine/turn/run.ts";
import { Lru } from "../../store/index.ts";
import type { Claimed, Commit } from "../../store/port/port.ts";
import { marked, type Memory, lacking, readable, sessionOf } from "./read-stored.ts";
import type { FailedClaims } from "./failed-claims.ts";
import type { TurnContext } from "../context/contexts.ts";
import { limited, NoRoom, Starved } from "./time-limit.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { Roles } from "../operators.ts";
import { type CommitContext, commitOf } from "./turn-commit.ts";

/**
 * Claims in a row without a commit before the event is dead-lettered unrun: two in company, where another contact may be at
 * fault, and five alone.
 */
const FAILED_CLAIMS_LIMIT = 7;
/**
 * Time limit of a poison candidate's turn, ms: far above an honest turn, below a lease. Each try has more time, because a
 * process is slower when it does something for the first time.
 */
const SUSPECT_MS = { first: 500, more: 250, most: 1_500 } as const;
/** Pause before a turn that was cut off is tried again, ms; doubled each time. */
const LATE_AGAIN_MS = 500;
/** Times that a poison candidate may be cut off in this process for want of a processor before it counts as a failure. */
const STARVED_LIMIT = 10;
/** Contacts for which this is remembered. */
const STARVED = 1_000;
/** Before it is tried again, ms. */
const STARVED_AGAIN_MS = 1_000;
/** Alarm for a turn that takes longer, ms: it blocks all conversations of this process. */
const TURN_BUDGET_MS = 1_000;
/** Work that only another build can do is looked at again after this, ms, if that build did not take it. */
const OTHER_BUILD_MS = 100;

export interface Applied {
  readonly claimed: Claimed;
  readonly account: Account;
  readonly result: TurnResult;
  readonly commit: Commit;
}

export type TurnParts = TurnContext & CommitContext & Memory;

export class Turn {
  readonly #context: TurnParts;
  readonly #outbox: Outbox;
  readonly #failedClaims: FailedClaims;
  readonly #roles: Roles;
  readonly #starved = new Lru<string, number>(STARVED);

  constructor(context: TurnParts, outbox: Outbox, failedClaims: FailedClaims) {
    this.#context = context;
    this.#outbox = outbox;
    this.#failedClaims = failedClaims;
    this.#roles = new Roles(context.store, () => context.clock.real());
  }

  /** Null when the contact's mail was dead-lettered, handed back, or is to be tried again. */
  async of(claimed: Claimed): Promise<Applied | null> {
    const { accounts, accountModel, clock, library } = this.#context;
    const failedClaims = this.#failedClaims;
    // None of it can be read, so it cannot be forwarded; the operator sees whose it was in the dead letter.
    if (claimed.forward && claimed.broken && claimed.mail.length === 0)
      return failedClaims.deadLetter(claimed, `${claimed.broken}_unreadable`);
    if (claimed.forward) return failedClaims.forward(claimed, claimed.forward);
    const account = await accounts.get(claimed.account);
    if (!account) return failedClaims.deadLetter(claimed, "account_unknown");
    const session = claimed.broken === "session" ? "unreadable" : sessionOf(claimed.session);
    const suspect = claimed.failedClaims > 0;
    // One by one, so that the event that failed is the one that is dead-lettered.
    const read = readable(suspect ? claimed.mail.slice(0, 1) : claimed.mail);
    const need = lacking(claimed, session, read, library);
    if (need && (await this.#context.workers.othersCan(need)))
      return failedClaims.handBack(claimed, OTHER_BUILD_MS);
    if (session === "newer" || session === "unreadable")
      return failedClaims.deadLetter(claimed, `session_${session}`);
    if (claimed.failedClaims >= FAILED_CLAIMS_LIMIT)
      return failedClaims.deadLetter(claimed, "no_commit", account);
    if (read.length === 0) return failedClaims.deadLetter(claimed, "mail_unreadable", account);
    const items = await marked(this.#context, claimed, session, read, clock.now());
    // The merge may have given this contact the alias of an operator.
    if (items.some(({ mail }) => mail.kind === "joined")) this.#roles.forget();
    // Another process may have met this operator meanwhile, so an unknown role is looked up again.
    const fresh = session === null || session.role === "operator";
    const standing = await this.#roles.of(account, claimed.contact, fresh);
    // The store decided by its clock that a timer is due, so this process' clock must not be earlier.
    const ticks = items.flatMap(({ mail }) => (mail.kind === "tick" ? [mail.due] : []));
    const env = {
      account,
      accountModel,
      accountId: claimed.account,
      contact: claimed.contact,
      role: standing.role,
      now: Math.max(clock.now(), ...ticks),
      library,
      ...(suspect ? { oneTimer: true } : {}),
      ...(standing.alias === undefined ? {} : { alias: standing.alias }),
    };
    const from = performance.now();
    const result = suspect
      ? runLimited(limitOf(claimed.failedClaims), session, items, env)
      : run(session, items, env);
    this.#timed(claimed, performance.now() - from);
    if ("late" in result) {
      if (result.isStarved && this.#starvedOf(claimed.contact) < STARVED_LIMIT)
        return failedClaims.again(claimed, STARVED_AGAIN_MS, true);
      return failedClaims.failed(claimed, result.late, account, LATE_AGAIN_MS);
    }
    this.#starved.delete(claimed.contact);
    if (result.applied === 0) {
      const { reason = "not_applied", unfired } = result.failed ?? {};
      return unfired !== undefined
        ? failedClaims.unfired(claimed, { reason, unfired }, account)
        : failedClaims.failed(claimed, reason, account);
    }
    const { hasRoom } = this.#outbox;
    const commit = commitOf(this.#context, claimed, { account, result, hasRoom });
    return { claimed, account, result, commit };
  }

  /** How often it was cut off before now. */
  #starvedOf(contact: string): number {
    const times = this.#starved.get(contact) ?? 0;
    this.#starved.set(contact, times + 1);
    return times;
  }

  #timed(claimed: Claimed, ms: number): void {
    if (ms <= TURN_BUDGET_MS) return;
    this.#context.alarms.raise({
      code: "turn.slow",
      account: claimed.account,
      subject: claimed.contact,
      message: `A turn took ${Math.round(ms)} ms; everybody in this process waited for it.`,
    });
  }
}

function limitOf(failedClaims: number): number {
  const { first, more, most } = SUSPECT_MS;
  return Math.min(first + more * (failedClaims - 1), most);
}

/** The turn of a poison candidate. A turn that does not end is a failure; one that could not be run is none. */
function runLimited(
  ms: number,
  ...given: Parameters<typeof run>
): TurnResult | { readonly late: string; readonly isStarved: boolean } {
  try {
    return limited(() => run(...given), ms);
  } catch (error) {
    if (error instanceof NoRoom) throw error;
    const late = error instanceof Error ? error.message : String(error);
    return { late, isStarved: error instanceof Starved };
  }
}
