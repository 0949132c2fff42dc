/**
 * The outbox: takes effects that are due, does them, writes how they ended. Effects wait for each other only where order is
 * promised (messages of one contact), so a slow authority delays no reply.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Account, Session } from "../../engine/index.ts";
import type { Begun, SendEnd } from "../../store/port/port.ts";
import { performCall } from "./call.ts";
import type { SendContext } from "../context/contexts.ts";
import { type Ending, sendEnd } from "./ending.ts";
import { entryOf } from "./entry.ts";
import { type WorkerPool, quickPool, type Room, slowPool } from "./sending/worker-pool.ts";
import {
  LEAVE_MARGIN_MS,
  type Leases,
  SHORT_LEASE_MS,
  type Held,
  type Moment,
  moment,
  EffectLease,
} from "../fleet/effect-lease.ts";
import { passGate } from "./sending/send-gate.ts";
import { Loop } from "../loop.ts";
import { performPeer } from "./sending/peer.ts";
import { performSend } from "./sending/send.ts";
import { crashed } from "./sending/crash-counter.ts";

/**
 * Margins on top of a call's time-out, for calls that must not be repeated, ms. If their lease ended while they run, a good
 * end would count as uncertain. So the request leaves within this margin or not at all. Other effects have short leases
 * that are renewed.
 */
const DESTRUCTIVE_MARGIN_MS = 5_000;
const SLOW_MARGIN_MS = 15_000;
/** A session handed over with a send is used for this long, ms; then it is read again. */
const KNOWN_MS = 250;
/** Tries to write an end, because a call that was made and forgotten would be repeated. */
const END_TRIES = 5;
const END_PAUSE_MS = 300;
const IDLE_MS = 1_000;

/** The session as it was committed together with the effect. */
interface Known {
  readonly session: Session;
  readonly at: number;
}

export class Outbox {
  readonly #context: SendContext;
  readonly #loops: readonly Loop[];
  readonly #quick: WorkerPool;
  readonly #slow: WorkerPool;
  readonly #leases: Leases;
  #stopping = false;
  #done = 0;
  #quiet: (() => void)[] = [];

  constructor(context: SendContext, leases: Leases) {
    this.#context = context;
    this.#leases = leases;
    const real = () => context.clock.real();
    this.#quick = quickPool(context.concurrency, real);
    this.#slow = slowPool(context.concurrency, real);
    const failed = (error: unknown) =>
      context.log.error({ err: error }, "the outbox could not work");
    this.#loops = [this.#quick, this.#slow].map((pool) => {
      const idleMs = () => Math.min(context.pacing.nextMs ?? IDLE_MS, pool.nextMs ?? IDLE_MS);
      return new Loop({ round: () => this.#round(pool), idleMs, failed });
    });
  }

