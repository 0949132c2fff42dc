/**
 * Liveness: every process that takes webhooks reports to the store every few seconds that it listens. A time in which no
 * process did, or in which nothing could be stored, is a gap, and is written down before anything is done about it.
 *
 * One write every {@link BEAT_MS} for the whole installation, whatever comes in. After a crash the gap begins a little
 * early; the store knows the events it had.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Account, ChannelName } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { VirtualClock } from "../clock.ts";
import type { Gap, Gaps } from "./gaps.ts";
import type { Alarms } from "../alarms/alarms.ts";
import type { Heartbeat, HeartbeatPart } from "../loop.ts";
import type { Accounts, Log } from "../ports.ts";
import { isUnreadable } from "../remembered-accounts.ts";
import { pullsFrom } from "./pull-pace.ts";

/** How often a listening process reports, real ms. */
const BEAT_MS = 10_000;
/** Without a report for this long no process listened, or the store could not be reached. Real ms. */
const DEAF_MS = 3 * BEAT_MS;
/** A shorter gap is bridged by the senders' own repeats, and is not reported. Virtual ms. */
const WORTH_TELLING_MS = 60_000;
/** Webhooks wait this long for older messages that are being pulled back, real ms. */
const GATE_MS = 5_000;
const GATE_LOOK_MS = 50;
/** The engine that can be asked for messages that it could not deliver. */
export const ASKED: ChannelName = "engine-b";

const COLLECTION = "liveness";
const ID = "all";

/** When webhooks of an account's channel were answered 503, first and last. Virtual ms. */
export interface Refused {
  readonly account: string;
  readonly channel: ChannelName;
  readonly from: number;
  readonly to: number;
  /** The store said that it takes nothing new. */
  readonly isFull: boolean;
}

interface LivenessDeps {
  readonly store: Pick<Store, "documents">;
  readonly accounts: Accounts;
  readonly clock: VirtualClock;
  readonly log: Log;
  readonly gaps: Gaps;
  readonly alarms: Pick<Alarms, "raise">;
  /** Hands over the webhooks that were refused since the last call. */
  readonly refused?: (take: (refused: Refused) => Promise<void>) => Promise<void>;
  /** The gateway of this account cannot be asked now. */
  readonly isPaused: (account: string) => boolean;
  /** There is a gap to be filled. */
  readonly noticed: () => void;
  readonly heartbeat: Heartbeat;
}

export class Liveness implements HeartbeatPart {
  /** How often it is looked whether a report is due, ms: one that failed is tried again after this. */
  readonly everyMs = 1_000;
  readonly #deps: LivenessDeps;
  /** Accounts whose webhooks wait for older messages, until this real time. `*`: all. */
  readonly #gates = new Map<string, number>();
  readonly #waits = new Map<string, Promise<void>>();
  #begun = false;
  #noticing: Promise<void> | undefined;
  #off: () => void = () => undefined;
  /** When the last report began, real ms. */
  #reportedAt = -Infinity;
  #reporting: Promise<void> | undefined;

  constructor(deps: LivenessDeps) {
    this.#deps = deps;
  }

  /** To be called just before the listener opens: webhooks then wait for older messages. */
  open(): void {
    this.#gates.set("*", this.#deps.clock.real() + GATE_MS);
  }

