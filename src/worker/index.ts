/** The worker: turns, outbox, timers and what keeps them honest. I/O, leases and retries; no conversation logic. */
export { createWorker, type Worker } from "./worker.ts";
export type {
  Accounts,
  Channels,
  Keys,
  Log,
  Random,
  RenderedCall,
  WorkerDeps,
  WorkerEvent,
} from "./ports.ts";
export { createKeyKeeper, type KeyKeeper } from "./key-keeper.ts";
export { VirtualClock } from "./clock.ts";
export { systemRandom } from "./draws.ts";
export {
  effects,
  INVOICE_ISSUE,
  IssueInput,
  IssueResult,
  type EffectSpec,
} from "./effects/index.ts";
export { sessionLive, type FrameLive, type SessionLive } from "./live.ts";
export { isSignal, type Signal, type Signals } from "./signals.ts";
export { Invoice, InvoiceState, type Invoices } from "./invoices.ts";
export type { Decided, Decision, Settled, Settling } from "./settle.ts";
export { EffectLine, type Echoes } from "./echoes.ts";
export { creditsScope, planScope } from "./entry.ts";
export type { Scopes } from "./scopes.ts";
export type { Alarm, Alarms } from "./alarms.ts";
export type { Ears } from "./ears.ts";
export { Reconciliation } from "./reconciliation.ts";
export type { Pager } from "./pager.ts";
export type { Pages } from "./paging.ts";
export { Gap, type Gaps } from "./gaps.ts";
