/** `/chat` lookups over what is on record. */
import type { Json, JsonObject } from "../base/index.ts";
import { isOnMessenger, jidOf, jidOfPerson, LID_DOMAIN } from "./address.ts";
import { isObject, objectAt, textAt } from "./bounded.ts";
import { chatOf } from "./herald.ts";
import type { StoredMessage } from "./messages.ts";
import { done, failed, type Behaviour, type Call } from "./outcome.ts";
import { phoneRefusal } from "./refusals.ts";
import type { World } from "./world.ts";

/** Rows of a page when the call names no size, and at most. */
const PAGE_SIZE = 50;
const PAGE_LIMIT = 1_000;

function refusal(world: World, call: Call) {
  const device = call.caller.device ?? "";
  const name = world.instances.phoneOf(device).instance;
  return phoneRefusal("engine-b", name, world.instances.of(device)?.state);
}

export const messengerNumbers: Behaviour = (world, call) => {
  const closed = refusal(world, call);
  if (closed) return closed;
  const numbers = Array.isArray(call.body["numbers"]) ? call.body["numbers"] : [];
  return done(
    numbers.map((number) => {
      const asked = String(number);
      const person = world.book.personOf(asked);
      if (person.includes("@")) return { jid: person, exists: true, number: asked };
      if (!isOnMessenger(person)) return { jid: jidOfPerson(person), exists: false, number: asked };
      const lid = `${world.book.lidOf(person)}${LID_DOMAIN}`;
      return { jid: jidOf(person), exists: true, number: asked, lid };
    }),
  );
};

/** The filter as a body, or as a query: `where` as JSON text or by brackets, `page` and `offset` as digits. */
function filterOf(call: Call): JsonObject {
  const { where, page, offset } = call.query;
  const fromQuery: Record<string, Json> = {};
  const bracketed = whereOf(call.query);
  if (bracketed) fromQuery["where"] = bracketed;
  if (where !== undefined) {
    try {
      const parsed: unknown = JSON.parse(where);
      if (isObject(parsed)) fromQuery["where"] = parsed;
    } catch {
      // A filter nobody can read filters nothing, as with the engine.
    }
  }
  if (page !== undefined) fromQuery["page"] = Number(page);
  if (offset !== undefined) fromQuery["offset"] = Number(offset);
  return { ...fromQuery, ...call.body };
}

/** `where[key][id]=…` as `{key: {id: …}}`; undefined when no such parameter is there. */
function whereOf(query: Call["query"]): JsonObject | undefined {
  const where: Record<string, Json> = {};
  for (const [name, text] of Object.entries(query)) {
    const [, outer, inner] = /^where\[(\w{1,40})\](?:\[(\w{1,40})\])?$/.exec(name) ?? [];
    if (outer === undefined || outer === "__proto__" || inner === "__proto__") continue;
    if (inner === undefined) where[outer] = text;
    else where[outer] = { ...objectAt(where, outer), [inner]: flagOf(inner, text) };
  }
  return Object.keys(where).length > 0 ? where : undefined;
}

/** Queries hold texts only. */
function flagOf(name: string, text: string): Json {
  return name === "fromMe" ? text === "true" || text === "1" : text;
}

export const findMessages: Behaviour = (world, call) => {
  const filter = filterOf(call);
  const where = objectAt(filter, "where");
  const device = call.caller.device ?? "";
  const rows = world.messages
    .onRecord(device)
    .filter((row) => row.channel === "engine-b" && matches(world, row, where));
  const size = Math.min(PAGE_LIMIT, positive(filter["offset"], PAGE_SIZE));
  const page = positive(filter["page"], 1);
  const records = rows.slice((page - 1) * size, page * size).map((row) => ({
    id: `cm${row.id.slice(-16).toLowerCase()}`,
    ...row.record,
    MessageUpdate: row.statuses.slice(1).map((status) => ({ status })),
  }));
  return done({
    messages: {
      total: rows.length,
      pages: Math.ceil(rows.length / size),
      currentPage: page,
      records,
    },
  });
};

