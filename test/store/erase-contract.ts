/** What an erasure leaves behind so that nothing old comes back. What both stores promise. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContactId, Store } from "../../src/store/index.ts";
import {
  accept,
  ACCOUNT,
  claimAll,
  claimOne,
  commitOf,
  type Harness,
  type Opened,
  sleep,
  take,
} from "./contract.ts";

/** Events tell their time in whole seconds. */
const SECOND_MS = 1_000;

export function eraseContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  beforeAll(async () => {
    opened = await harness.open();
    store = opened.store;
  });
  afterAll(() => opened.close());

  /** Somebody with one message in the store, erased; answers when. */
  async function erased(aliases: readonly string[], by = store): Promise<number> {
    const contact = await by.contacts.identify(ACCOUNT, aliases, true);
    await accept(by, contact, "before");
    expect(await by.contacts.erase(ACCOUNT, contact)).toBe(true);
    return by.now();
  }

  describe(`what is left of the erased on ${harness.name}`, () => {
    test("names nobody for what they wrote before, by any of their names, and makes nobody of it", async () => {
      const names = ["phone:5511944440001", "lid:4440001@lid"];
      const at = await erased(names);
      const old = at - 2 * SECOND_MS;
      for (const process of [store, opened.second])
        for (const asked of [names, names.slice(1), ["x:another", ...names]])
          expect(await process.contacts.identify(ACCOUNT, asked, true, old)).toBeNull();
      for (const name of [...names, "x:another"])
        expect(await store.contacts.lookup(ACCOUNT, name)).toBeNull();
      // Nobody else is meant: not the same names in another account.
      expect(await store.contacts.identify("other", names, true, old)).not.toBeNull();
      // A clock set far ahead puts what was done before the store's time began; nobody was erased there either.
      expect(await store.contacts.identify("other", names, true, -1)).not.toBeNull();
    });

    test("lets them start afresh, and keeps what is older away from the new contact too", async () => {
      const names = ["phone:5511944440002"];
      const at = await erased(names);
      const anew = await store.contacts.identify(ACCOUNT, names, true, at);
      expect(anew).not.toBeNull();
      expect((await take(store, anew ?? "", "after", { found: true })).said).toEqual(["new"]);
      // Known by now to be who these names lead to, also without asking the store.
      expect(await store.contacts.identify(ACCOUNT, names, true, at)).toBe(anew);
      for (const process of [store, opened.second])
        expect(
          await process.contacts.identify(ACCOUNT, names, true, at - 2 * SECOND_MS),
        ).toBeNull();
      // Whoever asks without a time asks who it is now.
      expect(await opened.second.contacts.identify(ACCOUNT, names)).toBe(anew);
    });

    test("takes what was written in the second of the erasure as written after it", async () => {
      const names = ["phone:5511944440003"];
      const from = Math.floor((await store.now()) / SECOND_MS) * SECOND_MS;
      await erased(names);
      const to = Math.floor((await store.now()) / SECOND_MS) * SECOND_MS;
      expect(await store.contacts.identify(ACCOUNT, names, false, from - 1)).toBeNull();
      expect(await store.contacts.identify(ACCOUNT, names, false, to)).not.toBeNull();
    });

    test("covers the names of those who were merged into them", async () => {
      const [phone, lid] = ["phone:5511944440004", "lid:4440004@lid"];
      await store.contacts.identify(ACCOUNT, [phone]);
      await store.contacts.identify(ACCOUNT, [lid]);
      const at = await erased([phone, lid]);
      for (const name of [phone, lid])
        expect(await store.contacts.identify(ACCOUNT, [name], true, at - 2 * SECOND_MS)).toBeNull();
    });

    test("goes after the time in which an event may come again, and the oldest beyond its number", async () => {
      const few = await harness.open({ erased: 2 });
      const names = ["phone:1", "phone:2", "phone:3"];
      for (const name of names) {
        await erased([name], few.store);
        await sleep(2);
      }
      const old = (await few.store.now()) - 5 * SECOND_MS;
      const found = await Promise.all(
        names.map((name) => few.store.contacts.identify(ACCOUNT, [name], false, old)),
      );
      expect(found.map((one) => one === null)).toEqual([false, true, true]);
      await few.close();

      const short = await harness.open({ dedupeMs: 20 });
      await erased(["phone:1"], short.store);
      await sleep(30);
      await short.store.contacts.identify(ACCOUNT, ["phone:2"]);
      expect(await short.store.contacts.identify(ACCOUNT, ["phone:1"], false, old)).not.toBeNull();
      await short.close();
    });

    test("moves whoever found them before, also a process that never knew their key", async () => {
      const written = ["phone:5511944440005"];
      const contact = await store.contacts.identify(ACCOUNT, written);
      await accept(store, contact, "before");
      expect(await opened.second.contacts.identify(ACCOUNT, written, true)).toBe(contact);
      const silent = await opened.second.contacts.identify(ACCOUNT, ["phone:5511944440006"], true);
      for (const one of [contact, silent]) {
        expect(await store.contacts.erase(ACCOUNT, one)).toBe(true);
        const late = await take(opened.second, one, "after", { found: true });
        expect(late).toEqual({ said: ["moved"], taken: [] });
      }
      // An account that does not have the contact erases nothing, and hinders nobody.
      const other = await store.contacts.identify(ACCOUNT, ["phone:5511944440007"]);
      expect(await store.contacts.erase("other", other)).toBe(false);
      expect((await take(store, other, "oi", { found: true })).said).toEqual(["new"]);
    });

    test("does not come back by what somebody had in hand for them", async () => {
      const fresh = await harness.open();
      const [phone, lid] = ["phone:5511944440010", "lid:5511944440010"];
      const older = await fresh.store.contacts.identify(ACCOUNT, [phone]);
      const younger = await fresh.store.contacts.identify(ACCOUNT, [lid]);
      await accept(fresh.store, older, "before");
      await fresh.store.mail.commit([commitOf(await claimOne(fresh.store))]);
      await fresh.store.contacts.identify(ACCOUNT, [phone, lid]);
      // Mail by the former name: whoever claims it passes it on, and takes a moment for it.
      await accept(fresh.store, younger, "their words");
      const late = await claimOne(fresh.store);
      expect(late).toMatchObject({ contact: younger, forward: older });
      expect(await fresh.second.contacts.erase(ACCOUNT, older)).toBe(true);

      for (const process of [fresh.store, fresh.second])
        for (const gone of [older, younger])
          expect(await accept(process, gone, "their words")).toBe("moved");
      expect(await claimAll(fresh.store)).toEqual([]);
      for (const gone of [older, younger])
        expect(await fresh.store.views.session(ACCOUNT, gone)).toBeNull();
      await fresh.close();
    });

    test("is nobody without a name, however erasures and deliveries meet", async () => {
      const fresh = await harness.open();
      const names = ["phone:5511944440008"];
      const deliver = async (process: Store): Promise<ContactId | undefined> => {
        for (let tries = 0; tries < 10; tries += 1) {
          const contact = await process.contacts.identify(ACCOUNT, names, true, Date.now());
          if (contact === null) return undefined;
          const [said] = (await take(process, contact, "oi", { found: true })).said;
          if (said !== "moved") return contact;
        }
        throw new Error("always moved");
      };
      for (let round = 0; round < 15; round += 1) {
        const contact = await fresh.store.contacts.identify(ACCOUNT, names);
        if (round % 2 === 0) await accept(fresh.store, contact, "before");
        const several = async (process: Store) => {
          for (let n = 0; n < 3; n += 1) await deliver(process);
        };
        await Promise.all([
          several(fresh.second),
          fresh.store.contacts.erase(ACCOUNT, contact),
          several(fresh.store),
          several(fresh.second),
        ]);
        const now = await fresh.store.contacts.lookup(ACCOUNT, names[0] ?? "");
        for (const { contact: has } of await claimAll(fresh.store, 1)) expect(has).toBe(now);
      }
      await fresh.close();
    });

    test("says nothing about who they were", async () => {
      const fresh = await harness.open();
      await erased(["phone:5511944440009"], fresh.store);
      expect((await fresh.bytes()).includes("5511944440009")).toBe(false);
      const contact = await fresh.store.contacts.identify(ACCOUNT, ["phone:5511944440009"]);
      await accept(fresh.store, contact, "again");
      expect(await claimOne(fresh.store)).toMatchObject({ contact, rev: 0, session: null });
      await fresh.close();
    });
  });
}
