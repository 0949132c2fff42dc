/**
 * Counts messages whose words never arrived. One is a phone that was away. Several within minutes are a session of the
 * engine that cannot decrypt any more, and only a restart mends it. One small document for each channel of an account: all
 * processes share it, and a crash does not lose it.
 */
import { z } from "zod";
import type { ChannelName } from "../../engine/index.ts";
import type { Context } from "../context/context.ts";
import { changeDocument } from "../context/document.ts";
import { CHANNEL_LETTERS } from "./channel-letters.ts";

const COLLECTION = "unreadable";
/** Time within which messages are counted together, virtual ms. */
const WINDOW_MS = 600_000;
/** A broken session affects everyone: this many people, … */
const PEOPLE = 3;
/** … or this many messages, are not a phone that was away. */
const MESSAGES = 5;
/** Messages remembered; with more the alarm was raised long before. */
const KEPT = 50;

/** Hashes of the message and of who wrote it. */
const Missing = z.object({ message: z.string(), person: z.string(), at: z.number() });
const Page = z.object({ missing: z.array(Missing).default([]) });

interface Unreadable {
  readonly account: string;
  readonly channel: ChannelName;
  readonly contact: string;
  /** Ids of the messages. The same one again is counted once. */
  readonly ids: readonly string[];
}

/** Counts them, and raises the alarm when there are many. */
export async function countUnreadable(
  {
    store,
    keys,
    clock,
    alarms,
    pager,
    counted,
  }: Pick<Context, "store" | "keys" | "clock" | "alarms" | "pager" | "counted">,
  { account, channel, contact, ids }: Unreadable,
): Promise<void> {
  const now = clock.now();
  const hash = (text: string): string => keys.hash(`unreadable:${text}`).slice(0, 16);
  const person = hash(contact);
  let fresh: readonly string[] = [];
  const value = await changeDocument(store, COLLECTION, `${account}.${channel}`, (stored) => {
    const recent = Page.parse(stored ?? {}).missing.filter(({ at }) => now - at < WINDOW_MS);
    const known = new Set(recent.map(({ message }) => message));
    fresh = ids.map(hash).filter((message) => !known.has(message));
    const missing = [...recent, ...fresh.map((message) => ({ message, person, at: now }))];
    return { missing: missing.slice(-KEPT) };
  });
  for (const _one of fresh) counted?.("unreadable", { channel, outcome: "missing" });
  const { missing } = Page.parse(value ?? {});
  const people = new Set(missing.map((one) => one.person)).size;
  if (people < PEOPLE && missing.length < MESSAGES) return;
  alarms.raise({
    code: "channel.unreadable",
    account,
    subject: channel,
    message: `${channel}: ${missing.length} messages of ${people} people came within minutes and could not be decrypted. Restart the session of this channel's device.`,
    vars: { channel: CHANNEL_LETTERS[channel], messages: missing.length },
  });
  await pager.stored();
}
