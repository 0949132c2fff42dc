/** What left from the business's number, told to the bot in each engine's own words: the echo of a send, then how far it came. */
import type { JsonObject } from "../../base/index.ts";
import { jidOfPerson, LID_DOMAIN } from "../http/address.ts";
import { textAt, isObject } from "../http/bounded.ts";
import * as a from "./engine-a.ts";
import * as b from "./engine-b.ts";
import * as c from "./engine-c.ts";
import type { StoredMessage } from "../messages/stored-message.ts";
import type { World } from "../world/world.ts";
import { LANDLINE, UNKNOWN_NUMBER } from "../invoicing/magic.ts";
import type { WireEvent } from "./webhooks.ts";

/** How a person is addressed now: by phone, or by linked id when the switch says so or the address is one. */
export function chatOf(world: World, person: string, byLid = false): b.ChatAddress {
  const { lid, lid_alt: alt } = world.settings.delivery;
  const jid = jidOfPerson(person);
  if (person.includes("@"))
    return { remoteJid: jid, addressingMode: person.endsWith(LID_DOMAIN) ? "lid" : "pn" };
  const linked = `${world.book.lidOf(person)}${LID_DOMAIN}`;
  const [first, second] = lid || byLid ? [linked, jid] : [jid, linked];
  return {
    remoteJid: first,
    remoteJidAlt: alt ? second : undefined,
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
): Promise<unknown> {
  if (message.channel === "sms") return tellSms(world, message);
  const { delivery } = world.settings;
  const echo = delivery.echo ? echoOf(world, message, chat) : undefined;
  const told = echo && world.webhooks.emit(echo);
  if (delivery.early) await told;
  return tellProgress(world, message, chat);
}

/** In each engine's own words; undefined where nobody listens, and for what has no echo. */
function echoOf(world: World, message: StoredMessage, chat: b.ChatAddress): WireEvent | undefined {
  const { channel, device, id, person, record, at, text } = message;
  if (!world.subscriptions.hears(channel, device)) return undefined;
  const phone = world.instances.phoneOf(device);
  const head = { channel, device, eventId: id, chat: person };
  const name = phone.instance;
  switch (channel) {
    case "engine-b": {
      const data = world.settings.delivery.v1 ? b.recordV1(phone, record) : record;
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

/** Virtual milliseconds between a send and each step of its progress. */
const ACK_STEP_MS = 25;

/** Virtual milliseconds in which receipts of one chat are gathered. */
const BATCH_MS = 500;

/** Steps of progress: engine B's word, the setting that includes it. */
const ACKS = [
  { status: "SERVER_ACK", a: "SENT", least: 1 },
  { status: "DELIVERY_ACK", a: "RECEIVED", c: "Delivered", least: 2 },
  { status: "READ", a: "READ", c: "Read", least: 3 },
] as const;
type Step = (typeof ACKS)[number];

const REACH = { none: 0, sent: 1, delivered: 2, read: 3 } as const;

/** Tells the steps of a send. Resolves at once, or with `early` when all were told. */
async function tellProgress(
  world: World,
  message: StoredMessage,
  chat: b.ChatAddress,
): Promise<void> {
  const reach = REACH[world.settings.delivery.acks];
  const steps = ACKS.filter((step) => step.least <= reach);
  if (world.settings.delivery.early) {
    for (const step of steps) await tellStep(world, message, chat, step);
    return;
  }
  steps.forEach((step, index) =>
    world.clock.after(ACK_STEP_MS * (index + 1), () => {
      void tellStep(world, message, chat, step);
    }),
  );
}

async function tellStep(
  world: World,
  message: StoredMessage,
  chat: b.ChatAddress,
  step: Step,
): Promise<void> {
  message.statuses = [...message.statuses, step.status];
  const { channel, device, id, person } = message;
  if (!world.subscriptions.hears(channel, device)) return;
  const phone = world.instances.phoneOf(device);
  const head = { channel, device, eventId: id, chat: person };
  const at = world.clock.now();
  if (channel === "engine-b") {
    const data = world.settings.delivery.v1
      ? b.messageUpdateV1(phone, chat, id, step.status, at)
      : b.messageUpdate(phone, chat, id, step.status, `cm${id.slice(-16).toLowerCase()}`);
    await world.webhooks.emit({
      ...head,
      names: ["messages.update"],
      body: b.envelope(phone, data, at),
    });
  }
  if (channel === "engine-a")
    await world.webhooks.emit({
      ...head,
      names: ["MESSAGE_STATUS"],
      hook: "message",
      body: a.statusEvent(phone, { id, person, at }, step.a),
    });
  if (channel === "engine-c" && "c" in step) await tellReceipt(world, message, chat, step.c);
}

type Receipt = "Delivered" | "Read";

/** Ids of receipts that wait to be told together, by device, chat and step. */
const gathered = new WeakMap<World, Map<string, string[]>>();

function tellReceipt(
  world: World,
  message: StoredMessage,
  chat: b.ChatAddress,
  state: Receipt,
): Promise<unknown> {
  const { device, id, person } = message;
  const post = (ids: readonly string[]): Promise<unknown> => {
    const phone = world.instances.phoneOf(device);
    const data = c.receiptData(chat, ids, state, world.clock.now());
    return world.webhooks.emit({
      channel: "engine-c",
      device,
      eventId: ids[0] ?? id,
      chat: person,
      names: c.namesOf("Receipt"),
      body: c.envelope(phone, "Receipt", data, state),
    });
  };
  if (!world.settings.delivery.batch) return post([id]);
  const waiting = gathered.get(world) ?? new Map<string, string[]>();
  gathered.set(world, waiting);
  const key = `${device}\n${person}\n${state}`;
  const ids = waiting.get(key);
  if (ids) ids.push(id);
  else {
    waiting.set(key, [id]);
    world.clock.after(BATCH_MS, () => {
      const all = waiting.get(key) ?? [];
      waiting.delete(key);
      void post(all);
    });
  }
  return Promise.resolve();
}

/** A short message's steps, at the URL that the message itself named, or where the channel's events go. */
function tellSms(world: World, message: StoredMessage): Promise<unknown> {
  const { device, id, person } = message;
  const isMobile = !UNKNOWN_NUMBER.test(person) && !LANDLINE.test(person);
  const words = isMobile
    ? ["inserted_for_processing", "valid", "sent_to_carrier"]
    : ["inserted_for_processing", "invalid"];
  const own = smsUrl(message);
  const event = {
    ...({ channel: "sms", device, eventId: id, chat: person } as const),
    names: words,
    body: words.map((status) => ({ id, status })),
    to: own,
  };
  if (world.settings.delivery.early) return world.webhooks.emit(event);
  world.clock.after(ACK_STEP_MS, () => void world.webhooks.emit(event));
  return Promise.resolve();
}

/** Where a short message asked its progress and its answers to be posted. */
export function smsUrl({ body }: Pick<StoredMessage, "body">): string | undefined {
  return isObject(body) ? textAt(body, "webhook_url") : undefined;
}
