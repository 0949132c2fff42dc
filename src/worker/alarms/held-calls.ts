/**
 * Held calls that wait for a person's decision: an alarm after an hour, and again once a day. They were turned away unread
 * (429), or their answer was lost. Calls that a plugin reports in its own way are left out.
 */
import { z } from "zod";
import { UNREADABLE } from "../../store/index.ts";
import type { EffectView } from "../../store/port/port.ts";
import type { EffectTable, RuntimeContext } from "../context/contexts.ts";
import { documentsOf } from "../context/document.ts";
import { Tour } from "../loop.ts";
import { entryOf } from "../outbox/entry.ts";

/** Virtual ms. */
const WAITED_MS = 3_600_000;
const AGAIN_MS = 86_400_000;
/** Longer than an alarm takes; if its process dies before that is written down, another raises it again. Real ms. */
const LEASE_MS = 60_000;
/** Held effects of one round; the next continues there. */
const PAGE = 100;
const PAGES = 10;
/** Alarms of one round; the next tells the rest. A worker that stops waits for a round. */
const ALARMS = 10;
const COLLECTION = "held-told";

/** `at`: virtual ms of the last alarm. */
const Told = z.object({ alarms: z.number().int(), at: z.number() });

/** Effects that are told of elsewhere are asked with the context of their own. */
export type HeldContext = RuntimeContext & { readonly effects: EffectTable };

export class HeldCalls {
  readonly #context: HeldContext;
  readonly #owner: string;
  readonly #tour: Tour<EffectView>;

  constructor(context: HeldContext, owner: string) {
    this.#context = context;
    this.#owner = owner;
    this.#tour = new Tour(PAGES, (after) => context.store.views.held({ limit: PAGE, after }));
  }

  /** Raises what is due; answers how many alarms. */
  async round(): Promise<number> {
    let raised = 0;
    const isOver = await this.#tour.round(async (effect) => {
      if (raised === ALARMS) return false;
      if (await this.#alarm(effect)) raised++;
      return true;
    });
    if (isOver) await this.#forget();
    return raised;
  }

  async #alarm(effect: EffectView): Promise<boolean> {
    const { store, clock, alarms, pager } = this.#context;
    const { id, account, class: kind, reason = "" } = effect;
    const name = nameOf(effect);
    const now = clock.now();
    const age = now - sinceOf(effect, clock.offsetMs);
    if (name === null || age < WAITED_MS) return false;
    const found = await store.documents.get(COLLECTION, id);
    const told = Told.safeParse(found?.value).data;
    if (told && now - told.at < AGAIN_MS) return false;
    if (await this.#context.effects.calls.get(name)?.isToldElsewhere?.(this.#context, effect))
      return false;
    const count = told?.alarms ?? 0;
    const claim = await store.keys.claim(account, `held:${id}:${count}`, this.#owner, LEASE_MS);
    if (!claim.ok) return false;
    const hours = Math.floor(age / 3_600_000);
    alarms.raise({
      code: kind === "fiscal" ? "fiscal.waiting" : "effect.waiting",
      account,
      subject: `${id} ${count + 1}`,
      message: `${name} rests for ${hours} h (${reason}); it goes on only when a person decides.`,
    });
    await pager.stored();
    await store.documents.put(COLLECTION, id, { alarms: count + 1, at: now }, found?.rev ?? 0);
    return true;
  }

  /** Those that were told of and are no longer held; one that is still held was told of anew each day. */
  async #forget(): Promise<void> {
    const { store, clock } = this.#context;
    for await (const { id, value } of documentsOf(store, COLLECTION))
      if (clock.now() - Number(value["at"]) > 2 * AGAIN_MS)
        await store.documents.remove(COLLECTION, id);
  }
}

/** Null for messages, which are told of as failed sends. */
function nameOf({ reason, class: kind, payload }: EffectView): string | null {
  if (reason === UNREADABLE) return kind === "message" ? null : `A ${kind} call`;
  const entry = entryOf(payload);
  return entry.type === "call" ? entry.name : null;
}

function sinceOf({ reason, payload, createdAt }: EffectView, offsetMs: number): number {
  return reason === UNREADABLE ? createdAt + offsetMs : entryOf(payload).work.at;
}
