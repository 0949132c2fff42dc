/**
 * Engine B sends: text, poll, media, narrated audio, place, each one gateway call.
 *
 * Choices are numbered text unless the account asks for polls: a poll's votes reach us only while the engine still holds
 * the poll, and the words always work. The pause goes out twice (`delay`, `options.delay`): versions differ in which is read.
 */
import { standing, type Outbound } from "../../engine/index.ts";
import type { JsonObject } from "../../base/index.ts";
import {
  CAPTION_LIMIT,
  cutTo,
  numberedText,
  namedPlace,
  placeInWords,
  SEND_LIMIT,
  withoutBold,
} from "../message/rendering.ts";
import type { RenderOptions, Rendered } from "../channel.ts";
import { numberFor } from "../jid.ts";

/** The engine's schema refuses more than 10 values, and equal ones. */
const POLL_VALUES = 10;
/** Longest option and question that the messenger shows whole. */
const POLL_VALUE_LIMIT = 100;
const POLL_NAME_LIMIT = 255;

/** Whether a message fits one poll of the messenger; otherwise its choices go as numbered text. */
export function fitsPoll(message: Outbound): boolean {
  const labels = (message.choices ?? []).map(standing);
  return (
    labels.length >= 2 &&
    labels.length <= POLL_VALUES &&
    new Set(labels).size === labels.length &&
    labels.every((label) => label.length <= POLL_VALUE_LIMIT) &&
    withoutBold(message.text).length <= POLL_NAME_LIMIT &&
    message.text.trim() !== ""
  );
}

function pauseOf(options: RenderOptions): JsonObject {
  const delay = options.delayMs ?? 0;
  return { options: { delay, presence: "composing" }, ...(delay > 0 ? { delay } : {}) };
}

function mediaCall(message: Outbound, number: string): Rendered | undefined {
  const { media } = message;
  const content = media?.base64 ?? media?.url;
  if (!media || !content) return undefined;
  const caption = numberedText(message, CAPTION_LIMIT, true);
  // A narrated audio has no caption; with words beside it, it goes as a file so that no word is lost.
  if (media.kind === "audio" && caption.trim() === "")
    return {
      route: "message.sendMessengerAudio",
      body: { number, audio: content, encoding: true },
      text: "",
    };
  const mediatype = media.kind === "audio" ? "document" : media.kind;
  return {
    route: "message.sendMedia",
    body: {
      number,
      mediatype,
      mimetype: media.mimetype,
      caption,
      media: content,
      fileName: media.fileName ?? (mediatype === "image" ? "imagem" : "arquivo"),
    },
    text: caption,
  };
}

export function renderEngineB(
  message: Outbound,
  address: string,
  options: RenderOptions = {},
): Rendered {
  const number = numberFor(address);
  const withMedia = mediaCall(message, number);
  if (withMedia) return withMedia;
  if (options.choices === "poll" && fitsPoll(message)) {
    const name = withoutBold(message.text).trim();
    const values = (message.choices ?? []).map(standing);
    return {
      route: "message.sendPoll",
      body: { number, ...pauseOf(options), name, selectableCount: 1, values },
      text: name,
    };
  }
  const words = numberedText(message, SEND_LIMIT, true);
  const { location } = message;
  if (location && words.trim() === "") {
    const body = { number, ...namedPlace(location) };
    return { route: "message.sendLocation", body, text: "" };
  }
  const text = location ? cutTo(`${words}\n${placeInWords(location)}`, SEND_LIMIT) : words;
  const quoted = message.reply ? { quoted: { key: { id: cutTo(message.reply, 200) } } } : {};
  return {
    route: "message.sendText",
    body: { number, text, ...pauseOf(options), ...quoted },
    text,
  };
}
