/**
 * `privacy.erase`: erases the person who asked for it and confirmed it in the flow: everything of theirs goes, with its
 * data key.
 */
import { z } from "zod";
import { done, type LocalSpec, type LocalWork, refused } from "../effects/spec.ts";
import { personOf } from "../context/person.ts";
import type { RuntimeContext } from "../context/contexts.ts";
import type { EffectView } from "../../store/port/port.ts";
import { withdrawFileLinks, dropFilesOf } from "../context/files.ts";
import { documentsIn } from "../context/hooks.ts";
import { everyEffect } from "../outbox/entry.ts";

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

/**
 * The one way to erase a person, whether they ask in the chat, an operator does it, or retention. Documents that plugins
 * keep under the account's key go or stay as each plugin says (`documents`).
 *
 * `fiscal-open`: a fiscal call that may be on its way keeps the conversation in which its result is told, until its end.
 * What is kept beside the conversation goes first, so that an erasure that was cut off can be asked for again.
 */
export async function forgetPerson(
  context: RuntimeContext,
  account: string,
  contact: string,
): Promise<"done" | "unknown" | "fiscal-open"> {
  const person = await personOf(context, account, contact);
  for await (const effect of underWay(context, account, person.contacts))
    if (effect.class === "fiscal") return "fiscal-open";
  for (const one of person.contacts) {
    const files = await dropFilesOf(context, account, one);
    await withdrawFileLinks(context, account, one, files);
  }
  for (const { forgetPerson: forget } of documentsIn(context))
    await forget?.(context, account, person);
  return (await context.store.contacts.erase(account, person.contact)) ? "done" : "unknown";
}

/** What is under way for a person, under whichever name it was asked for. */
async function* underWay(
  { store }: Pick<RuntimeContext, "store">,
  account: string,
  contacts: ReadonlySet<string>,
): AsyncGenerator<EffectView> {
  for (const contact of contacts) yield* everyEffect(store, { account, contact });
}
