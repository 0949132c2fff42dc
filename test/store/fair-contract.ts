/** Who leaves first where there is no room for all. What both stores promise. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Begun, ContactId, NewEffect, Store } from "../../src/store/index.ts";
import { type Harness, message, newContact, type Opened, sleep, withEffects } from "./contract.ts";

/** The last by name first. */
async function people(store: Store, count: number): Promise<ContactId[]> {
  const found = await Promise.all(Array.from({ length: count }, () => newContact(store)));
  return found.sort().reverse();
}

/** A message of its own for this contact, at a time of its own. */
async function asks(
  store: Store,
  contact: ContactId,
  changes: Partial<NewEffect> = {},
): Promise<string> {
  const id = `${contact}:1:0`;
  await withEffects(store, [message(id, changes)], contact);
  await sleep(2);
  return id;
}

const begin = (store: Store, limit: number): Promise<readonly Begun[]> =>
  store.effects.begin({ limit, leaseMs: 60_000, paused: [], offsetMs: 0 });

async function beginOne(store: Store): Promise<string> {
  const [begun] = await begin(store, 1);
  return begun?.id ?? "nothing";
}

export function fairContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await harness.open({}, 1);
    store = opened.store;
  });
  afterEach(() => opened.close());

  describe(`where there is no room for all, ${harness.name}`, () => {
    test("begins what was asked for first, however many come after it", async () => {
      const contacts = await people(store, 8);
      const asked: string[] = [];
      const begun: string[] = [];
      for (const [n, contact] of contacts.entries()) {
        asked.push(await asks(store, contact));
        // Two come for one that leaves.
        if (n % 2 === 1) begun.push(await beginOne(store));
      }
      while (begun.length < asked.length) begun.push(await beginOne(store));

      expect(begun).toEqual(asked);
    });

    test("lets nobody's next message pass those of others who waited before it could leave", async () => {
      const [many = "", one = ""] = await people(store, 2);
      const [first, second] = [`${many}:1:0`, `${many}:1:1`];
      await withEffects(store, [message(first), message(second)], many);
      const other = await asks(store, one);
      const [begun] = await begin(store, 1);
      expect(begun?.id).toBe(first);
      await sleep(2);
      if (begun) await store.effects.end([{ ...begun, outcome: { kind: "done" } }]);

      expect([await beginOne(store), await beginOne(store)]).toEqual([other, second]);
    });

    test("begins what is tried again before what was asked for after its time", async () => {
      const [one = "", other = ""] = await people(store, 2);
      const id = await asks(store, one);
      const [begun] = await begin(store, 1);
      const at = await store.now();
      if (begun) await store.effects.end([{ ...begun, outcome: { kind: "retry", at } }]);
      await sleep(2);
      await asks(store, other);

      expect(await beginOne(store)).toBe(id);
    });

    test("lets no scope wait for the end of another, with room for many or for one", async () => {
      const contacts = await people(store, 14);
      for (const contact of contacts.slice(0, 10)) await asks(store, contact, { scope: "plan:a" });
      const late = [];
      for (const contact of contacts.slice(10))
        late.push(await asks(store, contact, { scope: "plan:z" }));

      const scopes = async (limit: number) => (await begin(store, limit)).map(({ scope }) => scope);
      expect(await scopes(4)).toEqual(["plan:a", "plan:a", "plan:z", "plan:z"]);
      const ones = [await scopes(1), await scopes(1), await scopes(1), await scopes(1)];
      expect(ones.flat().sort()).toEqual(["plan:a", "plan:a", "plan:z", "plan:z"]);
      // Room that one does not use is the other's.
      expect(await scopes(4)).toEqual(["plan:a", "plan:a", "plan:a", "plan:a"]);
    });

    test("shares its room among classes as among scopes", async () => {
      const contacts = await people(store, 8);
      for (const [n, contact] of contacts.entries())
        await asks(store, contact, n < 6 ? {} : { class: "read", ordered: false });

      const begun = await begin(store, 4);
      expect(begun.map((one) => one.class).sort()).toEqual(["message", "message", "read", "read"]);
    });

    test("knows no time of the store's own clock for what waits for nothing but its turn", async () => {
      const contacts = await people(store, 3);
      const ids: string[] = [];
      for (const contact of contacts) ids.push(await asks(store, contact));
      // A sandbox's time was set back, or the clock jumped.
      const some = { leaseMs: 60_000, paused: [], offsetMs: -60_000 };
      const begun = [
        ...(await store.effects.begin({ ...some, limit: 2 })),
        ...(await store.effects.begin({ ...some, limit: 2 })),
      ];

      expect(begun.map(({ id }) => id)).toEqual(ids);
    });
  });
}
