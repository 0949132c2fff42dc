/** Whether anybody has work: asked of the store, because other processes may be doing it. */
import { setTimeout as pause } from "node:timers/promises";
import { heldClass } from "../../store/index.ts";
import type { EffectView, Store } from "../../store/port/port.ts";

/** Pause between two looks. */
const LOOK_MS = 20;
/** Effects looked through; a sandbox's installation has fewer. */
const EFFECTS = 1_000;
/** Timers moved in one step. */
const TIMERS = 200;
/** Whoever waits is told, instead of hanging. */
const LIMIT_MS = 120_000;

/** Resolves when no mail, due timer or due effect is left in the store; paused scopes and held classes do not count. */
export async function quietStore(store: Store, clock: { readonly offsetMs: number }) {
  for (const end = Date.now() + LIMIT_MS; await isBusy(store, clock.offsetMs); await pause(LOOK_MS))
    if (Date.now() > end) throw new Error("the workers did not get quiet in two minutes");
}

async function isBusy(store: Store, offsetMs: number): Promise<boolean> {
  // Due timers are moved here: a worker that has not polled yet would leave them unseen.
  if ((await store.mail.tick({ offsetMs, limit: TIMERS })) > 0) return true;
  const { ready, claimed } = await store.views.backlog();
  if (ready + claimed > 0) return true;
  if ((await store.views.effects({ state: "inflight", limit: 1 })).length > 0) return true;
  const [pending, pauses, now] = await Promise.all([
    store.views.effects({ state: "pending", limit: EFFECTS }),
    store.scopes.pauses(),
    store.now(),
  ]);
  const held = new Set([...pauses.keys()].flatMap((scope) => heldClass(scope) ?? []));
  return firsts(pending).some(
    (effect) =>
      effect.notBefore <= now + offsetMs && !pauses.has(effect.scope) && !held.has(effect.class),
  );
}

/** Messages of one contact leave one after the other: only the oldest can be due. */
function firsts(pending: readonly EffectView[]): readonly EffectView[] {
  const seen = new Set<string>();
  return pending.filter((effect) => {
    if (effect.class !== "message") return true;
    if (seen.has(effect.contact)) return false;
    seen.add(effect.contact);
    return true;
  });
}
