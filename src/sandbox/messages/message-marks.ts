/** What happens to a message after it was sent: reactions, votes, edits, its download, and its being taken back. */
import type { Json } from "../../base/index.ts";
import { jidOf } from "../http/address.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { World } from "../world/world.ts";
import { objectAt, textAt } from "../http/bounded.ts";
import { ownRecord } from "../webhooks/engine-b.ts";
import { isAdmin } from "../groups/groups.ts";
import { chatOf } from "../webhooks/echoes.ts";
import {
  done,
  type Outcome,
  engineError,
  onInstance,
  onOpenPhone,
  type OnPhone,
} from "../http/outcome.ts";
import { tellDeleted } from "../webhooks/phone-news.ts";

/** Puts a person's reaction to a message on record; empty takes it back. `who` is phone digits, or `me`. */
export function react(world: World, device: string, id: string, who: string, emoji: string): void {
  const message = world.messages.find(device, id);
  if (!message) return;
  const reactions = new Map(message.reactions);
  if (emoji === "") reactions.delete(who);
  else reactions.set(who, emoji);
  message.reactions = reactions;
}

/** Puts a voter's whole selection on record; empty takes the vote back. */
export function vote(poll: StoredMessage, voter: string, options: readonly string[]): void {
  const votes = new Map(poll.votes);
  if (options.length === 0) votes.delete(voter);
  else votes.set(voter, options);
  poll.votes = votes;
}

/** Why a selection is none of this poll's; undefined when it is. */
export function voteProblem(poll: StoredMessage, options: readonly string[]): string | undefined {
  const unknown = options.find((option) => poll.options?.includes(option) !== true);
  if (unknown !== undefined) return "The poll has no such option.";
  const { selectable = 0 } = poll;
  if (selectable > 0 && options.length > selectable)
    return `The poll lets a voter pick ${selectable}.`;
  return new Set(options).size === options.length ? undefined : "An option is named twice.";
}

/** All votes of a poll, option by option. */
export function tally(poll: StoredMessage): Json {
  const votes = [...(poll.votes ?? [])];
  return (poll.options ?? []).map((name) => ({
    name,
    voters: votes.flatMap(([voter, picked]) => (picked.includes(name) ? [jidOf(voter)] : [])),
  }));
}

/** Other words for a text. */
export function edit(message: StoredMessage, text: string): void {
  message.record = {
    ...message.record,
    messageType: "conversation",
    message: { conversation: text },
  };
}

/** Takes a message back for everybody; false when that was done before. */
export function takeBack(message: StoredMessage): boolean {
  if (message.deleted === true) return false;
  message.deleted = true;
  message.statuses = [...message.statuses, "DELETED"];
  return true;
}

export const getBase64FromMediaMessage = onInstance(({ world, device, call }) => {
  const id = textAt(objectAt(objectAt(call.body, "message"), "key"), "id") ?? "";
  const message = world.messages.find(device, id);
  if (!message) return engineError(400, "Message not found");
  const media = world.messages.media(device, id);
  const type = textAt(message.record, "messageType") ?? "";
  if (!media) return engineError(400, "The message is not of the media type");
  const held = objectAt(objectAt(message.record, "message"), type);
  return done({
    mediaType: type,
    fileName: media.fileName ?? `${id}.bin`,
    caption: textAt(held, "caption") ?? "",
    size: { fileLength: textAt(held, "fileLength") ?? "0", height: null, width: null },
    mimetype: media.mimetype,
    base64: media.base64,
    buffer: null,
  });
});

/** Own messages; in a group where the business is an admin, others' too. A repeat changes nothing. */
export const deleteMessageForEveryone = onOpenPhone((on) => {
  const { world, device, call } = on;
  const message = world.messages.find(device, textAt(call.body, "id") ?? "");
  const person = world.book.personOf(textAt(call.body, "remoteJid") ?? "");
  if (message?.person !== person || message.fromMe !== call.body["fromMe"])
    return engineError(400, "Message not found");
  if (!mayDelete(on, message))
    return engineError(400, "Only own messages can be deleted, or a group's by its admins");
  if (takeBack(message)) tellDeleted(world, message);
  return revoked(on, message);
});

function mayDelete({ world, instance }: OnPhone, message: StoredMessage): boolean {
  if (message.fromMe) return true;
  const group = world.groups.find(message.person);
  return group !== undefined && isAdmin(group, instance.own);
}

function revoked({ world, instance }: OnPhone, message: StoredMessage): Outcome {
  const chat = chatOf(world, message.person);
  const key = { remoteJid: chat.remoteJid, fromMe: message.fromMe, id: message.id };
  return done(
    ownRecord(instance, chat, {
      id: world.ids.outgoing(),
      at: world.clock.now(),
      messageType: "protocolMessage",
      message: { protocolMessage: { key, type: "REVOKE" } },
    }),
  );
}
