/** What is stored and cannot be opened, over both stores: how a test spoils it is the store's own. */
import { expect } from "vitest";
import type { Store } from "../../src/store/index.ts";
import {
  accept,
  ACCOUNT,
  claimAll,
  commitOf,
  message,
  newContact,
  withEffects,
} from "./contract.ts";

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

/** Changes all stored bytes of one contact's session, journal and dead letters; answers the store to go on with. */
export type SpoilContact = (contact: string) => Promise<Store>;

/** People's lists tell of everybody else, and a letter that cannot be opened can still be dropped. */
export async function unreadableLists(first: Store, spoil: SpoilContact): Promise<void> {
  let store = first;
  const [bad, good] = [await newContact(store), await newContact(store)];
  for (const contact of [bad, good]) await accept(store, contact, "hello", `first of ${contact}`);
  for (const claimed of await claimAll(store))
    await store.commit([commitOf(claimed, { journal: [{ at: 1 }] })]);
  for (const contact of [bad, good]) await accept(store, contact, "poison", `of ${contact}`);
  for (const { account, contact, epoch, rev } of await claimAll(store))
    await store.park({ account, contact, epoch, rev, reason: "it would not go" });
  expect((await store.dead({ limit: 10 })).items).toHaveLength(2);
  store = await spoil(bad);

  const { items } = await store.dead({ limit: 10 });
  const letters = new Map(items.map((item) => [item.contact, item]));
  expect(letters.get(good)).toMatchObject({ event: `of ${good}`, reason: "it would not go" });
  expect(letters.get(bad)).toMatchObject({ event: "", mail: null, reason: "it would not go" });
  const id = letters.get(bad)?.id ?? "";
  expect((await store.dead({ id, limit: 1 })).items).toMatchObject([{ id, mail: null }]);
  expect(await store.bury(id, "drop")).toBe(true);

  const shown = (await store.sessions({ limit: 10 })).items;
  expect(shown.map(({ contact }) => contact)).toEqual([good]);
  const pages: string[] = [];
  for (let after: string | undefined, page = 0; page < 4; page++) {
    const some = await store.sessions({ limit: 1, ...(after === undefined ? {} : { after }) });
    pages.push(...some.items.map(({ contact }) => contact));
    after = some.next;
    if (after === undefined) break;
  }
  expect(pages).toEqual([good]);
  expect(await store.journal(ACCOUNT, bad, 10)).toEqual([]);
  expect(await store.journal(ACCOUNT, good, 10)).toEqual([{ at: 1 }]);
}
