/** Votes and reactions as engines B and C put them into `message`: they point at another message of the chat. */
import type { JsonObject } from "../../base/index.ts";
import type { InboundContents, WireMessage } from "../messages/content.ts";
import type { ChatAddress } from "../webhooks/engine-b.ts";
import { chatOf } from "../webhooks/herald.ts";
import type { World } from "../world/world.ts";

interface Mark {
  readonly world: World;
  readonly device: string;
  readonly chat: ChatAddress;
  /** Who of a group does it. */
  readonly author?: string;
  readonly at: number;
  readonly content: InboundContents;
}

/** Undefined for everything else. */
export function markMessage(
  mark: Mark,
): { readonly wire: WireMessage; readonly extra?: JsonObject } | undefined {
  const { world, device, content, chat, author, at } = mark;
  if (content.poll_vote) {
    const { poll, options } = content.poll_vote;
    const voter = author === undefined ? chat.remoteJid : chatOf(world, author).remoteJid;
    const asked = world.messages.find(device, poll)?.options ?? options;
    return {
      wire: {
        messageType: "pollUpdateMessage",
        message: {
          pollUpdateMessage: {
            pollCreationMessageKey: { remoteJid: chat.remoteJid, fromMe: true, id: poll },
            vote: { encPayload: "c2Vj", encIv: "aXY=", selectedOptions: options },
            senderTimestampMs: String(at),
          },
        },
      },
      extra: {
        pollUpdates: asked.map((name) => ({
          name,
          voters: options.includes(name) ? [voter] : [],
        })),
      },
    };
  }
  if (!content.reaction) return undefined;
  const { to, emoji } = content.reaction;
  const fromMe = world.messages.find(device, to)?.fromMe ?? true;
  return {
    wire: {
      messageType: "reactionMessage",
      message: {
        reactionMessage: {
          key: { remoteJid: chat.remoteJid, fromMe, id: to },
          text: emoji,
          senderTimestampMs: String(at),
        },
      },
    },
  };
}
