/** A call that the business places. The engine answers in one fixed form; here the contact's phone rings all the same. */
import { isOnMessenger, jidOf } from "../http/address.ts";
import { textAt } from "../http/bounded.ts";
import { messageRecord } from "../webhooks/engine-b.ts";
import { chatOf } from "../webhooks/herald.ts";
import { rowOf } from "../messages/messages.ts";
import { type StoredMessage } from "../messages/stored-message.ts";
import { done } from "../http/outcome.ts";
import { engineError, onOpenPhone } from "../http/refusals.ts";
import { unknownRecipient } from "../messages/sends.ts";

/** The id that the engine answers for every call, by its public sources. */
const FIXED_ID = "123";

export const offer = onOpenPhone(({ world, device, instance, call }) => {
  const person = world.book.personOf(textAt(call.body, "number") ?? "");
  if (person.includes("@")) return engineError(400, "Only people can be called");
  if (!isOnMessenger(person)) return unknownRecipient(person);
  const isVideo = call.body["isVideo"] === true;
  const seconds = Number(call.body["callDuration"]);
  const at = world.clock.now();
  const id = world.ids.outgoing();
  const message: StoredMessage = {
    id,
    device,
    channel: "engine-b",
    offRecord: true,
    person,
    fromMe: true,
    at,
    route: "call.offer",
    text: `[${isVideo ? "video call" : "call"}] ${seconds} s`,
    body: call.kept,
    record: messageRecord(instance, chatOf(world, person), {
      id,
      fromMe: true,
      pushName: "Você",
      status: "PENDING",
      messageType: "call",
      message: {},
      at,
      source: "web",
    }),
    statuses: [],
  };
  world.messages.add(message);
  world.feed.tell("message", () => ({ ...rowOf(message), number: person }));
  return done({ id: FIXED_ID, jid: jidOf(person), isVideo, callDuration: seconds });
});
