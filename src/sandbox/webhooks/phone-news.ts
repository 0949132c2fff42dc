/** Tells the bot, in each engine's own words, what became of the phone itself: its connection and its pairing codes. */
import type { Json } from "../../base/index.ts";
import { PHONE_DOMAIN } from "../http/address.ts";
import type { Channel, Hook } from "./delivery-settings.ts";
import * as a from "./engine-a.ts";
import * as b from "./engine-b.ts";
import * as c from "./engine-c.ts";
import { chatOf } from "./herald.ts";
import type { Instance, PairingCode } from "../phone/instances.ts";
import type { StoredMessage } from "../messages/stored-message.ts";
import type { World } from "../world/world.ts";

/** Reason of a phone that was logged out, as engine B numbers it: only a new scan opens it. */
export const LOGGED_OUT = 401;

/** Payment asked for, and banned. */
const BANNED: ReadonlySet<number> = new Set([402, 403]);
const NOT_ACCEPTABLE = 406;

export interface PhoneNews {
  readonly channel: Channel;
  /** Names that a filter may hold. */
  readonly names: readonly string[];
  readonly hook?: Hook;
  readonly body: Json | ((url: string) => Json);
}

/** Posts news of one device on their channels; those of one `chat` leave in order. */
export function spread(world: World, device: string, news: readonly PhoneNews[], chat = ""): void {
  for (const item of news) {
    const { body } = item;
    void world.webhooks.emit({
      ...item,
      device,
      chat,
      eventId: world.ids.hex("phone", 20),
      body: typeof body === "function" ? body : () => body,
    });
  }
}

/** The connection changed: told on every messenger channel. */
export function tellConnection(
  world: World,
  device: string,
  instance: Instance,
  statusReason: number,
): void {
  const { state, own } = instance;
  const now = world.clock.now();
  const news: PhoneNews[] = [
    {
      channel: "engine-b",
      names: ["connection.update"],
      body: b.envelope(instance, connectionUpdate(world, device, instance, statusReason), now),
    },
    {
      channel: "engine-a",
      names: ["STATUS_CONNECT"],
      hook: "connect",
      body: a.connectEvent(instance, state),
    },
  ];
  const event = eventOfC(state, statusReason);
  if (event !== undefined)
    news.push({
      channel: "engine-c",
      names: c.namesOf(event),
      body: c.envelope(instance, event, {
        status: state,
        jid: `${own}:7${PHONE_DOMAIN}`,
        ...(state === "open" ? {} : { Reason: statusReason }),
      }),
    });
  spread(world, device, news);
}

/** Engine C has a name for each end of a line, and none for connecting. */
function eventOfC(state: Instance["state"], reason: number): c.EngineCEvent | undefined {
  if (state === "connecting") return undefined;
  if (state === "open") return "Connected";
  if (reason === LOGGED_OUT) return "LoggedOut";
  if (BANNED.has(reason)) return "TemporaryBan";
  return reason === NOT_ACCEPTABLE ? "ConnectFailure" : "Disconnected";
}

function connectionUpdate(
  world: World,
  device: string,
  instance: Instance,
  statusReason: number,
): Json {
  const { state, own } = instance;
  if (state !== "open") return { instance: instance.instance, state, statusReason };
  const { name, picture } = world.profiles.of(device);
  return {
    instance: instance.instance,
    wuid: `${own}${PHONE_DOMAIN}`,
    profileName: name,
    profilePictureUrl: picture,
    state,
    statusReason,
  };
}

/** A code waits to be scanned. */
export function tellQrCode(
  world: World,
  device: string,
  instance: Instance,
  { code, base64, pairingCode }: PairingCode,
): void {
  const { qrCount: count } = instance;
  const qrcode = { instance: instance.instance, pairingCode, code, base64 };
  spread(world, device, [
    {
      channel: "engine-b",
      names: ["qrcode.updated"],
      body: b.envelope(instance, { qrcode }, world.clock.now()),
    },
    {
      channel: "engine-a",
      names: ["QRCODE"],
      hook: "qrcode",
      body: a.qrCodeEvent(instance, code, base64),
    },
    {
      channel: "engine-c",
      names: c.namesOf("QRCode"),
      body: c.envelope(instance, "QRCode", {
        qrcode: base64,
        code,
        count,
        maxCount: world.instances.pairing.qr_limit,
      }),
    },
  ]);
}

/** Nobody scanned in time: engine B says it twice, as a message and as a state of its own; the close follows on each. */
export function tellQrLimit(world: World, device: string, instance: Instance): void {
  const now = world.clock.now();
  const refused = { instance: instance.instance, state: "refused", statusReason: 428 };
  const limit = { message: "QR code limit reached, please login again", statusCode: 500 };
  spread(world, device, [
    { channel: "engine-b", names: ["qrcode.updated"], body: b.envelope(instance, limit, now) },
    { channel: "engine-b", names: ["connection.update"], body: b.envelope(instance, refused, now) },
    {
      channel: "engine-a",
      names: ["STATUS_CONNECT"],
      hook: "connect",
      body: a.pairingEndedEvent(instance),
    },
    {
      channel: "engine-c",
      names: c.namesOf("QRTimeout"),
      body: c.envelope(instance, "QRTimeout", { count: instance.qrCount }),
    },
  ]);
}

/** A message was taken back for everybody: engine B tells its bare key. */
export function tellDeleted(world: World, message: StoredMessage): void {
  const { device, id, person, fromMe } = message;
  const { remoteJid } = chatOf(world, person);
  const phone = world.instances.phoneOf(device);
  const data = { remoteJid, fromMe, id, status: "DELETED" };
  const body = b.envelope(phone, data, world.clock.now());
  spread(world, device, [{ channel: "engine-b", names: ["messages.delete"], body }], person);
}
