/** The sorts of things that can be sent: what a person reads of each, and the message as engines hold it. */
import type { Json, JsonObject } from "../../base/index.ts";
import { isObject, objectAt, textAt } from "../http/bounded.ts";
import { STATUS_FEED } from "../chats/chat-book.ts";
import type { MediaSource } from "./media-source.ts";

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

interface FileFacts {
  readonly type: string;
  readonly source: MediaSource;
  readonly mimetype?: string | undefined;
  readonly caption?: string | undefined;
  readonly fileName?: string | undefined;
}

/** A media. What its bytes tell is added when they have been read. */
export function file({ type, source, mimetype, caption, fileName }: FileFacts): Part {
  const label = [type, ...(fileName === undefined ? [] : [fileName])].join(" ");
  return {
    text: caption === undefined || caption === "" ? `[${label}]` : `[${label}] ${caption}`,
    messageType: `${type}Message`,
    message: {
      // Spread over what the bytes tell: a kind that was not named is told by them.
      [`${type}Message`]: {
        ...(mimetype === undefined ? {} : { mimetype }),
        caption,
        fileName,
        ptt: type === "audio" ? true : undefined,
      },
    },
    media: { source, mimetype, fileName },
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
  return file({
    type: textAt(body, "mediatype") ?? "document",
    source: { text: textAt(body, "media") ?? "" },
    mimetype: textAt(body, "mimetype"),
    caption: textAt(body, "caption"),
    fileName: textAt(body, "fileName"),
  });
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
  return { ...post, to: STATUS_FEED, viewers };
}

export function buttons(body: JsonObject): Part {
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
