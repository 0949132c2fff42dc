/** Tells the bot, in each engine's own words, what left from the business's number, how far it came, and how the phone is. */
import type { Json, JsonObject } from "../base/index.ts";
import { jidOfPerson, LID_DOMAIN } from "./address.ts";
import { textAt } from "./bounded.ts";
import * as a from "./engine-a.ts";
import * as b from "./engine-b.ts";
import * as c from "./engine-c.ts";
import type { StoredMessage } from "./messages.ts";
import type { WireEvent } from "./webhooks.ts";
import type { World } from "./world.ts";

/** Virtual milliseconds between a send and each step of its progress. */
const ACK_STEP_MS = 25;

/** Steps of progress: engine B's word, the setting that includes it. */
const ACKS = [
  { status: "SERVER_ACK", a: "SENT", least: 1 },
  { status: "DELIVERY_ACK", a: "RECEIVED", c: "Delivered", least: 2 },
  { status: "READ", a: "READ", c: "Read", least: 3 },
] as const;

const REACH = { none: 0, sent: 1, delivered: 2, read: 3 } as const;

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

function tell(
  world: World,
  event: Omit<WireEvent, "body"> & { readonly body: Json | ((url: string) => Json) },
): void {
  const { body } = event;
  void world.webhooks.emit({ ...event, body: typeof body === "function" ? body : () => body });
}

/** The echo of an API send, then its progress. SMS tell progress only. */
export function echoSend(world: World, message: StoredMessage, chat: b.ChatAddress): void {
  const { channel, device, id } = message;
  const echo = world.webhooks.delivery.echo && world.webhooks.hears(channel, device);
  const phone = world.instances.phoneOf(device);
  const head = { channel, device, eventId: id, chat: message.person };
  const at = message.at;
  if (channel === "sms") {
    const body = ["inserted_for_processing", "valid", "sent_to_carrier"].map((status) => ({
      id,
      status,
    }));
    world.clock.after(ACK_STEP_MS, () =>
      tell(world, { ...head, names: ["sent_to_carrier"], body }),
    );
    return;
  }
  if (echo && channel === "engine-b")
    tell(world, { ...head, names: ["send.message"], body: b.envelope(phone, message.record, at) });
  if (echo && channel === "engine-a")
    tell(world, {
      ...head,
      names: ["SEND_MESSAGE"],
      hook: "message",
      body: a.messageEvent(phone, {
        id,
        person: message.person,
        name: phone.instance,
        fromMe: true,
        at,
        content: { type: "text", content: message.text },
      }),
    });
  if (echo && channel === "engine-c") {
    const record = message.record;
    const data = c.messageData(phone, chat, {
      id,
      fromMe: true,
      name: phone.instance,
      at,
      messageType: textAt(record, "messageType") ?? "",
      message: record["message"] as JsonObject,
    });
    tell(world, {
      ...head,
      names: c.namesOf("SendMessage"),
      body: c.envelope(phone, "SendMessage", data),
    });
  }
  tellProgress(world, message, chat, phone);
}

function tellProgress(
  world: World,
  message: StoredMessage,
  chat: b.ChatAddress,
  phone: b.OwnPhone,
): void {
  const reach = REACH[world.webhooks.delivery.acks];
  const { channel, device, id, person } = message;
  const head = { channel, device, eventId: id, chat: person };
  ACKS.filter((step) => step.least <= reach).forEach((step, index) => {
    world.clock.after(ACK_STEP_MS * (index + 1), () => {
      message.statuses = [...message.statuses, step.status];
      if (!world.webhooks.hears(channel, device)) return;
      const at = world.clock.now();
      if (channel === "engine-b") {
        const data = b.messageUpdate(
          phone,
          chat,
          id,
          step.status,
          `cm${id.slice(-16).toLowerCase()}`,
        );
        tell(world, { ...head, names: ["messages.update"], body: b.envelope(phone, data, at) });
      }
      if (channel === "engine-a")
        tell(world, {
          ...head,
          names: ["MESSAGE_STATUS"],
          hook: "message",
          body: a.statusEvent(phone, { id, person, at }, step.a),
        });
      if (channel === "engine-c" && "c" in step) {
        const data = c.receiptData(chat, id, step.c, at);
        tell(world, {
          ...head,
          names: c.namesOf("Receipt"),
          body: c.envelope(phone, "Receipt", data, step.c),
        });
      }
    });
  });
}
