/** Chats, contacts and labels of each device: what the messages of engine B make of them, and which chats bear which label. */
import type { StoredMessage } from "../messages/stored-message.ts";

/** Chats remembered for one device, and people; the stalest leave first. */
const CHAT_LIMIT = 10_000;

export const STATUS_FEED = "status@broadcast";

interface Chat {
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

interface Label {
  readonly id: string;
  readonly name: string;
  /** Index of the app's palette. */
  readonly color: string;
  /** Only of those that every account begins with. */
  readonly predefinedId?: string;
}

/** What the business app offers in Portuguese. */
const LABELS: readonly Label[] = [
  "Novo cliente",
  "Novo pedido",
  "Pagamento pendente",
  "Pago",
  "Pedido finalizado",
].map((name, index) => {
  const id = String(index + 1);
  return { id, name, color: String(index), predefinedId: id };
});

/** Chats of a device that bear labels; the oldest lose theirs first. */
const LABELLED_LIMIT = 10_000;

/** Labels that the business app allows. */
const LABEL_LIMIT = 20;

const NONE: ReadonlySet<string> = new Set();

/** Which labels there are, and which chats bear them. */
export class Labels {
  readonly #made = new Map<string, readonly Label[]>();
  readonly #byDevice = new Map<string, Map<string, Set<string>>>();

  of(device: string, person: string): ReadonlySet<string> {
    return this.#byDevice.get(device)?.get(person) ?? NONE;
  }

  change(device: string, person: string, label: string, add: boolean): void {
    const chats = this.#byDevice.get(device) ?? new Map<string, Set<string>>();
    this.#byDevice.set(device, chats);
    const worn = chats.get(person) ?? new Set<string>();
    if (add) worn.add(label);
    else worn.delete(label);
    chats.delete(person);
    if (worn.size > 0) chats.set(person, worn);
    if (chats.size > LABELLED_LIMIT) chats.delete(chats.keys().next().value ?? "");
  }

  all(device: string): readonly Label[] {
    return [...LABELS, ...(this.#made.get(device) ?? [])];
  }

  /** The label of that name, made if there is none; undefined when there are too many. */
  make(device: string, name: string): Label | undefined {
    const all = this.all(device);
    const known = all.find((label) => label.name === name);
    if (known || all.length >= LABEL_LIMIT) return known;
    const label = { id: String(all.length + 1), name, color: String(all.length) };
    this.#made.set(device, [...all.slice(LABELS.length), label]);
    return label;
  }

  forget(device: string): void {
    this.#made.delete(device);
    this.#byDevice.delete(device);
  }
}
