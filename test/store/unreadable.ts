/** What is stored and cannot be opened, over both stores: how a test spoils it is the store's own. */
import { expect } from "vitest";
import type { Store } from "../../src/store/index.ts";
import {
  accept,
  acceptAndTake,
  ACCOUNT,
  beginAll,
  claimAll,
  claimOne,
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
  const begun = await store.effects.begin(SOME);
  expect(begun.map(({ id }) => id)).toEqual([other]);
  const reaped = await store.effects.reap({ limit: 10, leaseMs: 5_000 });
  expect(reaped.map(({ id }) => id)).toEqual([other]);
  const [mine] = reaped;
  if (mine) await store.effects.end([{ ...mine, outcome: { kind: "done" } }]);

  // It has its goes, then it is held where a person sees it, and its contact goes on.
  for (let rounds = 0; rounds < 6; rounds++) {
    const left = await store.effects.begin({ ...SOME, leaseMs: 0 });
    if (left.length > 0) {
      expect(left.map(({ id }) => id)).toEqual([next]);
      expect(rounds).toBeGreaterThanOrEqual(2);
      break;
    }
    await store.effects.reap({ limit: 10, leaseMs: 0 });
    expect(rounds).toBeLessThan(5);
  }
  const [held] = (await store.views.held({ limit: 10 })).items;
  expect(held).toMatchObject({ id: broken, state: "held", reason: "unreadable", payload: {} });
  expect(await store.views.effects({ state: "held", limit: 10 })).toHaveLength(1);
  const named = { id: broken, account: ACCOUNT, contact: bad };
  expect(await store.effects.resolve({ ...named, action: "finish" })).toBe(true);
  expect((await store.views.held({ limit: 10 })).items).toEqual([]);
}

/** What must not be done twice never goes again by itself: who read it before may have done it. */
export async function unreadableNote(first: Store, spoil: Spoil): Promise<void> {
  let store = first;
  const contact = await newContact(store);
  const id = `${contact}:1:0`;
  await withEffects(store, [message(id, { class: "fiscal", ordered: false })], contact);
  expect(await store.effects.begin({ ...SOME, classes: ["fiscal"] })).toHaveLength(1);
  store = await spoil(id);
  expect(await store.effects.reap({ limit: 10, leaseMs: 0 })).toEqual([]);
  expect(await store.effects.begin({ ...SOME, classes: ["fiscal"] })).toEqual([]);
  expect((await store.views.held({ limit: 10 })).items).toMatchObject([
    { id, reason: "unreadable" },
  ]);
}

/** Changes all stored bytes of one contact's session, journal and dead letters; answers the store to go on with. */
export type SpoilContact = (contact: string) => Promise<Store>;

/** People's lists tell of everybody else, and a letter that cannot be opened can still be dropped. */
export async function unreadableLists(first: Store, spoil: SpoilContact): Promise<void> {
  let store = first;
  const [bad, good] = [await newContact(store), await newContact(store)];
  for (const contact of [bad, good]) await accept(store, contact, "hello", `first of ${contact}`);
  for (const claimed of await claimAll(store))
    await store.mail.commit([commitOf(claimed, { journal: [{ at: 1 }] })]);
  for (const contact of [bad, good]) await accept(store, contact, "poison", `of ${contact}`);
  for (const { account, contact, epoch, rev } of await claimAll(store))
    await store.deadLetters.add({ account, contact, epoch, rev, reason: "it would not go" });
  expect((await store.deadLetters.list({ limit: 10 })).items).toHaveLength(2);
  store = await spoil(bad);

  const { items } = await store.deadLetters.list({ limit: 10 });
  const letters = new Map(items.map((item) => [item.contact, item]));
  expect(letters.get(good)).toMatchObject({ event: `of ${good}`, reason: "it would not go" });
  expect(letters.get(bad)).toMatchObject({ event: "", mail: null, reason: "it would not go" });
  const id = letters.get(bad)?.id ?? "";
  expect((await store.deadLetters.list({ id, limit: 1 })).items).toMatchObject([
    { id, mail: null },
  ]);
  expect(await store.deadLetters.resolve(id, "drop")).toBe(true);

  const shown = (await store.views.sessions({ limit: 10 })).items;
  expect(shown.map(({ contact }) => contact)).toEqual([good]);
  const pages: string[] = [];
  for (let after: string | undefined, page = 0; page < 4; page++) {
    const some = await store.views.sessions({
      limit: 1,
      ...(after === undefined ? {} : { after }),
    });
    pages.push(...some.items.map(({ contact }) => contact));
    after = some.next;
    if (after === undefined) break;
  }
  expect(pages).toEqual([good]);
  expect(await store.views.journal(ACCOUNT, bad, 10)).toEqual([]);
  expect(await store.views.journal(ACCOUNT, good, 10)).toEqual([{ at: 1 }]);
}

/** Changes one character of the wrapped data key of each of these contacts; answers the store to go on with. */
export type SpoilKeys = (contacts: readonly string[]) => Promise<Store>;

/** Of a wrapped key: in its sealed part, where only the tag tells. */
export const changed = (wrapped: string): string =>
  `${wrapped.slice(0, -9)}${wrapped.at(-9) === "x" ? "y" : "x"}${wrapped.slice(-8)}`;

/**
 * A contact whose data key is lost: what was sealed with it ends in dead letters, what comes is taken in and can be read there,
 * and the person can be erased and begin anew.
 */
