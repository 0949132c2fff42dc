/** What each engine answers to a send. */
import type { Json, JsonObject } from "../../base/index.ts";
import { textAt } from "../http/bounded.ts";
import type { SendRoute } from "./drafts.ts";
import { compositeId } from "../webhooks/engine-a.ts";
import type { ChatAddress } from "../webhooks/engine-b.ts";
import { messageData } from "../webhooks/engine-c.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { World } from "../world/world.ts";

export function answerOf(
  world: World,
  message: StoredMessage,
  chat: ChatAddress,
  route: SendRoute,
): Json {
  const { id, person, at, record } = message;
  if (route === "official.sendText")
    return { messaging_product: "messenger", messages: [{ id: `wamid.${id}` }] };
  switch (message.channel) {
    case "engine-a":
      return { result: 200, data: { id: compositeId(true, person, id), body: message.text } };
    case "engine-c":
      return {
        message: "success",
        data: messageData(world.instances.phoneOf(message.device), chat, {
          id,
          fromMe: true,
          name: "",
          at,
          messageType: textAt(record, "messageType") ?? "",
          message: record["message"] as JsonObject,
        }),
      };
    case "sms":
      return {
        status: "success",
        message: "Message sent successfully",
        data: { id, status: "processed" },
      };
    case "engine-b":
      return record;
  }
}
