/**
 * The send gate: the last check of effects that were just begun. Some may leave; the others are given back with their
 * attempt untouched.
 */
import type { Session } from "../../../engine/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { entryOf, lookedAt, payloadOf, type Work } from "../entry.ts";
import { isUnasked } from "../pacing/pacing.ts";

type Tools = Pick<SendContext, "store" | "scopes" | "clock" | "pacing" | "accounts" | "log">;

/** Neither leaves nor is given back: it is judged when its lease ends. */
const UNSAID = "unsaid";

/**
 * Gives back effects whose scope another worker's call has paused since the list was read: one of them may be the very call
 * that was refused, which must not leave again before its scope resumes. The pause is written before that call is given
 * back, so a read after the begin sees it. Messages beyond the pace of their device are given back, too, in their place.
 */
export async function passGate(context: Tools, begun: readonly Begun[]): Promise<readonly Begun[]> {
  if (begun.length === 0) return begun;
  const { store, scopes, clock, log } = context;
  // If the list cannot be read, the one from before the begin is used.
  await scopes.round(true).catch(() => undefined);
  const waits = await Promise.all(
    begun.map(async (one) => {
      try {
        return scopes.isPaused(one.scope) ? clock.now() : await untilPaced(context, one);
      } catch (error) {
        log.error({ err: error, effect: one.id }, "whether an effect may leave could not be said");
        return UNSAID;
      }
    }),
  );
  const back = begun.flatMap((one, index) => {
    const at = waits[index] ?? null;
    if (at === null || at === UNSAID) return [];
    const { id, account, contact, token } = one;
    return [{ id, account, contact, token, outcome: { kind: "not_sent", at } as const }];
  });
  // An effect that cannot be given back is judged when its lease ends; the others go on.
  if (back.length > 0)
    await store.effects.end(back).catch((error: unknown) => {
      log.error({ err: error, effects: back.length }, "effects could not be given back");
    });
  return begun.filter((_, index) => (waits[index] ?? null) === null);
}

/** Virtual time until which a message waits for the pace; null = it may leave. */
async function untilPaced(context: Tools, begun: Begun): Promise<number | null> {
  const { accounts, pacing, store, clock } = context;
  const account = begun.class === "message" ? await accounts.get(begun.account) : null;
  if (!account) return null;
  const entry = entryOf(begun.payload);
  if (!(await isAsked(context, begun, entry.work))) {
    const slot = pacing.missed(begun, account, entry.work);
    if (slot !== undefined) {
      // Written with it, so that whoever begins it then knows that this time was not missed.
      const payload = payloadOf({ ...entry, work: { ...entry.work, slot, late: true } });
      const { id, contact, token } = begun;
      await store.effects.amend({ id, account: account.id, contact, token, payload });
      return lookedAt(slot, clock.now());
    }
    const early = pacing.early(begun, entry.work);
    if (early !== undefined) return early;
  }
  // The time of its turn, so that it stays before all that came later.
  return pacing.mayLeave(begun, account) ? null : Math.min(entry.work.at, clock.now());
}

/**
 * Whether the reader of a message that was not asked for has written since. The answer to that waits for this message, so
 * it now leaves at the pace of answers.
 */
async function isAsked({ store, clock }: Tools, begun: Begun, { slot }: Work): Promise<boolean> {
  if (slot === undefined || begun.attempt > 1) return false;
  const view = await store.views.session(begun.account, begun.contact);
  return view !== null && !isUnasked(view.session as unknown as Session, clock.now());
}
