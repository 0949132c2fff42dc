/** Tells the bot, in each engine's own words, what left from the business's number. */
import type { JsonObject } from "../../base/index.ts";
import { jidOfPerson, LID_DOMAIN } from "../http/address.ts";
import { textAt } from "../http/bounded.ts";
import * as a from "./engine-a.ts";
import * as b from "./engine-b.ts";
import * as c from "./engine-c.ts";
import type { StoredMessage } from "../messages/stored-message.ts";
import { tell, tellProgress, tellSms } from "./progress.ts";
import type { World } from "../world/world.ts";

/** How a person is addressed now: by phone, or by linked id when the switch says so or the address is one. */
export function chatOf(world: World, person: string, byLid = false): b.ChatAddress {
  const { lid, lid_alt: alt } = world.webhooks.delivery;
  const jid = jidOfPerson(person);
  if (person.includes("@"))
    return { remoteJid: jid, addressingMode: person.endsWith(LID_DOMAIN) ? "lid" : "pn" };
  const linked = `${world.book.lidOf(person)}${LID_DOMAIN}`;
  const [first, second] = lid || byLid ? [linked, jid] : [jid, linked];
  return {
    remoteJid: first,
    ...(alt ? { remoteJidAlt: second } : {}),
    addressingMode: first === linked ? "lid" : "pn",
  };
}

/**
 * The echo of an API send, then its progress. SMS tell progress only. Resolves at once, or with the switch `early` when
 * all of it was posted and answered.
 */
export async function echoSend(
  world: World,
  message: StoredMessage,
  chat: b.ChatAddress,
): Promise<void> {
  if (message.channel === "sms") return tellSms(world, message);
  const { delivery } = world.webhooks;
  const echo = delivery.echo ? echoOf(world, message, chat) : undefined;
  const told = echo && tell(world, echo);
  if (delivery.early) await told;
  return tellProgress(world, message, chat);
}

/** In each engine's own words; undefined where nobody listens, and for what has no echo. */
function echoOf(
  world: World,
  message: StoredMessage,
  chat: b.ChatAddress,
): Parameters<typeof tell>[1] | undefined {
  const { channel, device, id, person, record, at, text } = message;
  if (!world.webhooks.hears(channel, device)) return undefined;
  const phone = world.instances.phoneOf(device);
  const head = { channel, device, eventId: id, chat: person };
  const name = phone.instance;
  switch (channel) {
    case "engine-b": {
      const data = world.webhooks.delivery.v1 ? b.recordV1(phone, record) : record;
      return { ...head, names: ["send.message"], body: b.envelope(phone, data, at) };
    }
    case "engine-a": {
      const content = { type: "text", content: text };
      const body = a.messageEvent(phone, { id, person, name, fromMe: true, at, content });
      return { ...head, names: ["SEND_MESSAGE"], hook: "message", body };
    }
    case "engine-c": {
      const messageType = textAt(record, "messageType") ?? "";
      const told = record["message"] as JsonObject;
      const sent = { id, fromMe: true, name, at, messageType, message: told };
      const data = c.messageData(phone, chat, sent);
      const body = c.envelope(phone, "SendMessage", data);
      return { ...head, names: c.namesOf("SendMessage"), body };
    }
    case "sms":
      return undefined;
  }
}
