/** Calls, out and in. The phone of a called contact rings; a calling one is told by each engine, and hung up on by setting. */
import { isOnMessenger, jidOf } from "../http/address.ts";
import { textAt } from "../http/bounded.ts";
import { chatOf } from "../webhooks/echoes.ts";
import { done, engineError, onOpenPhone } from "../http/outcome.ts";
import { unknownRecipient } from "../messages/sends.ts";
import type { Channel } from "../webhooks/subscriptions.ts";
import * as a from "../webhooks/engine-a.ts";
import * as b from "../webhooks/engine-b.ts";
import * as c from "../webhooks/engine-c.ts";
import type { Scene, Told } from "../messages/inbound-events.ts";
import { keepOwn, say } from "../messages/own-messages.ts";

/** The id that the engine answers for every call, by its public sources. */
const FIXED_ID = "123";

export const offer = onOpenPhone(({ world, device, call }) => {
  const person = world.book.personOf(textAt(call.body, "number") ?? "");
  if (person.includes("@")) return engineError(400, "Only people can be called");
  if (!isOnMessenger(person)) return unknownRecipient(person);
  const isVideo = call.body["isVideo"] === true;
  const seconds = Number(call.body["callDuration"]);
  keepOwn(world, {
    id: world.ids.outgoing(),
    at: world.clock.now(),
    device,
    channel: "engine-b",
    offRecord: true,
    person,
    chat: chatOf(world, person),
    route: "call.offer",
    text: `[${isVideo ? "video call" : "call"}] ${seconds} s`,
    body: call.kept,
    messageType: "call",
    message: {},
  });
  return done({ id: FIXED_ID, jid: jidOf(person), isVideo, callDuration: seconds });
});

/** Virtual milliseconds after which a phone that rejects calls has rejected one. */
const REJECT_MS = 50;

/** The event of one step of a contact's call; undefined where the channel knows no calls. */
export function callEvent(
  { phone, id, person, chat, content, at }: Scene,
  channel: Channel,
  status: "offer" | "reject",
): Told | undefined {
  const call = { id, person, chat, at, isVideo: content.call?.video === true };
  switch (channel) {
    case "engine-b":
      return { names: ["call"], body: b.envelope(phone, b.callData(call, status), at) };
    case "engine-a":
      return {
        names: ["INCOMING_CALL"],
        hook: "status",
        body: a.callEvent(phone, call, status),
      };
    case "engine-c": {
      const event = c.CALL_EVENTS[status];
      return { names: c.namesOf(event), body: c.envelope(phone, event, c.callData(call)) };
    }
    case "sms":
      return undefined;
  }
}

/** After the offer was told: a phone set to `reject_call` hangs up and says its `msg_call`, if it has one. */
export function callOffered(scene: Scene, channel: Channel): void {
  const { world, device, id, person } = scene;
  const rejecting = () => {
    const instance = world.instances.of(device);
    return instance?.state === "open" && instance.settings.reject_call;
  };
  if (!rejecting()) return;
  world.clock.after(REJECT_MS, () => {
    if (!rejecting()) return;
    const event = callEvent({ ...scene, at: world.clock.now() }, channel, "reject");
    if (event) void world.webhooks.emit({ ...event, channel, device, eventId: id, chat: person });
    const text = world.instances.of(device)?.settings.msg_call ?? "";
    if (text !== "") say(world, { device, person, text, route: "settings.set", body: null });
  });
}
