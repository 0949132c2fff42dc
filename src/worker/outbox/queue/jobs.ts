/**
 * Asks the gateway how queued sends ended, in case the device events do not come. It is free of charge, and still asks in
 * batches, only while a send is enqueued, with growing pauses for each account.
 */
import type { Account, AckStatus } from "../../../engine/index.ts";
import type { EffectView } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { entryOf } from "../entry.ts";
import { jobsOf, type Told, Looks } from "./job-checks.ts";
import { Loop } from "../../loop.ts";
import { putByAsFailed, settleByJob } from "../pacing/unsettled-sends.ts";

/** First look at an account's jobs after an enqueue; each look that settles nothing doubles the pause. Real ms. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
/** Pause after a hint: the job's state may follow the device's event by a moment. Real ms. */
const HINT_MS = 1_000;
/** Sends that another process enqueued are noticed within this time. Real ms. */
const NET_MS = 30_000;
/** Sends read and asked for together. */
const PAGE = 1_000;
/** Pages of one round; the next continues there, so that none is missed however many do not end. */
const PAGES = 10;
/** Accounts asked for at once, so that a gateway that hangs does not hold back other accounts. */
const AT_ONCE = 8;
/** A job that the gateway does not know for this long is given up; a new one may not be readable at once. Virtual ms. */
const UNKNOWN_MS = 10 * 60_000;
/** After a day without an end the message is a failed send; it is not called sent. Virtual ms. */
const GIVEN_UP_MS = 24 * 3_600_000;
/** Looks by this process before it gives a job up, because its clock may just have jumped a day. */
const LOOKS = 2;
/** Sends whose looks are remembered. */
const REMEMBERED = 20_000;
/** Among this many sends of one account a device event finds the job that it names. */
const AMONG = 5_000;

interface Watch {
  next: number;
  pause: number;
}
/** One look through all enqueued sends, the oldest first, over as many rounds as it takes. */
interface LookThrough {
  /** Accounts seen so far, and what was known when the look through all began. */
  readonly resting: Set<string>;
  readonly before: ReadonlySet<string>;
  readonly after?: string;
}

export class Jobs {
  readonly #context: SendContext;
  readonly loop: Loop;
  readonly #watches = new Map<string, Watch>();
  readonly #looks: Looks;
  #listedAt = -Infinity;
  #lookThrough: LookThrough | undefined;

  constructor(context: SendContext, remembered = REMEMBERED) {
    this.#context = context;
    this.#looks = new Looks(remembered);
    this.loop = new Loop({
      round: () => this.round(),
      idleMs: () => this.#idleMs(),
      failed: (error) => context.log.error({ err: error }, "jobs could not be looked up"),
    });
    context.queue.onNews((account, why) =>
      this.expect(account, why === "hint" ? HINT_MS : FIRST_MS),
    );
  }

  /** There may be news of this account's jobs in `ms` of real time; pauses begin anew. */
  expect(account: string, ms: number): void {
    const at = this.#context.clock.real() + ms;
    const known = this.#watches.get(account);
    if (known) known.pause = FIRST_MS;
    if (known && known.next <= at) return;
    this.#watches.set(account, { next: at, pause: FIRST_MS });
    this.loop.ring();
  }

