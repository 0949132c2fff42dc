/**
 * An account: one business, one tenant. The store, the operator API, the CLI and the flows use one schema.
 *
 * Tokens and secrets are stored sealed and never leave through the API; flows see only what `AccountModel.view` gives.
 * Sections of plugins are in `account-section.ts`.
 */
import { z } from "zod";
import { ChannelName } from "./inbound.ts";

/**
 * Where a webhook says when it was sent, and how old it may be: a body that was signed once cannot be posted again later.
 *
 * A time in the body is covered by the signature. A time in a header is not, unless `joinedBy` says that the sender signs
 * `<time><joinedBy><raw body>`; without it only copies posted again as they were are kept out.
 */
export const TimestampSettings = z
  .object({
    /** Header that carries the time; or `field`, the path of a field of the body, its names joined by dots. */
    header: z.string().min(1).max(100).optional(),
    field: z.string().min(1).max(200).optional(),
    /** Furthest from now that is taken, to either side, seconds. */
    toleranceSeconds: z.number().int().min(1).max(86_400).default(300),
    joinedBy: z.string().max(8).optional(),
  })
  .refine(({ header, field }) => (header === undefined) !== (field === undefined), {
    message: "Name the header or the field that carries the time, not both.",
  })
  .refine(({ header, joinedBy }) => joinedBy === undefined || header !== undefined, {
    message: "joinedBy needs a header: a field of the body is signed with the body.",
  });
export type TimestampSettings = z.output<typeof TimestampSettings>;

/** How a channel's webhooks are checked. Defaults are those of the engine A used here; header names are case-blind. */
export const HmacSettings = z.object({
  header: z.string().default("x-signature"),
  algorithm: z.enum(["sha256", "sha512"]).default("sha256"),
  encoding: z.enum(["hex", "base64"]).default("hex"),
  prefix: z.string().default(""),
  /** Several may be active while a secret is rotated. */
  secrets: z.array(z.string().min(1)).min(1).max(5),
  /** Absent: however late it comes, a well signed body is taken; the mailbox knows it from before. */
  timestamp: TimestampSettings.optional(),
});
export type HmacSettings = z.output<typeof HmacSettings>;

/**
 * A token that travels in a header: visible ASCII, as RFC 9110 lets a field value be. One with a line break from pasting
 * would otherwise look like a gateway that cannot be reached.
 */
const HeaderToken = z
  .string()
  .max(4_000)
  .regex(/^[\x21-\x7e]+$/, "a token of visible ASCII characters, without spaces");

export const ChannelSettings = z.object({
  channel: ChannelName,
  enabled: z.boolean().default(true),
  /** Path token: identifies and authenticates the account. At least 128 random bits, except the demo's. */
  token: z.string().min(24).max(128),
  hmac: HmacSettings.optional(),
  /** Event names that are taken; empty = all. */
  filter: z.array(z.string()).default([]),
});
export type ChannelSettings = z.output<typeof ChannelSettings>;

export const Operator = z.object({
  name: z.string().min(1).max(100),
  /** Contact alias: `phone:5511…` or `lid:…`, so that a LID-only operator works too. */
  alias: z.string().regex(/^(phone|lid):\d{1,32}$/),
  /** Where a first message goes when the operator never wrote. */
  address: z.string().optional(),
});
export type Operator = z.output<typeof Operator>;

export const BusinessHours = z.object({
  /** 0 = Sunday. */
  days: z.array(z.number().int().min(0).max(6)),
  from: z.string().regex(/^\d\d:\d\d$/),
  to: z.string().regex(/^\d\d:\d\d$/),
});

export const Account = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]{1,40}$/),
  name: z.string().min(1).max(150),
  zone: z.string().default("America/Sao_Paulo"),
  languages: z
    .array(z.enum(["pt-BR", "en"]))
    .min(1)
    .default(["pt-BR", "en"]),
  /** Gateway credentials of this account; absent = the process defaults. */
  gateway: z
    .object({
      url: z.url().optional(),
      token: HeaderToken.optional(),
      deviceToken: HeaderToken.optional(),
      profile: z.string().optional(),
    })
    .default({}),
  channels: z.array(ChannelSettings).default([]),
  operators: z.array(Operator).max(20).default([]),
  policy: z
    .object({
      /** Requests of one customer that may be open at once, and be made in a day. */
      openRequests: z.number().int().positive().default(3),
      requestsPerDay: z.number().int().positive().max(200).default(10),
      /** Messages of one customer a minute; more is a machine, and is not answered for an hour. */
      perMinute: z.number().int().positive().default(40),
    })
    .prefault({}),
  hours: BusinessHours.optional(),
  /** Enabled flows; empty = all loaded ones. */
  flows: z.array(z.string()).default([]),
  sendMode: z.enum(["sync", "queue"]).default("sync"),
  onTimeout: z.enum(["retry", "hold"]).default("retry"),
  /**
   * What goes again by itself once a rate limit's time (429) is over; the rest waits for a person. `messages`: and
   * calls whose effect allows it. `all`: fiscal calls too. The interface says "never retry 4xx", because the same input fails again and is
   * charged again. A rate limit is the exception: it refuses the moment, not the input, carries nothing out and names its end.
   * So a message waits that time instead of being lost. `hold` follows the interface to the letter.
   */
  onRateLimit: z
    .enum(["hold", "messages", "all"])
    .default("messages")
    .describe(
      'What goes again by itself after a 429: messages and calls whose effect allows it (default), fiscal calls too (all), or nothing (hold, the interface\'s "never retry 4xx"). A 429 refuses the moment, not the input, and nothing was carried out.',
    ),
  /**
   * How fast one device of the account writes, however many workers there are: messages a second in the long run, at once
   * after a rest, and a minute to people who did not write for a day (drawn around an even distance). The default never
   * reaches the thirty within a second that upstream servers refuse. `null`: as fast as it can, for a sandbox.
   */
  pace: z
    .object({
      perSecond: z.number().min(0.1).max(1_000).default(10),
      burst: z.number().int().min(1).max(1_000).default(10),
      unaskedPerMinute: z.number().min(0.1).max(6_000).default(6),
    })
    .nullable()
    .prefault({}),
  homolog: z.boolean().default(false),
  /** Share of the monthly plan calls that ordinary messages leave for results and alarms. */
  quotaReserve: z.number().min(0).max(0.5).default(0.05),
  /**
   * What the phone's own app says by itself (greeting, away message), word for word but for marks and capitals. Such words
   * never count as a person who takes a conversation over.
   */
  automaticTexts: z.array(z.string().min(1).max(1_000)).max(20).default([]),
  /** What the business's people get on their phones beside requests. Each message is a call of the plan. */
  alerts: z
    .object({
      /** Alarms that need a person. */
      phones: z.boolean().default(true),
      /** Messages with alarms a day, for each operator. */
      perDay: z.number().int().min(1).max(50).default(10),
      /** Codes of alarms that are not sent, such as `send.failed`. */
      mute: z.array(z.string().max(50)).max(50).default([]),
      /** The daily reconciliation report: never, when somebody has to look at something, or each day. */
      report: z.enum(["off", "needed", "daily"]).default("needed"),
      /** From this time of the account's zone on. */
      reportAt: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of day, such as 07:00")
        .default("07:00"),
    })
    .prefault({}),
  retention: z
    .object({
      draftDays: z.number().int().positive().default(7),
      chatDays: z.number().int().positive().default(90),
    })
    .prefault({}),
});
export type Account = z.output<typeof Account>;
