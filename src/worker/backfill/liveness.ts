/**
 * Since when somebody of us listens. Every process that takes webhooks says so in the store every few seconds; a time in
 * which nobody did, or in which nothing could be stored, is a gap, and is written down before anything is done about it.
 *
 * One write every {@link BEAT_MS} for the whole installation, whatever comes in: after a crash the gap begins a little
 * early, and the store knows what it had.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Account, ChannelName } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { VirtualClock } from "../clock.ts";
import type { Gap, Gaps } from "./gaps.ts";
import type { Alarms } from "../alarms/alarms.ts";
import { Loop } from "../loop.ts";
import type { Accounts, Log } from "../ports.ts";
import { isUnreadable } from "../remembered-accounts.ts";
import { pullsFrom } from "./pull-pace.ts";

/** How often a listening process says so, real ms. */
export const BEAT_MS = 10_000;
/** Nobody said so for this long: then nobody listened, or the store could not be reached. Real ms. */
const DEAF_MS = 3 * BEAT_MS;
/** A shorter gap is bridged by the senders' own repeats, and not worth a person's time. Virtual ms. */
const WORTH_TELLING_MS = 60_000;
/** What comes in waits this long for older messages that are just being pulled back, real ms. */
const GATE_MS = 5_000;
const GATE_LOOK_MS = 50;
/** The engine that can be asked for what it told nobody. */
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

export interface LivenessDeps {
  readonly store: Pick<Store, "get" | "put">;
  readonly accounts: Accounts;
  readonly clock: VirtualClock;
  readonly log: Log;
  readonly gaps: Gaps;
  readonly alarms: Pick<Alarms, "raise">;
  /** Hands over what was refused since. */
  readonly refused?: (take: (refused: Refused) => Promise<void>) => Promise<void>;
  /** Nothing can be asked of this account's gateway just now. */
  readonly isPaused: (account: string) => boolean;
  /** There is a gap to be filled. */
  readonly noticed: () => void;
}

export class Liveness {
  readonly #deps: LivenessDeps;
  readonly #loop: Loop;
  /** Accounts whose webhooks wait for older messages, until this real time. `*` = all. */
  readonly #gates = new Map<string, number>();
  readonly #waits = new Map<string, Promise<void>>();
  #begun = false;
  #noticing: Promise<void> | undefined;
  #off: () => void = () => undefined;

  constructor(deps: LivenessDeps) {
    this.#deps = deps;
    this.#loop = new Loop({
      round: async () => {
        await this.beat();
        return false;
      },
      idleMs: () => BEAT_MS,
      failed: (error) => deps.log.error({ err: error }, "listening could not be written down"),
    });
  }

  /** To be called just before the listener opens: what comes in then waits for what came before. */
  open(): void {
    this.#gates.set("*", this.#deps.clock.real() + GATE_MS);
  }

  /** The listener is open: from now on nothing is missed. */
  start(): void {
    // A virtual hour that passes in a moment is no silence.
    this.#off = this.#deps.clock.onMove(() => this.#loop.ring());
    this.#loop.start();
  }

  /** The last word: whoever stops in good order leaves no gap behind but its own absence. */
  async stop(): Promise<void> {
    this.#off();
    await this.#loop.stop();
    if (this.#begun) await this.beat().catch(() => undefined);
  }

  /** Says that somebody listens; notices first that for a while nobody did. */
  async beat(): Promise<void> {
    const { store, clock, refused } = this.#deps;
    // Before it is said that somebody listens: whoever dies in between leaves a gap that begins before them.
    await refused?.((one) => this.#refused(one));
    const now = clock.now();
    const steady = now - clock.offsetMs;
    const last = (await store.get(COLLECTION, ID))?.value;
    const heard = Number(last?.["at"] ?? Number.NaN);
    const deaf = steady - Number(last?.["steady"] ?? steady) > DEAF_MS;
    if (Number.isFinite(heard) && (!this.#begun || deaf)) {
      await (this.#noticing ??= this.#notice(heard, now).finally(() => {
        this.#noticing = undefined;
      }));
    }
    await store.put(COLLECTION, ID, { at: now, steady });
    this.#begun = true;
  }

  /** Engine B's phone is connected again, or lost its line. `from`: what is to be pulled when no loss was heard of. */
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

  /** When what was missed is back for every account, or cannot be had soon. */
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
      // The store is away: accepting will say so.
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

  /** A process that beats and takes nothing is deaf all the same, and some engines say each thing once. */
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

  /** Of one that cannot be read what can be asked for is kept for later; it has an alarm of its own, and the others go on. */
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
