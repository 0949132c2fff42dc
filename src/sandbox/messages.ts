/** Messages on record: what contacts received, what they sent, and the media bytes that a download call may ask for. */
import type { Json, JsonObject } from "../base/index.ts";
import { BoundedList } from "./bounded.ts";
import type { Channel } from "./delivery-settings.ts";
import type { WireMessage } from "./content.ts";

/** Characters of Base64 kept over all messages: 48 MiB of files. */
const MEDIA_BUDGET = 64 * 1_024 * 1_024;

export interface StoredMessage {
  readonly id: string;
  readonly device: string;
  readonly channel: Channel;
  /** Whom the chat is with, as the address book names people. */
  readonly person: string;
  readonly fromMe: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Route id of an API send; absent for what came in or was typed by a human. */
  readonly route?: string;
  /** What a person reads. */
  readonly text: string;
  /** The request body of a send. */
  readonly body: Json;
  /** The record as engine B holds it. */
  readonly record: JsonObject;
  /** Options of a poll. */
  readonly options?: readonly string[];
  /** Delivery progress so far, in order. */
  statuses: readonly string[];
}

/** A row of `GET /sandbox/messages`. */
export interface MessageRow {
  readonly id: string;
  readonly at: string;
  readonly route: string;
  readonly text: string;
  readonly body: Json;
}

type Media = NonNullable<WireMessage["media"]>;

export class Messages {
  readonly #all = new BoundedList<StoredMessage>();
  readonly #byId = new Map<string, StoredMessage>();
  readonly #media = new Map<string, Media>();
  #mediaSize = 0;

  add(message: StoredMessage, media?: Media): void {
    const gone = this.#all.push(message);
    if (gone && this.#byId.get(gone.id) === gone) this.#byId.delete(gone.id);
    this.#byId.set(message.id, message);
    if (media) this.#keep(message.id, media);
  }

  find(id: string): StoredMessage | undefined {
    return this.#byId.get(id);
  }

  media(id: string): Media | undefined {
    return this.#media.get(id);
  }

  /** Newest first, one device's only: what an engine has on record. */
  onRecord(device: string): readonly StoredMessage[] {
    return this.#all
      .all()
      .filter((row) => row.device === device)
      .reverse();
  }

  /** The last SMS sent to a person: replies name it. */
  lastSmsTo(person: string): StoredMessage | undefined {
    return this.#all.find((row) => row.channel === "sms" && row.fromMe && row.person === person);
  }

  /** What API calls put in front of people, oldest first; one person's, or everybody's. */
  received(person?: string): readonly MessageRow[] {
    return this.#all
      .all()
      .filter((row) => row.route !== undefined && (person === undefined || row.person === person))
      .map(rowOf);
  }

  #keep(id: string, media: Media): void {
    this.#media.set(id, media);
    this.#mediaSize += media.base64.length;
    for (const [oldest, kept] of this.#media) {
      if (this.#mediaSize <= MEDIA_BUDGET) break;
      this.#media.delete(oldest);
      this.#mediaSize -= kept.base64.length;
    }
  }
}

export function rowOf(message: StoredMessage): MessageRow {
  return {
    id: message.id,
    at: new Date(message.at).toISOString(),
    route: message.route ?? "",
    text: message.text,
    body: message.body,
  };
}
