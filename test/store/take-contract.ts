/** The fused form of accept and claim: it may skip nothing that the two steps promise. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claimed, Store } from "../../src/store/index.ts";
import {
  accept,
  acceptAndTake,
  ACCOUNT,
  claimAll,
  claimOne,
  commitOf,
  type Harness,
  newContact,
  type Opened,
  sleep,
  take,
  texts,
} from "./contract.ts";

export function takeContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  beforeAll(async () => {
    opened = await harness.open();
    store = opened.store;
  });
  afterAll(() => opened.close());

  describe(`accept that leases on ${harness.name}`, () => {
    test("hands out what a claim would hand out, and its commit counts", async () => {
      const contact = await newContact(store);
      const first = await take(store, contact, "one");
      expect(first.said).toEqual(["new"]);
      expect(first.taken).toMatchObject([
        { account: ACCOUNT, contact, rev: 0, session: null, failedClaims: 0, mail: [{ seq: 1 }] },
      ]);
      expect(await claimAll(opened.second)).toEqual([]);
      const [claimed] = first.taken;
      if (!claimed) throw new Error("nothing was taken");
      expect(texts(claimed)).toEqual(["one"]);
      const answers = await store.mail.commit([commitOf(claimed, { session: { step: 1 } })]);
      expect(answers).toEqual([{ ok: true, rev: 1, left: 0, begun: [] }]);
      expect(await store.mail.commit([commitOf(claimed)])).toEqual([
        { ok: false, reason: "fenced" },
      ]);

      const { taken } = await take(store, contact, "two");
      expect(taken).toMatchObject([{ rev: 1, session: { step: 1 }, mail: [{ seq: 2 }] }]);
      await store.mail.commit(taken.map((again) => commitOf(again)));
      const { counters } = await store.views.backlog();
      expect(counters).toMatchObject({ accepted: 2, applied: 2, queued: 0 });
    });

    test("takes an event once, however often it is delivered at once", async () => {
      const contact = await newContact(store);
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          take(index % 2 === 0 ? store : opened.second, contact, "oi", { event: "same" }),
        ),
      );
      expect(all.flatMap(({ said }) => said).sort()).toEqual([
        ...Array<string>(9).fill("duplicate"),
        "new",
      ]);
      const taken = all.flatMap((one) => one.taken);
      expect(taken.map(texts)).toEqual([["oi"]]);
      await store.mail.commit(taken.map((claimed) => commitOf(claimed)));
      const later = await take(store, contact, "oi", { event: "same" });
      expect(later).toEqual({ said: ["duplicate"], taken: [] });
      expect(await claimAll(store)).toEqual([]);
    });

    test("never hands out a contact that another worker has, and loses nothing that came meanwhile", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "one");
      const held = await claimOne(opened.second);
      expect(await take(store, contact, "two")).toEqual({ said: ["new"], taken: [] });
      expect(await claimAll(store)).toEqual([]);
      expect(await opened.second.mail.commit([commitOf(held)])).toMatchObject([
        { ok: true, left: 1 },
      ]);
      const next = await claimOne(store);
      expect(texts(next)).toEqual(["two"]);
      await store.mail.commit([commitOf(next)]);
    });

    test("is fenced like any claim: the late commit of a lease that ran out is refused", async () => {
      const contact = await newContact(store);
      const { taken } = await take(store, contact, "one", { leaseMs: 30 });
      await sleep(40);
      const b = await claimOne(opened.second);
      expect(b.failedClaims).toBe(1);
      expect(texts(b)).toEqual(["one"]);
      expect(
        await opened.second.mail.commit([commitOf(b, { session: { by: "b" } })]),
      ).toMatchObject([{ ok: true }]);
      await accept(store, contact, "two");

      const late = await store.mail.commit(taken.map((a) => commitOf(a, { session: { by: "a" } })));

      expect(late).toEqual([{ ok: false, reason: "fenced" }]);
      const next = await claimOne(store);
      expect(next.session).toEqual({ by: "b" });
      expect(texts(next)).toEqual(["two"]);
      await store.mail.commit([commitOf(next)]);
    });

    test("raises the epoch each time: of two that took it in turn, only the later one's commit counts", async () => {
      const contact = await newContact(store);
      const a = await take(store, contact, "one", { leaseMs: 30 });
      await sleep(40);
      const b = await take(opened.second, contact, "two");
      expect(b.taken.map(texts)).toEqual([["one", "two"]]);
      // Nothing was committed between the two: both know the same revision.
      const late = a.taken.map((claimed) => commitOf(claimed, { session: null }));
      expect(await store.mail.commit(late)).toEqual([{ ok: false, reason: "fenced" }]);
      const good = b.taken.map((claimed) => commitOf(claimed));
      expect(await opened.second.mail.commit(good)).toMatchObject([{ ok: true, left: 0 }]);
    });

    test("shows the session as another process left it, not as this one knew it", async () => {
      const contact = await newContact(store);
      const { taken } = await take(store, contact, "1");
      await store.mail.commit(taken.map((one) => commitOf(one, { session: { by: "us" } })));
      await accept(opened.second, contact, "2");
      await opened.second.mail.commit([
        commitOf(await claimOne(opened.second), { session: { by: "them" } }),
      ]);
      const again = await take(store, contact, "3");
      expect(again.taken).toMatchObject([{ rev: 2, session: { by: "them" } }]);
      await store.mail.commit(again.taken.map((one) => commitOf(one)));
    });

    test("gives every turn a session that the one before cannot have changed", async () => {
      const contact = await newContact(store);
      const session = { list: [{ n: 1 }] };
      const first = await take(store, contact, "1");
      await store.mail.commit(first.taken.map((one) => commitOf(one, { session })));
      try {
        session.list.push({ n: 2 });
      } catch {
        // Frozen: that is as good.
      }
      const second = await take(store, contact, "2");
      expect(second.taken[0]?.session).toEqual({ list: [{ n: 1 }] });
      await store.mail.commit(second.taken.map((one) => commitOf(one)));
    });

    test("does not go past who waits: the back-log is for claim", async () => {
      const fresh = await harness.open();
      const early = await newContact(fresh.store);
      await accept(fresh.store, early, "first");
      const late: string[] = [];
      // As many as it takes to meet the partition of the one that waits.
      for (let index = 0; index < 200 && late.length === 0; index += 1) {
        const contact = await newContact(fresh.store);
        const { taken } = await take(fresh.store, contact, "second");
        if (taken.length === 0) late.push(contact);
        await fresh.store.mail.commit(taken.map((one) => commitOf(one)));
      }
      expect(late).toHaveLength(1);
      const claims = await claimAll(fresh.store);
      expect(claims.map(({ contact }) => contact).sort()).toEqual([early, ...late].sort());
      await fresh.close();
    });

    test("does not take what a full mailbox cannot hold", async () => {
      const small = await harness.open({ mailbox: 2 });
      const contact = await newContact(small.store);
      const { taken } = await take(small.store, contact, "1");
      expect(await take(small.store, contact, "2")).toEqual({ said: ["new"], taken: [] });
      expect(await take(small.store, contact, "3", { event: "third" })).toEqual({
        said: ["dead"],
        taken: [],
      });
      expect(await small.store.mail.commit(taken.map((one) => commitOf(one)))).toMatchObject([
        { left: 1 },
      ]);
      expect((await small.store.deadLetters.list({ limit: 10 })).items).toMatchObject([
        { contact, event: "third", reason: "mailbox_full" },
      ]);
      await small.close();
    });

    test("leaves a contact that must come alone to claim", async () => {
      const fresh = await harness.open();
      const contact = await newContact(fresh.store);
      for (const text of ["a", "b"]) {
        expect((await take(fresh.store, contact, text, { leaseMs: 20 })).taken).toHaveLength(1);
        await sleep(30);
      }
      expect(await take(fresh.store, contact, "c")).toEqual({ said: ["new"], taken: [] });
      const alone = await claimOne(fresh.store);
      expect(alone.failedClaims).toBe(2);
      expect(texts(alone)).toEqual(["a", "b", "c"]);
      await fresh.close();
    });

    test("leases nobody any more once it was refused, whomever of a body that was for", async () => {
      const [one, two] = [await newContact(store), await newContact(store, "other")];
      const text = { kind: "text", text: "oi" };
      await store.mail.accept([{ account: "other", contact: two, event: "first", mail: text }]);
      // More than one script stores, behind one that is refused at once: its contact is of another account.
      const mine = Array.from({ length: 60 }, (_, n) => ({ contact: one, event: `e${n}` }));
      const items = [{ contact: two, event: "e" }, ...mine].map((item) => ({
        ...{ account: ACCOUNT, mail: text },
        ...item,
      }));
      const taken: Claimed[] = [];
      const claimed = (late: Claimed) => void taken.push(late);
      const asked = store.mail.accept(items, { events: 100, leaseMs: 5_000, claimed });
      await expect(asked).rejects.toThrow(TypeError);
      const before = taken.length;
      await sleep(100);
      expect(taken).toHaveLength(before);
      const claims = [...taken, ...(await claimAll(store))];
      await store.mail.commit(claims.map((claim) => commitOf(claim)));
      expect(await claimAll(store)).toEqual([]);
    });

    test("takes all that waits, in order: several of one call, and what was put off", async () => {
      const [one, two] = [await newContact(store), await newContact(store)];
      const at = (await store.now()) + 3_600_000;
      expect((await take(store, one, "later", { notBefore: at })).taken).toEqual([]);
      const items = [
        { contact: one, event: "e1", mail: { text: "1" } },
        { contact: two, event: "e1", mail: { text: "a" } },
        { contact: one, event: "e2", mail: { text: "2" } },
        { contact: one, event: "e1", mail: { text: "1" } },
      ];
      const { said, taken } = await acceptAndTake(store, items);
      expect(said).toEqual(["new", "new", "new", "duplicate"]);
      const claims = [...taken, ...(await claimAll(store))];
      expect(claims.map(({ contact }) => contact).sort()).toEqual([one, two].sort());
      const mine = claims.find(({ contact }) => contact === one);
      expect(mine && texts(mine)).toEqual(["later", "1", "2"]);
      await store.mail.commit(claims.map((claimed) => commitOf(claimed)));
      expect(await claimAll(store)).toEqual([]);
    });
  });

  describe(`accept for somebody found before on ${harness.name}`, () => {
    test("stores nothing for a contact that was merged into another since, and says so", async () => {
      const [phone, lid] = ["phone:5511955551001", "lid:5511955551001"];
      const older = await store.contacts.identify(ACCOUNT, [phone]);
      const younger = await store.contacts.identify(ACCOUNT, [lid]);
      for (const contact of [older, younger]) {
        const { taken } = await take(store, contact, "before", { found: true });
        await store.mail.commit(taken.map((one) => commitOf(one)));
      }
      await opened.second.contacts.identify(ACCOUNT, [phone, lid]);
      const { accepted } = (await store.views.backlog()).counters;

      const moved = await take(store, younger, "after", { found: true });
      expect(moved).toEqual({ said: ["moved"], taken: [] });
      expect(await store.contacts.identify(ACCOUNT, [lid], true)).toBe(older);
      expect((await store.views.backlog()).counters.accepted).toBe(accepted);
      // Without the wish to know, it is taken and forwarded, as ever.
      expect(await take(store, younger, "after")).toEqual({ said: ["new"], taken: [] });
      // The other process's hint of what the merge handed over may come a moment later.
      const claims = [...(await claimAll(store))];
      for (let more = 0; more < 50 && claims.length < 2; more += 1)
        claims.push(...(await sleep(20).then(() => claimAll(store))));
      expect(claims.map(({ contact }) => contact).sort()).toEqual([older, younger].sort());
      const late = claims.find(({ contact }) => contact === younger);
      expect(late).toMatchObject({ forward: older });
      expect(late && texts(late)).toEqual(["after"]);
    });

    test("does not bring back a person who was erased since", async () => {
      const names = ["phone:5511955551002"];
      const contact = await store.contacts.identify(ACCOUNT, names, true);
      const { taken } = await take(store, contact, "before", { found: true });
      await store.mail.commit(taken.map((one) => commitOf(one)));
      expect(await store.contacts.identify(ACCOUNT, names, true)).toBe(contact);
      expect(await opened.second.contacts.erase(ACCOUNT, contact)).toBe(true);

      const late = await take(store, contact, "after", { found: true });
      expect(late).toEqual({ said: ["moved"], taken: [] });
      expect(await store.views.session(ACCOUNT, contact)).toBeNull();
      const anew = await store.contacts.identify(ACCOUNT, names, true);
      expect(anew).not.toBe(contact);
      expect((await take(store, anew, "after", { found: true })).said).toEqual(["new"]);
    });
  });
}
