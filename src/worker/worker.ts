/**
 * The worker: the loops put together. What must not be lost is in the store, so any number of workers may run, and one may be
 * killed at any moment.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Alarms } from "./alarms/alarms.ts";
import { Backfill } from "./backfill/backfill.ts";
import { Budget } from "./alarms/budget.ts";
import { callGateway } from "./calls.ts";
import type { Context } from "./context/context.ts";
import { Leases } from "./fleet/effect-lease.ts";
import { WorkerRegistry } from "./fleet/worker-registry.ts";
import { createEffects } from "./effects/table.ts";
import { Liveness } from "./backfill/liveness.ts";
import { AutomaticWords } from "./outbox/sending/automatic-words.ts";
import { Echoes } from "./outbox/sending/echoes.ts";
import { planScope } from "./outbox/entry.ts";
import { Filters } from "./backfill/filters.ts";
import { Gaps } from "./backfill/gaps.ts";
import { Jobs } from "./outbox/queue/jobs.ts";
import { Outbox } from "./outbox/outbox.ts";
import { Pager } from "./alarms/pager.ts";
import { raiseOfStore, StoreProbe } from "./fleet/store-probe.ts";
import { Queue } from "./outbox/queue/queue.ts";
import { Listeners } from "../store/index.ts";
import { each, Heartbeat, type HeartbeatPart } from "./loop.ts";
import { Pacing } from "./outbox/pacing/pacing.ts";
import type { Worker, WorkerDeps } from "./deps.ts";
import type { WorkerEvent } from "./events.ts";
import { Reaper } from "./outbox/reaper.ts";
import { rememberedAccounts } from "./remembered-accounts.ts";
import { Releases } from "./outbox/pacing/releases.ts";
import { Scopes } from "./outbox/pacing/scopes.ts";
import { type SignalContext, Signals } from "./signals.ts";
import { Timers } from "./turns/timers.ts";
import { Turns } from "./turns/turns.ts";
import { ClockRounds } from "./clock-rounds.ts";

/** Total time of a gateway call, unless the settings say otherwise. */
const TIMEOUTS = { callMs: 20_000, fiscalMs: 60_000 } as const;
/** How long a stop waits for calls on their way. */
const GRACE_MS = 30_000;
/** A worker that does not become quiet within this time fails the wait, instead of letting it hang. */
const DRAIN_LIMIT_MS = 120_000;
/** At the start timers wait this long at most for answers that were given while no process listened. */
const CATCH_UP_MS = 10_000;

