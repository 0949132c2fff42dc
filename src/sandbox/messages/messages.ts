/** Messages on record: what contacts received, what they sent, and the media bytes that a download call may ask for. */
import type { Json } from "../../base/index.ts";
import { BoundedList, Files, type StoredFile } from "../http/bounded.ts";
import { ChatBook, STATUS_FEED } from "../chats/chat-book.ts";
import type { StoredMessage } from "./stored-message.ts";

/** Characters of Base64 kept over all messages: 48 MiB of files. */
const MEDIA_BUDGET = 64 * 1_024 * 1_024;

/** A row of `GET /sandbox/messages`. The optional parts are there when there is something to tell. */
interface MessageRow {
  readonly id: string;
  readonly at: string;
  readonly route: string;
  readonly text: string;
  readonly body: Json;
  readonly deleted?: true;
  readonly quoted?: { readonly id: string; readonly text: string };
  readonly reactions?: readonly { readonly from: string; readonly emoji: string }[];
  readonly votes?: readonly { readonly from: string; readonly options: readonly string[] }[];
}

export class Messages {
  /** Chats and contacts, as the messages make them. */
  readonly chats = new ChatBook();
  readonly #all = new BoundedList<StoredMessage>();
  readonly #byId = new Map<string, StoredMessage>();
  readonly #media = new Files(MEDIA_BUDGET);
  readonly #forgotten = new WeakSet<StoredMessage>();

  add(message: StoredMessage, media?: StoredFile): void {
    const gone = this.#all.push(message);
    if (gone && this.#byId.get(keyOf(gone)) === gone) this.#byId.delete(keyOf(gone));
    if (message.offRecord === true) return;
    this.#byId.set(keyOf(message), message);
    this.chats.touch(message);
    if (media) this.#media.add(keyOf(message), media);
  }

  /** A device's message by its id. Ids of other devices are nobody's business. */
  find(device: string, id: string): StoredMessage | undefined {
    return this.#byId.get(keyOf({ device, id }));
  }

  media(device: string, id: string): StoredFile | undefined {
    return this.#media.find(keyOf({ device, id }));
  }

  /** Newest first, one device's only: what an engine has on record. */
  onRecord(device: string): readonly StoredMessage[] {
    return this.#all
      .all()
      .filter((row) => row.device === device && row.offRecord !== true && !this.#forgotten.has(row))
      .reverse();
  }

  /** The engine knows nothing of a device any more; what people received stays with them. */
  forget(device: string): void {
    for (const row of this.onRecord(device)) {
      this.#forgotten.add(row);
      this.#byId.delete(keyOf(row));
    }
    this.chats.forget(device);
  }

  /** The last SMS sent to a person: replies name it. */
  lastSmsTo(person: string): StoredMessage | undefined {
    return this.#all.find((row) => row.channel === "sms" && row.fromMe && row.person === person);
  }

  /** What API calls put in front of people, oldest first; one person's and some devices' only, or all. */
  received(person?: string, devices?: readonly string[]): readonly MessageRow[] {
    return this.#all
      .all()
      .filter(
        (row) =>
          row.route !== undefined &&
          (person === undefined || sees(row, person)) &&
          (devices === undefined || devices.includes(row.device)),
      )
      .map(rowOf);
  }

  /** Status posts since a moment, oldest first. */
  posts(since: number): readonly StoredMessage[] {
    return this.#all.all().filter((row) => row.person === STATUS_FEED && row.at >= since);
  }
}

function keyOf({ device, id }: { readonly device: string; readonly id: string }): string {
  return `${device}\n${id}`;
}

/** Status posts are looked up under their feed, never among what a person was sent. */
function sees(row: StoredMessage, person: string): boolean {
  if (row.person === person) return true;
  return row.person !== STATUS_FEED && row.audience?.has(person) === true;
}

export function rowOf(message: StoredMessage): MessageRow {
  const { reactions, votes, quoted } = message;
  const deleted = message.deleted === true;
  return {
    id: message.id,
    at: new Date(message.at).toISOString(),
    route: message.route ?? "",
    text: deleted ? "[deleted]" : message.text,
    body: deleted ? null : message.body,
    deleted: deleted ? true : undefined,
    quoted,
    reactions: reactions?.size
      ? [...reactions].map(([from, emoji]) => ({ from, emoji }))
      : undefined,
    votes: votes?.size ? [...votes].map(([from, options]) => ({ from, options })) : undefined,
  };
}
