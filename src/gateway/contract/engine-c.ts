/** Engine C: sending, and the one call that keeps its webhooks coming. */
import { z } from "zod";
import { channel } from "./channels.ts";
import { assumed, controller, engineSchema } from "./route.ts";
import { AnsweredId, Recipient, Text, UrlOrBase64, anyRecord, record, soft } from "./shapes.ts";

const number = "5511900000002";
const text = "Olá! Sua nota está pronta.";

/** Engine C answers `{message, data: {Info: {ID}}}`. */
const SentByC = anyRecord({
  message: soft(z.string()),
  data: soft(record({ Info: soft(record({ ID: soft(AnsweredId) })) })),
});
const answerC = { message: "success", data: { Info: { ID: "3EB0A1B2C3D4E5F60718" } } };
/** `id` lets the caller choose the message's id: sending it twice shows it once. */
const headC = {
  number: Recipient,
  id: z.string().max(64).optional(),
  delay: z.int().min(0).optional(),
  quoted: z.strictObject({ messageId: z.string(), participant: z.string().optional() }).optional(),
};
const OPTIONS = "must hold at least 2 different options";
const engineCSource = "4.3 Engine C";

/** Groups of events of engine C, as its filter names them. */
const SubscriptionGroup = z.enum([
  "ALL",
  "MESSAGE",
  "SEND_MESSAGE",
  "READ_RECEIPT",
  "PRESENCE",
  "HISTORY_SYNC",
  "CHAT_PRESENCE",
  "CALL",
  "CONNECTION",
  "LABEL",
  "CONTACT",
  "GROUP",
  "NEWSLETTER",
  "QRCODE",
]);

export const engineC = controller("engineC", {
  /**
   * Connects the instance and says where its events go and which: `subscribe` names groups, none = messages only. Sending
   * it again changes nothing. The engine forgets the filter when its line drops; then this is how it is told anew.
   */
  connect: channel(engineCSource, {
    path: "/engine-c/instance/connect",
    class: "replace",
    variants: {
      default: assumed(
        z.strictObject({
          webhookUrl: z.url().max(2_000),
          subscribe: z.array(SubscriptionGroup).max(20),
          immediate: z.boolean().optional(),
        }),
        {
          webhookUrl: "https://bot.example.org/webhooks/engine-c/token",
          subscribe: ["MESSAGE", "SEND_MESSAGE", "READ_RECEIPT", "CONNECTION", "QRCODE"],
        },
        engineSchema("`webhookUrl` and the group names of `subscribe`."),
      ),
    },
    response: anyRecord({ message: soft(z.string()), data: soft(record({})) }),
    answer: { message: "success", data: { jid: "", eventString: "MESSAGE,SEND_MESSAGE" } },
  }),
  /** Sends a text. */
  sendText: channel(engineCSource, {
    path: "/engine-c/send/text",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({ ...headC, text: Text }),
        { number, text },
        engineSchema("`id` lets the caller choose the message's id."),
      ),
    },
    response: SentByC,
    answer: answerC,
  }),
  /** Sends a file, `url` being an address or Base64. */
  sendMedia: channel(engineCSource, {
    path: "/engine-c/send/media",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({
          ...headC,
          url: UrlOrBase64,
          type: z.enum(["image", "video", "audio", "document"]),
          caption: z.string().optional(),
          filename: z.string().optional(),
        }),
        {
          number,
          url: "https://files.example.org/nota.pdf",
          type: "document",
          filename: "nota.pdf",
        },
        engineSchema("`url` is an address or Base64, `type` one of four."),
      ),
    },
    response: SentByC,
    answer: answerC,
  }),
  /** Sends a poll. */
  sendPoll: channel(engineCSource, {
    path: "/engine-c/send/poll",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({
          ...headC,
          question: z.string().min(1),
          maxAnswer: z.int().min(0),
          options: z
            .array(z.string().min(1))
            .min(2, OPTIONS)
            .refine((options) => new Set(options).size === options.length, OPTIONS),
        }),
        { number, question: "Qual serviço?", maxAnswer: 1, options: ["Consultoria", "Manutenção"] },
        engineSchema("`question`, `maxAnswer` and `options`."),
      ),
    },
    response: SentByC,
    answer: answerC,
  }),
  /** Sends a place on the map. */
  sendLocation: channel(engineCSource, {
    path: "/engine-c/send/location",
    queue: "yes",
    variants: {
      default: assumed(
        z.strictObject({
          ...headC,
          name: z.string(),
          address: z.string(),
          latitude: z.number().min(-90).max(90),
          longitude: z.number().min(-180).max(180),
        }),
        {
          number,
          name: "Loja",
          address: "Av. Paulista, 1000",
          latitude: -23.5614,
          longitude: -46.6559,
        },
        engineSchema("Name, address and coordinates, all needed."),
      ),
    },
    response: SentByC,
    answer: answerC,
  }),
});
