/** How the sandbox delivers, answers, queues, pairs and issues. Each is a switch of its own: `PUT /sandbox/<name>` changes it in part. */
import { z } from "zod";

const probability = z.number().min(0).max(1);

/** Milliseconds, a day at most. */
const wait = z.number().int().min(0).max(86_400_000);

export const Settings = {
  /** How webhooks travel. */
  delivery: z.strictObject({
    /** Chance that an event is posted twice. */
    duplicate: probability,
    /** Chance that an event is held until the next one for the same URL went out, or for a second. */
    reorder: probability,
    /** Real milliseconds before each first attempt. */
    delay_ms: z.number().int().min(0).max(600_000),
    /** Chance that an event is never posted. */
    drop: probability,
    /** Contacts are addressed by linked id instead of phone number. */
    lid: z.boolean(),
    /** Whether the phone number comes beside the linked id. */
    lid_alt: z.boolean(),
    /** Whether API sends are echoed as events. */
    echo: z.boolean(),
    /** How far the delivery progress of our sends is told. */
    acks: z.enum(["none", "sent", "delivered", "read"]),
    /** Engine B writes as its first version did: acks by `id` and `datetime`, times as text, long texts wrapped. */
    v1: z.boolean(),
    /** Engine B tells the contact's name after each message, as a body of its own. */
    contacts: z.boolean(),
    /** Engine C gathers receipts of a chat and tells several messages at once. */
    batch: z.boolean(),
    /** The echo of a send, and its progress, are told before the send itself is answered. */
    early: z.boolean(),
    /** Engines B and C tell each message twice: under the phone number and under the linked id. */
    both_forms: z.boolean(),
    /** Engine C forgets its filter when the line drops: nothing is told until `instance/connect` is called. */
    wipe_filter: z.boolean(),
  }),
  queue: z.strictObject({
    /** False: every `/queue` form answers `queue_not_available`, as the official engines always do. */
    available: z.boolean(),
    /** Virtual milliseconds until a job is taken up, and from there until it is done. */
    delay_ms: wait,
    work_ms: wait,
  }),
  /** Where the payload of a device-billed call stands; the interface says `data`, its public callers read `response`. */
  answers: z.strictObject({ payload: z.enum(["both", "response", "data"]) }),
  pairing: z.strictObject({
    /** Virtual milliseconds after which somebody has scanned the code; null = only the control scans. */
    scan_ms: wait.nullable(),
    /** Virtual milliseconds until a code is replaced by the next one. */
    qr_every_ms: z.number().int().min(1_000).max(3_600_000),
    /** Codes shown in one pairing; then the session is refused and ends. */
    qr_limit: z.number().int().min(1).max(1_000),
  }),
  invoicing: z.strictObject({
    /** `sync`: the answer holds the note. `async`: the answer says `processando`, the note comes later. */
    mode: z.enum(["sync", "async"]),
    /** Virtual milliseconds until the note is settled. */
    delay_ms: wait,
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
  }),
};
export type Settings = { [K in keyof typeof Settings]: z.output<(typeof Settings)[K]> };

/** The engine shows 30 pairing codes, each for about 40 s, by its public sources. */
export const SETTINGS_AS_NEW: Settings = {
  delivery: {
    duplicate: 0,
    reorder: 0,
    delay_ms: 0,
    drop: 0,
    lid: false,
    lid_alt: true,
    echo: true,
    acks: "delivered",
    v1: false,
    contacts: false,
    batch: false,
    early: false,
    both_forms: false,
    wipe_filter: false,
  },
  queue: { available: true, delay_ms: 100, work_ms: 100 },
  answers: { payload: "both" },
  pairing: { scan_ms: 5_000, qr_every_ms: 40_000, qr_limit: 30 },
  invoicing: {
    mode: "sync",
    delay_ms: 0,
    webhook: null,
    idempotent: false,
    unique: false,
    cancel_tipo: "nfse-cancelamento",
    timestamps: "iso",
    key_digits: null,
  },
};
