/** A person's decision about one effect that rests: what may be said of it, fenced by what that person saw. */
import type { JsonObject } from "../base/index.ts";
import {
  ABSENT,
  type Actions,
  type Done,
  type EffectRef,
  refused,
  stale,
} from "../server/index.ts";
import type { EffectView, Store } from "../store/port.ts";
import { servicesOf } from "../plugins/invoicing/services.ts";
import { INVOICE_CANCEL } from "../plugins/invoicing/effects/invoice-cancel.ts";
import { INVOICE_ISSUE } from "../plugins/invoicing/effects/invoice-issue.ts";
import { RATE_LIMITED, type Worker } from "../worker/index.ts";

/** Classes whose repeat costs money or files taxes: who decides says what was looked at. */
const SEEN: readonly string[] = ["fiscal", "costly"];

type Decision = Parameters<Actions["decideEffect"]>[1];
type By = Parameters<Actions["decideEffect"]>[2];
type Payload = { name?: string; waiter?: JsonObject; work?: { frozen?: object } };

export async function decideEffect(
  { store, worker }: { readonly store: Store; readonly worker: Worker },
  ref: EffectRef,
  decision: Decision,
  by: By,
): Promise<Done> {
  const { words } = servicesOf(worker.context).settling;
  const effect = await store.effect(ref);
  if (!effect) return ABSENT;
  const { rev } = by;
  if (isNote(effect) && effect.state === "held" && (await words.isRecorded(effect)))
    return refused("A note is decided with `invoices resolve`, which checks its key first.");
  const no = obstacle(effect, decision);
  if (no !== undefined) return refused(no);
  if (rev === undefined && SEEN.includes(effect.class))
    return {
      ...{ ok: false, reason: "unseen" },
      message: `What is ${effect.class} is decided by who looked at it: send \`rev\`, the number that was shown with it (GET /api/outbox, prosa outbox list).`,
    };
  if (rev !== undefined && rev !== effect.rev)
    return stale(`It is ${effect.state} (${effect.reason ?? effect.state}) with`, effect.rev);
  const told = decision === "retry" ? undefined : await words.before(effect, decision, by.reason);
  if (told === null) return refused(SETTLED, "not-open");
  const { waiter } = effect.payload as Payload;
  const settled = await store.resolve({
    ...ref,
    action: decision === "retry" ? "resend" : "finish",
    // Fenced in any case: by what the person saw, or at least by what was found here.
    rev: effect.rev,
    ...(told && waiter
      ? {
          result: {
            event: `r:${ref.id}:decided`,
            mail: { kind: "result", effect: ref.id, waiter, result: told },
          },
        }
      : {}),
  });
  if (settled && decision !== "retry") await words.after(effect, decision);
  worker.wake();
  return settled ? { ok: true } : refused(SETTLED, "not-open");
}

const SETTLED = "Somebody else settled it meanwhile.";

/** A request for a note; what cannot be opened may be one. */
function isNote({ class: callClass, payload }: EffectView): boolean {
  const { name } = payload as Payload;
  return callClass === "fiscal" && (name === undefined || name === INVOICE_ISSUE);
}

/** Why this may not be said of it; undefined when it may. A note that comes here has no record. */
function obstacle(effect: EffectView, decision: Decision): string | undefined {
  const { name, work } = effect.payload as Payload;
  const isUnsent = work?.frozen === undefined;
  if (effect.state !== "held" && effect.state !== "enqueued")
    return `The effect is ${effect.state}; only held and enqueued ones are decided.`;
  if (effect.class !== "fiscal") return undefined;
  if (name === undefined)
    return decision === "discard"
      ? undefined
      : "What is stored of it cannot be opened, so nothing of it can be sent or told. Look it up at the authority, then discard it.";
  // Turned away unread, it may go: nothing of it is at the authority.
  if (name === INVOICE_CANCEL && effect.reason === RATE_LIMITED && isUnsent) return undefined;
  if (name !== INVOICE_ISSUE)
    return decision === "retry"
      ? "What files taxes is not sent again from here: look it up at the authority, then resolve it as done or failed."
      : undefined;
  if (decision === "done")
    return "This note has no record that a key could be checked against. Look it up at the authority, then resolve it as failed, or discard it and say what you found.";
  return decision === "retry" && !isUnsent
    ? "It may have left, and its record cannot be made again: its company or its service is not in the account any more. Look it up at the authority, then resolve it as failed, or discard it."
    : undefined;
}
