/**
 * The composition root: the only place that makes things and hands them to each other. Starts in the order store, flows,
 * sandbox, worker, listener; stops in the other one, so that what was accepted is finished or safely left in the store.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Registry } from "prom-client";
import { Fault } from "../../base/index.ts";
import { createLayouter } from "../../console/index.ts";
import { CurrentLibrary, type FlowLibrary } from "../../flow/index.ts";
import {
  createEventHub,
  createIngest,
  createServerMetrics,
  pluginParts,
  Refusals,
  type HubEvent,
  type ListenerDeps,
} from "../../server/index.ts";
import { createAccountRepository, newToken } from "../../store/accounts.ts";
import type { Store } from "../../store/port/port.ts";
import {
  createWorker,
  fileByCode,
  sessionLive,
  systemRandom,
  VirtualClock,
} from "../../worker/index.ts";
import { createActions } from "../operator/actions.ts";
import { Closing, GRACE_MS } from "./closing.ts";
import { demoAccount } from "./demo.ts";
import { openEffects } from "../bot/own-effects.ts";
import { openLog } from "./log.ts";
import { leftOut } from "../authoring/finding-formats.ts";
import { FlowReader } from "../loading/flow-reader.ts";
import { loadWithHistory } from "../loading/flow-history.ts";
import { Kept } from "../loading/kept.ts";
import { boundHeap } from "./heap.ts";
import { listen } from "./listen.ts";
import { createGateways } from "./gateways.ts";
import { keepKeys } from "./keep-keys.ts";
import { reloading } from "../loading/reloading.ts";
import { withPorts } from "./ports.ts";
import { stableKeys } from "./stable-keys.ts";
import { followClock, openSandbox, sandboxOf } from "./sandbox-beside.ts";
import type { Settings } from "../settings.ts";
import { SharedClock } from "./shared-clock.ts";
import { openConfiguredStore } from "./storage.ts";
import { watchLoop } from "./watchdog.ts";
import { workerChannels } from "./worker-channels.ts";
import { pluginMetrics } from "../metrics/plugin-metrics.ts";
import { deadGauges, holdGauge, workerCounters } from "../metrics/worker-metrics.ts";

export type Role = "all" | "ingress" | "worker";

export interface Running {
  /** What was started, as a sentence. */
  readonly sentence: string;
  /** Name and address, in the order they are shown. */
  readonly addresses: readonly (readonly [string, string])[];
  readonly url: string;
  readonly adminUrl: string;
  readonly sandboxUrl: string | undefined;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly role: Role;
  /** What a program that embeds the bot puts around its parts; the fault tests put their faults there. */
  readonly wrap?: {
    readonly store?: (store: Store) => Store;
    readonly library?: (library: FlowLibrary) => FlowLibrary;
  };
  /** Standing still of the event loop after which the process ends itself, ms; 0 = never. */
  readonly blockedMs?: number;
}

export const VERSION = (
  JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  }
).version;

export async function startProsa(settings: Settings, options: StartOptions): Promise<Running> {
  boundHeap();
  const closing = new Closing();
  try {
    return await compose(settings, options, closing);
  } catch (error) {
    await closing.stop().catch(() => undefined);
    throw error;
  }
}

