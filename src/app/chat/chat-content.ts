/** What a chat file's person sends, as the channel's event. */
import type { Content, InboundEvent } from "../../engine/index.ts";
import type { ChatSent } from "../../flow/index.ts";

type Action = Extract<ChatSent, { type: "action" }>;
type Head = Pick<Extract<InboundEvent, { kind: "message" }>, "id" | "at" | "from" | "messageId">;

/** Ids of messages in a chat, oldest first: those of the person, and those they got. */
export interface Said {
  readonly own: readonly string[];
  readonly got: readonly string[];
}

export function eventOf(sent: ChatSent, head: Head, said: Said): InboundEvent {
  if (sent.type === "text")
    return { kind: "message", ...head, content: { type: "text", text: sent.text } };
  switch (sent.name) {
    case "reaction": {
      const of = said.got.at(-1);
      if (of === undefined) throw new Error("there is no message to react to yet");
      return { kind: "reaction", ...head, emoji: sent.args[0] ?? "", of };
    }
    case "edit":
      return { kind: "edit", ...head, messageId: ownMessage(sent, said), text: sent.text };
    case "delete":
      return { kind: "delete", ...head, messageId: ownMessage(sent, said) };
    case "quote":
      return {
        kind: "message",
        ...head,
        content: { type: "text", text: sent.text },
        quoted: messageAt(sent, said.got, "has got"),
      };
    default:
      return { kind: "message", ...head, content: contentOf(sent) };
  }
}

/** The message of the person that `[edit -1]` and `[delete -1]` name. */
export function ownMessage(action: Action, { own }: Said): string {
  return messageAt(action, own, "has sent");
}

function messageAt({ name, args }: Action, ids: readonly string[], has: string): string {
  const [back = "-1"] = args;
  const id = ids.at(Number(back));
  if (id === undefined)
    throw new Error(`[${name} ${back}]: this person ${has} ${ids.length} messages`);
  return id;
}

function contentOf({ name, args, text }: Action): Content {
  const [first = ""] = args;
  const caption = text === "" ? {} : { caption: text };
  switch (name) {
    case "choice":
      return { type: "text", text: first };
    case "button":
    case "list":
      return { type: "choice", via: name, picks: [{ id: first, label: args[1] ?? first }] };
    case "vote":
      return { type: "choice", via: "poll", picks: args.map((label) => ({ label })) };
    case "audio":
      return { type: "media", media: "audio", ref: { seconds: Number.parseInt(first, 10) || 1 } };
    case "sticker":
      return { type: "media", media: "sticker", ref: {} };
    case "image":
    case "video":
    case "document":
      return { type: "media", media: name, ref: { fileName: first }, ...caption };
    case "location": {
      const [latitude = Number.NaN, longitude = Number.NaN] = first.split(",").map(Number);
      if (Number.isNaN(latitude) || Number.isNaN(longitude))
        throw new Error(`[location ${first}] is no latitude,longitude`);
      return { type: "location", latitude, longitude };
    }
    case "contact": {
      const phone = args[1]?.replace(/\D/g, "");
      return { type: "contacts", contacts: [{ name: first, ...(phone ? { phone } : {}) }] };
    }
    default:
      return { type: "other", what: first === "" ? name : first };
  }
}
