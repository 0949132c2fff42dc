/** The worker: turns, outbox, timers and what keeps them honest. I/O, leases and retries; no conversation logic. */
export { createWorker, type Worker } from "./worker.ts";
export type { Context } from "./context/context.ts";
export type { Decision, Measured, Metric, Plugged, WorkerHooks } from "./context/hooks.ts";
export type { Accounts, Channels, Keys, Log, Random, RenderedCall } from "./ports.ts";
export type { WorkerDeps } from "./deps.ts";
export type { WorkerEvent } from "./events.ts";
export { createKeyKeeper, type KeyKeeper } from "./fleet/key-keeper.ts";
export { fileByCode, openFileLink } from "./context/file-links.ts";
export { putFile } from "./context/files.ts";
export { VirtualClock } from "./clock.ts";
export { systemRandom } from "./context/randomness.ts";
export {
  createEffects,
  type EffectTable,
  type LocalSpec,
  type LocalWork,
  type EffectSpec,
  httpCall,
  type OwnCall,
  type OwnEffects,
  publicLookup,
} from "./effects/index.ts";
export { sessionLive, type FrameLive, type SessionLive } from "./session-view.ts";
export type { Signals } from "./signals.ts";
export type { Echoes } from "./outbox/sending/echoes.ts";
export { EffectLine } from "./outbox/effect-line.ts";
export { RATE_LIMITED } from "./outbox/pacing/releases.ts";
export { verdict, type Verdict } from "./outbox/verdict.ts";
export { creditsScope, localScope, planScope } from "./outbox/entry.ts";
export type { Scopes } from "./outbox/pacing/scopes.ts";
export type { Alarm, Alarms } from "./alarms/alarms.ts";
export type { Liveness } from "./backfill/liveness.ts";
export type { Pager } from "./alarms/pager.ts";
export type { Pages } from "./alarms/paging.ts";
export { Gap, type Gaps } from "./backfill/gaps.ts";
export { personOf } from "./context/person.ts";
export { exportedOf, forgetPerson } from "./privacy/index.ts";
