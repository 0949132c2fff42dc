/** Order: messages that must leave before this one. This one waits a moment, and no attempt is used. */
import type { Session } from "../../../engine/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import type { Ending } from "../ending.ts";
import { entryOf, type SendEntry, everyEffect } from "../entry.ts";

/** A direct send that waits for one in the gateway's queue looks again after this, ms. */
const BEHIND_QUEUE_MS = 1_000;
/** … and waits at most this long for one that was asked for, virtual ms: a lost job must not silence a chat. */
const BEHIND_QUEUE_LIMIT_MS = 2 * 60_000;

/**
 * Whether an earlier message of this chat is still in the gateway's queue, and not for longer than that limit. The store is
 * asked, because another process may have enqueued it; only for accounts that use the queue.
 */
export async function isBehindQueue(
  context: SendContext,
  begun: Begun,
  entry: SendEntry,
): Promise<boolean> {
  const { account, contact } = begun;
  if (!context.queue.mayRest(account)) return false;
  const some = { account, contact, states: ["enqueued"] } as const;
  const since = context.clock.now() - BEHIND_QUEUE_LIMIT_MS;
  for await (const { payload } of everyEffect(context.store, some)) {
    const other = entryOf(payload);
    if (other.type === "send" && other.channel === entry.channel && other.work.at > since)
      return true;
  }
  return false;
}

/**
 * Whether an earlier message to the same person, under a former name of theirs, still waits to leave. A held one counts
 * only if it keeps its place.
 */
export async function isBehindFormer(
  context: SendContext,
  { account, contact }: Begun,
  { channel }: SendEntry,
  session: Session | null,
): Promise<boolean> {
  const before = session?.joined ?? [];
  if (before.some((one) => one.contact === contact)) return false;
  for (const { contact: former } of before) {
    const some = { account, contact: former, states: ["pending", "inflight", "held"] } as const;
    for await (const { payload, state, inPlace } of everyEffect(context.store, some)) {
      if (state === "held" && !inPlace) continue;
      const other = entryOf(payload);
      if (other.type === "send" && other.channel === channel) return true;
    }
  }
  return false;
}

export function laterBehind({ clock }: Pick<SendContext, "clock">): Ending {
  return { outcome: { kind: "not_sent", at: clock.now() + BEHIND_QUEUE_MS } };
}
