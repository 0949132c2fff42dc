/** A channel: how its webhooks are read, and how a message becomes one gateway call. Pure; one folder for each channel. */
import type { JsonObject } from "../base/index.ts";
import type { ChannelName, HmacSettings, Outbound, Parsed } from "../engine/index.ts";

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One webhook body, already parsed and bounded in depth and size. */
export interface Delivery {
  readonly headers: Headers;
  readonly body: unknown;
  /** Engine A has four URLs; the last path word tells which one this is. */
  readonly hook?: string;
  /** Event names that are taken; empty or absent = all. */
  readonly filter?: readonly string[];
  /** Ms; used where the body tells no time of its own. */
  readonly receivedAt: number;
}

export interface Capabilities {
  /** Forms of choices this channel can show, best first. Numbered text always works. */
  readonly choices: readonly ("poll" | "text")[];
  readonly bold: boolean;
  readonly media: readonly ("image" | "document" | "audio")[];
  /** Longest text of one message, UTF-16 units. */
  readonly maxText: number;
}

export interface RenderOptions {
  /** How choices are shown; numbered text unless the account asks for polls. */
  readonly choices?: "poll" | "text";
  /** Typing pause before the message is shown, ms. */
  readonly delayMs?: number;
  /** Where this channel's progress and answers are posted; only short messages carry it per message. */
  readonly webhookUrl?: string;
  /** Test call: nothing is delivered. Only short messages know it per message. */
  readonly homolog?: boolean;
}

export interface Rendered {
  /** Id of the gateway route. */
  readonly route: string;
  readonly body: JsonObject;
  /** The text as our own echo will show it: recipient and its hash settle a send whose answer was lost. */
  readonly text: string;
}

export interface Channel {
  readonly name: ChannelName;
  readonly capabilities: Capabilities;
  /** Last path words of its webhook URLs; empty = one URL without a word. */
  readonly hooks: readonly string[];
  /** Whether the signature over the raw bytes is good. Only called when the account has signature settings. */
  verify(headers: Headers, rawBody: Uint8Array, settings: HmacSettings): boolean;
  /** Never throws, whatever the body holds. */
  parse(delivery: Delivery): Parsed;
  render(message: Outbound, address: string, options?: RenderOptions): Rendered;
}
