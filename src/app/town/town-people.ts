/** The people of a chat file and their phones: the world outside, which outlives every worker. */
import { channels } from "../../channels/index.ts";
import { type Account, type Outbound, type SendEffect, withNumbers } from "../../engine/index.ts";
import { type ChatBubble, OPERATOR } from "../../flow/index.ts";
import type { JsonObject } from "../../base/index.ts";
import { misshown } from "../chat/chat-rendering.ts";
import type { ChatSetting } from "../chat/chat-setting.ts";

export interface Person {
  readonly contact: string;
  readonly number: string;
  readonly name: string;
  readonly bubbles: (ChatBubble & { readonly id: string })[];
  /** What is wrong with bubbles as the channel shows them. */
  readonly misshown: string[];
  /** Ids of what this person sent, oldest first. */
  readonly own: string[];
  /** How many bubbles the file has heard. */
  heard: number;
}

export class TownPeople {
  readonly #people = new Map<string, Person>();
  readonly #operator: string | undefined;

  constructor(account: Account, contacts: ChatSetting["contacts"]) {
    this.#operator = account.operators[0]?.alias.replace(/^phone:/, "");
    for (const { speaker, number, name } of contacts) this.of(speaker, number, name);
  }

  /** Whoever speaks under this name; made when nobody did before. */
  of(speaker: string, number?: string, name?: string): Person {
    const known = this.#people.get(speaker);
    if (known) return known;
    const index = this.#people.size + 1;
    const operator = speaker === OPERATOR ? this.#operator : undefined;
    const person: Person = {
      contact: index.toString(16).padStart(32, "0"),
      number: number ?? operator ?? `55119888800${String(index).padStart(2, "0")}`,
      name: name ?? speaker,
      ...{ bubbles: [], own: [], misshown: [], heard: 0 },
    };
    this.#people.set(speaker, person);
    return person;
  }

  all(): readonly Person[] {
    return [...this.#people.values()];
  }

  withContact(contact: string): Person {
    for (const person of this.#people.values()) if (person.contact === contact) return person;
    throw new Error(`nobody has the contact ${contact}`);
  }

  /** By `contact:…` or `phone:…`; mail for somebody whom the file does not name goes to a phone nobody looks at. */
  at(address: string): Person {
    for (const person of this.#people.values())
      if (address === `contact:${person.contact}` || address === `phone:${person.number}`)
        return person;
    const isOperator = this.#operator !== undefined && address.includes(this.#operator);
    return this.of(isOperator ? OPERATOR : address);
  }

  /** Whoever has one of these aliases; else somebody new, under the first. */
  named(aliases: readonly string[]): Person {
    const known = aliases.find((alias) =>
      this.all().some(({ number }) => alias === `phone:${number}`),
    );
    return this.at(known ?? aliases[0] ?? "");
  }

  /** A bubble arrives. */
  got(person: Person, effect: SendEffect): void {
    const { id, message, channel, address } = effect;
    const wrong = misshown(effect);
    if (wrong !== undefined) person.misshown.push(`${channel}: ${wrong} in "${message.text}"`);
    person.bubbles.push({
      ...{ id, text: shown(message) },
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
    const to = typeof address === "string" ? address.replace(/@.*$/, "") : "";
    const person = [...this.#people.values()].find(({ number }) => number === to);
    person?.bubbles.push({ id, text: `[reaction ${reaction}]` });
  }
}

function isTyping(body: JsonObject): boolean {
  const { options } = body as { options?: { presence?: unknown } };
  return options?.presence === "composing";
}

/** A bubble as a chat file writes it: what is not words in brackets, above them. */
export function shown(message: Outbound): string {
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
