/**
 * The reaper: judges by class what dead processes left in flight, as if the answer had been lost. It also does the cleaning
 * of each minute: results that were known but not told, and failed sends that are too old.
 */
import type { Account } from "../../engine/index.ts";
import type { CallOutcome } from "../../gateway/index.ts";
import { Lru, UNREADABLE } from "../../store/index.ts";
import type { Begun, EffectView, SendEnd } from "../../store/port/port.ts";
import { concludeCall, isKept, unknownEffect } from "./call.ts";
import type { SendContext } from "../context/contexts.ts";
import { ownSpec } from "../effects/own.ts";
import { type Ending, failedSend, sendEnd, waiting } from "./ending.ts";
import { type CallEntry, entryOf, type SendEntry } from "./entry.ts";
import { Loop, Tour } from "../loop.ts";
import type { Leases } from "../fleet/effect-lease.ts";
import { performPeer } from "./sending/peer.ts";
import { proveCostly } from "./proofs.ts";
import { remindOf } from "./pacing/releases.ts";
import { hashesOf, settleHeld } from "./pacing/unsettled-sends.ts";
import { mayBeQueued, provedSend } from "./sending/send.ts";
import {
  forgetCrashes,
  heldForCrashes,
  lost,
  crashed,
  crashes,
  sweepCrashes,
} from "./sending/crash-counter.ts";
import { verdict } from "./verdict.ts";

const EVERY_MS = 1_000;
/** Judging takes no gateway call, so a short lease is enough. */
const LEASE_MS = 10_000;
const LIMIT = 100;
/** Pause between two cleaning rounds, ms. */
const SWEEP_MS = 60_000;
/** Pages of held effects that one round looks at; the next round continues there. */
const PAGES = 10;
/** Unreadable effects whose alarm was raised. */
const TOLD = 1_000;
/** Failed sends are kept for a person this long. */
const FAILED_SEND_MS = 7 * 86_400_000;

/** What is known of a call whose process died. */
const LOST: CallOutcome = { kind: "unknown", reason: "reset", ms: 0 };

export class Reaper {
  readonly #context: SendContext;
  readonly loop: Loop;
  #sweptAt = -Infinity;
  readonly #leases: Leases;
  readonly #held: Tour<EffectView>;
  readonly #told = new Lru<string, true>(TOLD);

  constructor(context: SendContext, leases: Leases) {
    this.#context = context;
    this.#leases = leases;
    this.#held = new Tour(PAGES, (after) => context.store.views.held({ limit: LIMIT, after }));
    this.loop = new Loop({
      round: async () => {
        const reaped = await this.runOnce();
        await this.#sweep();
        return reaped >= LIMIT;
      },
      idleMs: () => EVERY_MS,
      failed: (error) => context.log.error({ err: error }, "effects in flight could not be judged"),
    });
  }

