/** Engine A sends: text, reply, file, place, each one gateway call. It shows neither buttons nor polls. */
import type { Outbound } from "../../engine/index.ts";
import {
  CAPTION_LIMIT,
  cutTo,
  numberedText,
  placeInWords,
  SEND_LIMIT,
} from "../message/rendering.ts";
import type { RenderOptions, Rendered } from "../channel.ts";
import { numberFor, readJid } from "../jid.ts";

/** The engine's id of a message of the contact; what already is one stays. */
function compositeFor(address: string, messageId: string): string {
  if (/^(true|false)_/.test(messageId)) return messageId;
  const jid = readJid(address);
  const chat = jid?.kind === "phone" ? `${jid.user}@c.us` : (jid?.address ?? address);
  return `false_${chat}_${messageId}`;
}

export function renderEngineA(
  message: Outbound,
  address: string,
  options: RenderOptions = {},
): Rendered {
  const number = numberFor(address);
  const { media, location } = message;
  if (media?.base64) {
    const caption = numberedText(message, CAPTION_LIMIT, true);
    const path = `data:${media.mimetype};base64,${media.base64}`;
    const named = media.fileName ? { fileName: media.fileName } : {};
    return {
      route: "engineA.sendFile64",
      body: { number, path, ...(caption ? { caption } : {}), ...named },
      text: caption,
    };
  }
  const words = numberedText(message, SEND_LIMIT, true);
  if (location && words.trim() === "") {
    const { latitude: lat, longitude: lng, name: title, address: description } = location;
    return {
      route: "engineA.sendLocation",
      body: {
        number,
        lat,
        lng,
        ...(title ? { title } : {}),
        ...(description ? { description } : {}),
      },
      text: "",
    };
  }
  // This engine takes no file by address and no words beside a place: both become text.
  const told = location ? placeInWords(location) : media?.url;
  const text = told ? cutTo(`${words}\n${told}`.trim(), SEND_LIMIT) : words;
  if (message.reply) {
    const messageid = compositeFor(address, message.reply);
    return { route: "engineA.reply", body: { number, messageid, text }, text };
  }
  const typing = options.delayMs ? { time_typing: options.delayMs } : {};
  return { route: "engineA.sendText", body: { number, text, ...typing }, text };
}
