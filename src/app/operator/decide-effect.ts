/** A person's decision about one effect that rests: what may be said of it, fenced by what that person saw. */
import type { JsonObject } from "../../base/index.ts";
import type { CallResult } from "../../engine/index.ts";
import {
  ABSENT,
  type Actions,
  type Done,
  type EffectRef,
  declined,
  stale,
} from "../../server/index.ts";
import type { EffectView, Store } from "../../store/port/port.ts";
import type { Decision, Worker } from "../../worker/index.ts";

/** Classes whose repeat costs money or files taxes: who decides says what was looked at. */
const SEEN: readonly string[] = ["fiscal", "costly"];

type By = Parameters<Actions["decideEffect"]>[2];
type Payload = { name?: string; waiter?: JsonObject };

export async function decideEffect(
  { store, worker }: { readonly store: Store; readonly worker: Worker },
  ref: EffectRef,
  decision: Decision,
  by: By,
): Promise<Done> {
  const { context } = worker;
  const effect = await store.views.effect(ref);
  if (!effect) return ABSENT;
  const { rev } = by;
  const no = await obstacle(worker, effect, decision);
  if (no !== undefined) return declined(no);
  if (rev === undefined && SEEN.includes(effect.class))
    return {
      ok: false,
      reason: "unseen",
      message: `What is ${effect.class} is decided by who looked at it: send \`rev\`, the number that was shown with it (GET /api/outbox, prosa outbox list).`,
    };
  if (rev !== undefined && rev !== effect.rev)
    return stale(`It is ${effect.state} (${effect.reason ?? effect.state}) with`, effect.rev);
  const told = decision === "retry" ? undefined : await before(worker, effect, decision, by.reason);
  if (told === null) return declined(SETTLED, "not-open");
  const { waiter } = effect.payload as Payload;
  const settled = await store.effects.resolve({
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
  if (settled && decision !== "retry")
    for (const { after } of decisionsOf(worker)) await after?.(context, effect, decision);
  worker.wake();
  return settled ? { ok: true } : declined(SETTLED, "not-open");
}

const SETTLED = "Somebody else settled it meanwhile.";

function decisionsOf({ context: { plugins = [] } }: Worker) {
  return plugins.flatMap(({ decisions }) => (decisions ? [decisions] : []));
}

/** Why this may not be said of it; undefined when it may. */
async function obstacle(
  worker: Worker,
  effect: EffectView,
  decision: Decision,
): Promise<string | undefined> {
  if (effect.state !== "held" && effect.state !== "enqueued")
    return `The effect is ${effect.state}; only held and enqueued ones are decided.`;
  for (const { obstacle: own } of decisionsOf(worker)) {
    const found = await own?.(worker.context, effect, decision);
    if (found !== undefined) return found ?? undefined;
  }
  if (effect.class !== "fiscal") return undefined;
  if ((effect.payload as Payload).name === undefined)
    return decision === "discard"
      ? undefined
      : "What is stored of it cannot be opened, so nothing of it can be sent or told. Look it up at the authority, then discard it.";
  return decision === "retry"
    ? "What files taxes is not sent again from here: look it up at the authority, then resolve it as done or failed."
    : undefined;
}

/** What the flow that waits gets; null: another decision stands. */
async function before(
  worker: Worker,
  effect: EffectView,
  decision: Exclude<Decision, "retry">,
  reason: string,
): Promise<CallResult | null> {
  for (const { before: own } of decisionsOf(worker)) {
    const told = await own?.(worker.context, effect, decision, reason);
    if (told !== undefined) return told;
  }
  return { outcome: decision === "done" ? "done" : "failed", out: { text: reason } };
}
