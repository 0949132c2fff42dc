/** Engine C sends: text, poll, media, place, each one gateway call. Media goes by address where there is one. */
import { standing, type Outbound } from "../../engine/index.ts";
import {
  CAPTION_LIMIT,
  cutTo,
  numberedText,
  placeInWords,
  SEND_LIMIT,
  withoutBold,
} from "../message/rendering.ts";
import type { RenderOptions, Rendered } from "../channel.ts";
import { fitsPoll } from "../engine-b/engine-b-render.ts";
import { numberFor } from "../jid.ts";

export function renderEngineC(
  message: Outbound,
  address: string,
  options: RenderOptions = {},
): Rendered {
  const number = numberFor(address);
  const delay = options.delayMs ? { delay: options.delayMs } : {};
  const quoted = message.reply ? { quoted: { messageId: message.reply } } : {};
  const { media, location } = message;
  const content = media?.url ?? media?.base64;
  if (media && content) {
    const caption = numberedText(message, CAPTION_LIMIT, true);
    // An audio shows no words beside it; as a file it does.
    const type = media.kind === "audio" && caption.trim() !== "" ? "document" : media.kind;
    const named = media.fileName ? { filename: media.fileName } : {};
    const words = caption ? { caption } : {};
    const body = { number, url: content, type, ...words, ...named, ...delay, ...quoted };
    return { route: "engineC.sendMedia", body, text: caption };
  }
  if (options.choices === "poll" && fitsPoll(message)) {
    const question = withoutBold(message.text).trim();
    const labels = (message.choices ?? []).map(standing);
    const body = { number, question, maxAnswer: 1, options: labels, ...delay, ...quoted };
    return { route: "engineC.sendPoll", body, text: question };
  }
  const words = numberedText(message, SEND_LIMIT, true);
  if (location && words.trim() === "") {
    const { latitude, longitude } = location;
    const name = location.name ?? "📍";
    const where = location.address ?? `${latitude}, ${longitude}`;
    const body = { number, name, address: where, latitude, longitude, ...delay, ...quoted };
    return { route: "engineC.sendLocation", body, text: "" };
  }
  const text = location ? cutTo(`${words}\n${placeInWords(location)}`, SEND_LIMIT) : words;
  return { route: "engineC.sendText", body: { number, text, ...delay, ...quoted }, text };
}