  /** The listener is open: from now on no event is missed. */
  start(): void {
    // A jump of virtual time is no gap.
    this.#off = this.#deps.clock.onMove(() => {
      this.#reportedAt = -Infinity;
      void this.beat();
    });
    this.#deps.heartbeat.add(this);
    void this.beat();
  }

  /** The last report: after a regular stop the gap is only the time in which the process was away. */
  async stop(): Promise<void> {
    this.#off();
    this.#deps.heartbeat.remove(this);
    await this.#reporting;
    if (this.#begun) await this.report().catch(() => undefined);
  }

  /** Reports when it is time, once at a time. */
  async beat(): Promise<void> {
    const age = this.#deps.clock.real() - this.#reportedAt;
    // After a clock jumped back it must not stay silent for as long as the jump.
    if (this.#reporting || (age >= 0 && age < BEAT_MS)) return;
    this.#reportedAt = this.#deps.clock.real();
    this.#reporting = this.report()
      .catch((error: unknown) => {
        this.#reportedAt = -Infinity;
        this.#deps.log.error({ err: error }, "listening could not be written down");
      })
      .finally(() => (this.#reporting = undefined));
    await this.#reporting;
  }

  /** Reports that this process listens; before that it notices a gap since the last report. */
  async report(): Promise<void> {
    const { store, clock, refused } = this.#deps;
    // Noticed before the report is written: if the process dies in between, the gap still begins before it.
    await refused?.((one) => this.#refused(one));
    const now = clock.now();
    const steady = now - clock.offsetMs;
    const last = (await store.documents.get(COLLECTION, ID))?.value;
    const heard = Number(last?.["at"] ?? Number.NaN);
    const deaf = steady - Number(last?.["steady"] ?? steady) > DEAF_MS;
    if (Number.isFinite(heard) && (!this.#begun || deaf)) {
      await (this.#noticing ??= this.#notice(heard, now).finally(() => {
        this.#noticing = undefined;
      }));
    }
    await store.documents.put(COLLECTION, ID, { at: now, steady });
    this.#begun = true;
  }

  /** Engine B's phone is connected again, or lost its line. `from`: since when to pull when no loss was reported. */
  async line(account: string, state: "open" | "closed", from: number): Promise<void> {
    const { gaps, clock, noticed } = this.#deps;
    const now = clock.now();
    if (state === "closed") {
      await gaps.closed(account, now);
      return;
    }
    await gaps.change(account, (gap) => ({
      ...gap,
      from: gap.from ?? from,
      noticed: now,
      waiting: false,
      failures: 0,
      next: 0,
    }));
    this.#gates.set(account, clock.real() + GATE_MS);
    noticed();
  }

  /** Waits while older messages of this account are being pulled back, so that what a contact wrote stays in order. */
  gate(account: string, channel: ChannelName): Promise<void> | undefined {
    if (this.#gates.size === 0 || channel !== ASKED) return undefined;
    const now = this.#deps.clock.real();
    for (const [key, until] of this.#gates) if (until <= now) this.#gates.delete(key);
    const until = Math.max(this.#gates.get(account) ?? 0, this.#gates.get("*") ?? 0);
    if (until <= now) return undefined;
    const known = this.#waits.get(account);
    if (known) return known;
    const wait = this.#pulled(account, until).finally(() => this.#waits.delete(account));
    this.#waits.set(account, wait);
    return wait;
  }

  /** Resolves when the missed messages of every account are back, or cannot be had soon. */
  async caughtUp(limitMs: number): Promise<void> {
    const { clock, gaps } = this.#deps;
    const until = clock.real() + limitMs;
    while (clock.real() < until) {
      if (
        this.#begun &&
        !(await gaps.open()).some((open) => this.#isComing(open.account, open.gap))
      )
        return;
      await pause(GATE_LOOK_MS);
    }
  }

  async #pulled(account: string, until: number): Promise<void> {
    const { clock, gaps, log } = this.#deps;
    try {
      while (clock.real() < until) {
        if (this.#begun && !this.#isComing(account, await gaps.get(account))) return;
        await pause(GATE_LOOK_MS);
      }
    } catch (error) {
      // The store is away: accepting will fail, too.
      log.debug({ err: error }, "a gap could not be looked at");
    }
  }

  #isComing(account: string, gap: Gap): boolean {
    if (gap.from === undefined || gap.waiting || gap.failures > 0) return false;
    const real = this.#deps.clock.real();
    return pullsFrom(gap, real) <= real && !this.#deps.isPaused(account);
  }

  async #notice(from: number, to: number): Promise<void> {
    const { accounts, gaps, noticed } = this.#deps;
    for (const id of await accounts.ids()) {
      const open = await this.#channelsOf(id);
      if (open.includes(ASKED)) await gaps.add(id, from, to);
      const channels = open.filter((channel) => channel !== ASKED);
      if (channels.length > 0 && to - from >= WORTH_TELLING_MS)
        await gaps.lost(id, { from, to, channels });
    }
    noticed();
  }

  /** A process that reports but refuses webhooks loses events all the same, and some engines send each event once. */
  async #refused({ account, channel, from, to, isFull }: Refused): Promise<void> {
    const { alarms, gaps } = this.#deps;
    if (isFull)
      alarms.raise({
        code: "store.full",
        subject: "store",
        message:
          "The store takes nothing new: webhooks are refused (503), and engines that send a thing once lose it. Give it more room.",
      });
    await gaps.refused(account, channel, { from, to });
  }

  /** For an account that cannot be read the gap is kept for later; it has an alarm of its own, and the others go on. */
  async #channelsOf(id: string): Promise<readonly ChannelName[]> {
    try {
      const account = await this.#deps.accounts.get(id);
      return account ? channelsOf(account) : [];
    } catch (error) {
      if (isUnreadable(error)) return [ASKED];
      throw error;
    }
  }
}

function channelsOf(account: Account): readonly ChannelName[] {
  return account.channels.filter(({ enabled }) => enabled).map(({ channel }) => channel);
}
