/**
 * What somebody of a chat file writes in a group, as their engine posts it: read by the channel's own adapter, so that a file
 * sees what the bot would make of it.
 */
import { channels } from "../../channels/index.ts";
import type { ChannelName, InboundEvent } from "../../engine/index.ts";
import type { JsonObject } from "../../base/index.ts";

export interface GroupMessage {
  readonly id: string;
  /** Ms. */
  readonly at: number;
  /** Who writes: digits, and the display name. */
  readonly number: string;
  readonly name: string;
  readonly text: string;
}

/** Groups of a file have no names on the wire that the bot reads: one address does for all. */
export const GROUP_ADDRESS = "120363314888103300@g.us";

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

/** Events the bot takes of it. Throws where people of this channel have no groups, and where the body is none of its engine's. */
export function groupEvents(channel: ChannelName, message: GroupMessage): readonly InboundEvent[] {
  const body = BODY[channel]?.(message);
  if (!body) throw new Error(`there are no groups on ${channel}`);
  const parsed = channels[channel].parse({
    headers: {},
    body,
    receivedAt: message.at,
    ...(channel === "engine-a" ? { hook: "message" } : {}),
  });
  if (!parsed.ok) throw new Error(`the body of a group message is none of ${channel}'s`);
  if (parsed.events.length === 0 && !parsed.ignored.includes("group"))
    throw new Error(`${channel} did not see a group: ${parsed.ignored.join(", ")}`);
  return parsed.events;
}
