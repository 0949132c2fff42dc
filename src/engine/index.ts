export {
  ChannelName,
  Content,
  InboundEvent,
  Peer,
  MediaRef,
  AckStatus,
  TEXT_LIMIT,
  type Parsed,
} from "./session/inbound.ts";
export {
  Outbound,
  Choice,
  standing,
  withNumbers,
  Effect,
  EffectClass,
  SendEffect,
  ShownRequest,
  CallEffect,
  PeerEffect,
  Waiter,
} from "./session/effect.ts";
export { ROLES, type Role } from "./turn/programs.ts";
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
} from "./turn/reader.ts";
export { carriesSecret } from "./turn/secret-fields.ts";
export { Mail, CallResult, Timer } from "./session/mail.ts";
export { Session, readSession, restoreSession, SESSION_SCHEMA } from "./session/session.ts";
export { Frame, Invocation } from "./session/frame.ts";
export { JournalRecord } from "./session/journal.ts";
export { keptRecord, wholeRecord } from "./session/stored-record.ts";
export { Account, ChannelSettings, HmacSettings, Operator } from "./session/account.ts";
export {
  accountModel,
  type AccountModel,
  type AccountSection,
  type PathValue,
} from "./session/account-section.ts";
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
} from "./turn/program.ts";
export type { Library } from "./session/turn-draft.ts";
export { type FailingTimer, putTimerOff, setTimerAside, nextDue } from "./turn/timers.ts";
export { run, type TurnItem, type TurnResult } from "./turn/run.ts";
export { routing, type RoutingLine } from "./routing/table.ts";
export { NUMBER_UNKNOWN } from "./stack/events.ts";
export type { TurnEnv } from "./session/turn-draft.ts";
export { businessOf } from "./turn/reader.ts";
