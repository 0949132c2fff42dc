export {
  ChannelName,
  Content,
  InboundEvent,
  Peer,
  MediaRef,
  AckStatus,
  TEXT_LIMIT,
  type Parsed,
} from "./inbound.ts";
export { Outbound, Choice, standing, withNumbers } from "./outbound.ts";
export {
  Effect,
  EffectClass,
  SendEffect,
  ShownRequest,
  CallEffect,
  PeerEffect,
  Waiter,
} from "./effect.ts";
export { ROLES, type Role } from "./roles.ts";
export type {
  About,
  Amendment,
  Doubt,
  EngineHooks,
  Opening,
  Passing,
  Reader,
  ReaderCommand,
  ReaderWords,
  RoleTraits,
  Said,
  Told,
  Wanted,
} from "./reader.ts";
export { carriesSecret } from "./secret-fields.ts";
export { Mail, CallResult } from "./mail.ts";
export {
  Session,
  readSession,
  restoreSession,
  Frame,
  Invocation,
  SESSION_SCHEMA,
} from "./session.ts";
export { Timer } from "./timer.ts";
export { JournalRecord } from "./journal.ts";
export { keptRecord, wholeRecord } from "./kept-record.ts";
export { Account, ChannelSettings, HmacSettings, Operator } from "./account.ts";
export {
  accountModel,
  type AccountModel,
  type AccountSection,
  type PathValue,
} from "./account-section.ts";
export type {
  Program,
  ProgramState,
  ProgramContext,
  ProgramStep,
  FlowEvent,
  Paragraph,
  Demand,
  Expectation,
  ExpectedSlot,
  SlotReading,
  StartOptions,
} from "./program.ts";
export type { Library } from "./library.ts";
export { type FailingTimer, putTimerOff, setTimerAside } from "./failing-timer.ts";
export { nextDue } from "./timers.ts";
export { run, type TurnItem, type TurnResult } from "./run.ts";
export { routing, type RoutingLine } from "./routing/table.ts";
export { NUMBER_UNKNOWN } from "./undelivered.ts";
export type { TurnEnv } from "./draft.ts";
export { businessOf } from "./business.ts";
