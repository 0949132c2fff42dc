/**
 * What a message of engine A holds: flat fields, one set per type. Media bytes come inline (`base64`) and are left there.
 */
import { TEXT_LIMIT, type Content } from "../../engine/index.ts";
import { cardOf } from "../message/message-content.ts";
import {
  at,
  fieldsAt,
  isFields,
  listAt,
  numberAt,
  sizeAt,
  textAt,
  textOf,
  type Fields,
  messageIdOf,
} from "../field.ts";

const MEDIA: Readonly<Record<string, Extract<Content, { type: "media" }>["media"]>> = {
  image: "image",
  video: "video",
  audio: "audio",
  ptt: "audio",
  ptv: "video",
  document: "document",
  sticker: "sticker",
};
const CARDS_LIMIT = 50;

/** Types of the forms that businesses send. */
const FORM =
  /^(interactive|native_flow|hsm|template|buttons|list|order|product|payment|event_creation|groups_v4_invite|newsletter_admin_invite|poll_creation|list_response|buttons_response|template_button_reply|interactive_response)$/;
/** Fields of forms that a person reads, in the order in which they are shown; beside the message or in its `data`. */
const WORDS = [
  ["interactiveHeader", "title"],
  ["title"],
  ["list", "title"],
  ["orderTitle"],
  ["eventName"],
  ["pollName"],
  ["content"],
  ["body"],
  ["caption"],
  ["text"],
  ["list", "description"],
  ["description"],
  ["message"],
  ["eventDescription"],
  ["comment"],
  ["paymentNoteMsg", "body"],
  ["note"],
] as const;
/** Small print, which counts only where nothing else is said. */
const FOOTERS = [["footer"], ["list", "footerText"], ["list", "buttonText"]] as const;
/** A small picture stands where other forms have their words. */
const PICTURE = /^(?:data:|\/9j\/|iVBORw0KGgo)|^[A-Za-z0-9+/=]{200,}$/;

function mediaOf(body: Fields, type: string, key: string): Content | undefined {
  const media = Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined;
  if (!media) return undefined;
  const mimetype = textAt(body, 200, "mimetype") ?? textAt(body, 200, "data", "mimetype");
  const fileName = textAt(body, 300, "filename") ?? textAt(body, 300, "fileName");
  const caption = textAt(body, TEXT_LIMIT, "caption");
  const inline = at(body, "base64");
  // Four characters of base64 hold three bytes; only the size is told on.
  const bytes =
    typeof inline === "string" ? Math.floor((inline.length * 3) / 4) : sizeAt(body, "size");
  const seconds = numberAt(body, "duration") ?? numberAt(body, "seconds");
  const album = albumOf(body);
  return {
    type: "media",
    media,
    ref: {
      key,
      ...(mimetype ? { mimetype } : {}),
      ...(fileName ? { fileName } : {}),
      ...(bytes === undefined ? {} : { bytes }),
      ...(seconds !== undefined && seconds >= 0 ? { seconds } : {}),
    },
    ...(caption ? { caption } : {}),
    ...(album ? { album } : {}),
  };
}

/** Message that holds a picture together with others. */
function albumOf(body: Fields): string | undefined {
  const parent = at(body, "data", "parentMsgKey") ?? at(body, "parentMsgKey");
  const id = isFields(parent) ? (textAt(parent, 300, "_serialized") ?? at(parent, "id")) : parent;
  return messageIdOf(lastPart(textOf(id, 300)));
}

function locationOf(body: Fields): Content | undefined {
  const latitude = numberAt(body, "lat");
  const longitude = numberAt(body, "lng");
  if (latitude === undefined || longitude === undefined) return undefined;
  const name = textAt(body, 300, "loc");
  return { type: "location", latitude, longitude, ...(name ? { name } : {}) };
}

function choiceOf(body: Fields): Content | undefined {
  const list = fieldsAt(body, "listResponse") ?? fieldsAt(body, "data", "listResponse");
  const button =
    fieldsAt(body, "templateButtonReply") ??
    fieldsAt(body, "data", "templateButtonReply") ??
    fieldsAt(body, "buttonsResponse");
  const id =
    textAt(list, 300, "singleSelectReply", "selectedRowId") ??
    textAt(button, 300, "selectedId") ??
    textAt(button, 300, "selectedButtonId") ??
    textAt(body, 300, "data", "selectedButtonId") ??
    textAt(body, 300, "data", "selectedId");
  const label =
    textAt(list, 300, "title") ??
    textAt(button, 300, "selectedDisplayText") ??
    textAt(body, 300, "content") ??
    textAt(body, 300, "data", "body") ??
    id;
  if (!label) return undefined;
  const of = messageIdOf(lastPart(textAt(body, 300, "quotedMsgId")));
  const picks = [{ ...(id ? { id } : {}), label }];
  return { type: "choice", via: list ? "list" : "button", picks, ...(of ? { of } : {}) };
}

function wordsIn(body: Fields, paths: readonly (readonly string[])[]): string | undefined {
  const lines = [body, at(body, "data")].flatMap((level) =>
    paths.flatMap((path) => {
      const line = textAt(level, TEXT_LIMIT, ...path)?.trim();
      return line === undefined || PICTURE.test(line) ? [] : [line];
    }),
  );
  const text = [...new Set(lines)].join("\n").slice(0, TEXT_LIMIT).toWellFormed();
  return text === "" ? undefined : text;
}

/** The messenger's own id out of `<fromMe>_<chat>_<id>[_<author>]`; another text as it is. */
export function lastPart(id: string | undefined): string | undefined {
  return id && /^(true|false)_[^_]+_[^_]+/.test(id) ? id.split("_")[2] : id;
}

export function isTextType(type: string): boolean {
  return /^(text|chat|link)$/.test(type);
}

/** Reads one message. `key` is what the engine's download call needs. */
export function readEngineAContent(body: Fields, key: string): Content {
  const type = (textAt(body, 60, "type") ?? "text").toLowerCase();
  const text = textAt(body, TEXT_LIMIT, "content") ?? textAt(body, TEXT_LIMIT, "data", "body");
  if (/^(list_response|buttons_response|template_button_reply|interactive_response)$/.test(type)) {
    const choice = choiceOf(body);
    if (choice) return choice;
  }
  if (/^(vcard|multi_vcard|contact_card|contact_card_multi)$/.test(type)) {
    const list = listAt(body, CARDS_LIMIT, "vcardList");
    const cards = list.length > 0 ? list : [body];
    return {
      type: "contacts",
      contacts: cards.map((card) =>
        cardOf(
          at(card, "contactName") ?? at(card, "displayName"),
          at(card, "contactVcard") ?? at(card, "vcard"),
        ),
      ),
    };
  }
  const place = type === "location" || type === "livelocation";
  const other = place ? locationOf(body) : mediaOf(body, type, key);
  if (other) return other;
  if (isTextType(type) && text !== undefined) return { type: "text", text };
  const words = FORM.test(type) ? (wordsIn(body, WORDS) ?? wordsIn(body, FOOTERS)) : undefined;
  if (words !== undefined) return { type: "text", text: words };
  return { type: "other", what: type };
}
