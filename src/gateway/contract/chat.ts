/** `/chat`: numbers, chats, messages and contacts on record, and the business's own profile. */
import { z } from "zod";
import {
  callers,
  engineSchema,
  MEDIA_RESPONSE_LIMIT_BYTES,
  assumed,
  controller,
  shown,
} from "./route.ts";
import { profileRoutes } from "./chat-profile.ts";
import {
  MessageKey,
  MessageRecord,
  Recipient,
  listOf,
  messaging,
  record,
  sentExample,
  soft,
} from "./shapes.ts";

const number = "5511900000002";
const jid = "5511900000002@s.whatsapp.net";

const paging = { page: z.int().min(1).optional(), offset: z.int().min(1).optional() };
const FindChats = z.strictObject({
  where: z.strictObject({ remoteJid: z.string().optional() }).optional(),
  ...paging,
});
const FindContacts = z.strictObject({
  where: z
    .strictObject({
      id: z.string().optional(),
      remoteJid: z.string().optional(),
      pushName: z.string().optional(),
    })
    .optional(),
  ...paging,
});
/** `offset` is the page's size. `messageTimestamp` bounds are as the engine takes them: ISO 8601 texts. */
const FindMessages = z.strictObject({
  where: z
    .strictObject({
      id: z.string().optional(),
      key: MessageKey.partial().optional(),
      messageType: z.string().optional(),
      source: z.string().optional(),
      messageTimestamp: z
        .strictObject({ gte: z.string().optional(), lte: z.string().optional() })
        .optional(),
    })
    .optional(),
  ...paging,
});
const FoundMessages = z.preprocess(
  (value) => (Array.isArray(value) ? { messages: { records: value as unknown[] } } : value),
  record({
    messages: z.preprocess(
      (value) => (Array.isArray(value) ? { records: value as unknown[] } : value),
      record({
        total: soft(z.number()),
        pages: soft(z.number()),
        currentPage: soft(z.number()),
        records: z.array(z.looseObject({})),
      }),
    ),
  }),
);

/** A message gone from everybody's screen. */
const DeleteMessage = z.strictObject({
  id: z.string().min(1),
  remoteJid: z.string().min(1),
  fromMe: z.boolean(),
  participant: z.string().optional(),
});
const MediaOf = z.strictObject({
  message: z.looseObject({ key: MessageKey }),
  convertToMp4: z.boolean().optional(),
});

export const chat = controller("chat", {
  /** Which of these numbers exist, and under which address. Never compute the ninth digit: ask. */
  messengerNumbers: messaging({
    path: "/chat/messengerNumbers",
    class: "read",
    queue: "yes",
    variants: {
      default: shown(z.strictObject({ numbers: z.array(Recipient).min(1) }), { numbers: [number] }),
    },
    response: listOf(
      record({
        jid: soft(z.string()),
        exists: soft(z.boolean()),
        number: soft(z.string()),
        name: soft(z.string()),
        lid: soft(z.string()),
      }),
    ),
    answer: [{ jid, exists: true, number }],
  }),
  /** Chats on record (†). */
  findChats: messaging({
    path: "/chat/findChats",
    class: "read",
    queue: "yes",
    variants: {
      default: assumed(
        FindChats,
        {},
        engineSchema("`where.remoteJid`, `page` and `offset` (a page's size), all optional."),
      ),
    },
    response: listOf(record({ remoteJid: soft(z.string()), pushName: soft(z.string()) })),
    answer: [{ id: "c1", remoteJid: jid, pushName: "Marina", unreadCount: 1 }],
  }),
  /**
   * Messages on record, newest first, page by page (†). The filter goes in the query (a profile moves it to the body of
   * the GET); observers of the client are never told the query, which may hold a phone number.
   */
  findMessages: messaging({
    method: "GET",
    path: "/chat/findMessages",
    class: "read",
    variants: {
      default: assumed(
        FindMessages,
        { where: { key: { remoteJid: jid } }, page: 1 },
        engineSchema(
          "The engine takes this filter by POST; where a GET carries it is not known.",
          "filters",
        ),
      ),
    },
    response: FoundMessages,
    answer: {
      messages: {
        total: 1,
        pages: 1,
        currentPage: 1,
        records: [
          {
            id: "m1",
            key: { id: "3A1F0C9D2B7E4A5566F1", fromMe: false, remoteJid: jid },
            messageType: "conversation",
            message: { conversation: "oi" },
            messageTimestamp: 1_795_262_400,
          },
        ],
      },
    },
  }),
  /** Contacts on record (†). */
  findContacts: messaging({
    path: "/chat/findContacts",
    class: "read",
    queue: "yes",
    variants: {
      default: assumed(
        FindContacts,
        { where: { remoteJid: jid } },
        engineSchema(
          "`where.id`, `where.remoteJid` or `where.pushName`; older versions heed the address alone.",
        ),
      ),
    },
    response: listOf(record({ remoteJid: soft(z.string()), pushName: soft(z.string()) })),
    answer: [{ id: "p1", remoteJid: jid, pushName: "Marina", isGroup: false }],
  }),
  /** The address of somebody's profile picture; null when hidden. */
  fetchProfilePictureUrl: messaging({
    path: "/chat/fetchProfilePictureUrl",
    class: "read",
    queue: "yes",
    variants: { default: shown(z.strictObject({ number: Recipient }), { number }) },
    response: record({ wuid: soft(z.string()), profilePictureUrl: soft(z.string().nullable()) }),
    answer: { wuid: jid, profilePictureUrl: null },
  }),
  /** Somebody's profile: name, status, picture. */
  fetchProfile: messaging({
    path: "/chat/fetchProfile",
    class: "read",
    queue: "yes",
    variants: { default: shown(z.strictObject({ number: Recipient }), { number }) },
    response: record({ wuid: soft(z.string()), name: soft(z.string()) }),
    answer: { wuid: jid, name: "Marina", numberExists: true, isBusiness: false },
  }),
  /** The bytes of a media message, in Base64 (†). */
  getBase64FromMediaMessage: messaging({
    path: "/chat/getBase64FromMediaMessage",
    class: "read",
    queue: "yes",
    maxResponseBytes: MEDIA_RESPONSE_LIMIT_BYTES,
    variants: {
      default: assumed(
        MediaOf,
        {
          message: { key: { id: "3A1F0C9D2B7E4A5566F4" } },
          convertToMp4: false,
        },
        callers("`message.key.id` is enough; `convertToMp4` is the engine's."),
      ),
    },
    response: record({
      mediaType: soft(z.string()),
      fileName: soft(z.string()),
      mimetype: soft(z.string()),
      base64: soft(z.string()),
    }),
    answer: {
      mediaType: "imageMessage",
      fileName: "foto.jpg",
      mimetype: "image/jpeg",
      base64: "/9j/4AAQ",
    },
  }),
  /** Takes one message back, for everybody (†). The body goes with the DELETE. */
  deleteMessageForEveryone: messaging({
    method: "DELETE",
    path: "/chat/deleteMessageForEveryone",
    class: "destructive",
    repeat: "harmless",
    variants: {
      default: assumed(
        DeleteMessage,
        { id: "3EB0A1B2C3D4E5F60718", remoteJid: jid, fromMe: true },
        engineSchema(
          "`id`, `remoteJid` and `fromMe`, in the body of the DELETE; `participant` in groups.",
        ),
      ),
    },
    response: MessageRecord,
    answer: sentExample({ protocolMessage: { type: "REVOKE" } }, "protocolMessage"),
  }),
  ...profileRoutes,
});
