/**
 * `messages.recall`: counts messages that came without their words, and asks engine B for them by their ids, since it keeps
 * what it could decrypt later. What it answers goes the way of a webhook. The other engines cannot be asked.
 */
import { z } from "zod";
import { ChannelName } from "../../engine/index.ts";
import { done, type LocalSpec } from "../effects/spec.ts";
import { planScope } from "../outbox/entry.ts";
import type { RuntimeContext } from "../context/contexts.ts";
import { ASKED } from "./liveness.ts";
import { byId } from "./pages.ts";
import { mayAsk } from "./pull-pace.ts";
import type { Context } from "../context/context.ts";
import { changeDocument } from "../context/document.ts";
import { CHANNEL_LETTERS } from "../operators.ts";

/** Calls of the plan for one recall; of more messages the latest are asked for. */
const CALLS = 3;
/** Later than this the person was already asked to send them again, virtual ms. */
const LATE_MS = 60_000;
/** Older messages are kept and not answered, virtual ms. */
const ANSWERED_MS = 86_400_000;

const Recall = z.object({ channel: ChannelName, ids: z.array(z.string().max(200)).max(20) });

export const messagesRecall: LocalSpec<typeof Recall, RuntimeContext> = {
  name: "messages.recall",
  class: "read",
  version: 1,
  input: Recall,
  result: [],
  async perform({ context, begun, account, at }, { channel, ids }) {
    await countUnreadable(context, { account: account.id, channel, contact: begun.contact, ids });
    const { clock, scopes, ingest, counted } = context;
    if (channel !== ASKED || !ingest || clock.now() - at > LATE_MS) return done({});
    for (const id of ids.slice(-CALLS)) {
      if (scopes.isPaused(planScope(account.id))) break;
      const found = await byId(context, account, id, () => mayAsk(context, account));
      if (!found) break;
      const pulled = { answeredSince: clock.now() - ANSWERED_MS };
      const { accepted } = await ingest(account, channel, found, { pulled });
      if (accepted === 0) continue;
      counted?.("unreadable", { channel, outcome: "found" });
      context.wake("turns");
    }
    return done({});
  },
};

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

/**
 * Counts messages whose words never arrived, and raises the alarm when there are many. One is a phone that was away.
 * Several within minutes are a session of the engine that cannot decrypt any more, and only a restart mends it. One small
 * document for each channel of an account: all processes share it, and a crash does not lose it.
 */
async function countUnreadable(
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