function matches(world: World, row: StoredMessage, where: JsonObject): boolean {
  const key = objectAt(where, "key");
  const id = textAt(key, "id") ?? textAt(where, "id");
  if (id !== undefined && row.id !== id) return false;
  const jid = textAt(key, "remoteJid");
  if (jid !== undefined && world.book.personOf(jid) !== row.person) return false;
  if (typeof key["fromMe"] === "boolean" && key["fromMe"] !== row.fromMe) return false;
  const type = textAt(where, "messageType");
  if (type !== undefined && type !== row.record["messageType"]) return false;
  const span = objectAt(where, "messageTimestamp");
  const from = instantOf(span["gte"]);
  const to = instantOf(span["lte"]);
  return (from === undefined || row.at >= from) && (to === undefined || row.at <= to);
}

/** ISO text, or epoch seconds. */
function instantOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value * 1_000;
  if (typeof value !== "string") return undefined;
  const parsed = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(parsed) ? undefined : parsed;
}

function positive(value: Json | undefined, fallback: number): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : fallback;
}

/** The newest message of each chat of a device, newest chat first. */
function chats(world: World, device: string): readonly StoredMessage[] {
  const newest = new Map<string, StoredMessage>();
  for (const row of world.messages.onRecord(device))
    if (!newest.has(row.person)) newest.set(row.person, row);
  return [...newest.values()];
}

function nameOf(row: StoredMessage): Json {
  return row.fromMe ? null : (row.record["pushName"] ?? null);
}

function wantedChats(world: World, call: Call): readonly StoredMessage[] {
  const where = objectAt(call.body, "where");
  const jid = textAt(where, "remoteJid") ?? textAt(where, "id");
  const person = jid === undefined ? undefined : world.book.personOf(jid);
  return chats(world, call.caller.device ?? "").filter(
    (row) => person === undefined || row.person === person,
  );
}

export const findChats: Behaviour = (world, call) =>
  done(
    wantedChats(world, call).map((row) => ({
      id: `ch${row.id.slice(-16).toLowerCase()}`,
      remoteJid: chatOf(world, row.person).remoteJid,
      pushName: nameOf(row),
      profilePicUrl: null,
      updatedAt: new Date(row.at).toISOString(),
      lastMessage: row.record,
      unreadCount: 0,
      isSaved: false,
    })),
  );

export const findContacts: Behaviour = (world, call) =>
  done(
    wantedChats(world, call).map((row) => ({
      id: `ct${row.id.slice(-16).toLowerCase()}`,
      remoteJid: chatOf(world, row.person).remoteJid,
      pushName: nameOf(row),
      profilePicUrl: null,
      isGroup: row.person.endsWith("@g.us"),
      isSaved: false,
      type: row.person.endsWith("@g.us") ? "group" : "contact",
    })),
  );

export const fetchProfilePictureUrl: Behaviour = (world, call) =>
  done({
    wuid: jidOfPerson(world.book.personOf(textAt(call.body, "number") ?? "")),
    profilePictureUrl: null,
  });

export const getBase64FromMediaMessage: Behaviour = (world, call) => {
  const id = textAt(objectAt(objectAt(call.body, "message"), "key"), "id") ?? "";
  const device = call.caller.device ?? "";
  const media = world.messages.media(device, id);
  const message = world.messages.find(device, id);
  if (!media)
    return failed(400, "Message not found", {
      response: { status: 400, error: "Bad Request", response: { message: ["Message not found"] } },
    });
  return done({
    mediaType: message?.record["messageType"] ?? "documentMessage",
    fileName: media.fileName ?? `${id}.bin`,
    caption: "",
    size: { fileLength: String(Math.floor((media.base64.length * 3) / 4)) },
    mimetype: media.mimetype,
    base64: media.base64,
    buffer: null,
  });
};
