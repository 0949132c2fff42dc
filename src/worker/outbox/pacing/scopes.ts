/**
 * Scopes absorb outages: while one is paused its effects wait with their attempts untouched, and one alarm is raised.
 *
 * A pause ends by an `open` event, by a person, by its own time, or by a probe (`probes.ts`).
 */
import type { PauseReason } from "../../../gateway/index.ts";
import {
  heldClass,
  holdOf,
  isHoldReason,
  RATE_LIMITED,
  type HoldReason,
} from "../../../store/index.ts";
import type { Pause, Store } from "../../../store/port/port.ts";
import type { Alarms } from "../../alarms/alarms.ts";
import { planOf, planScope } from "../entry.ts";
import { BILLED_PROBE_MS, type ProbeCall, Probes } from "./probes.ts";
import type { Accounts, Log } from "../../ports.ts";
import type { WorkerEvent } from "../../events.ts";

/** The store's list of pauses is read again after this time: other processes and operators change it too. */
const REFRESH_MS = 1_000;
/**
 * When a call's refusal is written after its pause was seen to end, it would wait for the minutely round. So what an ended
 * pause held is looked for once more after this, ms.
 */
const LATE_MS = 1_500;
/** Holds whose alarm was raised, one document each, so that of many processes one tells it. */
export const TOLD = "told-holds";

interface ScopesOptions {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly alarms: Alarms;
  readonly emit: (event: WorkerEvent) => void;
  readonly log: Log;
  /** Real time by the store's clock, ms, so that a pause ends for all processes at once. */
  readonly now: () => number;
  readonly probe: ProbeCall;
  /**
   * Called when a pause is over, mostly while it is still in force. The pause ends also when this fails, and this is called
   * again.
   */
  readonly ending: (scope: string) => Promise<void>;
  /** Work may go on. */
  readonly resumed: () => void;
}

/** A reason that ends later by itself is weaker than one that only a person ends. */
const STRENGTH: Readonly<Record<PauseReason, number>> = {
  rate_limited: 1,
  unreachable: 2,
  instance_not_open: 3,
  no_device_token: 4,
  unauthorized: 4,
  forbidden: 4,
  no_balance: 5,
};
const HELD_WORDS: Readonly<Record<HoldReason, string>> = {
  failover: "Another Redis server answers than before:",
  restored: "The store is older than what was done since:",
};
/** A person's reason is free text. */
const BY_A_PERSON = 9;

/** Channels with scopes of their own. */
const CHANNELS = ["engine-a", "engine-c", "sms"] as const;

/** A phone that is away stops its own engine. Token, balance, network and a person's pause concern all channels. */
function coversChannels(pause: { readonly reason: string } | undefined): boolean {
  return pause !== undefined && pause.reason !== "instance_not_open";
}

function strengthOf(reason: string): number {
  return Object.hasOwn(STRENGTH, reason) ? STRENGTH[reason as PauseReason] : BY_A_PERSON;
}

/** The reasons that this one may replace. It replaces itself only with another end, a rate limit only with a later one. */
function weakerThan(reason: PauseReason, untilMs: number | undefined): readonly string[] {
  return Object.keys(STRENGTH).filter(
    (one) => strengthOf(one) <= strengthOf(reason) && (one !== reason || untilMs !== undefined),
  );
}

export class Scopes {
  readonly #options: ScopesOptions;
  #pauses: ReadonlyMap<string, Pause> = new Map();
  #readAt = -Infinity;
  #changes = 0;
  /** Scopes whose pause ended, and when they are looked at once more, real ms. */
  readonly #over = new Map<string, number>();
  /** Scopes that cannot be looked after, and why; logged once while it lasts. */
  readonly #troubled = new Set<string>();
  /** Holds whose alarm could not be raised yet. */
  readonly #untold = new Set<string>();
  readonly #probes: Probes;