  /** Judges what is past its lease; answers how many. */
  async runOnce(): Promise<number> {
    const { store } = this.#context;
    // After a sleep of this machine or of the store, our own running calls must not be judged.
    await this.#leases.renew();
    const reaped = await store.effects.reap({ limit: LIMIT, leaseMs: LEASE_MS });
    const thrown = await crashes(
      this.#context,
      reaped.map(({ id }) => id),
    );
    for (const begun of reaped) {
      try {
        await this.#settle(begun, thrown.get(begun.id) ?? 0);
      } catch (error) {
        // Its lease runs out again and it is judged then; the others of this round are judged now.
        this.#context.log.error({ err: error, effect: begun.id }, "an effect could not be judged");
        await crashed(this.#context, begun.id, error);
      }
    }
    return reaped.length;
  }

  /** `thrown`: how often handling it threw. */
  async #settle(begun: Begun, thrown: number): Promise<void> {
    const { store } = this.#context;
    const held = await heldForCrashes(this.#context, begun, thrown);
    const end = held ?? (await this.#endOf(begun));
    const [written] = await store.effects.end([end]);
    if (written === "ok" && end.result) this.#context.wake("turns");
    this.#context.wake("outbox");
    if (held && written === "ok") await forgetCrashes(this.#context, begun.id);
  }

  async #endOf(begun: Begun): Promise<SendEnd> {
    const account = await this.#context.accounts.get(begun.account);
    const ending: Ending = account
      ? await this.#judge(begun, account)
      : { outcome: { kind: "held", reason: "account_unknown" } };
    return sendEnd(this.#context, begun, entryOf(begun.payload), ending);
  }

  async #judge(begun: Begun, account: Account): Promise<Ending> {
    const entry = entryOf(begun.payload);
    switch (entry.type) {
      case "peer":
        return performPeer(this.#context, begun, entry);
      case "send":
        return this.#judgeSend(begun, entry, account);
      case "call":
        return this.#judgeCall(begun, entry, account);
    }
  }

  async #judgeSend(begun: Begun, entry: SendEntry, account: Account): Promise<Ending> {
    const queued = mayBeQueued(this.#context, entry, account);
    const hashes = hashesOf(this.#context, entry, account);
    const proved =
      queued && (await provedSend(this.#context, { begun, hashes, since: entry.work.at }));
    if (proved) return proved;
    // Every route by which a message leaves is of the class `message`.
    const judged = verdict(
      { route: "message.sendText", queued, onTimeout: account.onTimeout, attempt: begun.attempt },
      LOST,
    );
    const { attempt, scope } = begun;
    const waits = await waiting(this.#context, judged, { attempt, scope });
    if (waits) return waits;
    const reason = judged.kind === "held" ? judged.reason : "failed:reset";
    return failedSend(this.#context, begun, entry, reason);
  }

  async #judgeCall(begun: Begun, entry: CallEntry, account: Account): Promise<Ending> {
    // It is done again: twice has the same effect as once.
    const { calls, locals } = this.#context.effects;
    if (locals.has(entry.name)) return this.#unsent(begun);
    const call = calls.get(entry.name);
    const own = this.#context.own?.get(entry.name);
    const spec = call ?? (own && ownSpec(own));
    if (!spec) return unknownEffect(this.#context, entry);
    // Bytes are frozen before the first send: without them nothing left.
    if (isKept(spec) && !entry.work.frozen) return this.#unsent(begun);
    const judge = () => concludeCall(this.#context, { begun, entry, account, spec }, LOST);
    return call?.lost ? call.lost(this.#context, { begun, entry, account, judge }) : judge();
  }

  /** Begun again as if it never had been, but counted, because its process may have died of it. */
  async #unsent({ id }: Begun): Promise<Ending> {
    await lost(this.#context, id);
    return { outcome: { kind: "not_sent", at: this.#context.clock.now() } };
  }

  async #sweep(): Promise<void> {
    const { clock, echoes, automatic, budget, log } = this.#context;
    if (clock.real() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = clock.real();
    // Each by itself, so that one that cannot be opened does not stop the others.
    const rounds: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => budget.flush(), "what calls used could not be written down"],
      [() => echoes.sweep(), "echoes could not be looked through"],
      [() => automatic.sweep(), "words of the phone's app could not be looked through"],
      [() => sweepCrashes(this.#context), "effects that threw once could not be looked through"],
      [() => this.#lookAtHeld(), "held effects could not be looked through"],
    ];
    for (const [round, trouble] of rounds)
      await round().catch((error: unknown) => log.error({ err: error }, trouble));
  }

  /** A failure with one effect does not keep the others from being looked at. */
  async #lookAtHeld(): Promise<void> {
    await this.#held.round((effect) =>
      this.#keep(effect).catch((error: unknown) => {
        this.#context.log.error(
          { err: error, effect: effect.id },
          "a held effect could not be looked at",
        );
      }),
    );
  }

  /** Does for one held effect what needs no person. */
  async #keep(effect: EffectView): Promise<void> {
    const { clock, store } = this.#context;
    if (effect.reason === UNREADABLE) {
      await this.#freePlace(effect);
      this.#tellUnreadable(effect);
    } else {
      const entry = entryOf(effect.payload);
      const { id, account, contact } = effect;
      if (entry.type === "send" && clock.now() - entry.work.at > FAILED_SEND_MS)
        await store.effects.resolve({ id, account, contact, action: "finish" });
      // An echo that was heard while its send was being written as held.
      else if (entry.type === "send" && effect.attempt > 0) await settleHeld(this.#context, effect);
      await remindOf(this.#context, effect);
      const spec = entry.type === "call" ? this.#context.effects.calls.get(entry.name) : undefined;
      await spec?.repair?.(this.#context, effect);
      if (effect.class === "costly") await proveCostly(this.#context, effect);
    }
  }

  /** What cannot be read can never leave: later messages of its contact no longer wait for it. */
  async #freePlace({ inPlace, id, account, contact, rev }: EffectView): Promise<void> {
    if (!inPlace) return;
    const decision = { id, account, contact, rev, reason: UNREADABLE, action: "hold" } as const;
    await this.#context.store.effects.resolve(decision);
  }

  /** The store held it, and no process raised an alarm. */
  #tellUnreadable({ id, account, class: kind }: EffectView): void {
    if (this.#told.has(id)) return;
    this.#told.set(id, true);
    this.#context.alarms.raise({
      code: "effect.held",
      account,
      subject: id,
      message: `What is stored of a ${kind} call or message cannot be opened (changed bytes, or a key that is not in PROSA_KEYS); a person decides.`,
    });
  }
}