export function createWorker(deps: WorkerDeps): Worker {
  const { store, clock, log, counted } = deps;
  const owner = randomUUID();
  const events = new Listeners<WorkerEvent>();
  const emit = (event: WorkerEvent) => events.tell(event);
  const wakes = new Listeners<"turns" | "outbox">();
  const wake = (what: "turns" | "outbox") => wakes.tell(what);
  const alarms = new Alarms({
    log,
    emit,
    now: () => clock.real(),
    url: deps.alertUrl,
    counted: (code) => counted?.("alarms", { code }),
  });
  raiseOfStore(store, alarms);
  const accounts = rememberedAccounts(deps, alarms);
  const effects = deps.effects ?? createEffects(deps.plugins);
  const effectNames = [effects.calls, effects.locals, deps.own ?? new Map<string, unknown>()];
  const heartbeat = new Heartbeat();
  const workers = new WorkerRegistry(
    { store, log, library: deps.library, effects: effectNames.flatMap((all) => [...all.keys()]) },
    () => clock.shared(),
  );
  const budget = new Budget(store, alarms, () => clock.now());
  const gaps = new Gaps(store);
  const call = { ...deps, accounts, alarms, budget, emit, wake };
  const automatic = new AutomaticWords(call);
  const filters = new Filters(call);
  const releases = new Releases({ ...call, effects });
  const scopes = new Scopes({
    store,
    accounts,
    alarms,
    emit,
    log,
    now: () => clock.shared(),
    probe: (account, route) => callGateway(call, account, route, {}, {}, { attempt: 1 }),
    ending: (scope) => releases.letGo(scope),
    resumed: () => wake("outbox"),
  });
  const pager = new Pager({ ...call, scopes });
  alarms.onRaise((alarm) => pager.hear(alarm));
  const backfill = new Backfill({ ...call, scopes, pager, gaps }, owner);
  const liveness = new Liveness({
    store,
    accounts,
    clock,
    log,
    gaps,
    alarms,
    refused: deps.refused,
    isPaused: (account) => scopes.isPaused(planScope(account)),
    noticed: () => backfill.wake(),
    heartbeat,
  });
  const services = new Map<unknown, unknown>();
  const context: SignalContext = {
    ...call,
    use: <T>(open: (context: Context) => T): T => {
      if (!services.has(open)) services.set(open, open(context));
      return services.get(open) as T;
    },
    timeouts: deps.timeouts ?? TIMEOUTS,
    effects,
    workers,
    scopes,
    pager,
    gaps,
    automatic,
    filters,
    liveness,
    pacing: new Pacing(clock, deps.random, workers),
    echoes: new Echoes(store, deps.keys, () => clock.now()),
    queue: new Queue(() => clock.real()),
  };
  const leases = new Leases(context, heartbeat);
  const outbox = new Outbox(context, leases);
  const timers = new Timers(context, outbox);
  const clockRounds = new ClockRounds(context, owner);
  const turns = new Turns(
    { ...context, accountModel: deps.accountModel, automatic, events },
    outbox,
    {
      owner,
      due: (at) => timers.expect(at),
    },
  );
  wakes.add((what) => (what === "turns" ? turns.wake() : outbox.wake()));
  const reaper = new Reaper(context, leases);
  /** Of a process that only takes webhooks: what it heard and counted, for the processes that tell it. */
  let flushing: Promise<void> | undefined;
  const flusher: HeartbeatPart = {
    // A crash loses at most what came within this time. What must not be lost is waited for where it arises.
    everyMs: 2_000,
    beat: () =>
      (flushing ??= pager
        .stored()
        .then(() => budget.flush())
        .catch((error: unknown) =>
          log.error({ err: error }, "what was heard could not be written down"),
        )
        .finally(() => (flushing = undefined))),
  };
  const jobs = new Jobs(context);
  const storeProbe = new StoreProbe({ store, clock, alarms, log });
  let off: (() => void)[] = [];
  let running = false;

  const wakeAll = () => {
    turns.wake();
    outbox.wake();
    timers.loop.ring();
  };
  const drain = async () => {
    const until = clock.real() + DRAIN_LIMIT_MS;
    for (;;) {
      const before = turns.done + outbox.done;
      const from = clock.now();
      await scopes.round(true);
      const moved = await timers.runOnce();
      const claimed = await turns.runOnce();
      const begun = await outbox.runOnce();
      await outbox.settled();
      const settled = await jobs.round();
      const missed = await backfill.round();
      const told = (await clockRounds.hurry()) + (await pager.round());
      const still =
        moved + claimed + begun + settled + missed + told === 0 &&
        turns.active + outbox.active === 0;
      // The state before the timers were moved: what became due since was not looked at.
      const waits = turns.waitingUntil - from;
      const paced = still ? context.pacing.nextMs : undefined;
      if (paced !== undefined) await pause(paced);
      else if (still && turns.done + outbox.done === before && waits < 0) return;
      if (still && waits >= 0) await pause(Math.max(0, turns.waitingUntil - clock.now()) + 1);
      if (clock.real() > until) throw new Error("the worker did not get quiet in two minutes");
      if (claimed === 0 && turns.active > 0) await pause(1);
    }
  };
  return {
    context,
    scopes,
    alarms,
    jobs,
    wake: wakeAll,
    drain,
    liveness,
    gaps,
    pager,
    usage: (account) => budget.usage(account),
    accept: (items) => turns.accept(items),
    async round(of) {
      if (of === "outbox") await scopes.round(true);
      return { outbox, reaper, timers, turns }[of].runOnce();
    },
    inHand: () => outbox.active,
    signals: new Signals(context),
    echoes: context.echoes,
    automatic,
    async start({ works } = { works: true }) {
      if (!works) {
        heartbeat.add(flusher);
        return;
      }
      await storeProbe.start();
      await workers.say();
      for (const part of [storeProbe, workers]) heartbeat.add(part);
      await scopes.round(true);
      off = [
        store.onUnconfirmed(() =>
          alarms.raise({
            code: "replicas.missing",
            subject: "store",
            message:
              "Too few of Redis' required replicas confirm: calls that must not be made twice wait.",
          }),
        ),
        store.onWake((what) => (what === "turns" ? turns.hint() : outbox.hint())),
        clock.onMove(() => {
          emit({ type: "clock", now: clock.now() });
          jobs.hurry();
          wakeAll();
        }),
      ];
      for (const part of [turns, outbox, backfill]) part.start();
      for (const { loop } of [reaper, jobs, clockRounds, pager]) loop.start();
      // A reminder would be wrong while the answer to its question is being pulled back.
      running = true;
      const ready = deps.listens === true ? liveness.caughtUp(CATCH_UP_MS) : Promise.resolve();
      void ready
        .catch((error: unknown) =>
          log.warn({ err: error }, "timers did not wait for what was missed"),
        )
        .then(() => {
          if (running) timers.loop.start();
        });
    },
    async stop(graceMs = GRACE_MS) {
      for (const part of [storeProbe, flusher]) heartbeat.remove(part);
      running = false;
      for (const end of off) end();
      off = [];
      const over = pause(graceMs, undefined, { ref: false });
      const loops = [timers, reaper, jobs, clockRounds].map(({ loop }) => loop);
      const ended = [turns, backfill, outbox, ...loops].map((part) => part.stop());
      await Promise.race([Promise.all(ended), over]);
      await Promise.race([outbox.settled(), over]);
      if (outbox.active > 0)
        log.warn(
          { calls: outbox.active },
          "stopped with calls on their way; they are judged later",
        );
      // Other workers judge what is still in hand when its lease has run out.
      leases.stop();
      heartbeat.remove(workers);
      // Each part is stopped by itself: one that fails does not keep the others from stopping.
      const last = [
        () => filters.settled(),
        () => pager.stop(),
        () => workers.stop(),
        () => budget.flush(),
        () => alarms.settle(),
      ];
      await each(last, (end) => Promise.race([end(), over]));
    },
    onEvent: (listener) => events.add(listener),
  };
}
