/**
 * Erasing a person: the one way, whether the person asks in the chat, an operator does it, or retention. Documents that
 * plugins keep under the account's key go or stay as each plugin says (`documents`).
 */
import type { EffectView } from "../../store/port/port.ts";
import type { RuntimeContext } from "../context/runtime-context.ts";
import { withdrawFileLinks } from "../context/file-links.ts";
import { dropFilesOf } from "../context/files.ts";
import { documentsIn } from "../context/hooks.ts";
import { everyEffect } from "../outbox/every-effect.ts";
import { personOf } from "../context/person.ts";

/**
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
export async function* underWay(
  { store }: Pick<RuntimeContext, "store">,
  account: string,
  contacts: ReadonlySet<string>,
): AsyncGenerator<EffectView> {
  for (const contact of contacts) yield* everyEffect(store, { account, contact });
}