  constructor(options: ScopesOptions) {
    this.#options = options;
    this.#probes = new Probes({
      ...options,
      passed: async (scope, pause) => void (await this.#resume(scope, pause)),
    });
  }

  isPaused(scope: string): boolean {
    if (this.#pauses.has(scope)) return true;
    const plan = planOf(scope);
    return plan !== undefined && coversChannels(this.#pauses.get(plan));
  }

  /** Why a scope is paused that has a pause of its own. */
  reasonOf(scope: string): string | undefined {
    return this.#pauses.get(scope)?.reason;
  }

  /** Scopes whose effects are not begun. */
  paused(): readonly string[] {
    const paused = [...this.#pauses].flatMap(([scope, pause]) => {
      if (heldClass(scope) !== null) return [];
      const [kind, account, channel] = scope.split(":");
      if (kind !== "plan" || account === undefined || channel !== undefined) return [scope];
      const others = coversChannels(pause) ? CHANNELS.map((name) => planScope(account, name)) : [];
      return [scope, ...others];
    });
    return [...new Set(paused)];
  }

  isHeld(effectClass: string): boolean {
    return this.#pauses.has(holdOf(effectClass));
  }

  /**
   * Pauses what this outcome concerns: the phone of one channel, or everything with the same token. Only the plan's phone
   * can be asked for its state; another channel's pause ends by its time, after as long as a charged probe would wait.
   */
  async pauseFor(scope: string, reason: PauseReason, untilMs?: number): Promise<void> {
    const plan = planOf(scope);
    if (plan === undefined) return this.pause(scope, reason, untilMs);
    if (reason !== "instance_not_open") return this.pause(plan, reason, untilMs);
    return this.pause(scope, reason, this.#options.now() + BILLED_PROBE_MS);
  }

  /** A weaker reason never replaces a stronger one: it would end by itself what only a person may end. */
  async pause(scope: string, reason: PauseReason, untilMs?: number): Promise<void> {
    const { store, now } = this.#options;
    // The store decides, because a person may pause the scope at this moment.
    const over = weakerThan(reason, untilMs);
    const fresh = await store.scopes.pause(scope, reason, { over, until: untilMs });
    if (!fresh) return this.round(true);
    const pauses = new Map(this.#pauses);
    pauses.set(scope, { reason, since: now(), until: untilMs });
    this.#change(pauses);
    this.#options.emit({ type: "pause", scope, reason });
    this.#options.alarms.raise({
      code: "scope.paused",
      account: scope.split(":")[1],
      message: `Sending is paused (${reason}); everything waits in order.`,
      subject: `${scope} ${reason}`,
      vars: { reason },
    });
  }

  /**
   * An effect was just written as held for this scope. If its pause ended before that, it was not seen, and no other end
   * may come: so it is released now.
   */
  async rested(scope: string): Promise<void> {
    const paused = planOf(scope) ?? scope;
    if ((await this.#options.store.scopes.pauses()).has(paused)) return;
    await this.#letGo(paused);
    this.#options.resumed();
  }

  /** A person ends the pause, whatever its reason. Answers whether the scope was paused. */
  resume(scope: string): Promise<boolean> {
    return this.#resume(scope);
  }

  /** `only`: the pause that is over. If another has taken its place meanwhile, that one stays. */
  async #resume(scope: string, only?: Pause): Promise<boolean> {
    const { store, accounts, now } = this.#options;
    // Throws while the account cannot be read: none of its effects could leave, so a machine does not end the pause.
    if (only) await accounts.get(scope.split(":")[1] ?? "");
    // Effects held for a rate limit that lasts longer are released when that is over.
    const isLimited = (only?.limitedUntil ?? -Infinity) > now();
    if (!isLimited) await this.#letGo(scope);
    const was = await store.scopes.resume(scope, only);
    this.#probes.forget(scope);
    if (only && !was) {
      // Another process ended it, or another pause took its place: the next round reads which.
      this.#readAt = -Infinity;
      return false;
    }
    const pauses = new Map(this.#pauses);
    const known = pauses.delete(scope);
    this.#change(pauses);
    if (!was && !known) return false;
    this.#options.emit({ type: "resume", scope });
    this.#options.resumed();
    return was;
  }

  /**
   * The phone is connected: ends pauses that a closed phone may have caused. It does not end a person's pause, an empty
   * balance, or a rate limit, which has its own end.
   */
  async opened(scope: string): Promise<void> {
    const known = (await this.#options.store.scopes.pauses()).get(scope);
    if (!known || known.reason === RATE_LIMITED) return;
    if (strengthOf(known.reason) < strengthOf("no_balance")) await this.#resume(scope, known);
  }

  /** Reads the store's list when it is old, ends what is over, asks what is due. Called about once a second. */
  async round(force = false): Promise<void> {
    const { store, now } = this.#options;
    if (!force && now() - this.#readAt < REFRESH_MS) return;
    const before = this.#pauses;
    const changes = this.#changes;
    const read = await store.scopes.pauses();
    // Changes that this process made meanwhile are newer than what was read.
    if (changes !== this.#changes) return;
    this.#pauses = read;
    this.#readAt = now();
    for (const [scope, pause] of this.#pauses)
      if (pause.until !== undefined && pause.until <= now())
        await this.#apart(scope, "a pause could not be ended", async () => {
          if (await this.#resume(scope, pause)) this.#lookAgain(scope);
        });
    for (const [scope, at] of [...this.#over]) {
      if (at > now() || this.#pauses.has(scope)) continue;
      this.#over.delete(scope);
      await this.#letGo(scope);
    }
    const others = [...before.keys()].filter((scope) => !read.has(scope));
    for (const scope of others) {
      this.#probes.forget(scope);
      await this.#letGo(scope);
    }
    if (others.length > 0) this.#options.resumed();
    for (const [scope, { reason, since }] of this.#pauses) {
      const isNews = before.get(scope)?.reason !== reason || this.#untold.delete(scope);
      if (!isNews || !isHoldReason(reason)) continue;
      const tell = () => this.#tellHold(scope, reason, since);
      if (!(await this.#apart(scope, "a hold could not be told", tell))) this.#untold.add(scope);
    }
    for (const [scope, pause] of this.#pauses) this.#probes.look(scope, pause);
  }

  /**
   * A scope that cannot be looked after does not stop the others; it is logged once while it lasts. Answers whether all
   * went well.
   */
  async #apart(scope: string, trouble: string, work: () => Promise<void>): Promise<boolean> {
    const known = `${scope} ${trouble}`;
    try {
      await work();
      this.#troubled.delete(known);
      return true;
    } catch (error) {
      if (!this.#troubled.has(known)) this.#options.log.error({ err: error, scope }, trouble);
      this.#troubled.add(known);
      return false;
    }
  }

  /** Releases what is held for this scope, now or as soon as it can be found. */
  async #letGo(scope: string): Promise<void> {
    const letGo = () => this.#options.ending(scope);
    if (!(await this.#apart(scope, "what rests for a scope could not be let go", letGo)))
      this.#lookAgain(scope);
  }

  #lookAgain(scope: string): void {
    this.#over.set(scope, this.#options.now() + LATE_MS);
  }

  /** The store holds a class by itself: a person must know, whichever process saw it, also after a restart. */
  async #tellHold(scope: string, reason: HoldReason, since: number): Promise<void> {
    const { store, alarms, emit } = this.#options;
    const id = `${scope} ${since}`;
    if (await store.documents.get(TOLD, id)) return;
    emit({ type: "pause", scope, reason });
    alarms.raise({
      code: "failover.detected",
      subject: id,
      message: `${HELD_WORDS[reason]} ${heldClass(scope) ?? ""} calls wait until a person releases them (prosa hold release); conversations go on.`,
    });
    // The alarm first: if two processes raise it at once, none stays silent.
    await store.documents.put(TOLD, id, { at: since });
  }

  #change(pauses: ReadonlyMap<string, Pause>): void {
    this.#pauses = pauses;
    this.#changes++;
  }
}
