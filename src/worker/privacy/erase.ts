/**
 * `privacy.erase`: what a person asked for is done here, after the flow had their yes: everything of theirs goes, with its
 * data key. Issued notes stand under the account's key and stay.
 */
import { z } from "zod";
import type { EffectView } from "../../store/port.ts";
import { done, type LocalSpec, type LocalWork, refused } from "../effects/local.ts";
import { entryOf } from "../outbox/entry.ts";
import { forgetAside } from "./aside.ts";

/** Effects of one person that are looked through. */
const LOOKED_THROUGH = 1_000;
/** What was said before must have left; looked at again after this, ms. */
const AGAIN_MS = 250;
/** … and is not waited for longer than this, virtual ms: a channel that is down must not keep anybody's data. */
const PATIENCE_MS = 60 * 60_000;

/** `privacy.ready`: whether everything may go now. Asked before anybody is told that it goes. */
export const ready: LocalSpec = {
  name: "privacy.ready",
  class: "read",
  version: 1,
  input: z.object({}),
  result: ["code", "text"],
  async perform(work) {
    // A note that may be on its way keeps the conversation it is told in; its end frees it.
    return (await othersOf(work)).some(mayIssue) ? refused("note-open") : done({});
  },
};

export const erase: LocalSpec = {
  name: "privacy.erase",
  class: "replace",
  version: 1,
  input: z.object({}),
  result: ["code", "text"],
  async perform({ desk, begun, account, at }) {
    const { contact } = begun;
    const others = await othersOf({ desk, begun, account });
    if (others.some(mayIssue)) return refused("note-open");
    const leaving = others.some(({ state }) => state === "pending" || state === "inflight");
    const now = desk.clock.now();
    if (leaving && now - at < PATIENCE_MS)
      return { outcome: { kind: "not_sent", at: now + AGAIN_MS } };
    await forgetAside(desk, account.id, contact);
    await desk.store.erase(account.id, contact);
    // This effect went with the rest: there is no end to write, and nobody to tell.
    return null;
  },
};

/** What else is under way for this person. */
async function othersOf({ desk, begun, account }: Pick<LocalWork, "desk" | "begun" | "account">) {
  const { id, contact } = begun;
  const some = { account: account.id, contact, limit: LOOKED_THROUGH };
  return (await desk.store.effects(some)).filter((one) => one.id !== id);
}

/** Whether a note may come of it. */
export function mayIssue(effect: EffectView): boolean {
  if (effect.class === "fiscal") return true;
  const entry = entryOf(effect.payload);
  return entry.type === "call" && entry.name.startsWith("invoice.");
}
