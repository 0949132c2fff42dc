/**
 * `privacy.erase`: erases the person who asked for it and confirmed it in the flow: everything of theirs goes, with its
 * data key.
 */
import { z } from "zod";
import { done, type LocalSpec, type LocalWork, refused } from "../effects/local.ts";
import { personOf } from "../context/person.ts";
import type { RuntimeContext } from "../context/runtime-context.ts";
import { forgetPerson, underWay } from "./forget.ts";

/** Earlier messages must have left first; looked at again after this, ms. */
const AGAIN_MS = 250;
/** … and waited for at most this long, virtual ms: a channel that is down must not keep a person's data. */
const PATIENCE_MS = 60 * 60_000;

/** `privacy.ready`: whether everything may go now. Asked before anybody is told that it goes. */
export const ready: LocalSpec<z.ZodObject, RuntimeContext> = {
  name: "privacy.ready",
  class: "read",
  version: 1,
  input: z.object({}),
  result: ["code", "text"],
  async perform(work) {
    // A fiscal call that may be on its way keeps the conversation in which its result is told, until its end.
    return (await othersOf(work)).isFiscal ? refused("fiscal-open") : done({});
  },
};

export const erase: LocalSpec<z.ZodObject, RuntimeContext> = {
  name: "privacy.erase",
  class: "replace",
  version: 1,
  input: z.object({}),
  result: ["code", "text"],
  async perform({ context, begun, account, at }) {
    const { isFiscal, isLeaving } = await othersOf({ context, begun, account });
    if (isFiscal) return refused("fiscal-open");
    const now = context.clock.now();
    if (isLeaving && now - at < PATIENCE_MS)
      return { outcome: { kind: "not_sent", at: now + AGAIN_MS } };
    await forgetPerson(context, account.id, begun.contact);
    // This effect was erased with the rest, so there is no end to write.
    return null;
  },
};

/** What else is under way for this person: whether a fiscal call is open, and whether a message is still to leave. */
async function othersOf({
  context,
  begun,
  account,
}: Pick<LocalWork<RuntimeContext>, "context" | "begun" | "account">) {
  const { contacts } = await personOf(context, account.id, begun.contact);
  let isLeaving = false;
  for await (const effect of underWay(context, account.id, contacts)) {
    if (effect.id === begun.id) continue;
    if (effect.class === "fiscal") return { isFiscal: true, isLeaving };
    isLeaving ||= effect.state === "pending" || effect.state === "inflight";
  }
  return { isFiscal: false, isLeaving };
}
