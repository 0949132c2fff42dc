/** From the body of a send to what arrives: one entry for each route that puts something in front of a person. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { RouteId } from "../../gateway/index.ts";
import { isObject, objectAt, textAt } from "../http/bounded.ts";
import {
  buttons,
  contacts,
  file,
  media,
  place,
  plain,
  poll,
  reaction,
  status,
  texts,
  type Part,
  type SendDraft,
} from "./draft-parts.ts";

export type { SendDraft };

const OGG = "audio/ogg; codecs=opus";

const DRAFTERS = {
  "message.sendText": (body) => plain(body, "text"),
  "message.sendTextQueue": (body) => plain(body, "text"),
  "message.sendStatus": status,
  "message.sendButtons": buttons,
  "message.sendPoll": (body) =>
    poll(textAt(body, "name") ?? "", texts(body["values"]), body["selectableCount"]),
  "message.sendMedia": media,
  "message.sendMessengerAudio": (body) =>
    file({ type: "audio", source: { text: textAt(body, "audio") ?? "" }, mimetype: OGG }),
  "message.sendSticker": (body) =>
    file({
      type: "sticker",
      source: { text: textAt(body, "sticker") ?? "" },
      mimetype: "image/webp",
    }),
  "message.sendLocation": (body) => mapped(body, "name", "address", "latitude", "longitude"),
  "message.sendReaction": reaction,
  "message.sendContact": contacts,
  "engineA.sendText": (body) => plain(body, "text"),
  "engineA.reply": (body) => plain(body, "text"),
  "engineA.sendFile64": (body) => {
    const source = textAt(body, "path") ?? "";
    const mimetype = /^data:([^;,]{1,200})/.exec(source)?.[1];
    return file({
      type: mimetype?.startsWith("image/") === true ? "image" : "document",
      source: { text: source, dataUrl: true },
      mimetype,
      caption: textAt(body, "caption"),
      fileName: textAt(body, "fileName"),
    });
  },
  "engineA.sendLocation": (body) => mapped(body, "title", "description", "lat", "lng"),
  "engineC.sendText": (body) => plain(body, "text"),
  "engineC.sendMedia": (body) =>
    file({
      type: textAt(body, "type") ?? "document",
      source: { text: textAt(body, "url") ?? "" },
      caption: textAt(body, "caption"),
      fileName: textAt(body, "filename"),
    }),
  "engineC.sendPoll": (body) =>
    poll(textAt(body, "question") ?? "", texts(body["options"]), body["maxAnswer"]),
  "engineC.sendLocation": (body) => mapped(body, "name", "address", "latitude", "longitude"),
  "official.sendText": (body) => plain(body, "text"),
  "sms.send": (body) => plain(body, "message"),
} as const satisfies Partial<Record<RouteId, (body: JsonObject) => Part>>;

/** A route that puts something in front of a person. */
export type SendRoute = keyof typeof DRAFTERS;

export const SEND_ROUTES = Object.keys(DRAFTERS) as readonly SendRoute[];

/** The draft of a valid send. */
export function draftOf(route: SendRoute, body: JsonObject): SendDraft {
  const part: Part = DRAFTERS[route](body);
  const id = route.startsWith("engineC.") ? textAt(body, "id") : undefined;
  return {
    ...part,
    to: part.to ?? textAt(body, "number") ?? "",
    quoted: quotedIn(body),
    mentions: mentionsIn(body),
    id: id === "" ? undefined : id,
  };
}

function mapped(
  body: JsonObject,
  name: string,
  address: string,
  latitude: string,
  longitude: string,
): Part {
  const at = (key: string): Json => body[key] ?? 0;
  return place(textAt(body, name) ?? "", textAt(body, address) ?? "", at(latitude), at(longitude));
}

/** Engine B names a key, C an id, A a composite one whose last part is the same id. */
function quotedIn(body: JsonObject): SendDraft["quoted"] {
  const quoted = objectAt(body, "quoted");
  const id =
    textAt(objectAt(quoted, "key"), "id") ??
    textAt(quoted, "messageId") ??
    textAt(body, "messageid")?.split("_").at(-1);
  if (id === undefined) return undefined;
  const message = quoted["message"];
  return { id, message: isObject(message) ? message : undefined };
}

function mentionsIn(body: JsonObject): SendDraft["mentions"] {
  if (body["mentionsEveryOne"] === true) return "all";
  const named = texts(body["mentioned"]);
  return named.length > 0 ? named : undefined;
}
