/** The sorts of things that can be sent: what a person reads of each, and the message as engines hold it. */
import type { Json, JsonObject } from "../base/index.ts";
import { isObject, objectAt, textAt } from "./bounded.ts";
import { STATUS_FEED } from "./chat-book.ts";
import type { MediaSource } from "./media-source.ts";

/** Buttons that answer, in one message. */
const REPLY_BUTTONS = 3;

/** What the engine calls the sorts of media; `ptv` is a round film. */
const MEDIA_TYPES = ["image", "document", "video", "audio", "ptv"];

export interface SendDraft {
  /** Recipient as the call named it. */
  readonly to: string;
  readonly text: string;
  readonly messageType: string;
  readonly message: JsonObject;
  /** Options of a poll, and how many of them one voter may pick; 0 = any number. */
  readonly options?: readonly string[];
  readonly selectable?: number;
  /** The message that this one answers, and what the caller says it held. */
  readonly quoted?: { readonly id: string; readonly message?: JsonObject };
  /** Whom it mentions, in a group: everybody, or these addresses. */
  readonly mentions?: "all" | readonly string[];
  /** An id that the caller chose. */
  readonly id?: string;
  /** Where its bytes come from, and what they are. */
  readonly media?: {
    readonly source: MediaSource;
    readonly mimetype?: string;
    readonly fileName?: string;
  };
  /** Key of the message that it reacts to. */
  readonly reactsTo?: string;
  /** Addresses that see a status post; `all` = the contacts. */
  readonly viewers?: "all" | readonly string[];
  /** Why the engine refuses it, whatever the phone and the recipient. */
  readonly refusal?: string;
}

export type Part = Omit<SendDraft, "to"> & { readonly to?: string };

/** `1. Sim`, one option a line. */
function numbered(title: string, options: readonly string[]): string {
  const rows = options.map((option, index) => `${index + 1}. ${option}`);
  return [title, ...rows].filter((line) => line !== "").join("\n");
}

export function plain(body: JsonObject, key: string): Part {
  const text = textAt(body, key) ?? "";
  return { text, messageType: "conversation", message: { conversation: text } };
}

export function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function poll(name: string, options: readonly string[], count: Json | undefined): Part {
  const selectable = typeof count === "number" ? count : 0;
  return {
    text: numbered(name, options),
    options,
    selectable,
    messageType: "pollCreationMessageV3",
    message: {
      pollCreationMessageV3: {
        name,
        options: options.map((optionName) => ({ optionName })),
        selectableOptionsCount: selectable,
      },
      messageContextInfo: { messageSecret: "c2FuZGJveC1zZWNyZXQ=" },
    },
  };
}

export interface FileFacts {
  readonly type: string;
  readonly source: MediaSource;
  readonly mimetype?: string | undefined;
  readonly caption?: string | undefined;
  readonly fileName?: string | undefined;
}

/** A media. What its bytes tell is added when they have been read. */
export function file({ type, source, mimetype, caption, fileName }: FileFacts): Part {
  const label = [type, ...(fileName === undefined ? [] : [fileName])].join(" ");
  const named = fileName === undefined ? {} : { fileName };
  const typed = mimetype === undefined ? {} : { mimetype };
  return {
    text: caption === undefined || caption === "" ? `[${label}]` : `[${label}] ${caption}`,
    messageType: `${type}Message`,
    message: {
      [`${type}Message`]: {
        ...typed,
        ...(caption === undefined ? {} : { caption }),
        ...named,
        ...(type === "audio" ? { ptt: true } : {}),
      },
    },
    media: { source, ...typed, ...named },
  };
}

export function place(name: string, address: string, latitude: Json, longitude: Json): Part {
  return {
    text: `[location] ${[name, address].filter((part) => part !== "").join(", ")}`,
    messageType: "locationMessage",
    message: {
      locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address },
    },
  };
}

export function media(body: JsonObject): Part {
  const type = textAt(body, "mediatype") ?? "document";
  const part = file({
    type,
    source: { text: textAt(body, "media") ?? "" },
    mimetype: textAt(body, "mimetype"),
    caption: textAt(body, "caption"),
    fileName: textAt(body, "fileName"),
  });
  if (MEDIA_TYPES.includes(type)) return part;
  return { ...part, refusal: `mediatype must be one of ${MEDIA_TYPES.join(", ")}` };
}

export function status(body: JsonObject): Part {
  const type = textAt(body, "type") ?? "text";
  const content = textAt(body, "content") ?? "";
  const viewers = body["allContacts"] === true ? "all" : texts(body["statusJidList"]);
  const { backgroundColor = "", font = 1 } = body;
  const words: Part = {
    text: content,
    messageType: "extendedTextMessage",
    message: { extendedTextMessage: { text: content, backgroundColor, font } },
  };
  const post =
    type === "text"
      ? words
      : file({ type, source: { text: content }, caption: textAt(body, "caption") });
  return {
    ...post,
    to: STATUS_FEED,
    viewers,
    ...(viewers.length === 0 ? { refusal: "StatusJidList is required" } : {}),
  };
}

export function buttons(body: JsonObject): Part {
  const rows = Array.isArray(body["buttons"]) ? body["buttons"].filter(isObject) : [];
  const title = ["title", "description", "footer"]
    .map((key) => textAt(body, key) ?? "")
    .filter((line) => line !== "")
    .join("\n");
  const labels = rows.map((row) => textAt(row, "displayText") ?? textAt(row, "id") ?? "");
  const refusal = buttonProblem(rows.map((row) => textAt(row, "type") ?? ""));
  return {
    text: numbered(title, labels),
    messageType: "buttonsMessage",
    message: { buttonsMessage: { contentText: title, buttons: rows } },
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** What the engine takes together, by its public sources. */
function buttonProblem(types: readonly string[]): string | undefined {
  const replies = types.filter((type) => type === "reply").length;
  const pix = types.filter((type) => type === "pix").length;
  if (replies > REPLY_BUTTONS) return "Maximum of 3 reply buttons allowed";
  if (replies > 0 && replies < types.length)
    return "Reply buttons cannot be mixed with other button types";
  if (pix > 1) return "Only one PIX button is allowed";
  if (pix === 1 && types.length > 1) return "PIX button cannot be mixed with other button types";
  return undefined;
}

export function reaction(body: JsonObject): Part {
  const key = objectAt(body, "key");
  const emoji = textAt(body, "reaction") ?? "";
  return {
    to: textAt(key, "remoteJid") ?? "",
    text: emoji,
    reactsTo: textAt(key, "id") ?? "",
    messageType: "reactionMessage",
    message: { reactionMessage: { key, text: emoji } },
  };
}

export function contacts(body: JsonObject): Part {
  const cards = (Array.isArray(body["contact"]) ? body["contact"].filter(isObject) : []).map(
    (card) => {
      const name = textAt(card, "fullName") ?? "";
      const phone = textAt(card, "phoneNumber") ?? "";
      const digits = phone.replace(/\D/g, "");
      const vcard = `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;waid=${digits}:${phone}\nEND:VCARD`;
      return { line: `${name} ${phone}`.trim(), card: { displayName: name, vcard } };
    },
  );
  const text = `[contact] ${cards.map(({ line }) => line).join("; ")}`;
  const [first] = cards;
  if (cards.length === 1 && first)
    return { text, messageType: "contactMessage", message: { contactMessage: first.card } };
  const all = { displayName: `${cards.length} contacts`, contacts: cards.map(({ card }) => card) };
  return { text, messageType: "contactsArrayMessage", message: { contactsArrayMessage: all } };
}
