/** What leaves from the business's number: kept on record, whatever made the phone say it. */
import type { JsonObject } from "../../base/index.ts";
import { ownRecord, type ChatAddress } from "../webhooks/engine-b.ts";
import { chatOf, echoSend } from "../webhooks/echoes.ts";
import type { StoredFile } from "../http/bounded.ts";
import { rowOf } from "./messages.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { World } from "../world/world.ts";

/** A message that leaves, with what engine B's record says of it. */
interface OwnMessage extends Omit<StoredMessage, "fromMe" | "record" | "statuses"> {
  readonly chat: ChatAddress;
  readonly messageType: string;
  readonly message: JsonObject;
  readonly contextInfo?: JsonObject;
}

/** Puts an own message on record. It is told by {@link echoSend}. */
export function keepOwn(world: World, own: OwnMessage, media?: StoredFile): StoredMessage {
  const { chat, messageType, message, contextInfo, ...facts } = own;
  const { id, at, device, person } = facts;
  const phone = world.instances.phoneOf(device);
  const kept: StoredMessage = {
    ...facts,
    fromMe: true,
    record: ownRecord(phone, chat, { id, at, messageType, message, contextInfo }),
    statuses: ["PENDING"],
  };
  world.messages.add(kept, media);
  world.feed.tell("message", () => ({ ...rowOf(kept), number: person }));
  return kept;
}

/** Puts a text in front of a person without a send of its own: an invitation, the answer to a rejected call. */
export function say(
  world: World,
  words: Pick<StoredMessage, "device" | "person" | "text" | "route" | "body">,
): void {
  const { device, person, text } = words;
  const chat = chatOf(world, person);
  const message = keepOwn(world, {
    ...words,
    id: world.ids.outgoing(),
    at: world.clock.now(),
    channel: "engine-b",
    chat,
    messageType: "conversation",
    message: { conversation: text },
  });
  if (!world.webhooks.muted.has(device)) void echoSend(world, message, chat);
}
