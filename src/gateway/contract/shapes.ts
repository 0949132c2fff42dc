/**
 * Shapes shared by the messaging routes: recipients, send options, and the records that come back.
 *
 * Bodies are exact. Records are tolerant: engines differ in version, so a field of another type than expected reads as
 * absent, and whatever we do not know is kept.
 */
import { z } from "zod";
import type { Json } from "../../base/index.ts";
import {
  NoBody,
  OpenBody,
  routeOfArea,
  type Draft,
  type Query,
  type Queue,
  type Route,
  type Variants,
} from "./route.ts";

export { NoBody, OpenBody };

/** Digits in international format, or an address as an engine gave it (`…@g.us`, `…@lid`): replies keep what came. */
export const Recipient = z
  .string()
  .max(100)
  .regex(
    /^(?:\d{6,20}|[0-9A-Za-z.:_-]{1,64}@[a-z.]{2,32})$/,
    "must be digits in international format or an engine's address",
  );
/** A group's address. */
export const GroupAddress = z
  .string()
  .max(100)
  .regex(/^[0-9A-Za-z.:_-]{1,64}@g\.us$/, "must be a group's address (…@g.us)");

/** Upper bound of a text in characters, as engine A documents it; the others take no less. */
export const TEXT_LIMIT = 5_000;
export const Text = z.string().min(1).max(TEXT_LIMIT);

/** What is shown while `delay` runs: `composing` is the sample of the interface, the rest are the engine's. */
const Presence = z.enum(["composing", "recording", "paused", "available", "unavailable"]);
/** `delay` in ms. */
export const SendOptions = z.strictObject({
  delay: z.int().min(0).optional(),
  presence: Presence.optional(),
});

export const WebUrl = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/\S+$/, "must be an http(s) address");
/** Bare Base64: the engine refuses a `data:` prefix. Only the ends are checked; media may be megabytes. */
export const Base64 = z
  .string()
  .min(4)
  .refine(
    (text) => !text.startsWith("data:") && /^[A-Za-z0-9+/_-]{4}/.test(text),
    "must be bare Base64",
  )
  .refine((text) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.slice(-64)), "must be bare Base64");

/** An address, or the bytes themselves. */
export const UrlOrBase64 = z.union([WebUrl, Base64], {
  error: "must be an http(s) address or bare Base64",
});

/** An id in an answer: some versions of an engine write digits as a number. */
export const AnsweredId = z.preprocess(
  (id) => (typeof id === "number" ? String(id) : id),
  z.string().min(1),
);

/** Query of the routes marked (g). */
export const GroupQuery = z.strictObject({ groupJid: z.string().min(1).max(100) });

/** Identity of one message on its engine. */
export const MessageKey = z.strictObject({
  id: z.string().min(1).max(200),
  remoteJid: z.string().max(100).optional(),
  fromMe: z.boolean().optional(),
  participant: z.string().max(100).optional(),
});

/** A field that may be missing or of a type of another engine version. */
export function soft<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined);
}

/** A record of which nothing is certain but that it is one. */
export function record<S extends z.ZodRawShape>(shape: S) {
  return z.looseObject(shape);
}

/** As {@link record}, for calls whose effect is certain whatever the answer holds: another type reads as empty. */
export function anyRecord<S extends z.ZodRawShape>(shape: S) {
  return z.preprocess((value) => (isRecord(value) ? value : {}), z.looseObject(shape));
}

/** A list, bare or under the one key that holds an array; anything else is unreadable, never an empty list. */
export function listOf<S extends z.ZodType>(item: S) {
  return z.preprocess((value) => {
    if (!isRecord(value)) return value;
    const arrays = Object.values(value).filter((entry) => Array.isArray(entry));
    return arrays.length === 1 ? arrays[0] : value;
  }, z.array(item));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const Stamp = z.union([z.number(), z.string()]);

/** What every send comes back with. The message's id is `key.id`; see also `sentMessageId`. */
export const MessageRecord = anyRecord({
  key: soft(
    record({ id: soft(AnsweredId), remoteJid: soft(z.string()), fromMe: soft(z.boolean()) }),
  ),
  status: soft(z.string()),
  messageType: soft(z.string()),
  messageTimestamp: soft(Stamp),
});

/** Pairing data of an instance that is not open, or its state when it is. */
export const Pairing = record({
  pairingCode: soft(z.string()),
  code: soft(z.string()),
  base64: soft(z.string()),
  count: soft(z.number()),
  instance: soft(record({ instanceName: soft(z.string()), state: soft(z.string()) })),
});

/** A change that was made; nothing in the answer is needed. */
export const Done = anyRecord({ message: soft(z.string()), status: soft(Stamp) });

/** The answer of an enqueue call. It carries no result of the send. */
export const Enqueued = record({ id: AnsweredId, message: soft(z.string()) });
export type Enqueued = z.output<typeof Enqueued>;

/** An entry of the messaging API: path below `msgengine`, Bearer and DeviceToken, billed by plan. */
export function messaging<
  V extends Variants,
  R extends z.ZodType,
  Q extends Query = null,
  U extends Queue = "no",
>(draft: Draft<V, R, Q, U>): Route<V, R, Q, U> {
  const queued = draft.queue === "only";
  const query: Query | undefined = draft.query;
  return routeOfArea(
    { ...draft, path: `/msgengine${draft.path}` },
    {
      area: "messaging",
      tipo: null,
      auth: "bearer+device",
      version: "v2",
      group: query === GroupQuery,
      envelope: queued ? "optional" : "due",
      payload: ["response", "data", "top"],
      billing: "plan",
      price: null,
      source: `4.2 ${draft.method ?? "POST"} ${draft.path}`,
      response: queued ? draft.answer : deviceEnvelope(draft.answer),
    },
  );
}

/** The envelope of device-based calls around an engine's answer. */
export function deviceEnvelope(response: Json): Json {
  return {
    error: false,
    message: "Requisição realizada com sucesso",
    response,
    api_limit: 1000,
    api_limit_for: "request",
    api_limit_used: 37,
  };
}

/** An example of {@link MessageRecord}. */
export function sentExample(message: Json, messageType: string): Json {
  return {
    key: { remoteJid: "5511900000002@s.whatsapp.net", fromMe: true, id: "3EB0A1B2C3D4E5F60718" },
    status: "PENDING",
    message,
    messageType,
    messageTimestamp: 1_795_262_400,
    source: "web",
  };
}
