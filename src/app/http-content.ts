/** A chat file's lines as the sandbox's controls take them, and what a phone there received as the file writes it. */
import type { Json, JsonObject } from "../base/index.ts";
import type { ChatBubble, ChatSent } from "../flow/index.ts";
import { ownMessage, type Said } from "./chat-content.ts";

/** Body of `POST /sandbox/inbound` beside who writes. Throws for what the sandbox's phones cannot do. */
export function inboundOf(sent: ChatSent, said: Said): JsonObject {
  if (sent.type === "text") return { text: sent.text };
  const { name, args, text } = sent;
  const [first = "", second] = args;
  const caption = text === "" ? {} : { caption: text };
  switch (name) {
    case "choice":
      return { text: first };
    case "button":
      return { button_reply: { id: first, text: second ?? first } };
    case "list":
      return { button_reply: { id: first, text: second ?? first, shape: "list" } };
    case "image":
      return { image: caption };
    case "video":
      return { video: caption };
    case "audio":
      return { audio: { seconds: Number.parseInt(first, 10) || 1 } };
    case "sticker":
      return { sticker: {} };
    case "document":
      return {
        document: { fileName: first, mimetype: "application/pdf", base64: "JVBERi0=", ...caption },
      };
    case "location": {
      const [latitude = 0, longitude = 0] = first.split(",").map(Number);
      return { location: { latitude, longitude } };
    }
    case "contact":
      return { contact: { name: first, phone: (second ?? "").replace(/\D/g, "") } };
    case "reaction":
      return { reaction: { to: said.got.at(-1) ?? "", emoji: first } };
    case "group":
      return { text };
    case "edit":
      return { edit: { id: ownMessage(sent, said), text } };
    case "delete":
      return { delete: { id: ownMessage(sent, said) } };
    default:
      throw new Error(
        `[${name}] cannot be sent over HTTP: a vote names its poll, and orders differ`,
      );
  }
}

/** A row of `GET /sandbox/messages`. */
export interface ReceivedRow {
  readonly id: string;
  readonly route: string;
  readonly text: string;
  readonly body: JsonObject | null;
}

export function bubbleOf({ route, text, body }: ReceivedRow): ChatBubble {
  const { media, fileName, reaction, options, caption } = (body ?? {}) as {
    readonly [name: string]: unknown;
  };
  const marks: string[] = [];
  const isMedia = route === "message.sendMedia";
  if (isMedia) marks.push(`[media ${fileOf(fileName, media)}]`);
  if (route === "message.sendReaction" && typeof reaction === "string")
    marks.push(`[reaction ${reaction}]`);
  // The sandbox tells a file in its own words above the caption.
  const words = !isMedia ? text : typeof caption === "string" ? caption : "";
  const { presence } = (options ?? {}) as { presence?: unknown };
  return {
    text: [...marks, ...(words === "" || marks[0]?.startsWith("[reaction") ? [] : [words])].join(
      "\n",
    ),
    typing: presence === "composing",
  };
}

/** Names the channel gives to a file that has none. */
const NAMELESS = ["imagem", "arquivo"];

function fileOf(fileName: unknown, media: unknown): string {
  if (typeof fileName === "string" && !NAMELESS.includes(fileName)) return fileName;
  const last =
    typeof media === "string"
      ? media
          .replace(/[?#].*$/, "")
          .split("/")
          .at(-1)
      : "";
  return last === undefined || last === "" ? "document" : last;
}

/**
 * Values of a `*` line beside those the sandbox gave: the file's stand for them from then on. What only the bot itself could
 * have said must be the same; throws when it is not.
 */
export function namesIn(
  fields: JsonObject,
  out: JsonObject,
  effect: string,
): readonly (readonly [string, string])[] {
  const json = (value: Json | undefined): string => JSON.stringify(value ?? null);
  return Object.entries(fields).flatMap(([name, wanted]) => {
    const said = out[name];
    if ((name === "code" || name === "fixable") && said !== wanted)
      throw new Error(`over HTTP ${effect} told ${name}=${json(said)}, not ${json(wanted)}`);
    return typeof said === "string" && said !== "" && typeof wanted === "string"
      ? [[said, wanted] as const]
      : [];
  });
}