async function compose(
  given: Settings,
  { role, wrap, blockedMs }: StartOptions,
  closing: Closing,
): Promise<Running> {
  const settings = await withPorts(given);
  const registry = new Registry();
  const logging = openLog(settings.logLevel, registry);
  const { log } = logging;
  closing.add(() => logging.close());
  if (blockedMs !== 0) closing.add(watchLoop(blockedMs));
  const opened = await openConfiguredStore(settings);
  const store = wrap?.store?.(opened) ?? opened;
  closing.add(() => store.close());
  await refuseEviction(store, settings);

  const ownSandbox = settings.gateway.url === undefined && role !== "worker";
  const gatewayUrl = settings.gateway.url ?? `http://127.0.0.1:${settings.sandbox.port}/api/v2`;
  const clock = new VirtualClock();
  const kept = await Kept.of(settings.flowsDir);
  const reader = new FlowReader({ kept });
  closing.add(() => reader.close());
  const loaded = await loadWithHistory(store, {
    folder: settings.flowsDir,
    read: (file) => reader.read(file),
    kept,
  });
  const { accountModel } = loaded.bot;
  const accounts = createAccountRepository(store, accountModel, () => performance.now());
  // Who asks for the demo at a start wants that very business, also after it was removed by hand.
  if (settings.demo) await accounts.put(demoAccount(settings, accountModel), 0, { restore: true });
  const own = openEffects(loaded.bot, settings.secrets, (message) => log.error({}, message));
  closing.add(() => own.close());
  for (const problem of own.problems) log.error({}, problem);
  const current = new CurrentLibrary(loaded.library);
  const library = wrap?.library?.(current) ?? current;
  for (const [fields, message] of leftOut(library.findings)) log.error(fields, message);

  const metrics = createServerMetrics(registry);
  holdGauge(registry, store);
  deadGauges(registry, store);
  const hub = createEventHub({ now: () => Date.now() });
  const gateways = createGateways(settings, gatewayUrl, accountModel);
  closing.add(() => gateways.close());
  const layouter = createLayouter();
  closing.add(async () => void (await layouter.close()));

  const measured = pluginMetrics(
    registry,
    loaded.bot.plugins,
    () => worker.context,
    (message) => log.error({}, message),
  );
  const refusals = new Refusals(accounts, () => clock.now());
  const worker = createWorker({
    store,
    library,
    clock,
    log,
    random: systemRandom,
    own: own.effects,
    plugins: loaded.bot.plugins,
    accountModel,
    accounts: {
      get: async (id) => (await accounts.get(id))?.account ?? null,
      ids: () => accounts.ids(),
      removed: () => accounts.removed(),
      change: (id, change) => accounts.change(id, change),
      onChange: (listener) => accounts.onChange(listener),
    },
    gatewayFor: (account) => gateways.of(account),
    listens: role !== "worker",
    refused: (take) => refusals.hand(take),
    ingest: (...args) => ingest(...args),
    channels: workerChannels(settings),
    keys: await stableKeys(store),
    publicUrl: settings.publicUrl,
    counted: workerCounters(registry, measured),
    timeouts: { callMs: settings.gateway.timeoutMs, fiscalMs: settings.gateway.fiscalTimeoutMs },
    alertUrl: settings.alertUrl,
  });
  worker.onEvent((event) => {
    hub.publish(() => {
      // The session stays inside: consoles get the view, in which documents are masked.
      const { session: _session, ...shown } = event as typeof event & { session?: unknown };
      return JSON.parse(JSON.stringify(shown)) as HubEvent;
    });
  });

  const sandboxUrl = await sandboxOf(gatewayUrl, ownSandbox);
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

  // `mail`: in the process that also makes the turns, accepting and beginning them is one step.
  const { echoes, automatic, signals } = worker;
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
  let stopping = false;
  let working: Promise<void> | undefined;
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
    plugins: pluginParts(loaded.bot.plugins, worker.context, (message) => log.error({}, message)),
    files: (code, how) => fileByCode({ store, clock }, code, how),
    clock: { now: () => clock.now(), offsetMs: () => clock.offsetMs },
    newId: randomUUID,
    newToken: () => newToken(randomBytes),
    live: (session, { zone, now, queued }) =>
      sessionLive(session, { library, account: { zone }, now, queued }),
    actions: createActions({
      store,
      worker,
      library,
      clock,
      layouter,
      shared,
      works: role !== "ingress",
    }),
    name: "prosa",
    version: VERSION,
    startedAt: Date.now(),
    roles: role === "all" ? ["ingress", "worker"] : [role],
    locale: "pt-BR",
    publicUrl: settings.publicUrl,
    gatewayUrl,
    sandboxUrl,
    adminToken: settings.adminToken,
    isStopping: () => stopping,
  };

  if (deps.sandboxUrl !== null && !ownSandbox) await followClock(deps.sandboxUrl, clock);
  if (ownSandbox) {
    const sandbox = await openSandbox(settings);
    closing.add(() => sandbox.close());
    await followClock(sandbox.url(), clock);
  }
  if (settings.reload !== "off")
    closing.add(await reloading({ settings, store, log, reader, current, loaded }));
  else await reader.close();
  await worker.start({ works: role !== "ingress" });
  closing.add(() => (working ??= worker.stop(GRACE_MS)));
  if (role !== "ingress") closing.add(keepKeys(settings, { store, log, registry }));
  if (role !== "worker") {
    // Before the first webhook can come: it waits for what came before.
    worker.liveness.open();
    closing.add(() => worker.liveness.stop());
  }
  const addresses = await listen(settings, deps, role, closing, loaded.bot.panels);
  if (role !== "worker") worker.liveness.start();
  closing.add(async () => {
    stopping = true;
    // Beside the listeners, so that calls on their way have all of the time; what only listens has none, and writes down last.
    if (role !== "ingress") working = worker.stop(GRACE_MS);
  });
  log.debug({ role, store: settings.redisUrl ? "redis" : "embedded" }, "started");
  return {
    sentence: await sentenceOf(store, library.list().length),
    addresses: [
      ["Console", addresses.admin],
      ...(role === "worker"
        ? []
        : ([["Webhooks", `${settings.publicUrl}/webhooks/<channel>/<token>`]] as const)),
      ...(deps.sandboxUrl === null
        ? ([["Gateway", gatewayUrl]] as const)
        : ([["Sandbox", deps.sandboxUrl]] as const)),
    ],
    url: addresses.url,
    adminUrl: addresses.admin,
    sandboxUrl: deps.sandboxUrl ?? undefined,
    stop: () => closing.stop(),
  };
}

/** Where people are served, a store that throws away what it accepted is no store. */
async function refuseEviction(store: Store, { demo }: Settings): Promise<void> {
  const { evicts, sentence } = await store.info();
  if (evicts !== undefined && !demo) throw new Fault("SETTING_INVALID", sentence);
}

async function sentenceOf(store: Store, flows: number): Promise<string> {
  const { kind, durability } = await store.info();
  return `${VERSION} · ${kind} store (${durability}) · ${flows} flows`;
}
