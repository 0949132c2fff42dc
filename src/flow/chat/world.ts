/** The interface to what a chat file is played against: a whole running bot, or programs alone. */
import type { JsonObject } from "../../base/index.ts";

/** What a person sends. `name` is the word in brackets for what is not text. */
export type ChatSent =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "action";
      readonly name: string;
      readonly args: readonly string[];
      readonly text: string;
    };

/**
 * What a person got: one message, as read on the phone. What is not words is a line of its own: `[media list.pdf]` above its
 * caption, `[location -23.5,-46.6]`, `[reaction 👍]`.
 */
export interface ChatMessage {
  readonly text: string;
  /** Whether the phone shows somebody typing before it comes. */
  readonly typing?: boolean;
}

export type ClockMove =
  | { readonly by: number }
  /** Local time of the account: `2026-11-22 09:00`. */
  | { readonly to: string }
  | { readonly until: "quiet" };

export interface ChatState {
  /** Step the customer's conversation rests at; empty outside a flow. */
  readonly step: string;
  readonly slots: JsonObject;
  /** Effects asked for since the start, sends left out. */
  readonly effects: readonly { readonly name: string; readonly input: JsonObject }[];
  readonly outcome?: string;
  readonly handoff?: string;
  /** Open timers with their time from now, ms. */
  readonly timers: readonly { readonly name: string; readonly inMs: number }[];
  /** Gateway calls since the start, by route. */
  readonly calls: Readonly<Record<string, number>>;
}

export interface ChatWorld {
  /** A burst of one person; answers when the bot is quiet. */
  send(speaker: string, burst: readonly ChatSent[]): Promise<void>;
  /** Moves the clock; answers when due timers have been handled. */
  clock(move: ClockMove): Promise<void>;
  /** `! …`: the rest of the line. Throws with a sentence for what this world cannot do. */
  misbehave(what: string): Promise<void>;
  /** `!` lines that have struck nothing yet, as they were given. */
  unstruck?(): readonly string[];
  /** `* …`: something the world reports, with its fields. */
  report(event: string, fields: JsonObject): Promise<void>;
  /** Messages a person got since the last call. */
  heard(speaker: string): Promise<readonly ChatMessage[]>;
  state(): Promise<ChatState>;
  /** Every form of a text by its key (`say.hello`); empty when there is none. */
  phrases(key: string): readonly string[];
}
