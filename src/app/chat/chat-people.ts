/** The people of a chat file and their phones: the world outside, which outlives every process. */
import type { JsonObject } from "../../base/index.ts";
import { channels, smsSegments, withoutBold } from "../../channels/index.ts";
import { type Account, type Outbound, type SendEffect, withNumbers } from "../../engine/index.ts";
import { type ChatMessage, CUSTOMER, OPERATOR } from "../../flow/index.ts";
import type { ChatSetting } from "./chat-setting.ts";

export interface Person {
  readonly number: string;
  readonly name: string;
  readonly messages: (ChatMessage & { readonly id: string })[];
  /** What is wrong with messages as the channel shows them. */
  readonly misshown: string[];
  /** Ids of what this person sent, oldest first. */
  readonly own: string[];
  /** How many messages the file has heard. */
  heard: number;
}

/** A message and where it goes. */
export type Delivery = Pick<SendEffect, "message" | "channel" | "address">;

export class ChatPeople {
  readonly #people = new Map<string, Person>();
  readonly #operator: string | undefined;

  constructor(account: Account, contacts: ChatSetting["contacts"]) {
    this.#operator = account.operators[0]?.alias.replace(/^phone:/, "");
    for (const { speaker, number, name } of contacts) this.of(speaker, number, name);
    for (const speaker of [CUSTOMER, OPERATOR]) this.of(speaker);
  }

  /** Whoever speaks under this name; made when nobody did before. */
  of(speaker: string, number?: string, name?: string): Person {
    const known = this.#people.get(speaker);
    if (known) return known;
    const operator = speaker === OPERATOR ? this.#operator : undefined;
    const person: Person = {
      number: number ?? operator ?? this.#free(),
      name: name ?? speaker,
      messages: [],
      own: [],
      misshown: [],
      heard: 0,
    };
    this.#people.set(speaker, person);
    return person;
  }

  /** A number that nobody has. */
  #free(): string {
    for (let index = this.#people.size + 1; ; index++) {
      const number = `55119888800${String(index).padStart(2, "0")}`;
      if (!this.all().some((person) => person.number === number)) return number;
    }
  }

  all(): readonly Person[] {
    return [...this.#people.values()];
  }

  /** A message arrives. Mail for somebody whom the file does not name goes to a phone nobody looks at. */
  got(id: string, delivery: Delivery): void {
    const { message, channel, address } = delivery;
    const person = this.#at(address);
    const wrong = misshown(delivery);
    if (wrong !== undefined) person.misshown.push(`${channel}: ${wrong} in "${message.text}"`);
    person.messages.push({
      id,
      text: shown(message),
      get typing() {
        return isTyping(channels[channel].render(message, address).body);
      },
    });
  }

  /** What a call of a flow shows on a phone by itself: a reaction. */
  gotByCall(id: string, route: string, input: JsonObject): void {
    const { key, number, reaction } = input as Partial<Record<string, JsonObject | string>>;
    if (route !== "message.sendReaction" || typeof reaction !== "string" || reaction === "") return;
    const address = typeof key === "object" ? key["remoteJid"] : number;
    if (typeof address !== "string") return;
    this.#at(address).messages.push({ id, text: `[reaction ${reaction}]` });
  }

  #at(address: string): Person {
    const to = digits(address);
    return this.all().find(({ number }) => number === to) ?? this.of(address, to);
  }
}

function digits(address: string): string {
  return address.replace(/@.*$/, "");
}

function isTyping(body: JsonObject): boolean {
  const { options } = body as { options?: { presence?: unknown } };
  return options?.presence === "composing";
}

/** A message as a chat file writes it: what is not words in brackets, above them. */
function shown(message: Outbound): string {
  const { media, location } = message;
  const rows = [
    ...(media ? [`[media ${media.fileName ?? lastOf(media.url) ?? media.kind}]`] : []),
    ...(location ? [`[location ${location.latitude},${location.longitude}]`] : []),
    withNumbers(message),
  ];
  return rows.filter((row) => row !== "").join("\n");
}

function lastOf(url: string | undefined): string | undefined {
  const name = url
    ?.replace(/[?#].*$/, "")
    .split("/")
    .at(-1);
  return name === "" ? undefined : name;
}

/** Segments of one short message that carriers put together again. */
const SEGMENTS = 10;

/** What is wrong with a message as its channel shows it, in a sentence: something raw, a star as it is, a choice that is missing. */
export function misshown({
  message,
  channel,
  address,
}: Pick<SendEffect, "message" | "channel" | "address">): string | undefined {
  const { body, route, text } = channels[channel].render(message, address);
  const words = JSON.stringify(body);
  if (/\{\{|undefined|\[object/.test(text)) return "a text was not filled in";
  // A poll's question and a short message show stars as they are.
  const isPlain = channel === "sms" || /poll/i.test(route);
  if (isPlain && withoutBold(text) !== text) return "stars are shown as they are";
  if (channel === "sms" && smsSegments(text) > SEGMENTS) return "too long for a short message";
  const lost = (message.choices ?? []).find(
    ({ label }) => !words.includes(JSON.stringify(label).slice(1, -1)),
  );
  return lost ? `the choice "${lost.label}" is not shown` : undefined;
}