  get #slowLeaseMs(): number {
    return this.#context.timeouts.fiscalMs + SLOW_MARGIN_MS;
  }

  /** Effects in hand. */
  get active(): number {
    return this.#quick.active + this.#slow.active;
  }

  /** Effects ended since the start: moves whenever work was done. */
  get done(): number {
    return this.#done;
  }

  /** Whether another effect may be born in flight. */
  get hasRoom(): boolean {
    return !this.#stopping && this.#quick.hasRoom;
  }

  start(): void {
    this.#stopping = false;
    for (const loop of this.#loops) loop.start();
  }

  /** Begins no new effects; those in hand go on (see {@link settled}). */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Resolves when no effect is in hand. */
  async settled(): Promise<void> {
    if (this.active === 0) return;
    await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  /** There may be work in any partition. */
  wake(): void {
    this.#quick.anywhere = this.#slow.anywhere = true;
    this.hint();
  }

  /** There is work where the store said so. */
  hint(): void {
    for (const loop of this.#loops) loop.ring();
  }

  /**
   * Takes effects that were begun with the commit of their turn; `asked`: when their lease was asked for. `more`: others of
   * this contact wait for them.
   */
  take(
    begun: readonly Begun[],
    asked: Moment,
    { session, more }: { readonly session: Session; readonly more: boolean },
  ): void {
    const known = { session, at: this.#context.clock.real() };
    for (const one of begun)
      this.#launch(this.#quick, this.#held(this.#quick, one, asked), known, !more);
  }

  /** Takes what is due now; answers how many. */
  async runOnce(): Promise<number> {
    let count = 0;
    for (const pool of [this.#quick, this.#slow]) count += await this.#begin(pool, pool.room());
    return count;
  }

  async #round(pool: WorkerPool): Promise<boolean> {
    await this.#context.scopes.round();
    const hinted = !pool.anywhere;
    const room = pool.room();
    // A round that only looks past a full pool has not looked everywhere.
    if (room.full.length === 0 && room.limit > 0) pool.anywhere = false;
    const begun = await this.#begin(pool, room, hinted);
    return begun > 0 && begun < room.limit;
  }

  async #begin(pool: WorkerPool, { limit, full }: Room, hinted = false): Promise<number> {
    const { store, scopes, clock, pacing } = this.#context;
    const classes = pool.classes.filter((name) => !scopes.isHeld(name));
    if (limit <= 0 || classes.length === 0 || this.#stopping) return 0;
    const leaseMs = pool === this.#quick ? SHORT_LEASE_MS : this.#slowLeaseMs;
    const looks = full.length > 0 ? { hinted: true, asker: "spare" } : { hinted };
    const some = { leaseMs, offsetMs: clock.offsetMs, ...looks };
    const paused = [...scopes.paused(), ...full];
    const queued = pool === this.#quick ? pacing.queued : [];
    const wishes = [{ classes, paused: [...paused, ...queued] }];
    // Only messages have a pace: other calls of their devices do not wait for them.
    const calls = classes.filter((name) => name !== "message");
    if (queued.length > 0 && calls.length > 0) wishes.unshift({ classes: calls, paused });
    let left = limit;
    for (const wish of wishes) {
      if (left === 0) break;
      const asked = moment(clock);
      const begun = await store.effects.begin({ ...some, ...wish, limit: left });
      left -= begun.length;
      await this.#launchAll(pool, begun, asked);
    }
    return limit - left + (pool === this.#quick ? await this.#beginPaced(left, full) : 0);
  }

  #held(pool: WorkerPool, begun: Begun, asked: Moment): Held {
    const { clock, timeouts } = this.#context;
    // Preparing a call takes milliseconds: if it took half of the call's time, this process stood still.
    const slowMs = Math.min(SLOW_MARGIN_MS, timeouts.fiscalMs / 2);
    const ms = pool === this.#quick ? SHORT_LEASE_MS - LEAVE_MARGIN_MS : slowMs;
    return { ...begun, lease: new EffectLease(clock, asked, ms) };
  }

  async #launchAll(pool: WorkerPool, begun: readonly Begun[], asked: Moment): Promise<void> {
    for (const one of await passGate(this.#context, begun))
      this.#launch(pool, this.#held(pool, one, asked));
  }

  /** Messages of devices that are at their pace, as many as each may send now, the oldest first. */
  async #beginPaced(room: number, full: readonly string[]): Promise<number> {
    const { store, scopes, clock, pacing } = this.#context;
    if (room <= 0 || pacing.queued.length === 0) return 0;
    const shares = new Map([...pacing.round(room)].filter(([scope]) => !full.includes(scope)));
    if (shares.size === 0) return 0;
    const limit = [...shares.values()].reduce((sum, count) => sum + count, 0);
    const { offsetMs } = clock;
    const some = { leaseMs: SHORT_LEASE_MS, paused: scopes.paused(), classes: ["message"] };
    const asked = moment(clock);
    const begun = await store.effects.begin({ ...some, limit, shares, offsetMs });
    await this.#launchAll(this.#quick, begun, asked);
    // Fewer than its share came, so no message of this scope waits any more.
    if (begun.length < limit)
      for (const [scope, count] of shares)
        if (begun.filter((one) => one.scope === scope).length < count) pacing.ease(scope);
    return begun.length;
  }

  #launch(pool: WorkerPool, begun: Held, known?: Known, alone = false): void {
    pool.enter(begun.scope);
    const renewed = pool === this.#quick && begun.class !== "destructive";
    if (renewed) this.#leases.hold(begun);
    void this.#do(begun, known)
      .catch((error: unknown) => {
        // Its lease ends, and the reaper judges it by class.
        this.#context.log.error(
          { err: error, effect: begun.id },
          "an effect could not be finished",
        );
        return crashed(this.#context, begun.id, error);
      })
      .finally(() => {
        if (renewed) this.#leases.drop(begun);
        pool.left(begun.scope);
        this.#done++;
        // A message that no other waits for frees no message: the store need not be asked, unless others waited for its
        // place in the pool.
        if (!alone || pool.turnedAway) {
          pool.turnedAway = false;
          this.hint();
        }
        if (this.active > 0) return;
        const waiting = this.#quiet;
        this.#quiet = [];
        for (const resolve of waiting) resolve();
      });
  }

  async #do(begun: Held, known?: Known): Promise<void> {
    const { accounts, clock, pacing } = this.#context;
    if (begun.class === "destructive" && !(await this.#lengthen(begun))) return;
    const account = await accounts.get(begun.account);
    const entry = entryOf(begun.payload);
    const fresh = known && clock.real() - known.at < KNOWN_MS ? known.session : undefined;
    const ending = account
      ? await this.#perform(begun, account, fresh)
      : ({ outcome: { kind: "held", reason: "account_unknown" } } as const);
    if (!ending) return;
    const end = sendEnd(this.#context, begun, entry, ending);
    // The next message of this contact waits for its turn among those that waited meanwhile.
    const yields = pacing.isQueued(begun.scope) ? clock.now() : undefined;
    await this.#end({ ...end, yields });
    if (end.outcome.kind === "held" && end.outcome.inPlace) await this.#rested(begun);
    await ending.beside;
  }

  /** The minutely round would find it, too, a minute later. */
  async #rested({ id, scope }: Begun): Promise<void> {
    const { scopes, log } = this.#context;
    await scopes.rested(scope).catch((error: unknown) => {
      log.error({ err: error, effect: id }, "whether a message may go again could not be said");
    });
  }

  /** A call that may not be repeated does not depend on renewals: its lease is made longer than its call before that begins. */
  async #lengthen(begun: Held): Promise<boolean> {
    const leaseMs = this.#context.timeouts.callMs + DESTRUCTIVE_MARGIN_MS;
    const asked = moment(this.#context.clock);
    const [ours] = await this.#context.store.effects.renew([begun], leaseMs);
    begun.lease.extend(asked, DESTRUCTIVE_MARGIN_MS);
    return ours === true;
  }

  #perform(begun: Held, account: Account, session?: Session): Promise<Ending | null> {
    const entry = entryOf(begun.payload);
    switch (entry.type) {
      case "send":
        return performSend(this.#context, begun, entry, account, session);
      case "call":
        return performCall(this.#context, begun, entry, account);
      case "peer":
        return performPeer(this.#context, begun, entry);
    }
  }

  /**
   * Writes one end by itself, so that a partition that does not answer delays no other. The store joins what it is given in
   * one tick.
   */
  async #end(end: SendEnd): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const [answer] = await this.#context.store.effects.end([end]);
        if (answer === "ok" && end.result) this.#context.wake("turns");
        return;
      } catch (error) {
        if (tries === END_TRIES) throw error;
        await pause(END_PAUSE_MS);
      }
    }
  }
}
