/** The door of plugins, imported as `prosa/plugin`: all that a plugin may use of the runtime. */
export type { Bot, Plugin } from "./app/bot/plugin.ts";
export type { PluginCommand } from "./app/operator/client.ts";
export { UsageError } from "./app/places.ts";
export type {
  CallRow,
  ConsoleKit,
  ConsoleParts,
  Decided,
  Drawn,
  EffectAdvice,
  EffectDecision,
  FaultPreset,
  HeldEffect,
  OpenPanels,
  Panel,
  PanelIcon,
  WaitingPart,
  WaitingRow,
} from "./console/index.ts";
export { threadUrl } from "./app/loading/program.js";
export { z } from "zod";
export { definePipe, defineRule } from "./flow/index.ts";
export type { CallFailed, CallRefused } from "./flow/index.ts";

// From here on: what the rooms of the runtime give.
export { Fault, type Json, type JsonObject, type Log } from "./base/index.ts";
export {
  addDays,
  addMonths,
  Address,
  ADDRESS_LIMITS,
  bareDocument,
  documentType,
  fold,
  foldWords,
  formatBrl,
  formatCep,
  formatCnpj,
  formatDocument,
  formatPhone,
  instantOf,
  isCnpj,
  isDay,
  isoWithOffset,
  isZone,
  lastDayOf,
  latinText,
  localDay,
  localTime,
  maskDocument,
  maskText,
  MAX_CENTS,
  townByCode,
  townLabel,
  townsByName,
  Uf,
  ufOfCep,
  UFS,
} from "./brazil/index.ts";
export { aliases } from "./channels/index.ts";
export {
  type About,
  type Account,
  type AccountSection,
  type Amendment,
  CallResult,
  type Doubt,
  type Expectation,
  type ExpectedSlot,
  type Mail,
  type Opening,
  type Passing,
  type ProgramContext,
  type Reader,
  type Said,
  type Session,
  type Told,
  Waiter,
  type Wanted,
} from "./engine/index.ts";
export { type AddedTexts, chatWords, defineKind } from "./flow/index.ts";
export {
  aammOf,
  type CallOutcome,
  errorsIn,
  isKeyOf,
  NfseDados,
  readAccessKey,
  routeOf,
} from "./gateway/index.ts";
export { answerOf } from "./server/api/outbox.ts";
export {
  route,
  SENT,
  AccountId,
  AccountPath,
  flag,
  Reason,
  Rev,
  reveal,
} from "./server/api/route.ts";
export { createGate } from "./server/webhooks/overload.ts";
export { ABSENT, type ApiRoute, declined, type Done, masked, stale } from "./server/index.ts";
export { NOT_FOUND, refuse } from "./server/problem.ts";
export {
  type Begun,
  type EffectView,
  type KeyHold,
  keyOfSecret,
  type Page,
  type Store,
  UNREADABLE,
} from "./store/index.ts";
export { type FoundDay, scanDays } from "./understanding/dates/date-scan.ts";
export { DAY_PATTERN, MONTH_PATTERN } from "./understanding/dates/date-words.ts";
export { fragmentsOf } from "./understanding/people/document-scan.ts";
export { document } from "./understanding/people/document.ts";
export { serviceText } from "./understanding/choices/free-text.ts";
export {
  type Business,
  CORRECTION_LEAD,
  dayEcho,
  documentAndName,
  FIRST_NAMES,
  isServiceWord,
  MAX_ANSWER,
  monthEcho,
  namedService,
  personOrCompany,
  plainOf,
  type SaidCommand,
  type TextContext,
  tidy,
  understand,
} from "./understanding/index.ts";
export { money } from "./understanding/money/money.ts";
export { isInstead, KIN } from "./understanding/people/name.ts";
export { isNumbered, withoutNumbered } from "./understanding/money/numbered.ts";
export { phone } from "./understanding/people/phone.ts";
export { plain, trimEnds } from "./understanding/plain.ts";
export { isSlip } from "./understanding/choices/similar-option.ts";
export type { Usage } from "./worker/alarms/sums.ts";
export { isReachable, type Notice, tellOperators } from "./worker/operators.ts";
export { callGateway } from "./worker/calls.ts";
export { changeDocument, documentsOf } from "./worker/context/document.ts";
export { newCode } from "./worker/ports.ts";
export { each } from "./worker/loop.ts";
export { done, refused } from "./worker/effects/spec.ts";
export { routeEffect } from "./worker/effects/route-effect.ts";
export type { Asking, PreparedCall, Proof } from "./worker/effects/spec.ts";
export { field, textField } from "./worker/calls.ts";
export type { Held } from "./worker/fleet/effect-lease.ts";
export type { Documents, Kept } from "./worker/context/hooks.ts";
export {
  type Context,
  creditsScope,
  type EffectSpec,
  type Keys,
  type LocalSpec,
  type LocalWork,
  personOf,
  planScope,
  putFile,
  type Random,
  RATE_LIMITED,
  verdict,
  type Verdict,
  type WorkerHooks,
} from "./worker/index.ts";
export { type Ending, failed } from "./worker/outbox/ending.ts";
export { type CallEntry, entryOf, payloadOf } from "./worker/outbox/entry.ts";
export { TOLD } from "./worker/outbox/pacing/scopes.ts";
export { CRASHED } from "./worker/outbox/sending/crash-counter.ts";
export { isOnePerson, type Person } from "./worker/context/person.ts";
