/**
 * `messages.recall`: counts messages that came without their words, and asks engine B for them by their ids, since it keeps
 * what it could decrypt later. What it answers goes the way of a webhook. The other engines cannot be asked.
 */
import { z } from "zod";
import { ChannelName } from "../../engine/index.ts";
import { countUnreadable } from "../alarms/unreadable.ts";
import { done, type LocalSpec } from "../effects/local.ts";
import { planScope } from "../outbox/pacing/scope-names.ts";
import type { RuntimeContext } from "../context/runtime-context.ts";
import { ASKED } from "./liveness.ts";
import { byId } from "./pages.ts";
import { mayAsk } from "./pull-pace.ts";

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
