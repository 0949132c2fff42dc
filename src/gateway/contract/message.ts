/** `/message`: everything that puts something in front of a contact. */
import {
  SendButtons,
  SendContact,
  SendLocation,
  SendMention,
  SendPoll,
  SendReaction,
  SendReply,
  SendText,
  SendTextQueued,
  StatusAudio,
  StatusMedia,
  StatusText,
} from "./message-body.ts";
import { mediaRoutes } from "./message-media.ts";
import { engineSchema, assumed, controller, shown } from "./route.ts";
import { Enqueued, MessageRecord, messaging, sentExample } from "./shapes.ts";

const number = "5511900000002";
const text = "Olá! Sua nota está pronta.";

export const message = controller("message", {
  /** Sends a text. Variants: plain, reply to a message by id, mention all members of a group (the last two †). */
  sendText: messaging({
    path: "/message/sendText",
    class: "message",
    queue: "yes",
    variants: {
      plain: shown(SendText, { number, text, options: { delay: 1200, presence: "composing" } }),
      reply: assumed(
        SendReply,
        { number, text, quoted: { key: { id: "3EB0A1B2C3D4E5F60719" } } },
        engineSchema(
          "Second generation: `quoted` beside `text`; `key.id` is enough when the engine stored the message. The older generation has it under `options`.",
          "bodies",
        ),
      ),
      mentionAll: assumed(
        SendMention,
        {
          number: "120363000000000001@g.us",
          text,
          mentionsEveryOne: true,
        },
        engineSchema(
          "Second generation: `mentionsEveryOne`, or `mentioned` with addresses. The older generation has `options.mentions`.",
          "bodies",
        ),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ conversation: text }, "conversation"),
  }),
  /** Puts a text into the gateway's queue (beta): answers a job id at once; charged when enqueued, not when sent. */
  sendTextQueue: messaging({
    path: "/message/sendText/queue",
    class: "message",
    queue: "only",
    beta: true,
    variants: { default: shown(SendTextQueued, { number, text }) },
    response: Enqueued,
    answer: {
      id: "3f0c2d9a-0000-4000-8000-000000000001",
      message: "Requisição enviada para a fila",
    },
  }),
  /** Posts to the stories feed: text, image or video, audio (†). `allContacts` or `statusJidList` says who sees it. */
  sendStatus: messaging({
    path: "/message/sendStatus",
    class: "message",
    queue: "yes",
    variants: {
      text: assumed(
        StatusText,
        {
          type: "text",
          content: text,
          backgroundColor: "#005533",
          font: 1,
          allContacts: true,
        },
        engineSchema(
          "Second generation: flat `type` and `content`; a text needs `backgroundColor` and `font` 1 to 5, and one of `allContacts` and `statusJidList`. The older generation wraps it into `statusMessage`.",
          "bodies",
        ),
      ),
      media: assumed(
        StatusMedia,
        {
          type: "image",
          content: "https://files.example.org/aviso.png",
          caption: text,
          allContacts: true,
        },
        engineSchema(
          "Second generation: `type` image or video, `content` an address or Base64. The older generation wraps it into `statusMessage`.",
          "bodies",
        ),
      ),
      audio: assumed(
        StatusAudio,
        {
          type: "audio",
          content: "https://files.example.org/aviso.ogg",
          allContacts: true,
        },
        engineSchema(
          "Second generation: `type` audio, `content` an address or Base64. The older generation wraps it into `statusMessage`.",
          "bodies",
        ),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ extendedTextMessage: { text } }, "extendedTextMessage"),
  }),
  /** Sends buttons (†, may change without notice). Not reliably shown by phones: keep a numbered text as well. */
  sendButtons: messaging({
    path: "/message/sendButtons",
    class: "message",
    queue: "yes",
    volatile: true,
    variants: {
      default: assumed(
        SendButtons,
        {
          number,
          title: "Confirma?",
          description: "Nota de R$ 150,00",
          buttons: [
            { type: "reply", displayText: "Sim", id: "yes" },
            { type: "reply", displayText: "Não", id: "no" },
          ],
        },
        engineSchema(
          "Second generation: typed buttons `reply`, `copy`, `url`, `call`, `pix`; at most three replies, a reply never beside another type, a pix alone.",
        ),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ buttonsMessage: { contentText: "Confirma?" } }, "buttonsMessage"),
  }),
  /** Sends a poll. `selectableCount` 1 makes it a single choice. */
  sendPoll: messaging({
    path: "/message/sendPoll",
    class: "message",
    queue: "yes",
    variants: {
      default: shown(SendPoll, {
        number,
        options: { delay: 1200, presence: "composing" },
        name: "Qual serviço?",
        selectableCount: 1,
        values: ["Consultoria", "Manutenção"],
      }),
    },
    response: MessageRecord,
    answer: sentExample(
      { pollCreationMessageV3: { name: "Qual serviço?" } },
      "pollCreationMessageV3",
    ),
  }),
  ...mediaRoutes,
  /** Sends a place on the map. */
  sendLocation: messaging({
    path: "/message/sendLocation",
    class: "message",
    queue: "yes",
    variants: {
      default: shown(SendLocation, {
        number,
        name: "Loja",
        address: "Av. Paulista, 1000, São Paulo",
        latitude: -23.5614,
        longitude: -46.6559,
      }),
    },
    response: MessageRecord,
    answer: sentExample({ locationMessage: { name: "Loja" } }, "locationMessage"),
  }),
  /** Reacts to a message, named by its id (†). */
  sendReaction: messaging({
    path: "/message/sendReaction",
    class: "message",
    queue: "yes",
    variants: {
      default: assumed(
        SendReaction,
        {
          key: {
            id: "3A1F0C9D2B7E4A5566F1",
            remoteJid: "5511900000002@s.whatsapp.net",
            fromMe: false,
          },
          reaction: "👍",
        },
        engineSchema(
          "`key` with id, address and direction, and no `number`; an empty `reaction` takes it back. The older generation wraps it into `reactionMessage`.",
          "bodies",
        ),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ reactionMessage: { text: "👍" } }, "reactionMessage"),
  }),
  /** Sends contact cards (†). */
  sendContact: messaging({
    path: "/message/sendContact",
    class: "message",
    queue: "yes",
    variants: {
      default: assumed(
        SendContact,
        {
          number,
          contact: [{ fullName: "Atendimento", phoneNumber: "+55 11 90000-0001" }],
        },
        engineSchema(
          "Second generation: `contact`, a list of cards. The older generation calls it `contactMessage`.",
          "bodies",
        ),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ contactMessage: { displayName: "Atendimento" } }, "contactMessage"),
  }),
});
