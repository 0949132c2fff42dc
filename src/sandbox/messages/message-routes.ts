/** What can be asked of one message: its bytes, and its being taken back for everybody. */
import { objectAt, textAt } from "../http/bounded.ts";
import { messageRecord } from "../webhooks/engine-b.ts";
import { isAdmin } from "../groups/groups.ts";
import { chatOf } from "../webhooks/herald.ts";
import { takeBack } from "./message-marks.ts";
import type { StoredMessage } from "./stored-message.ts";
import { done, type Outcome } from "../http/outcome.ts";
import { tellDeleted } from "../webhooks/phone-news.ts";
import { engineError, onInstance, onOpenPhone, type OnPhone } from "../http/refusals.ts";

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
    messageRecord(instance, chat, {
      id: world.ids.outgoing(),
      fromMe: true,
      pushName: "Você",
      status: "PENDING",
      messageType: "protocolMessage",
      message: { protocolMessage: { key, type: "REVOKE" } },
      at: world.clock.now(),
      source: "web",
    }),
  );
}