  /** Virtual time jumped: every job may have ended. */
  hurry(): void {
    for (const watch of this.#watches.values()) watch.next = -Infinity;
    this.#listedAt = -Infinity;
    this.loop.ring();
  }

  /** Asks for what is due; answers how many sends were settled. */
  async round(): Promise<number> {
    const now = this.#context.clock.real();
    const due = [...this.#watches.values()].some(({ next }) => next <= now);
    if (!due && now - this.#listedAt < NET_MS) return 0;
    return this.runOnce((account) => (this.#watches.get(account)?.next ?? -Infinity) <= now);
  }

  /** Asks now for the enqueued sends of the accounts meant, {@link PAGES} at most; answers how many were settled. */
  async runOnce(meant: (account: string) => boolean = () => true): Promise<number> {
    const { store, clock, queue } = this.#context;
    this.#lookThrough ??= { resting: new Set(), before: queue.resting };
    const { resting, before } = this.#lookThrough;
    // How many of each account that was asked for were settled.
    const settled = new Map<string, number>();
    for (let page = 0; page < PAGES && this.#lookThrough; page++) {
      const { after } = this.#lookThrough;
      const from = after === undefined ? {} : { after };
      const { items, next } = await store.views.held({ state: "enqueued", ...from, limit: PAGE });
      this.#listedAt = clock.real();
      for (const { id, account } of items) {
        resting.add(account);
        // An account that is not due now: its send is still enqueued.
        this.#looks.seen(id);
      }
      await this.#lookUp(
        items.filter(({ account }) => meant(account)),
        settled,
      );
      this.#lookThrough = next === undefined ? undefined : { resting, before, after: next };
    }
    if (!this.#lookThrough) this.#noted(resting, before);
    for (const [account, count] of settled) this.#paced(account, count);
    return [...settled.values()].reduce((sum, count) => sum + count, 0);
  }

  /** All was looked through: updates which accounts have enqueued sends. */
  #noted(resting: ReadonlySet<string>, before: ReadonlySet<string>): void {
    const { queue } = this.#context;
    this.#looks.toured();
    queue.found(resting, before);
    for (const account of this.#watches.keys())
      if (!resting.has(account) && !queue.rests(account)) this.#watches.delete(account);
  }

  async #lookUp(effects: readonly EffectView[], settled: Map<string, number>): Promise<void> {
    const byAccount = new Map<string, EffectView[]>();
    for (const effect of effects)
      byAccount.set(effect.account, [...(byAccount.get(effect.account) ?? []), effect]);
    const todo = [...byAccount];
    for (let begin = 0; begin < todo.length; begin += AT_ONCE)
      await Promise.all(
        todo.slice(begin, begin + AT_ONCE).map(async ([account, own]) => {
          const count = await this.#account(account, own);
          settled.set(account, (settled.get(account) ?? 0) + count);
        }),
      );
  }

  #idleMs(): number {
    const nexts = [...this.#watches.values()].map(({ next }) => next);
    const net = this.#listedAt + NET_MS;
    return Math.max(0, Math.min(net, ...nexts) - this.#context.clock.real());
  }

  async #account(id: string, effects: readonly EffectView[]): Promise<number> {
    const account = await this.#context.accounts.get(id);
    const told = account ? await this.#told(account, effects) : new Map<string, Told>();
    let settled = 0;
    for (const effect of effects)
      if (await this.#judge(effect, told.get(effect.job ?? ""))) {
        settled++;
        this.#looks.forget(effect.id);
      }
    return settled;
  }

  /** When its next look is due. */
  #paced(id: string, settled: number): void {
    const pause = this.#watches.get(id)?.pause ?? FIRST_MS;
    const next = this.#context.clock.real() + pause;
    const longer = settled > 0 ? FIRST_MS : Math.min(LONGEST_MS, pause * 2);
    this.#watches.set(id, { next, pause: longer });
  }

  /** One id that the gateway does not know spoils a whole request, so ids that it did not know lately are asked for apart. */
  async #told(account: Account, effects: readonly EffectView[]): Promise<Map<string, Told>> {
    const jobs = (doubtful: boolean) =>
      effects.flatMap(({ id, job }) => {
        const isDoubtful = this.#looks.isDoubtful(id);
        return job !== undefined && isDoubtful === doubtful ? [job] : [];
      });
    const sure = await jobsOf(this.#context, account, jobs(false));
    return new Map([...sure, ...(await jobsOf(this.#context, account, jobs(true)))]);
  }

  /** `told` is absent when the gateway could not be asked. */
  async #judge(effect: EffectView, told: Told | undefined): Promise<boolean> {
    const { clock } = this.#context;
    const looked = this.#looks.of(effect.id);
    if (told === "done") return settleByJob(this.#context, effect);
    if (told === "failed") return putByAsFailed(this.#context, effect, "job_failed");
    if (told !== "unknown") delete looked.unknownSince;
    else looked.unknownSince ??= clock.now();
    if (++looked.times < LOOKS) return false;
    const { unknownSince } = looked;
    if (unknownSince !== undefined && clock.now() - unknownSince >= UNKNOWN_MS)
      return putByAsFailed(this.#context, effect, "job_unknown");
    if (clock.now() - entryOf(effect.payload).work.at < GIVEN_UP_MS) return false;
    return putByAsFailed(this.#context, effect, "job_silent");
  }
}

/** Job ids are UUIDs; the engines' message ids are not. */
const JOB_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
/**
 * A device event about a job, from a channel that names the job in place of the message. True when it was ours. Any message
 * may bear such an id, so it is looked for only where the account uses the queue, and among its oldest sends; later ones
 * are found by the look at the jobs.
 */
export async function settleJob(
  context: SendContext,
  account: string,
  job: string,
  status: AckStatus,
): Promise<boolean> {
  if (!JOB_ID.test(job) || status === "pending") return false;
  const { accounts, queue, store, log } = context;
  if ((await accounts.get(account))?.sendMode !== "queue" && !queue.rests(account)) return false;
  const own = await store.views.effects({ account, state: "enqueued", limit: AMONG });
  const found = own.find((effect) => effect.job === job);
  if (found)
    return status === "error"
      ? putByAsFailed(context, found, "job_failed")
      : settleByJob(context, found);
  if (own.length >= AMONG)
    log.warn({ account, among: AMONG }, "a device event's job is not among the oldest sends");
  return false;
}
