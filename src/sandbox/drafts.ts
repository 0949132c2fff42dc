/** From the body of a send to what arrives: whom it is for, what a person reads, and the message as engines hold it. */
import type { Json, JsonObject } from "../base/index.ts";
import type { RouteId } from "../gateway/index.ts";
import { isObject, objectAt, textAt } from "./bounded.ts";
import type { WireMessage } from "./content.ts";

export interface SendDraft extends WireMessage {
  /** Recipient as the call named it. */
  readonly to: string;
  readonly text: string;
  /** Options of a poll. */
  readonly options?: readonly string[];
  /** Id of the message that this one answers. */
  readonly quoted?: string;
  /** An id that the caller chose. */
  readonly id?: string;
}

type Drafter = (body: JsonObject) => Omit<SendDraft, "to"> & { readonly to?: string };

/** `1. Sim`, one option a line. */
function numbered(title: string, options: readonly string[]): string {
  const rows = options.map((option, index) => `${index + 1}. ${option}`);
  return [title, ...rows].filter((line) => line !== "").join("\n");
}

function plain(body: JsonObject, key: string): ReturnType<Drafter> {
  const text = textAt(body, key) ?? "";
  return { text, messageType: "conversation", message: { conversation: text } };
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function poll(
  name: string,
  options: readonly string[],
  count: Json | undefined,
): ReturnType<Drafter> {
  return {
    text: numbered(name, options),
    options,
    messageType: "pollCreationMessageV3",
    message: {
      pollCreationMessageV3: {
        name,
        options: options.map((optionName) => ({ optionName })),
        selectableOptionsCount: typeof count === "number" ? count : 0,
      },
      messageContextInfo: { messageSecret: "c2FuZGJveC1zZWNyZXQ=" },
    },
  };
}

function file(facts: {
  readonly type: string;
  readonly source: string;
  readonly mimetype: string;
  readonly caption?: string | undefined;
  readonly fileName?: string | undefined;
}): ReturnType<Drafter> {
  const { type, source, mimetype, caption, fileName } = facts;
  const label = [type, ...(fileName === undefined ? [] : [fileName])].join(" ");
  const bytes = source.replace(/^data:[^,]*,/, "");
  return {
    text: caption === undefined || caption === "" ? `[${label}]` : `[${label}] ${caption}`,
    messageType: `${type}Message`,
    message: {
      [`${type}Message`]: {
        mimetype,
        ...(caption === undefined ? {} : { caption }),
        ...(fileName === undefined ? {} : { fileName }),
      },
    },
    ...(/^https?:/.test(source)
      ? {}
      : {
          media: { base64: bytes, mimetype, ...(fileName === undefined ? {} : { fileName }) },
        }),
  };
}

function place(
  name: string,
  address: string,
  latitude: Json,
  longitude: Json,
): ReturnType<Drafter> {
  return {
    text: `[location] ${[name, address].filter((part) => part !== "").join(", ")}`,
    messageType: "locationMessage",
    message: {
      locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address },
    },
  };
}

function media(body: JsonObject): ReturnType<Drafter> {
  return file({
    type: textAt(body, "mediatype") ?? "document",
    source: textAt(body, "media") ?? "",
    mimetype: textAt(body, "mimetype") ?? "application/octet-stream",
    caption: textAt(body, "caption"),
    fileName: textAt(body, "fileName"),
  });
}

function status(body: JsonObject): ReturnType<Drafter> {
  const type = textAt(body, "type") ?? "text";
  const content = textAt(body, "content") ?? "";
  const what =
    type === "text"
      ? plain(body, "content")
      : file({ type, source: content, mimetype: type, caption: textAt(body, "caption") });
  return { ...what, to: "status@broadcast" };
}

function buttons(body: JsonObject): ReturnType<Drafter> {
  const rows = Array.isArray(body["buttons"]) ? body["buttons"].filter(isObject) : [];
  const title = ["title", "description", "footer"]
    .map((key) => textAt(body, key) ?? "")
    .filter((line) => line !== "")
    .join("\n");
  const labels = rows.map((row) => textAt(row, "displayText") ?? textAt(row, "id") ?? "");
  return {
    text: numbered(title, labels),
    messageType: "buttonsMessage",
    message: { buttonsMessage: { contentText: title, buttons: rows } },
  };
}

