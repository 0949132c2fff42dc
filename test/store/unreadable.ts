/** Effects whose bytes cannot be opened, over both stores: how a test spoils them is the store's own. */
import { expect } from "vitest";
import type { Store } from "../../src/store/index.ts";
import { ACCOUNT, message, newContact, withEffects } from "./contract.ts";

const SOME = { limit: 10, leaseMs: 0, paused: [], offsetMs: 0 } as const;

/** Changes the stored bytes of one effect; answers the store to go on with. */
type Spoil = (id: string) => Promise<Store>;

export async function unreadableEffects(first: Store, spoil: Spoil): Promise<void> {
  let store = first;
  const [bad, good] = [await newContact(store), await newContact(store)];
  const [broken, next, other] = [`${bad}:1:0`, `${bad}:1:1`, `${good}:1:0`];
  await withEffects(store, [message(broken), message(next)], bad);
  await withEffects(store, [message(other)], good);
  store = await spoil(broken);

  // Nobody else waits for it, neither where it is begun nor where the dead are judged.
  const begun = await store.beginSend(SOME);
  expect(begun.map(({ id }) => id)).toEqual([other]);
  const reaped = await store.reap({ limit: 10, leaseMs: 5_000 });
  expect(reaped.map(({ id }) => id)).toEqual([other]);
  const [mine] = reaped;
  if (mine) await store.endSend([{ ...mine, outcome: { kind: "done" } }]);

  // It has its goes, then it is held where a person sees it, and its contact goes on.
  for (let rounds = 0; rounds < 6; rounds++) {
    const left = await store.beginSend({ ...SOME, leaseMs: 0 });
    if (left.length > 0) {
      expect(left.map(({ id }) => id)).toEqual([next]);
      expect(rounds).toBeGreaterThanOrEqual(2);
      break;
    }
    await store.reap({ limit: 10, leaseMs: 0 });
    expect(rounds).toBeLessThan(5);
  }
  const [held] = (await store.held({ limit: 10 })).items;
  expect(held).toMatchObject({ id: broken, state: "held", reason: "unreadable", payload: {} });
  expect(await store.effects({ state: "held", limit: 10 })).toHaveLength(1);
  const named = { id: broken, account: ACCOUNT, contact: bad };
  expect(await store.resolve({ ...named, action: "finish" })).toBe(true);
  expect((await store.held({ limit: 10 })).items).toEqual([]);
}

/** What must not be done twice never goes again by itself: who read it before may have done it. */
export async function unreadableNote(first: Store, spoil: Spoil): Promise<void> {
  let store = first;
  const contact = await newContact(store);
  const id = `${contact}:1:0`;
  await withEffects(store, [message(id, { class: "fiscal", ordered: false })], contact);
  expect(await store.beginSend({ ...SOME, classes: ["fiscal"] })).toHaveLength(1);
  store = await spoil(id);
  expect(await store.reap({ limit: 10, leaseMs: 0 })).toEqual([]);
  expect(await store.beginSend({ ...SOME, classes: ["fiscal"] })).toEqual([]);
  expect((await store.held({ limit: 10 })).items).toMatchObject([{ id, reason: "unreadable" }]);
}
