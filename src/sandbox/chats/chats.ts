/** `/chat` lookups over what is on record (numbers, messages, chats, contacts), and `/label`. */
import type { Json, JsonObject } from "../../base/index.ts";
import { isOnMessenger, jidOf, jidOfPerson, LID_DOMAIN } from "../http/address.ts";
import { objectAt, textAt } from "../http/bounded.ts";
import { recordIdOf, type Contact } from "./chat-book.ts";
import { ALL_ROWS, filterOf, flagAt, instantOf, pageOf } from "./filters.ts";
import { chatOf } from "../webhooks/echoes.ts";
import { tally } from "../messages/message-marks.ts";
import type { StoredMessage } from "../messages/stored-message.ts";
import { done, onInstance, onOpenPhone, type OnPhone, engineError } from "../http/outcome.ts";
import { nameOf, pictureOf } from "../phone/profile.ts";
import type { World } from "../world/world.ts";
import { unknownRecipient } from "../messages/sends.ts";

/** Milliseconds that the messenger lets a business answer freely. */
const WINDOW_MS = 86_400_000;

export const messengerNumbers = onOpenPhone(({ world, device, call }) => {
  const numbers = Array.isArray(call.body["numbers"]) ? call.body["numbers"] : [];
  return done(
    numbers.map((number) => {
      const asked = String(number);
      const person = world.book.personOf(asked);
      if (person.includes("@")) return { jid: person, exists: true, number: asked };
      if (!isOnMessenger(person)) return { jid: jidOfPerson(person), exists: false, number: asked };
      const lid = `${world.book.lidOf(person)}${LID_DOMAIN}`;
      const name = nameOf(world, device, person) ?? undefined;
      return { jid: jidOf(person), exists: true, number: asked, name, lid };
    }),
  );
});

export const findMessages = onInstance(({ world, device, call }) => {
  const filter = filterOf(call);
  const where = objectAt(filter, "where");
  const found = world.messages
    .onRecord(device)
    .filter((row) => row.channel === "engine-b" && matches(world, row, where));
  const { rows, total, pages, currentPage } = pageOf(found, filter);
  return done({ messages: { total, pages, currentPage, records: rows.map(recordOf) } });
});

function recordOf(row: StoredMessage): JsonObject {
  return {
    id: `cm${recordIdOf(row)}`,
    ...row.record,
    ...(row.options && { pollUpdates: tally(row) }),
    MessageUpdate: row.statuses.slice(1).map((status) => ({ status })),
  };
}

function matches(world: World, row: StoredMessage, where: JsonObject): boolean {
  const key = objectAt(where, "key");
  const same = (asked: string | undefined, value: Json | undefined) =>
    asked === undefined || asked === value;
  const jid = textAt(key, "remoteJid");
  if (jid !== undefined && world.book.personOf(jid) !== row.person) return false;
  const author = textAt(key, "participant");
  if (author !== undefined && world.book.personOf(author) !== row.author) return false;
  const id = textAt(where, "id");
  if (id !== undefined && id !== row.id && id !== `cm${recordIdOf(row)}`) return false;
  const fromMe = flagAt(key, "fromMe");
  if (fromMe !== undefined && fromMe !== row.fromMe) return false;
  const span = objectAt(where, "messageTimestamp");
  const from = instantOf(span["gte"]);
  const to = instantOf(span["lte"]);
  return (
    same(textAt(key, "id"), row.id) &&
    same(textAt(where, "messageType"), row.record["messageType"]) &&
    same(textAt(where, "source"), row.record["source"]) &&
    (from === undefined || row.at >= from) &&
    (to === undefined || row.at <= to)
  );
}

/** Whom a filter asks for; undefined = everybody. */
function wanted(world: World, where: JsonObject): string | undefined {
  const jid = textAt(where, "remoteJid");
  return jid === undefined ? undefined : world.book.personOf(jid);
}

export const findChats = onInstance(({ world, device, call }) => {
  const filter = filterOf(call);
  const person = wanted(world, objectAt(filter, "where"));
  const found = world.messages.chats
    .chats(device)
    .filter((chat) => person === undefined || chat.person === person);
  return done(
    pageOf(found, filter, ALL_ROWS).rows.map((chat) => ({
      id: `ch${chat.id}`,
      remoteJid: chatOf(world, chat.person).remoteJid,
      pushName: nameOf(world, device, chat.person),
      profilePicUrl: pictureOf(world, chat.person),
      labels: [...world.labels.of(device, chat.person)],
      createdAt: iso(chat.createdAt),
      updatedAt: iso(chat.updatedAt),
      windowStart: iso(chat.createdAt),
      windowExpires: iso(chat.createdAt + WINDOW_MS),
      windowActive: world.clock.now() < chat.createdAt + WINDOW_MS,
      lastMessage: recordOf(chat.last),
      unreadCount: chat.unread,
      isSaved: false,
    })),
  );
});

export const findContacts = onInstance((on) => {
  const { world, call } = on;
  const filter = filterOf(call);
  const where = objectAt(filter, "where");
  const person = wanted(world, where);
  // Older engines take the address under `id`.
  const id = textAt(where, "id");
  const name = textAt(where, "pushName");
  const found = world.messages.chats
    .contacts(on.device)
    .map((contact) => ({ contact, row: contactRow(on, contact) }))
    .filter(
      ({ contact, row }) =>
        (person === undefined || contact.person === person) &&
        (id === undefined || row.id === id || world.book.personOf(id) === contact.person) &&
        (name === undefined || row.pushName === name),
    );
  return done(pageOf(found, filter, ALL_ROWS).rows.map(({ row }) => row));
});

function contactRow({ world, device, instance }: OnPhone, contact: Contact) {
  const { person } = contact;
  const isGroup = person.endsWith("@g.us");
  return {
    id: `ct${contact.id}`,
    remoteJid: chatOf(world, person).remoteJid,
    pushName: nameOf(world, device, person),
    profilePicUrl: pictureOf(world, person),
    createdAt: iso(contact.createdAt),
    updatedAt: iso(contact.updatedAt),
    instanceId: instance.instanceId,
    isGroup,
    isSaved: false,
    type: isGroup ? "group" : contact.memberOnly ? "group_member" : "contact",
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

export const handleLabel = onOpenPhone(({ world, device, call }) => {
  const name = textAt(call.body, "name");
  if (name !== undefined) {
    const made = world.labels.make(device, name);
    return made ? done({ ...made }) : engineError(400, "Label limit reached");
  }
  const person = world.book.personOf(textAt(call.body, "number") ?? "");
  const labelId = textAt(call.body, "labelId") ?? "";
  if (!person.includes("@") && !isOnMessenger(person)) return unknownRecipient(person);
  if (!world.labels.all(device).some((label) => label.id === labelId))
    return engineError(404, "Label not found");
  const add = call.body["action"] === "add";
  world.labels.change(device, person, labelId, add);
  const numberJid = jidOfPerson(person);
  return done(add ? { numberJid, labelId, add } : { numberJid, labelId, remove: true });
});

export const findLabels = onInstance(({ world, device }) =>
  done(world.labels.all(device).map((label) => ({ ...label }))),
);