function reaction(body: JsonObject): ReturnType<Drafter> {
  const key = objectAt(body, "key");
  const emoji = textAt(body, "reaction") ?? "";
  return {
    to: textAt(key, "remoteJid") ?? "",
    text: emoji,
    messageType: "reactionMessage",
    message: { reactionMessage: { key, text: emoji } },
  };
}

function contacts(body: JsonObject): ReturnType<Drafter> {
  const cards = Array.isArray(body["contact"]) ? body["contact"].filter(isObject) : [];
  const lines = cards.map((card) =>
    [textAt(card, "fullName") ?? "", textAt(card, "phoneNumber") ?? ""].join(" ").trim(),
  );
  return {
    text: `[contact] ${lines.join("; ")}`,
    messageType: "contactMessage",
    message: { contactMessage: { displayName: textAt(cards[0] ?? {}, "fullName") ?? "" } },
  };
}

/** The routes that put something in front of a person. */
const DRAFTERS: Readonly<Partial<Record<RouteId, Drafter>>> = {
  "message.sendText": (body) => plain(body, "text"),
  "message.sendTextQueue": (body) => plain(body, "text"),
  "message.sendStatus": status,
  "message.sendButtons": buttons,
  "message.sendPoll": (body) =>
    poll(textAt(body, "name") ?? "", texts(body["values"]), body["selectableCount"]),
  "message.sendMedia": media,
  "message.sendMessengerAudio": (body) =>
    file({
      type: "audio",
      source: textAt(body, "audio") ?? "",
      mimetype: "audio/ogg; codecs=opus",
    }),
  "message.sendSticker": (body) =>
    file({ type: "sticker", source: textAt(body, "sticker") ?? "", mimetype: "image/webp" }),
  "message.sendLocation": (body) =>
    place(
      textAt(body, "name") ?? "",
      textAt(body, "address") ?? "",
      body["latitude"] ?? 0,
      body["longitude"] ?? 0,
    ),
  "message.sendReaction": reaction,
  "message.sendContact": contacts,
  "engineA.sendText": (body) => plain(body, "text"),
  "engineA.reply": (body) => plain(body, "text"),
  "engineA.sendFile64": (body) => {
    const source = textAt(body, "path") ?? "";
    const mimetype = /^data:([^;,]+)/.exec(source)?.[1] ?? "application/octet-stream";
    return file({
      type: mimetype.startsWith("image/") ? "image" : "document",
      source,
      mimetype,
      caption: textAt(body, "caption"),
      fileName: textAt(body, "fileName"),
    });
  },
  "engineA.sendLocation": (body) =>
    place(
      textAt(body, "title") ?? "",
      textAt(body, "description") ?? "",
      body["lat"] ?? 0,
      body["lng"] ?? 0,
    ),
  "engineC.sendText": (body) => plain(body, "text"),
  "engineC.sendMedia": (body) =>
    file({
      type: textAt(body, "type") ?? "document",
      source: textAt(body, "url") ?? "",
      mimetype: "application/octet-stream",
      caption: textAt(body, "caption"),
      fileName: textAt(body, "filename"),
    }),
  "engineC.sendPoll": (body) =>
    poll(textAt(body, "question") ?? "", texts(body["options"]), body["maxAnswer"]),
  "engineC.sendLocation": (body) =>
    place(
      textAt(body, "name") ?? "",
      textAt(body, "address") ?? "",
      body["latitude"] ?? 0,
      body["longitude"] ?? 0,
    ),
  "official.sendText": (body) => plain(body, "text"),
  "sms.send": (body) => plain(body, "message"),
};

export const SEND_ROUTES = Object.keys(DRAFTERS) as readonly RouteId[];

/** The draft of a valid send; undefined for a route that sends nothing. */
export function draftOf(route: RouteId, body: JsonObject): SendDraft | undefined {
  const drafted = DRAFTERS[route]?.(body);
  if (!drafted) return undefined;
  const quoted = objectAt(body, "quoted");
  const answered =
    textAt(objectAt(quoted, "key"), "id") ??
    textAt(quoted, "messageId") ??
    textAt(body, "messageid");
  const id = route.startsWith("engineC.") ? textAt(body, "id") : undefined;
  return {
    ...drafted,
    to: drafted.to ?? textAt(body, "number") ?? "",
    ...(answered === undefined ? {} : { quoted: answered }),
    ...(id === undefined || id === "" ? {} : { id }),
  };
}
