/** A contact calls the business's phone: how each engine tells it, and what the phone does about it by its settings. */
import type { Json } from "../../base/index.ts";
import type { Channel } from "../webhooks/delivery-settings.ts";
import * as a from "../webhooks/engine-a.ts";
import * as b from "../webhooks/engine-b.ts";
import * as c from "../webhooks/engine-c.ts";
import { say } from "../messages/own-words.ts";
import type { WireEvent } from "../webhooks/webhooks.ts";
import type { World } from "../world/world.ts";

/** Virtual milliseconds after which a phone that rejects calls has rejected one. */
const REJECT_MS = 50;

export type CallStatus = "offer" | "accept" | "reject" | "terminate";

export interface IncomingCall {
  readonly id: string;
  readonly device: string;
  readonly channel: Channel;
  /** Who calls, as the address book names people, and how the engine addresses them. */
  readonly person: string;
  readonly chat: b.ChatAddress;
  readonly isVideo: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The event of one step of a call; undefined where the channel knows no calls. */
export function callEvent(
  world: World,
  call: IncomingCall,
  status: CallStatus,
): Pick<WireEvent, "names" | "hook" | "body"> | undefined {
  const phone = world.instances.phoneOf(call.device);
  const same =
    (body: Json): (() => Json) =>
    () =>
      body;
  switch (call.channel) {
    case "engine-b":
      return { names: ["call"], body: b.envelope(phone, b.callData(call, status), call.at) };
    case "engine-a":
      return {
        names: ["INCOMING_CALL"],
        hook: "status",
        body: same(a.callEvent(phone, call, status)),
      };
    case "engine-c": {
      const event = c.CALL_EVENTS[status];
      return {
        names: c.namesOf(event),
        body: same(c.envelope(phone, event, c.callData(call))),
      };
    }
    case "sms":
      return undefined;
  }
}

/** After the offer was told: a phone set to `reject_call` hangs up and says its `msg_call`, if it has one. */
export function callOffered(world: World, call: IncomingCall): void {
  const { channel, device, id, person } = call;
  const rejecting = () => {
    const instance = world.instances.of(device);
    return instance?.state === "open" && instance.settings.reject_call;
  };
  if (!rejecting()) return;
  world.clock.after(REJECT_MS, () => {
    if (!rejecting()) return;
    const event = callEvent(world, { ...call, at: world.clock.now() }, "reject");
    if (event) void world.webhooks.emit({ ...event, channel, device, eventId: id, chat: person });
    const text = world.instances.of(device)?.settings.msg_call ?? "";
    if (text !== "") say(world, { device, person, text, route: "settings.set", body: null });
  });
}
