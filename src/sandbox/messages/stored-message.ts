/** A message on record. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Channel } from "../webhooks/subscriptions.ts";

export interface StoredMessage {
  readonly id: string;
  readonly device: string;
  readonly channel: Channel;
  /** In front of a person and on no engine's record: a call. */
  readonly offRecord?: true;
  /** Whom the chat is with, as the address book names people: a person, a group, or the status feed. */
  readonly person: string;
  /** Who wrote it, in a group. */
  readonly author?: string;
  /** Who sees it, where that is not the person of the chat: a group's members, a status post's viewers. */
  readonly audience?: ReadonlySet<string>;
  readonly fromMe: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Route id of an API send; absent for what came in or was typed by a human. */
  readonly route?: string;
  /** What a person reads. */
  readonly text: string;
  /** The request body of a send. */
  readonly body: Json;
  /** The record as engine B holds it; an edit replaces what it says. */
  record: JsonObject;
  /** Options of a poll. */
  readonly options?: readonly string[];
  /** How many options of a poll one voter may pick; 0 = any number. */
  readonly selectable?: number;
  /** The message that this one answers. */
  readonly quoted?: { readonly id: string; readonly text: string };
  /** Delivery progress so far, in order. */
  statuses: readonly string[];
  /** Taken back for everybody. */
  deleted?: boolean;
  /** Emoji by who reacted with it; phone digits, or `me`. */
  reactions?: ReadonlyMap<string, string>;
  /** Each voter's whole selection. */
  votes?: ReadonlyMap<string, readonly string[]>;
}
