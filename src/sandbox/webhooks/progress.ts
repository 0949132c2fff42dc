/** How far a send came, in each engine's own words: at once where echoes are early, else step by step on the clock. */
import type { Json } from "../../base/index.ts";
import * as a from "./engine-a.ts";
import * as b from "./engine-b.ts";
import * as c from "./engine-c.ts";
import { LANDLINE, UNKNOWN_NUMBER } from "../invoicing/magic.ts";
import { textAt, isObject } from "../http/bounded.ts";
import type { StoredMessage } from "../messages/stored-message.ts";
import type { WireEvent } from "./webhooks.ts";
import type { World } from "../world/world.ts";

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

/** Posts one event; resolves when its first attempts are answered. */
export async function tell(
  world: World,
  event: Omit<WireEvent, "body"> & { readonly body: Json | ((url: string) => Json) },
): Promise<void> {
  const { body } = event;
  await world.webhooks.emit({ ...event, body: typeof body === "function" ? body : () => body });
}

/** Tells the steps of a send. Resolves at once, or with `early` when all were told. */
export async function tellProgress(
  world: World,
  message: StoredMessage,
  chat: b.ChatAddress,
): Promise<void> {
  const reach = REACH[world.webhooks.delivery.acks];
  const steps = ACKS.filter((step) => step.least <= reach);
  if (world.webhooks.delivery.early) {
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
  if (!world.webhooks.hears(channel, device)) return;
  const phone = world.instances.phoneOf(device);
  const head = { channel, device, eventId: id, chat: person };
  const at = world.clock.now();
  if (channel === "engine-b") {
    const data = world.webhooks.delivery.v1
      ? b.messageUpdateV1(phone, chat, id, step.status, at)
      : b.messageUpdate(phone, chat, id, step.status, `cm${id.slice(-16).toLowerCase()}`);
    await tell(world, { ...head, names: ["messages.update"], body: b.envelope(phone, data, at) });
  }
  if (channel === "engine-a")
    await tell(world, {
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
): Promise<void> {
  const { device, id, person } = message;
  const post = (ids: readonly string[]): Promise<void> => {
    const phone = world.instances.phoneOf(device);
    const data = c.receiptData(chat, ids, state, world.clock.now());
    return tell(world, {
      channel: "engine-c",
      device,
      eventId: ids[0] ?? id,
      chat: person,
      names: c.namesOf("Receipt"),
      body: c.envelope(phone, "Receipt", data, state),
    });
  };
  if (!world.webhooks.delivery.batch) return post([id]);
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
export function tellSms(world: World, message: StoredMessage): Promise<void> {
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
    ...(own === undefined ? {} : { to: own }),
  };
  if (world.webhooks.delivery.early) return tell(world, event);
  world.clock.after(ACK_STEP_MS, () => void tell(world, event));
  return Promise.resolve();
}

/** Where a short message asked its progress and its answers to be posted. */
export function smsUrl({ body }: Pick<StoredMessage, "body">): string | undefined {
  return isObject(body) ? textAt(body, "webhook_url") : undefined;
}
