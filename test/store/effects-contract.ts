/** Effects as they are looked at, however many one contact has. What both stores promise. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContactId, EffectView, Store } from "../../src/store/index.ts";
import {
  ACCOUNT,
  beginAll,
  type Harness,
  message,
  newContact,
  type Opened,
  withEffects,
} from "./contract.ts";

const MANY = 1_100;

export function effectsContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await harness.open();
    store = opened.store;
  });
  afterEach(() => opened.close());

  /** A contact with so many messages that wait, and after them these. */
  async function queued(
    count: number,
    ...then: Parameters<typeof message>[]
  ): Promise<{ readonly contact: ContactId; readonly ids: readonly string[] }> {
    const contact = await newContact(store);
    const ids = Array.from({ length: count }, (_, n) => `${contact}:1:${n}`);
    const effects = [...ids.map((id) => message(id)), ...then.map((one) => message(...one))];
    await withEffects(store, effects, contact);
    return { contact, ids };
  }

  async function holdNext(): Promise<void> {
    const begun = await beginAll(store);
    expect(begun).toHaveLength(1);
    const outcome = { kind: "held", reason: "reset" } as const;
    await store.effects.end(begun.map((one) => ({ ...one, outcome })));
  }

  type Some = Partial<Parameters<Store["views"]["effectsOf"]>[0]> & { readonly contact: ContactId };

  /** All pages; `between` is done after the first. */
  async function all(some: Some, between?: () => Promise<unknown>): Promise<EffectView[]> {
    const found: EffectView[] = [];
    let after: string | undefined;
    do {
      const asked = { account: ACCOUNT, limit: 100, ...some };
      const page = await store.views.effectsOf({
        ...asked,
        ...(after === undefined ? {} : { after }),
      });
      expect(page.items.length).toBeLessThanOrEqual(asked.limit);
      if (after === undefined) await between?.();
      found.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    return found;
  }
  const idsOf = (effects: readonly EffectView[]) => effects.map(({ id }) => id);

  describe(`a look at the effects of one contact on ${harness.name}`, () => {
    test("finds the one that is meant behind any number of others, and no other's", async () => {
      const note = { class: "fiscal", ordered: false, payload: { type: "call", name: "note" } };
      const { contact } = await queued(MANY, ["the-note", note]);
      const of = { account: ACCOUNT, contact, id: "the-note" };
      expect(await opened.second.views.effect(of)).toMatchObject({
        ...{ ...of, class: "fiscal", state: "pending", attempt: 0, rev: 0, payload: note.payload },
      });
      await beginAll(store, { classes: ["fiscal"] });
      expect(await store.views.effect(of)).toMatchObject({ state: "inflight", attempt: 1 });

      expect(await store.views.effect({ ...of, id: "another" })).toBeNull();
      expect(await store.views.effect({ ...of, account: "other" })).toBeNull();
      expect(await store.views.effect({ ...of, contact: await newContact(store) })).toBeNull();
      expect(await store.contacts.erase(ACCOUNT, contact)).toBe(true);
      expect(await store.views.effect(of)).toBeNull();
    });

    test("goes through all of them, the latest first, in pages of the size that is asked for", async () => {
      const { contact, ids } = await queued(MANY);
      const other = await queued(3);
      const newestFirst = ids.toReversed();
      expect(idsOf(await all({ contact }))).toEqual(newestFirst);
      expect(idsOf(await all({ contact, limit: 1_000 }))).toEqual(newestFirst);
      expect(idsOf(await all({ contact: other.contact, limit: 1 }))).toEqual(
        other.ids.toReversed(),
      );
      expect(await all({ contact, account: "other" })).toEqual([]);
      expect(await all({ contact: await newContact(store) })).toEqual([]);
      // No place of any page: from the beginning.
      const page = await store.views.effectsOf({ account: ACCOUNT, contact, after: "x", limit: 2 });
      expect(idsOf(page.items)).toEqual(newestFirst.slice(0, 2));
    });

    test("finds those in a state, or that were tried, however many stand around them", async () => {
      const { contact, ids } = await queued(MANY);
      await holdNext();
      await beginAll(store);
      const [first = "", second = ""] = ids;
      expect(idsOf(await all({ contact, states: ["held"] }))).toEqual([first]);
      expect(idsOf(await all({ contact, states: ["inflight", "held"] }))).toEqual([second, first]);
      expect(idsOf(await all({ contact, tried: true }))).toEqual([second, first]);
      expect(await all({ contact, states: ["pending"], tried: true })).toEqual([]);
      expect(await all({ contact, states: ["pending"] })).toHaveLength(MANY - 2);
      // Let go again it counts as one that was not tried.
      await store.effects.resolve({ account: ACCOUNT, contact, id: first, action: "resend" });
      expect(idsOf(await all({ contact, tried: true }))).toEqual([second]);
      expect(idsOf(await all({ contact })).at(-1)).toBe(first);
    });

    test("misses nothing that stays, whatever is asked for and ends between two pages", async () => {
      const { contact, ids } = await queued(300);
      for (let left = ids.length; left > 0; left -= 1) await holdNext();
      const stay = ids.filter((_, n) => n % 3 === 0);
      const found = await all({ contact, limit: 40 }, async () => {
        for (const id of ids.filter((_, n) => n % 3 !== 0))
          await store.effects.resolve({ account: ACCOUNT, contact, id, action: "finish" });
        await withEffects(store, [message("later")], contact);
      });
      const seen = new Set(idsOf(found));
      expect(stay.filter((id) => !seen.has(id))).toEqual([]);
    });
  });
}
