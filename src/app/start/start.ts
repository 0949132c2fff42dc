/**
 * The composition root: the only place that makes things and hands them to each other. Starts in the order store, flows,
 * sandbox, worker, listener; stops in the other one, so that what was accepted is finished or safely left in the store.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { createLayouter } from "../../console/index.ts";
import { CurrentLibrary, type FlowLibrary } from "../../flow/index.ts";
import {
  createEventHub,
  createIngest,
  createServerMetrics,
  pluginParts,
  Refusals,
  type EventHub,
  type HubEvent,
  type Ingest,
  type ListenerDeps,
} from "../../server/index.ts";
import { createAccountRepository } from "../../store/accounts.ts";
import { newToken } from "../../store/index.ts";
import {
  createWorker,
  fileByCode,
  sessionLive,
  systemRandom,
  VirtualClock,
  type Worker,
  type WorkerDeps,
  type WorkerEvent,
} from "../../worker/index.ts";
import { leftOut } from "../authoring/finding-formats.ts";
import { openEffects } from "../bot/own-effects.ts";
import { loadWithHistory } from "../loading/flow-history.ts";
import { FlowReader } from "../loading/flow-reader.ts";
import { Kept } from "../loading/kept.ts";
import { reloading } from "../loading/reload.ts";
import { createActions } from "../operator/actions.ts";
import type { Settings } from "../settings.ts";
import { demoAccount } from "./demo.ts";
import { createGateways, workerAccounts, workerChannels } from "./worker-ports.ts";
import { boundHeap, watchLoop } from "./process-limits.ts";
import { keepKeys, openConfiguredStore, refuseEviction, stableKeys } from "./storage.ts";
import { listen, withPorts } from "./listen.ts";
import { openLog } from "./log.ts";
import { addPluginMetrics, deadGauges, holdGauge, workerCounters } from "./metrics.ts";
import {
  addressesOf,
  type Running,
  sentenceOf,
  type StartOptions,
  VERSION,
  Closing,
  GRACE_MS,
} from "./running.ts";
import { followClock, openSandbox, sandboxOf } from "./sandbox-beside.ts";
import { SharedClock } from "./shared-clock.ts";

export async function startProsa(settings: Settings, options: StartOptions): Promise<Running> {
  boundHeap();
  const closing = new Closing();
  try {
    return await compose(await withPorts(settings), options, closing);
  } catch (error) {
    await closing.stop().catch(() => undefined);
    throw error;
  }
}

async function compose(
  settings: Settings,
  { role, wrap, blockedMs }: StartOptions,
  closing: Closing,
): Promise<Running> {
  const [works, listens] = [role !== "ingress", role !== "worker"];
  const registry = new Registry();
  const logging = openLog(settings.logLevel, registry);
  const { log } = logging;
  const tell = (message: string): void => log.error({}, message);
  closing.add(() => logging.close());
  if (blockedMs !== 0) closing.add(watchLoop(blockedMs));
  const opened = await openConfiguredStore(settings);
  const store = wrap?.store?.(opened) ?? opened;
  closing.add(() => store.close());
  await refuseEviction(store, settings);

  const kept = await Kept.of(settings.flowsDir);
  const reader = new FlowReader({ kept });
  closing.add(() => reader.close());
  const loaded = await loadWithHistory(store, {
    folder: settings.flowsDir,
    read: (file) => reader.read(file),
    kept,
  });
  const { accountModel, plugins, panels } = loaded.bot;
  const current = new CurrentLibrary(loaded.library);
  const library: FlowLibrary = wrap?.library?.(current) ?? current;
  for (const [fields, message] of leftOut(library.findings)) log.error(fields, message);
  const own = openEffects(loaded.bot, settings.secrets, tell);
  closing.add(() => own.close());
  for (const problem of own.problems) tell(problem);

  const clock = new VirtualClock();
  const accounts = createAccountRepository(store, accountModel, () => performance.now());
  // Who asks for the demo at a start wants that very business, also after it was removed by hand.
  if (settings.demo) await accounts.put(demoAccount(settings, accountModel), 0, { restore: true });
  const gatewayUrl = settings.gateway.url ?? `http://127.0.0.1:${settings.sandbox.port}/api/v2`;
  const gateways = createGateways(settings, gatewayUrl, accountModel);
  closing.add(() => gateways.close());
  const ownSandbox = settings.gateway.url === undefined && listens;
  const sandboxUrl = await sandboxOf(gatewayUrl, ownSandbox);
  const layouter = createLayouter();
  closing.add(async () => void (await layouter.close()));

  holdGauge(registry, store);
  deadGauges(registry, store);
  const metrics = createServerMetrics(registry);
  const counters = workerCounters(registry);
  const hub = createEventHub({ now: () => Date.now() });
  const refusals = new Refusals(accounts, () => clock.now());
  const { worker, ingest } = connected(hub, metrics, {
    store,
    library,
    clock,
    log,
    random: systemRandom,
    own: own.effects,
    plugins,
    accountModel,
    accounts: workerAccounts(accounts),
    gatewayFor: (account) => gateways.of(account),
    listens,
    refused: (take) => refusals.hand(take),
    channels: workerChannels(settings),
    keys: await stableKeys(store),
    publicUrl: settings.publicUrl,
    counted: (metric, labels) => counters.get(metric)?.(labels),
    timeouts: { callMs: settings.gateway.timeoutMs, fiscalMs: settings.gateway.fiscalTimeoutMs },
    alertUrl: settings.alertUrl,
  });
  addPluginMetrics(counters, registry, plugins, worker.context, tell);

  const shared =
    sandboxUrl !== null && settings.redisUrl !== undefined
      ? await SharedClock.join({
          store,
          clock,
          id: randomUUID(),
          failed: (error) => log.warn({ err: error }, "the shared clock could not be read"),
        })
      : undefined;
  if (shared) closing.add(() => shared.leave());

  const deps: ListenerDeps = {
    store,
    accounts,
    hub,
    metrics,
    log,
    refusals,
    ingest: async (account, channel, events) => {
      await worker.liveness.gate(account.id, channel);
      return ingest(account, channel, events);
    },
    plugins: pluginParts(plugins, worker.context, tell),
    files: (code, how) => fileByCode({ store, clock }, code, how),
    clock: { now: () => clock.now(), offsetMs: () => clock.offsetMs },
    newId: randomUUID,
    newToken: () => newToken(randomBytes),
    live: (session, { zone, now, queued }) =>
      sessionLive(session, { library, account: { zone }, now, queued }),
    actions: createActions({ store, worker, library, clock, layouter, shared, works }),
    version: VERSION,
    startedAt: Date.now(),
    roles: role === "all" ? ["ingress", "worker"] : [role],
    publicUrl: settings.publicUrl,
    gatewayUrl,
    sandboxUrl,
    adminToken: settings.adminToken,
    isStopping: () => closing.isStopping,
  };

  if (ownSandbox) {
    const sandbox = await openSandbox(settings);
    closing.add(() => sandbox.close());
  }
  if (sandboxUrl !== null) await followClock(sandboxUrl, clock);
  if (settings.reload === "off") await reader.close();
  else closing.add(await reloading({ settings, store, log, reader, current, loaded }));
  await worker.start({ works });
  // Begun beside the listeners, so that calls on their way have all of the time; what only listens has none, and writes down last.
  closing.add(() => worker.stop(GRACE_MS), { atOnce: works });
  if (works) closing.add(keepKeys(settings, { store, log, registry }));
  if (listens) {
    // Before the first webhook can come: it waits for what came before.
    worker.liveness.open();
    closing.add(() => worker.liveness.stop());
  }
  const { url, admin } = await listen(settings, deps, role, closing, panels);
  if (listens) worker.liveness.start();
  log.debug({ role, store: settings.redisUrl ? "redis" : "embedded" }, "started");
  return {
    sentence: await sentenceOf(store, library.list().length),
    addresses: addressesOf(settings, role, { admin, gateway: gatewayUrl, sandbox: sandboxUrl }),
    url,
    adminUrl: admin,
    sandboxUrl: sandboxUrl ?? undefined,
    stop: () => closing.stop(),
  };
}

/** The worker and the way in of events, which need each other: what the worker pulls back goes the way of webhooks. */
function connected(
  hub: EventHub,
  metrics: ListenerDeps["metrics"],
  deps: Omit<WorkerDeps, "ingest">,
): { readonly worker: Worker; readonly ingest: Ingest } {
  const worker = createWorker({ ...deps, ingest: (...args) => ingest(...args) });
  const { store, clock } = deps;
  const { echoes, automatic, signals } = worker;
  // `mail`: in the process that also makes the turns, accepting and beginning them is one step.
  const ingest = createIngest({
    store,
    mail: worker,
    clock,
    echoes,
    automatic,
    signals,
    hub,
    metrics,
  });
  worker.onEvent((event) => hub.publish(() => shownOf(event)));
  return { worker, ingest };
}

/** The session stays inside: consoles get the view, in which documents are masked. */
function shownOf(event: WorkerEvent): HubEvent {
  const { session: _session, ...shown } = event as typeof event & { session?: unknown };
  return JSON.parse(JSON.stringify(shown)) as HubEvent;
}
