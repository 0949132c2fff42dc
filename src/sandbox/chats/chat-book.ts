/** Chats and contacts of each device, as the messages of engine B make them: newest chat, unread count, names. */
import type { StoredMessage } from "../messages/stored-message.ts";

/** Chats remembered for one device, and people; the stalest leave first. */
const CHAT_LIMIT = 10_000;

export const STATUS_FEED = "status@broadcast";

export interface Chat {
  /** Of the first message: stable. */
  readonly id: string;
  readonly person: string;
  readonly createdAt: number;
  updatedAt: number;
  last: StoredMessage;
  /** Messages that came in since a human last wrote in the chat on the business's phone. */
  unread: number;
}

export interface Contact {
  readonly id: string;
  readonly person: string;
  /** The name the person shows; null before the person wrote. */
  name: string | null;
  readonly createdAt: number;
  updatedAt: number;
  /** Met only as the author of a group's messages. */
  memberOnly: boolean;
}

interface Book {
  readonly chats: Map<string, Chat>;
  readonly contacts: Map<string, Contact>;
}

export class ChatBook {
  readonly #books = new Map<string, Book>();

  /** Takes a message into account. Other channels' and status posts make no chat here. */
  touch(message: StoredMessage): void {
    const { person, device, at } = message;
    if (message.channel !== "engine-b" || person === STATUS_FEED) return;
    const { chats, contacts } = this.#of(device);
    const chat = chats.get(person) ?? {
      id: recordIdOf(message),
      person,
      createdAt: at,
      updatedAt: at,
      last: message,
      unread: 0,
    };
    chat.last = message;
    chat.updatedAt = at;
    if (!message.fromMe) chat.unread += 1;
    else if (message.route === undefined) chat.unread = 0;
    toEnd(chats, person, chat);
    meet(contacts, person, message, false);
    const { author = person } = message;
    const name = message.fromMe ? undefined : message.record["pushName"];
    const who = author === person ? contacts.get(person) : meet(contacts, author, message, true);
    if (who && typeof name === "string" && !author.endsWith("@g.us")) who.name = name;
  }

  /** Newest first. */
  chats(device: string): readonly Chat[] {
    return [...this.#of(device).chats.values()].reverse();
  }

  /** Most recently met first. */
  contacts(device: string): readonly Contact[] {
    return [...this.#of(device).contacts.values()].reverse();
  }

  contact(device: string, person: string): Contact | undefined {
    return this.#of(device).contacts.get(person);
  }

  forget(device: string): void {
    this.#books.delete(device);
  }

  #of(device: string): Book {
    const known = this.#books.get(device);
    if (known) return known;
    const made: Book = { chats: new Map(), contacts: new Map() };
    this.#books.set(device, made);
    return made;
  }
}

/** Id of what the engine keeps because of a message. */
export function recordIdOf(message: StoredMessage): string {
  return message.id.slice(-16).toLowerCase();
}

function meet(
  contacts: Map<string, Contact>,
  person: string,
  message: StoredMessage,
  memberOnly: boolean,
): Contact {
  const { at } = message;
  const contact = contacts.get(person) ?? {
    id: recordIdOf(message),
    person,
    name: null,
    createdAt: at,
    updatedAt: at,
    memberOnly,
  };
  contact.updatedAt = at;
  contact.memberOnly &&= memberOnly;
  toEnd(contacts, person, contact);
  return contact;
}

/** Keeps a map in order of use and within its bound. */
function toEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > CHAT_LIMIT) map.delete(map.keys().next().value ?? "");
}