export async function unreadableKey(first: Store, spoil: SpoilKeys): Promise<void> {
  let store = first;
  const names = ["phone:5511988880001"];
  const [bad, good] = [await store.contacts.identify(ACCOUNT, names), await newContact(store)];
  const resting = `${bad}:1:0`;
  await withEffects(store, [message(resting, { class: "costly", ordered: false })], bad);
  for (const one of await beginAll(store))
    await store.effects.end([{ ...one, outcome: { kind: "held", reason: "nobody knows" } }]);
  await withEffects(store, [], good);
  for (const contact of [bad, good]) await accept(store, contact, "before", `before ${contact}`);
  store = await spoil([bad]);

  for (const contact of [bad, good])
    expect(await accept(store, contact, "after", `after ${contact}`)).toBe("new");
  expect(await accept(store, bad, "after", `after ${bad}`)).toBe("duplicate");
  const claims = await claimAll(store);
  expect(claims.find(({ contact }) => contact === good)).toMatchObject({
    ...{ mail: [{ event: `before ${good}` }, { event: `after ${good}` }], session: {} },
  });
  const [mine] = claims.filter(({ contact }) => contact === bad);
  expect(mine).toMatchObject({ broken: "session", session: null, mail: [] });
  for (let claimed = mine; claimed;) {
    const { account, contact, epoch, rev } = claimed;
    const parked = { account, contact, epoch, rev, reason: "session_unreadable" };
    expect(await store.deadLetters.add(parked)).toMatchObject({ ok: true });
    claimed = (await claimAll(store)).find((one) => one.contact === bad);
  }

  // What came after it can be read by a person, what stood before is only known to have been there.
  const { items } = await store.deadLetters.list({ limit: 10 });
  const reason = "session_unreadable";
  expect(items).toMatchObject([
    { contact: bad, event: "", mail: null, reason },
    { contact: bad, event: `after ${bad}`, mail: { text: "after" }, reason },
  ]);
  // What rests can still be decided, and who decided it is told.
  const [held] = (await store.views.held({ limit: 10 })).items;
  expect(held).toMatchObject({ id: resting, reason: "unreadable", payload: {} });
  const result = { event: "told", mail: { text: "told" } };
  const named = { id: resting, account: ACCOUNT, contact: bad };
  expect(await store.effects.resolve({ ...named, action: "finish", result })).toBe(true);
  expect((await store.census()).entries).toMatchObject([{ given: true }]);

  expect(await store.contacts.erase(ACCOUNT, bad)).toBe(true);
  expect((await store.deadLetters.list({ limit: 10 })).items).toEqual([]);
  const anew = await store.contacts.identify(ACCOUNT, names);
  expect(anew).not.toBe(bad);
  expect(await accept(store, anew, "hello again")).toBe("new");
  const again = await claimOne(store);
  expect(again).toMatchObject({ contact: anew, session: null, mail: [{}] });
  expect(again.broken).toBeUndefined();
}

/** Nothing was sealed with it yet: nothing is lost, also where mail is stored and begun in one step. */
export async function unreadableFirstKey(first: Store, spoil: SpoilKeys): Promise<void> {
  const contact = await newContact(first);
  await accept(first, contact, "hello");
  await first.mail.commit([commitOf(await claimOne(first), { session: null })]);
  const store = await spoil([contact]);
  const mail = { kind: "text", text: "and now" };
  const { said, taken } = await acceptAndTake(store, [{ contact, event: "now", mail }]);
  expect(said).toEqual(["new"]);
  expect(taken).toMatchObject([{ contact, session: null, mail: [{ event: "now", mail }] }]);
  expect(taken[0]?.broken).toBeUndefined();
}

/** Who opened it before it was changed still knows it: everything goes on, and it is whole again for everybody. */
export async function rememberedKey(
  store: Store,
  spoil: SpoilKeys,
  other: () => Promise<Store>,
): Promise<void> {
  const contact = await newContact(store);
  await withEffects(store, [], contact);
  await spoil([contact]);
  expect(await accept(store, contact, "still here")).toBe("new");
  const claimed = await claimOne(store);
  expect(claimed.broken).toBeUndefined();
  expect((await store.mail.commit([commitOf(claimed)]))[0]).toMatchObject({ ok: true });
  const second = await other();
  expect(await second.views.session(ACCOUNT, contact)).toMatchObject({
    session: { heard: ["still here"] },
  });
}

/** A list tells of all others and says which it leaves out; what the key of a whole collection hides is no empty list. */
export async function unreadableDocument(
  first: Store,
  spoil: (what: "document" | "key", collection: string, id: string) => Promise<Store>,
): Promise<void> {
  for (const id of ["a", "b", "c"]) await first.documents.put("notes", id, { id });
  let store = await spoil("document", "notes", "b");
  const told: string[] = [];
  const off = store.onDamaged((collection, id) => void told.push(`${collection} ${id}`));
  expect(await store.documents.list("notes", { limit: 2 })).toMatchObject({
    items: [{ id: "a" }],
    next: "b",
  });
  const { items } = await store.documents.list("notes", { after: "b" });
  expect(items).toMatchObject([{ id: "c", value: { id: "c" } }]);
  expect((await store.documents.ids("notes")).items).toEqual(["a", "b", "c"]);
  expect(told).toEqual(["notes b"]);
  await expect(store.documents.get("notes", "b")).rejects.toMatchObject({ code: "DATA_TAMPERED" });
  off();
  store = await spoil("key", "notes", "");
  await expect(store.documents.list("notes")).rejects.toMatchObject({ code: "DATA_TAMPERED" });
}
