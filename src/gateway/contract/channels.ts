/**
 * Sending by the other channels: a reply leaves by the channel its question came in on. The interface shows their queue
 * routes and names, not their bodies, so every body here and in `engine-c.ts` is marked †.
 */
import { z } from "zod";
import {
  analogy,
  callers,
  engineGuide,
  assumed,
  controller,
  routeOfArea,
  type Draft,
  type Queue,
  type Route,
  type Variants,
} from "./route.ts";
import {
  AnsweredId,
  Recipient,
  Text,
  WebUrl,
  anyRecord,
  deviceEnvelope,
  record,
  soft,
} from "./shapes.ts";

/** A route of one of these channels; `source` is its row of the interface. */
export function channel<V extends Variants, R extends z.ZodType, U extends Queue = "no">(
  source: string,
  draft: Omit<Draft<V, R, null, U>, "class"> & { readonly class?: "message" | "replace" },
): Route<V, R, null, U> {
  return routeOfArea(
    { ...draft, class: draft.class ?? "message" },
    {
      area: "channels",
      tipo: null,
      auth: "bearer+device",
      version: "v2",
      group: false,
      envelope: "due",
      payload: ["response", "data", "top"],
      billing: "plan",
      price: null,
      source,
      response: deviceEnvelope(draft.answer),
    },
  );
}

const number = "5511900000002";
const text = "Olá! Sua nota está pronta.";

const idText = z.union([AnsweredId, z.record(z.string(), z.unknown())]);
/** Engine A answers `{result, data}`; the id is a text or an object with its serialised form. */
const SentByA = anyRecord({ result: soft(z.number()), data: soft(record({ id: soft(idText) })) });
const answerA = { result: 200, data: { id: "true_5511900000002@c.us_3EB0A1B2C3D4E5F60718" } };

const engineASource = "4.3 Engine A";

export const engineA = controller("engineA", {
  /** Sends a text. */
  sendText: channel(engineASource, {
    path: "/engine-a/sendText",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({ number: Recipient, text: Text, time_typing: z.int().min(0).optional() }),
        { number, text },
        engineGuide("`number`, `text` and the typing time."),
      ),
    },
    response: SentByA,
    answer: answerA,
  }),
  /** Replies to a message by its id. */
  reply: channel(engineASource, {
    path: "/engine-a/reply",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({ number: Recipient, messageid: z.string().min(1), text: Text }),
        { number, messageid: "false_5511900000002@c.us_3A1F0C9D2B7E4A5566F1", text },
        engineGuide("`messageid` is the engine's serialised id."),
      ),
    },
    response: SentByA,
    answer: answerA,
  }),
  /** Sends a file, `path` holding its Base64 with or without the `data:` prefix. */
  sendFile64: channel(engineASource, {
    path: "/engine-a/sendFile64",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({
          number: Recipient,
          path: z.string().min(4),
          caption: z.string().optional(),
          fileName: z.string().optional(),
        }),
        { number, path: "data:application/pdf;base64,JVBERi0x", caption: "Sua nota" },
        engineGuide("`path` holds the Base64, with or without its `data:` prefix."),
      ),
    },
    response: SentByA,
    answer: answerA,
  }),
  /** Sends a place on the map. */
  sendLocation: channel(engineASource, {
    path: "/engine-a/sendLocation",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({
          number: Recipient,
          lat: z.number().min(-90).max(90),
          lng: z.number().min(-180).max(180),
          title: z.string().optional(),
          description: z.string().optional(),
        }),
        { number, lat: -23.5614, lng: -46.6559, title: "Loja" },
        engineGuide("`lat` and `lng`; title and description are optional."),
      ),
    },
    response: SentByA,
    answer: answerA,
  }),
});

export const official = controller("official", {
  /** Sends a text by an official business engine. Its `/queue` form exists and is refused: `queue_not_available`. */
  sendText: channel("4.3 Official business engines", {
    path: "/official/sendText",
    queue: "refused",
    variants: {
      default: assumed(
        z.strictObject({ number: Recipient, text: Text }),
        { number, text },
        analogy(
          "Only the queue form is named by the interface; the body follows the other engines' plain text.",
        ),
      ),
    },
    response: anyRecord({ messages: soft(z.array(record({ id: soft(AnsweredId) }))) }),
    answer: { messages: [{ id: "wamid.HBgLNTUxMTkwMDAwMDAwMg" }] },
  }),
});

/** `webhook_url` is registered message by message; `user_reply` asks for the answer of the person. */
const SendSms = z.strictObject({
  number: z.string().regex(/^\d{10,15}$/, "must be 10 to 15 digits"),
  message: z.string().min(1).max(1_600),
  tipo: z.string().optional(),
  operator: z.string().optional(),
  user_reply: z.boolean().optional(),
  webhook_url: WebUrl.optional(),
  homolog: z.boolean().optional(),
});

export const sms = controller("sms", {
  /** Sends one SMS. */
  send: channel("6 SMS", {
    path: "/sms/send",
    variants: {
      default: assumed(
        SendSms,
        { number, message: text, tipo: "sms-otp", user_reply: true },
        callers(
          "`webhook_url` is registered message by message; `user_reply` asks for the person's answer.",
        ),
      ),
    },
    response: anyRecord({
      id: soft(AnsweredId),
      status: soft(z.string()),
      data: soft(record({ id: soft(AnsweredId) })),
    }),
    answer: {
      status: "success",
      data: { id: "9f3c2b7d1e8a4c55b0f1d2e3a4b5c6d7", status: "processed" },
    },
  }),
});
