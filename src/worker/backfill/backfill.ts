/**
 * Back-fill: messages that engine B could not deliver while no process listened are pulled back and go the way of a
 * webhook. The other engines cannot be asked, so a gap of theirs is reported to a person, once.
 *
 * A pull is a look-up billed by the plan. An account has one at a time, whatever the number of processes, with a pause
 * after each and limits for a day and a month. It does not use the plan's reserve, and is not made while the scope is
 * paused.
 */
import type { Account, ChannelName } from "../../engine/index.ts";
import { CHANNEL_LETTERS, whenIn } from "../operators.ts";
import type { RuntimeContext } from "../context/contexts.ts";
import { planScope } from "../outbox/entry.ts";
import type { Scopes } from "../outbox/pacing/scopes.ts";
import { ASKED } from "./liveness.ts";
import { type Gap, LONGEST_MS, type Untold } from "./gaps.ts";
import { Loop } from "../loop.ts";
import { isUnreadable } from "../remembered-accounts.ts";
import { ABORTED, type Found, pulled, type PullContext, type Pulled } from "./pages.ts";
import { callsLeft, mayAsk, monthOf, pullsFrom, withoutPull, withPull } from "./pull-pace.ts";

/** Gaps written down by other processes are found in this time, real ms. */
const IDLE_MS = 5_000;
/** Longer than a pull may take, real ms; then another process takes over the pull of a dead one. */
const LEASE_MS = 150_000;
/** Pauses after a pull that failed, real ms; after the last of them a person is told. */
const AGAIN_MS = [60_000, 5 * 60_000, 15 * 60_000, 3_600_000] as const;
/** Pause while the plan has only its reserve left, or pulls have used their share of it, real ms … */
const SHORT_MS = 10 * 60_000;
/** … at most for this long, because older messages are not answered any more. Virtual ms. */
const GIVEN_UP_MS = 86_400_000;
/** Older messages are kept and not answered, virtual ms. */
const STORED_ONLY_MS = 86_400_000;
/** A phone that was lost this long ago, while its scope is not paused, came back without a report. Virtual ms. */
const UNHEARD_MS = 60_000;
/** Events handed over at once. */
const CHUNK = 200;
const KEY = "backfill";

type BackfillContext = PullContext &
  Pick<RuntimeContext, "store" | "accounts" | "log" | "alarms" | "pager" | "gaps" | "budget"> &
  Pick<RuntimeContext, "ingest" | "wake"> & { readonly scopes: Scopes };

export class Backfill {
  readonly #context: BackfillContext;
  readonly #owner: string;
  readonly #loop: Loop;
  #current: Promise<number> | undefined;
  #stopping = false;

