/** What became of the phone itself and of its groups, in each engine's own words: connection, pairing codes, group changes. */
import type { Json, JsonObject } from "../../base/index.ts";
import { PHONE_DOMAIN, jidOf } from "../http/address.ts";
import type { WireEvent } from "./webhooks.ts";
import * as a from "./engine-a.ts";
import * as b from "./engine-b.ts";
import * as c from "./engine-c.ts";
import { chatOf } from "./echoes.ts";
import type { Instance, PairingCode } from "../phone/instances.ts";
import type { StoredMessage } from "../messages/stored-message.ts";
import type { World } from "../world/world.ts";
import { DEVICES } from "../http/callers.ts";
import type { Group } from "../groups/groups.ts";
import { withOffset } from "../world/clock.ts";

/** Reason of a phone that was logged out, as engine B numbers it: only a new scan opens it. */
export const LOGGED_OUT = 401;

/** Payment asked for, and banned. */
const BANNED: ReadonlySet<number> = new Set([402, 403]);
const NOT_ACCEPTABLE = 406;

type PhoneNews = Omit<WireEvent, "device" | "chat" | "eventId">;

/** Posts news of one device on their channels; those of one `chat` leave in order. */
function spread(world: World, device: string, news: readonly PhoneNews[], chat = ""): void {
  for (const item of news)
    void world.webhooks.emit({ ...item, device, chat, eventId: world.ids.hex("phone", 20) });
}

/** The connection changed: told on every messenger channel. */
export function tellConnection(world: World, instance: Instance, statusReason: number): void {
  const { state, own } = instance;
  const now = world.clock.now();
  const news: PhoneNews[] = [
    {
      channel: "engine-b",
      names: ["connection.update"],
      body: b.envelope(instance, connectionUpdate(world, instance, statusReason), now),
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
        Reason: state === "open" ? undefined : statusReason,
      }),
    });
  spread(world, instance.device, news);
}

/** Engine C has a name for each end of a line, and none for connecting. */
function eventOfC(state: Instance["state"], reason: number): c.EngineCEvent | undefined {
  if (state === "connecting") return undefined;
  if (state === "open") return "Connected";
  if (reason === LOGGED_OUT) return "LoggedOut";
  if (BANNED.has(reason)) return "TemporaryBan";
  return reason === NOT_ACCEPTABLE ? "ConnectFailure" : "Disconnected";
}

function connectionUpdate(world: World, instance: Instance, statusReason: number): Json {
  const { state, own } = instance;
  if (state !== "open") return { instance: instance.instance, state, statusReason };
  const { name, picture } = world.profiles.of(instance.device);
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
  instance: Instance,
  { code, base64, pairingCode }: PairingCode,
): void {
  const { qrCount: count } = instance;
  const qrcode = { instance: instance.instance, pairingCode, code, base64 };
  spread(world, instance.device, [
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
        maxCount: world.settings.pairing.qr_limit,
      }),
    },
  ]);
}

/** Nobody scanned in time: engine B says it twice, as a message and as a state of its own; the close follows on each. */
export function tellQrLimit(world: World, instance: Instance): void {
  const now = world.clock.now();
  const refused = { instance: instance.instance, state: "refused", statusReason: 428 };
  const limit = { message: "QR code limit reached, please login again", statusCode: 500 };
  spread(world, instance.device, [
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

/** Something changed; `change` holds the engine's own keys (`Name`, `Topic`, `Join`, `Leave`, `Promote`, …). */
export function tellGroup(world: World, group: Group, sender: string, change: JsonObject): void {
  for (const device of devicesIn(group))
    post(world, device, group, "GroupInfo", {
      JID: group.jid,
      Sender: jidOf(sender),
      Timestamp: withOffset(world.clock.now()),
      ...change,
    });
}

/** A device's phone is in a group that it was not in before. */
export function tellJoined(world: World, group: Group, device: string): void {
  post(world, device, group, "JoinedGroup", {
    Reason: "",
    Type: "new",
    JID: group.jid,
    OwnerJID: jidOf(group.owner),
    Name: group.subject,
    Topic: group.description ?? "",
    GroupCreated: withOffset(group.creation),
    IsAnnounce: group.announce,
    IsLocked: group.locked,
    Participants: [...group.members].map(([person, rank]) => ({
      JID: jidOf(person),
      IsAdmin: rank !== null,
      IsSuperAdmin: rank === "superadmin",
    })),
  });
}

function devicesIn(group: Group): readonly string[] {
  return Object.entries(DEVICES)
    .filter(([, { own }]) => group.members.has(own))
    .map(([device]) => device);
}

function post(
  world: World,
  device: string,
  group: Group,
  event: "GroupInfo" | "JoinedGroup",
  data: JsonObject,
): void {
  if (world.instances.of(device)?.state !== "open") return;
  const body = c.envelope(world.instances.phoneOf(device), event, data);
  spread(world, device, [{ channel: "engine-c", names: c.namesOf(event), body }], group.jid);
}
