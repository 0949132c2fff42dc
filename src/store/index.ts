/** The store: sessions, mailboxes, effects, aliases, documents; on Redis or in one file. `openStore` is the way in. */
export { memoryStore, type MemoryStore, openStore, type StoreOptions } from "./open.ts";
export { createAccountRepository, type AccountPut, type AccountRepository } from "./accounts.ts";
export { newToken } from "./account-tokens.ts";
export { GUARDED, heldClass, holdOf, isGuarded, isHoldReason, type HoldReason } from "./pauses.ts";
export { JOURNAL_DEVELOPMENT, JOURNAL_PRODUCTION, PARTITIONS } from "./limits.ts";
export { Listeners } from "./listeners.ts";
export { Lru } from "./lru.ts";
export { itemsOf } from "./page.ts";
export { RATE_LIMITED } from "./pauses.ts";
export { handover } from "./merge-handover.ts";
export { parseRedisUrl } from "./redis/connection/url.ts";
export { keyOfSecret, KeyRing } from "./sealing/seal.ts";
export { UNREADABLE } from "./sealing/unreadable.ts";
export type {
  Acceptance,
  Accepted,
  Backlog,
  Begun,
  Claimed,
  Commit,
  Committed,
  ContactId,
  DeadLetter,
  DeadLettered,
  EffectState,
  EffectView,
  KeyCensus,
  KeyClaim,
  KeyHold,
  MailItem,
  NewDeadLetter,
  NewEffect,
  Page,
  SendEnd,
  SendOutcome,
  SessionView,
  Store,
  StoreInfo,
} from "./port/port.ts";
export { type StepName, type Steps, withSteps } from "./port/with-steps.ts";
