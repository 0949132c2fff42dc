/** How the sandbox answers, queues and issues; switched by its controls. */
import { z } from "zod";

export const InvoicingSettings = z.strictObject({
  /** `sync`: the answer holds the note. `async`: the answer says `processando`, the note comes later. */
  mode: z.enum(["sync", "async"]),
  /** Virtual milliseconds until the note is settled. */
  delay_ms: z.number().int().min(0).max(86_400_000),
  /** Whether results are posted to the issuer's `webhook_url`; null = in async mode only. */
  webhook: z.boolean().nullable(),
  /** Whether the same `dados` sent again answer the first note instead of making a second one. */
  idempotent: z.boolean(),
  /**
   * Whether a declaration's own number may be used once only: another note of the issuer with the same
   * `codigo_aleatorio` and `cIntContrib` is refused with E0014, unless `idempotent` answers it. Refused notes free theirs.
   */
  unique: z.boolean(),
  /** The `tipo` that cancels; null = the gateway knows none. */
  cancel_tipo: z.string().min(1).max(100).nullable(),
  /** `iso`: every ISO 8601 timestamp with an offset. `strict`: one town's form, whole seconds west of Greenwich. */
  timestamps: z.enum(["iso", "strict"]),
  /** Positions of keys; null = 50 with `nacional: true`, else 44. */
  key_digits: z.union([z.literal(44), z.literal(50)]).nullable(),
});
export type InvoicingSettings = z.output<typeof InvoicingSettings>;

export const INVOICING_AS_NEW: InvoicingSettings = {
  mode: "sync",
  delay_ms: 0,
  webhook: null,
  idempotent: false,
  unique: false,
  cancel_tipo: "nfse-cancelamento",
  timestamps: "iso",
  key_digits: null,
};

export const QueueSettings = z.strictObject({
  /** False: every `/queue` form answers `queue_not_available`, as the official engines always do. */
  available: z.boolean(),
  /** Virtual milliseconds until a job is taken up, and from there until it is done. */
  delay_ms: z.number().int().min(0).max(86_400_000),
  work_ms: z.number().int().min(0).max(86_400_000),
});
export type QueueSettings = z.output<typeof QueueSettings>;

export const QUEUE_AS_NEW: QueueSettings = { available: true, delay_ms: 100, work_ms: 100 };

/** Where the payload of a device-billed call stands; the interface says `data`, its public callers read `response`. */
export const AnswerSettings = z.strictObject({ payload: z.enum(["both", "response", "data"]) });
export type AnswerSettings = z.output<typeof AnswerSettings>;

export const ANSWERS_AS_NEW: AnswerSettings = { payload: "both" };
