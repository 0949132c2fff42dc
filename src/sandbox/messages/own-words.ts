/** Words that leave from the business's number without a send of their own: an invitation, the answer to a rejected call. */
import type { Json } from "../../base/index.ts";
import type { RouteId } from "../../gateway/index.ts";
import { messageRecord } from "../webhooks/engine-b.ts";
import { chatOf, echoSend } from "../webhooks/herald.ts";
import { rowOf } from "./messages.ts";
import { type StoredMessage } from "./stored-message.ts";
import type { World } from "../world/world.ts";

export interface OwnWords {
  readonly device: string;
  readonly person: string;
  readonly text: string;
  /** The route that made the phone say it. */
  readonly route: RouteId;
  readonly body: Json;
}

/** Puts a text in front of a person, on record and told like any send. */
export function say(world: World, { device, person, text, route, body }: OwnWords): void {
  const id = world.ids.outgoing();
  const at = world.clock.now();
  const chat = chatOf(world, person);
  const message: StoredMessage = {
    id,
    device,
    channel: "engine-b",
    person,
    fromMe: true,
    at,
    route,
    text,
    body,
    record: messageRecord(world.instances.phoneOf(device), chat, {
      id,
      fromMe: true,
      pushName: "Você",
      status: "PENDING",
      messageType: "conversation",
      message: { conversation: text },
      at,
      source: "web",
    }),
    statuses: ["PENDING"],
  };
  world.messages.add(message);
  world.feed.tell("message", () => ({ ...rowOf(message), number: person }));
  if (!world.webhooks.muted.has(device)) void echoSend(world, message, chat);
}
