/** A channel: how its webhooks are read, and how a message becomes one gateway call. Pure; one file or folder for each channel. */
import type { JsonObject } from "../base/index.ts";
import type { ChannelName, Outbound, Parsed } from "../engine/index.ts";

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
  /** Last path words of its webhook URLs; empty = one URL without a word. */
  readonly hooks: readonly string[];
  /** Never throws, whatever the body holds. */
  parse(delivery: Delivery): Parsed;
  render(message: Outbound, address: string, options?: RenderOptions): Rendered;
}