  constructor(context: BackfillContext, owner: string) {
    this.#context = context;
    this.#owner = owner;
    this.#loop = new Loop({
      round: () => this.round(),
      idleMs: () => IDLE_MS,
      failed: (error) =>
        context.log.error({ err: error }, "what was missed could not be pulled back"),
    });
  }

  start(): void {
    this.#stopping = false;
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
  }

  wake(): void {
    this.#loop.ring();
  }

  /** Does what is due, once at a time; answers how many accounts it did something for. */
  round(): Promise<number> {
    return (this.#current ??= this.#round().finally(() => (this.#current = undefined)));
  }

  async #round(): Promise<number> {
    const { gaps, scopes } = this.#context;
    let done = 0;
    for (const { account } of await gaps.open()) {
      const gap = await gaps.settle(account, this.#context.clock.now(), ASKED);
      if (gap.untold) {
        await this.#tell(account, gap.untold);
        done++;
      }
      if (!this.#isDue(gap)) continue;
      // The line may have opened while no process listened; then the probe of its scope finds it.
      if (gap.waiting && this.#context.clock.now() - gap.noticed < UNHEARD_MS) continue;
      await scopes.round();
      if (scopes.isPaused(planScope(account))) continue;
      if (await this.#one(account)) done++;
    }
    return done;
  }

  #isDue(gap: Gap): boolean {
    const real = this.#context.clock.real();
    return gap.from !== undefined && pullsFrom(gap, real) <= real;
  }

  /** Fills the gaps of one account; one process of all does it. */
  async #one(id: string): Promise<boolean> {
    const { store, gaps, log } = this.#context;
    const claim = await store.keys.claim(id, KEY, this.#owner, LEASE_MS);
    if (!claim.ok) return false;
    try {
      const account = await this.#readable(id);
      const gap = await gaps.get(id);
      if (account === "unreadable" || gap.from === undefined || !this.#isDue(gap)) return false;
      if (!account || !this.#context.ingest || !isOn(account)) {
        await gaps.change(id, (now) => ({ ...now, from: undefined }));
        return true;
      }
      if (!(await this.#mayRun(account, gap))) return false;
      // Older messages are reported instead.
      const from = Math.max(gap.from, this.#context.clock.now() - LONGEST_MS);
      const result = await pulled(this.#context, account, from, {
        stopping: () => this.#stopping,
        mayAsk: () => mayAsk(this.#context, account),
      });
      log.info(
        { account: id, calls: result.calls, ok: result.ok },
        "what was missed was asked for",
      );
      if (!result.ok) await this.#failed(account, result);
      else
        await this.#taken(account, gap, result, from).catch(async (error: unknown) => {
          // The store refuses this as it refuses webhooks: it waits like a pull that failed, and is not asked for again at
          // once.
          log.warn({ err: error, account: id }, "what was pulled back could not be stored");
          await this.#failed(account, { ...result, ok: false, failed: "unstored" });
        });
      return true;
    } finally {
      await store.keys.free(id, KEY, this.#owner);
    }
  }

  /** `unreadable`: the account has an alarm of its own and its gap waits; other accounts go on. */
  async #readable(id: string): Promise<Account | "unreadable" | null> {
    try {
      return await this.#context.accounts.get(id);
    } catch (error) {
      if (isUnreadable(error)) return "unreadable";
      throw error;
    }
  }

  /** Counts the pull before it is made. */
  async #mayRun(account: Account, gap: Gap): Promise<boolean> {
    const { gaps, budget, clock } = this.#context;
    const real = clock.real();
    const isReserved = await budget.isReserved(account);
    if (isReserved || callsLeft(gap, monthOf(clock.now()), budget.limit(account.id)) <= 0) {
      // Since calls are lacking: a line that keeps flapping must not delay the report to a person.
      const short = gap.short ?? clock.now();
      if (clock.now() - short > GIVEN_UP_MS) await this.#giveUp(account.id);
      else await gaps.change(account.id, (now) => ({ ...now, short, next: real + SHORT_MS }));
      return false;
    }
    await gaps.change(account.id, ({ short: _over, ...now }) => withPull(now, real));
    return true;
  }

  /** `from`: what was asked for; the gap may have begun before. */
  async #taken(
    account: Account,
    gap: Gap,
    result: Extract<Pulled, { ok: true }>,
    from: number,
  ): Promise<void> {
    const { gaps, counted, log } = this.#context;
    const sums = await this.#ingest(account, result.events);
    const begin = gap.from ?? from;
    const to = result.unreadBefore ?? from;
    if (result.unreadBefore !== undefined || from > begin)
      await gaps.lost(account.id, { from: begin, to, channels: ["engine-b"] });
    // A gap that was noticed while this ran is a pull of its own.
    const left = await gaps.change(account.id, (now) => ({
      ...now,
      failures: 0,
      next: 0,
      ...(now.noticed === gap.noticed ? { from: undefined, waiting: false } : {}),
    }));
    if (left.from !== undefined) this.wake();
    counted?.("backfill", { outcome: "done" });
    log.info({ account: account.id, events: result.events.length, ...sums }, "pulled back");
  }

  async #ingest(account: Account, events: readonly Found[]) {
    const sums = { accepted: 0, duplicate: 0 };
    const answeredSince = this.#context.clock.now() - STORED_ONLY_MS;
    for (let begin = 0; begin < events.length; begin += CHUNK) {
      const some = events.slice(begin, begin + CHUNK);
      const pulledBack = { pulled: { answeredSince } };
      const taken = await this.#context.ingest?.(account, "engine-b", some, pulledBack);
      sums.accepted += taken?.accepted ?? 0;
      sums.duplicate += taken?.duplicate ?? 0;
    }
    if (sums.accepted > 0) this.#context.wake("turns");
    return sums;
  }

  /** An outage pauses the scope and counts as no try; any other failure is tried again a few times, then reported. */
  async #failed(account: Account, result: Extract<Pulled, { ok: false }>): Promise<void> {
    const { gaps, scopes, clock, counted } = this.#context;
    counted?.("backfill", { outcome: "pause" in result ? "paused" : "failed" });
    if ("pause" in result) {
      await scopes.pause(planScope(account.id), result.pause, result.until);
      // A pull that did not reach the gateway was none: it does not delay the next one.
      if (result.pause === "unreachable") await gaps.change(account.id, withoutPull);
      return;
    }
    if (result.failed === ABORTED) return;
    const { failures } = await gaps.get(account.id);
    const waitMs = AGAIN_MS[failures];
    if (waitMs === undefined) return this.#giveUp(account.id);
    await gaps.change(account.id, (now) => ({
      ...now,
      failures: failures + 1,
      next: clock.real() + waitMs,
    }));
  }

  /** Engine B cannot be asked either: a person has to look at the phone. */
  async #giveUp(account: string): Promise<void> {
    const { gaps } = this.#context;
    const { from, noticed } = await gaps.get(account);
    if (from === undefined) return;
    await gaps.lost(account, { from, to: noticed, channels: ["engine-b"] });
    // A gap that was noticed since is not part of this report, and is pulled back from here on.
    await gaps.change(account, ({ short: _over, ...now }) => ({
      ...now,
      failures: 0,
      next: 0,
      from: now.noticed === noticed ? undefined : noticed,
    }));
    this.wake();
  }

  /** In the account's own time, as people read it. */
  async #when(id: string, from: number, to: number) {
    const account = await this.#context.accounts.get(id).catch(() => null);
    const zone = account?.zone ?? "America/Sao_Paulo";
    return { from: whenIn(zone, from), to: whenIn(zone, to) };
  }

  async #tell(account: string, untold: Untold): Promise<void> {
    const { from, to, channels } = untold;
    this.#context.alarms.raise({
      code: "channel.gap",
      account,
      // With its channels: each of them may lose the same time by itself, and is reported by itself.
      subject: `${from} ${channels.join(",")}`,
      message: `Nobody listened for a while; what came by ${channels.join(", ")} then cannot be asked for.`,
      vars: {
        ...(await this.#when(account, from, to)),
        channels: channels
          .map((channel) => CHANNEL_LETTERS[channel as ChannelName] ?? channel)
          .join(", "),
      },
    });
    await this.#context.pager.stored();
    await this.#context.gaps.tell(account, untold);
  }
}

function isOn(account: Account): boolean {
  return account.channels.some(({ channel, enabled }) => channel === "engine-b" && enabled);
}
