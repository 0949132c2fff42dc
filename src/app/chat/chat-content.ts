/** What a chat file's person sends, as the channel's event. */
import type { JsonObject } from "../../base/index.ts";
import { channels } from "../../channels/index.ts";
import type { ChannelName, Content, InboundEvent } from "../../engine/index.ts";
import type { ChatSent } from "../../flow/index.ts";

type Action = Extract<ChatSent, { type: "action" }>;
type Head = Pick<Extract<InboundEvent, { kind: "message" }>, "id" | "at" | "from" | "messageId">;

/** Ids of messages in a chat, oldest first: those of the person, and those they got. */
interface Said {
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
function ownMessage(action: Action, { own }: Said): string {
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

/** What somebody writes in a group, as their engine posts it. */
interface GroupMessage {
  readonly id: string;
  /** Ms. */
  readonly at: number;
  /** Who writes: digits, and the display name. */
  readonly number: string;
  readonly name: string;
  readonly text: string;
}

/** Groups of a file have no names on the wire that the bot reads: one address does for all. */
const GROUP_ADDRESS = "120363314888103300@g.us";

const BODY: Readonly<Partial<Record<ChannelName, (message: GroupMessage) => JsonObject>>> = {
  "engine-a": ({ id, at, number, name, text }) => ({
    wook: "RECEIVE_MESSAGE",
    status: "RECEIVED",
    type: "text",
    fromMe: false,
    id: `false_${GROUP_ADDRESS}_${id}_${number}@c.us`,
    isGroupMsg: true,
    author: null,
    name,
    from: number,
    content: text,
    timestamp: Math.floor(at / 1_000),
    data: { id: `false_${number}@c.us_${id}`, body: text, type: "chat" },
  }),
  "engine-b": ({ id, at, number, name, text }) => ({
    data: {
      key: {
        remoteJid: GROUP_ADDRESS,
        fromMe: false,
        id,
        participant: `${number}@s.whatsapp.net`,
      },
      pushName: name,
      message: { conversation: text },
      messageType: "conversation",
      messageTimestamp: Math.floor(at / 1_000),
    },
  }),
  "engine-c": ({ id, at, number, name, text }) => ({
    event: "Message",
    data: {
      Info: {
        Chat: GROUP_ADDRESS,
        Sender: `${number}@s.whatsapp.net`,
        PushName: name,
        IsFromMe: false,
        IsGroup: true,
        ID: id,
        Timestamp: new Date(at).toISOString(),
      },
      Message: { conversation: text },
    },
  }),
};

/** Events the bot takes of it, read by the channel's own adapter, so that a file sees what the bot would make of it. Throws where people of this channel have no groups, and where the body is none of its engine's. */
export function groupEvents(channel: ChannelName, message: GroupMessage): readonly InboundEvent[] {
  const body = BODY[channel]?.(message);
  if (!body) throw new Error(`there are no groups on ${channel}`);
  const parsed = channels[channel].parse({
    headers: {},
    body,
    receivedAt: message.at,
    hook: channel === "engine-a" ? "message" : undefined,
  });
  if (!parsed.ok) throw new Error(`the body of a group message is none of ${channel}'s`);
  if (parsed.events.length === 0 && !parsed.ignored.includes("group"))
    throw new Error(`${channel} did not see a group: ${parsed.ignored.join(", ")}`);
  return parsed.events;
}
