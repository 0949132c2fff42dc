/** The name under which the answer to a short message will come, noted as soon as that message has left. */
import { setTimeout as pause } from "node:timers/promises";
import { aliases, sentAlias } from "../../channels/index.ts";
import type { Begun } from "../../store/port/port.ts";
import type { RuntimeContext } from "../context/runtime-context.ts";

type Tools = Pick<RuntimeContext, "store" | "log">;

/** Tries, and the pause between them, ms: the same as for writing an effect's end. */
const NAME_TRIES = 5;
const NAME_PAUSE_MS = 300;

/**
 * The answer to a short message names the message, not the person, so for a while the message's id leads to the contact.
 * Only a known contact is named: a person erased meanwhile must not come back by it. It never fails, because the message
 * has left and must not leave again.
 */
export async function nameAnswer(
  context: Tools,
  begun: Pick<Begun, "account" | "id">,
  number: string | undefined,
  id: string,
): Promise<void> {
  if (number === undefined) return;
  for (let tries = 1; tries <= NAME_TRIES; tries++) {
    try {
      await nameSent(context, begun.account, number, id);
      return;
    } catch (error) {
      if (tries < NAME_TRIES) await pause(NAME_PAUSE_MS);
      else
        context.log.warn({ err: error, effect: begun.id }, "whose a sent message is was not noted");
    }
  }
}

async function nameSent(context: Tools, account: string, phone: string, id: string): Promise<void> {
  const names = aliases({ address: phone, phone }, "sms");
  await context.store.contacts.lead(account, sentAlias("sms", id), names);
}
