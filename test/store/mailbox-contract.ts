/** Mailboxes, leases, sessions, timers: what both stores promise. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContactId, Store } from "../../src/store/index.ts";
import {
  accept,
  ACCOUNT,
  claimAll,
  claimOne,
  commitOf,
  type Harness,
  message,
  newContact,
  type Opened,
  sleep,
  texts,
} from "./contract.ts";

export function mailboxContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  beforeAll(async () => {
    opened = await harness.open();
    store = opened.store;
  });
  afterAll(() => opened.close());

  describe(`accept on ${harness.name}`, () => {
    test("takes an event once, however often it is delivered", async () => {
      const contact = await newContact(store);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => accept(opened.second, contact, "oi", "same")),
      );
      expect(answers.filter((answer) => answer === "new")).toHaveLength(1);
      expect(answers.filter((answer) => answer === "duplicate")).toHaveLength(19);

      const claimed = await claimOne(store);
      expect(texts(claimed)).toEqual(["oi"]);
      await store.mail.commit([commitOf(claimed)]);
      expect(await accept(store, contact, "oi", "same")).toBe("duplicate");
    });

    test("keeps the same event id of two contacts apart", async () => {
      const [one, two] = [await newContact(store), await newContact(store)];
      expect(await accept(store, one, "a", "same")).toBe("new");
      expect(await accept(store, two, "a", "same")).toBe("new");
      const claims = await claimAll(store);
      expect(claims.map(({ contact }) => contact).sort()).toEqual([one, two].sort());
      await store.mail.commit(claims.map((claimed) => commitOf(claimed)));
    });

    test("answers a body item by item and keeps its order, however much of it is one contact's", async () => {
      const [one, two] = [await newContact(store), await newContact(store)];
      await accept(store, one, "17", "17");
      const body = Array.from({ length: 130 }, (_, at) => {
        const contact = at % 13 === 12 ? two : one;
        return { account: ACCOUNT, contact, event: `${at}`, mail: { text: `${at}` } };
      });
      const again = body[40];
      if (!again) throw new Error("the body is too short");
      const said = await store.mail.accept([...body, again]);
      expect(said).toEqual([
        ...body.map((_, at) => (at === 17 ? "duplicate" : "new")),
        "duplicate",
      ]);
      const texted = new Map<ContactId, unknown[]>();
      for (let left = body.length; left > 0;) {
        const claims = await store.mail.claim({
          owner: "t",
          contacts: 2,
          events: 40,
          leaseMs: 5_000,
        });
        for (const claimed of claims) {
          texted.set(claimed.contact, [...(texted.get(claimed.contact) ?? []), ...texts(claimed)]);
          left -= claimed.mail.length;
        }
        await store.mail.commit(claims.map((claimed) => commitOf(claimed)));
      }
      const of = (contact: ContactId) =>
        body.filter((item) => item.contact === contact).map(({ event }) => event);
      expect(texted.get(one)).toEqual(["17", ...of(one).filter((event) => event !== "17")]);
      expect(texted.get(two)).toEqual(of(two));
    });

    test("hands mail out in the order it was accepted", async () => {
      const contact = await newContact(store);
      const said = Array.from({ length: 30 }, (_, index) => `line ${index}`);
      for (const text of said.slice(0, 10)) await accept(store, contact, text);
      await store.mail.accept(
        said.slice(10).map((text) => ({ account: ACCOUNT, contact, event: text, mail: { text } })),
      );
      const claimed = await claimOne(store);
      expect(texts(claimed)).toEqual(said);
      expect(claimed.mail.map(({ seq }) => seq)).toEqual(said.map((_, index) => index + 1));
      await store.mail.commit([commitOf(claimed)]);
    });

    test("forgets an event id after the window, never before, and never more than its bound at once", async () => {
      const small = await harness.open({ dedupeMs: 400, dedupe: 6 });
      const contact = await newContact(small.store);
      for (let index = 0; index < 6; index += 1)
        expect(await accept(small.store, contact, "x", `e${index}`)).toBe("new");
      expect(await accept(small.store, contact, "x", "e0")).toBe("duplicate");
      expect(await accept(small.store, contact, "x", "one too many")).toBe("dead");
      expect(await accept(small.store, contact, "x", "one too many")).toBe("duplicate");
      await sleep(450);
      expect(await accept(small.store, contact, "x", "e0")).toBe("new");
      await small.close();
    });

    test("puts what a full mailbox cannot hold into dead letters, and says so", async () => {
      const small = await harness.open({ mailbox: 3 });
      const contact = await newContact(small.store);
      for (const text of ["1", "2", "3"]) await accept(small.store, contact, text);
      expect(await accept(small.store, contact, "4", "fourth")).toBe("dead");
      expect(await accept(small.store, contact, "4", "fourth")).toBe("duplicate");

      const { items } = await small.store.deadLetters.list({ limit: 10 });
      expect(items).toMatchObject([{ contact, event: "fourth", reason: "mailbox_full" }]);
      const claimed = await claimOne(small.store);
      expect(texts(claimed)).toEqual(["1", "2", "3"]);
      await small.store.mail.commit([commitOf(claimed)]);

      expect(await small.store.deadLetters.resolve(items[0]?.id ?? "", "release")).toBe(true);
      expect(await small.store.deadLetters.resolve(items[0]?.id ?? "", "release")).toBe(false);
      expect(texts(await claimOne(small.store))).toEqual(["4"]);
      await small.close();
    });

    test("releases dead letters behind what waits, in their order, once each, however often they are delivered again", async () => {
      const small = await harness.open({ mailbox: 1, dedupe: 2 });
      const contact = await newContact(small.store);
      await accept(small.store, contact, "1", "e1");
      // The third finds no room to be remembered either: the letter itself is the memory.
      for (const name of ["2", "3", "4"])
        expect(await accept(small.store, contact, name, `e${name}`)).toBe("dead");
      const { items } = await small.store.deadLetters.list({ limit: 10 });
      expect(items.map(({ event }) => event)).toEqual(["e2", "e3", "e4"]);
      const [second, third, fourth] = items.map(({ id }) => id);
      expect((await small.store.deadLetters.list({ id: third ?? "", limit: 1 })).items).toEqual([
        items[1],
      ]);
      expect((await small.store.deadLetters.list({ id: "none", limit: 1 })).items).toEqual([]);

      expect(await small.store.deadLetters.resolve(second ?? "", "release")).toBe(true);
      expect(await small.store.deadLetters.resolve(third ?? "", "release")).toBe(true);
      expect(await small.store.deadLetters.resolve(fourth ?? "", "drop")).toBe(true);
      for (const name of ["2", "3", "4"])
        expect(await accept(small.store, contact, name, `e${name}`)).toBe("duplicate");
      const claimed = await claimOne(small.store);
      expect(texts(claimed)).toEqual(["1", "2", "3"]);
      await small.store.mail.commit([commitOf(claimed)]);
      for (const name of ["2", "3", "4"])
        expect(await accept(small.store, contact, name, `e${name}`)).toBe("duplicate");
      expect(await claimAll(small.store)).toEqual([]);
      const { counters } = await small.store.views.backlog();
      expect(counters).toMatchObject({ accepted: 4, applied: 3, dead: 1, queued: 0 });
      await small.close();
    });

    test("refuses what would die once dead letters have reached their limit", async () => {
      const small = await harness.open({ mailbox: 1, dead: 1 });
      const contact = await newContact(small.store);
      await accept(small.store, contact, "1");
      expect(await accept(small.store, contact, "2")).toBe("dead");
      await expect(accept(small.store, contact, "3")).rejects.toMatchObject({ code: "STORE_FULL" });
      expect(await accept(small.store, await newContact(small.store), "hi")).toBe("new");
      await small.close();
    });

    test("refuses a contact named together with another account", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "oi");
      await expect(
        store.mail.accept([{ account: "other", contact, event: "e", mail: null }]),
      ).rejects.toThrow(TypeError);
      expect(await store.views.session("other", contact)).toBeNull();
      await store.mail.commit([commitOf(await claimOne(store))]);
    });
  });

  describe(`claim and commit on ${harness.name}`, () => {
    test("gives a contact to one worker at a time and its session back to the next", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "one");
      const first = await claimOne(store);
      expect(first).toMatchObject({
        account: ACCOUNT,
        contact,
        rev: 0,
        session: null,
        failedClaims: 0,
      });
      expect(await claimAll(opened.second)).toEqual([]);

      const [done] = await store.mail.commit([commitOf(first, { session: { step: "é 😀" } })]);
      expect(done).toEqual({ ok: true, rev: 1, left: 0, begun: [] });
      expect(await claimAll(store)).toEqual([]);

      await accept(store, contact, "two");
      const second = await claimOne(opened.second);
      expect(second).toMatchObject({ rev: 1, session: { step: "é 😀" } });
      expect(texts(second)).toEqual(["two"]);
      await opened.second.mail.commit([commitOf(second)]);
    });

    test("hands a contact on when its lease has run out", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "oi");
      const first = await claimOne(store, 60);
      await sleep(80);
      const second = await claimOne(opened.second);
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(second.failedClaims).toBe(1);
      expect(texts(second)).toEqual(["oi"]);
      await opened.second.mail.commit([commitOf(second)]);
    });

    test("refuses the late commit of a worker that lost its lease, although new mail is waiting", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "one");
      const a = await claimOne(store, 30);
      await sleep(40);
      const b = await claimOne(opened.second);
      const [answer] = await opened.second.mail.commit([commitOf(b, { session: { by: "b" } })]);
      expect(answer).toMatchObject({ ok: true });
      await accept(store, contact, "two");

      const late = await store.mail.commit([commitOf(a, { session: { by: "a" } })]);

      expect(late).toEqual([{ ok: false, reason: "fenced" }]);
      const next = await claimOne(store);
      expect(next.session).toEqual({ by: "b" });
      expect(texts(next)).toEqual(["two"]);
      await store.mail.commit([commitOf(next)]);
    });

    test("refuses the late commit also while the next worker still works, and of a claim that never had a session", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "one");
      const a = await claimOne(store, 30);
      await sleep(40);
      const b = await claimOne(opened.second);
      // Nothing was committed: both know revision 0, only the epoch tells them apart.
      const late = await store.mail.commit([commitOf(a, { session: null })]);
      expect(late).toEqual([{ ok: false, reason: "fenced" }]);
      expect(await opened.second.mail.commit([commitOf(b)])).toMatchObject([{ ok: true, left: 0 }]);
    });

    test("refuses a commit that is sent again, whether or not it changed the session", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "one");
      await accept(store, contact, "two");
      const claimed = await claimOne(store);
      const commit = commitOf(claimed, { applied: 1 });
      expect(await store.mail.commit([commit])).toMatchObject([{ ok: true, left: 1 }]);
      expect(await store.mail.commit([commit])).toEqual([{ ok: false, reason: "fenced" }]);

      const again = await claimOne(store);
      const release = commitOf(again, { applied: 1, session: null });
      expect(await store.mail.commit([release])).toMatchObject([{ ok: true, rev: 1, left: 0 }]);
      expect(await store.mail.commit([release])).toEqual([{ ok: false, reason: "fenced" }]);
    });

    test("refuses one contact of a batch without stopping the others", async () => {
      const [one, two] = [await newContact(store), await newContact(store)];
      for (const contact of [one, two]) await accept(store, contact, "hi");
      const claims = await claimAll(store);
      const commits = claims.map((claimed) =>
        commitOf(claimed, claimed.contact === one ? { epoch: claimed.epoch + 1_000 } : {}),
      );
      const answers = await store.mail.commit(commits);
      expect(answers.map(({ ok }) => ok)).toEqual(claims.map(({ contact }) => contact !== one));
      await store.mail.commit(
        claims.filter(({ contact }) => contact === one).map((claimed) => commitOf(claimed)),
      );
    });

    test("makes a contact ready again when mail came while it was held", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "one");
      const claimed = await claimOne(store);
      await accept(store, contact, "two");
      expect(await claimAll(store)).toEqual([]);
      expect(await store.mail.commit([commitOf(claimed)])).toMatchObject([{ left: 1 }]);
      const next = await claimOne(store);
      expect(texts(next)).toEqual(["two"]);
      await store.mail.commit([commitOf(next)]);
    });

    test("counts claims that brought nothing forward, and then hands the contact out alone", async () => {
      const fresh = await harness.open();
      const bad = await newContact(fresh.store);
      await accept(fresh.store, bad, "poison");
      for (const failedClaims of [0, 1]) {
        const claimed = await claimOne(fresh.store, 30);
        expect(claimed.failedClaims).toBe(failedClaims);
        await sleep(40);
      }
      const good = await Promise.all([1, 2, 3].map(() => newContact(fresh.store)));
      for (const contact of good) await accept(fresh.store, contact, "hi");

      const rounds: string[][] = [];
      for (let round = 0; round < 8 && rounds.flat().length < 4; round += 1) {
        const claims = await claimAll(fresh.store);
        rounds.push(claims.map(({ contact }) => contact));
      }
      expect(rounds.flat().sort()).toEqual([bad, ...good].sort());
      expect(rounds.find((round) => round.includes(bad))).toEqual([bad]);
      await fresh.close();
    });

    test("hand a contact out that is released while it is looked for among those that come alone", async () => {
      for (let round = 0; round < 30; round += 1) {
        const contact = await newContact(store);
        await accept(store, contact, "1");
        await claimOne(store, 1);
        await sleep(3);
        const late = await claimOne(store, 1);
        await sleep(3);
        const released = commitOf(late, { applied: 0, session: null });
        const [[next]] = await Promise.all([claimAll(store), store.mail.commit([released])]);
        if (!next) throw new Error(`round ${round}: the contact is due, whichever was first`);
        await store.mail.commit([commitOf(next)]);
      }
    });

    test("counts a back-off as a failed try, a clean release not, and progress as the end of the count", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "1");
      await accept(store, contact, "2");
      const now = await store.now();
      const nothing = { applied: 0, session: null };
      await store.mail.commit([
        commitOf(await claimOne(store), { ...nothing, againAt: now + 60_000 }),
      ]);
      expect(await claimAll(store)).toEqual([]);
      expect(await store.mail.tick({ offsetMs: 61_000, limit: 10 })).toBe(1);
      const second = await claimOne(store);
      expect(second.failedClaims).toBe(1);
      await store.mail.commit([commitOf(second, nothing)]);
      const third = await claimOne(store);
      expect(third.failedClaims).toBe(1);
      await store.mail.commit([commitOf(third, { applied: 1 })]);
      const fourth = await claimOne(store);
      expect(fourth.failedClaims).toBe(0);
      await store.mail.commit([commitOf(fourth)]);
    });
  });

  describe(`claims that cannot be applied on ${harness.name}`, () => {
    test("are handed back without blame, with their timers left as they are", async () => {
      const contact = await newContact(store);
      const now = await store.now();
      await accept(store, contact, "1");
      await store.mail.commit([commitOf(await claimOne(store), { due: now + 30_000 })]);
      await accept(store, contact, "2");
      const back = { applied: 0, session: null, due: "same", blameless: true } as const;
      await store.mail.commit([
        commitOf(await claimOne(store), { ...back, againAt: now + 10_000 }),
      ]);
      expect(await claimAll(store)).toEqual([]);
      expect(await store.mail.tick({ offsetMs: 11_000, limit: 10 })).toBe(1);
      const again = await claimOne(store);
      expect(again).toMatchObject({ failedClaims: 0, session: { heard: ["1"] } });
      await store.mail.commit([commitOf(again, { due: "same" })]);
      expect(await store.mail.tick({ offsetMs: 31_000, limit: 10 })).toBe(1);
      await store.mail.commit([commitOf(await claimOne(store))]);
    });

    test("because their session grew too large write nothing, and can still be parked", async () => {
      const fresh = await harness.open({ session: 1_000 });
      const contact = await newContact(fresh.store);
      await accept(fresh.store, contact, "small");
      await fresh.store.mail.commit([commitOf(await claimOne(fresh.store))]);
      await accept(fresh.store, contact, "grow", "g1");
      const claimed = await claimOne(fresh.store);
      const session = { heard: ["x".repeat(1_000)] };
      const [answer] = await fresh.store.mail.commit([
        commitOf(claimed, { session, effects: [message(`${contact}:2:0`)] }),
      ]);
      expect(answer).toEqual({ ok: false, reason: "too_large" });
      expect((await fresh.store.views.effects({ limit: 10 })).length).toBe(0);
      const { epoch, rev } = claimed;
      const of = { account: ACCOUNT, contact, epoch, rev };
      expect(
        await fresh.store.deadLetters.add({ ...of, reason: "session_too_large" }),
      ).toMatchObject({
        ok: true,
        left: 0,
      });
      const view = await fresh.store.views.session(ACCOUNT, contact);
      expect(view).toMatchObject({ rev: 1, session: { heard: ["small"] } });
      await fresh.close();
    });
  });

  describe(`dead letters of ${harness.name}`, () => {
    test("moves the head to dead letters, puts a notice in its place and keeps the session", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "before");
      await store.mail.commit([commitOf(await claimOne(store), { session: { kept: true } })]);
      await accept(store, contact, "poison", "p1");
      await accept(store, contact, "after");
      const claimed = await claimOne(store);
      const input = {
        ...{ account: ACCOUNT, contact, epoch: claimed.epoch, rev: claimed.rev },
        reason: "FLOW_FAILED: bang",
        notice: { event: "n1", mail: { kind: "parked", event: "p1", reason: "bang" } },
      };

      expect(await store.deadLetters.add(input)).toMatchObject({ ok: true, rev: 1, left: 2 });
      expect(await store.deadLetters.add(input)).toEqual({ ok: false, reason: "fenced" });

      const next = await claimOne(store);
      expect(next.mail.map(({ event }) => event)[0]).toBe("n1");
      expect(texts(next)[1]).toBe("after");
      expect(next).toMatchObject({ session: { kept: true }, failedClaims: 0 });
      await store.mail.commit([commitOf(next)]);
      const { items } = await store.deadLetters.list({ account: ACCOUNT, limit: 10 });
      expect(items).toMatchObject([
        { event: "p1", reason: "FLOW_FAILED: bang", mail: { text: "poison" } },
      ]);
      expect(await store.deadLetters.resolve(items[0]?.id ?? "", "drop")).toBe(true);
      expect((await store.deadLetters.list({ limit: 10 })).items).toEqual([]);
    });
  });

  describe(`dead letters of ${harness.name}, of a timer`, () => {
    test("buries the letter for the head, and writes session and due time in the same step", async () => {
      const fresh = await harness.open();
      const { store: own } = fresh;
      const contact = await newContact(own);
      await accept(own, contact, "before");
      await own.mail.commit([commitOf(await claimOne(own), { session: { timers: 2 }, due: 1 })]);
      expect(await own.mail.tick({ offsetMs: 0, limit: 10 })).toBe(1);
      const { epoch, rev } = await claimOne(own);
      const due = (await own.now()) + 60_000;
      const input = {
        ...{ account: ACCOUNT, contact, epoch, rev, reason: "bang", due },
        letter: { event: "timer:nudge:1", mail: { kind: "timer", name: "nudge" } },
        notice: { event: "parked:timer:nudge:1", mail: { kind: "parked" } },
        newSession: { timers: 1 },
      };

      expect(await own.deadLetters.add(input)).toMatchObject({ ok: true, rev: 2, left: 1 });
      expect(await own.deadLetters.add(input)).toEqual({ ok: false, reason: "fenced" });

      const next = await claimOne(fresh.second);
      expect(next).toMatchObject({ rev: 2, session: { timers: 1 }, failedClaims: 0 });
      expect(next.mail.map(({ event }) => event)).toEqual(["parked:timer:nudge:1"]);
      expect(await own.mail.commit([commitOf(next, { session: null, due: "same" })])).toMatchObject(
        [{ ok: true, rev: 2 }],
      );
      expect((await own.views.sessions({ account: ACCOUNT, limit: 10 })).items).toMatchObject([
        { contact, rev: 2, session: { timers: 1 } },
      ]);
      // What is due next is what was said.
      expect(await own.mail.tick({ offsetMs: 50_000, limit: 10 })).toBe(0);
      expect(await own.mail.tick({ offsetMs: 70_000, limit: 10 })).toBe(1);
      await own.mail.commit([commitOf(await claimOne(own), { session: null, due: null })]);

      const { items } = await own.deadLetters.list({ limit: 10 });
      expect(items).toMatchObject([
        { event: "timer:nudge:1", reason: "bang", mail: { kind: "timer", name: "nudge" } },
      ]);
      // Parked again it is the same letter; released it is mail like any other.
      expect(await own.deadLetters.resolve(items[0]?.id ?? "", "release")).toBe(true);
      const again = await claimOne(own);
      expect(again.mail).toMatchObject([{ event: "timer:nudge:1", mail: { name: "nudge" } }]);
      await own.deadLetters.add({ ...again, account: ACCOUNT, reason: "bang again" });
      const [letter, more] = (await own.deadLetters.list({ limit: 10 })).items;
      expect(more).toBeUndefined();
      expect(letter).toMatchObject({ id: items[0]?.id, event: "timer:nudge:1" });
      const { counters } = await own.views.backlog();
      expect(counters).toEqual({ accepted: 4, duplicate: 0, applied: 3, dead: 1, queued: 0 });
      await fresh.close();
    });

    test("clears the due time, or leaves it as it is", async () => {
      const fresh = await harness.open();
      const { store: own } = fresh;
      const contact = await newContact(own);
      const now = await own.now();
      for (const due of [null, "same"] as const) {
        await accept(own, contact, "before");
        await own.mail.commit([commitOf(await claimOne(own), { due: now + 60_000 })]);
        await accept(own, contact, "poison");
        await own.deadLetters.add({ ...(await claimOne(own)), account: ACCOUNT, reason: "x", due });
        expect(await own.mail.tick({ offsetMs: 70_000, limit: 10 })).toBe(due === null ? 0 : 1);
      }
      await fresh.close();
    });
  });

  describe(`dead letters of ${harness.name}, where dead letters have no room`, () => {
    async function poisoned(own: Store, contact: ContactId): Promise<string> {
      await accept(own, contact, "poison");
      const answer = await own.deadLetters.add({
        ...(await claimOne(own)),
        account: ACCOUNT,
        reason: "x",
      });
      return answer.ok ? "parked" : answer.reason;
    }

    test("writes nothing, the claim stands, and there is room again once one was dropped", async () => {
      const fresh = await harness.open({ deadLetters: 1 });
      const { store: own } = fresh;
      const contact = await newContact(own);
      expect(await poisoned(own, contact)).toBe("parked");
      await accept(own, contact, "poison", "second");
      const claimed = await claimOne(own);
      const input = {
        ...{ account: ACCOUNT, contact, epoch: claimed.epoch, rev: claimed.rev, reason: "x" },
        ...{ newSession: { never: true }, due: 1, notice: { event: "n", mail: {} } },
      };
      expect(await own.deadLetters.add(input)).toEqual({ ok: false, reason: "full" });
      expect(await own.views.session(ACCOUNT, contact)).toBeNull();
      expect(await own.mail.tick({ offsetMs: 0, limit: 10 })).toBe(0);
      expect((await own.views.backlog()).counters).toMatchObject({
        accepted: 2,
        dead: 1,
        queued: 1,
      });

      const [letter] = (await own.deadLetters.list({ limit: 10 })).items;
      expect(await own.deadLetters.resolve(letter?.id ?? "", "drop")).toBe(true);
      expect(await own.deadLetters.add({ ...input, reason: "y" })).toMatchObject({
        ok: true,
        rev: 1,
        left: 1,
      });
      await fresh.close();
    });

    test("of one contact parks for all others", async () => {
      const fresh = await harness.open({ deadLettersOfOne: 2 });
      const { store: own } = fresh;
      const [one, other] = [await newContact(own), await newContact(own)];
      expect([await poisoned(own, one), await poisoned(own, one)]).toEqual(["parked", "parked"]);
      await accept(own, one, "poison");
      const claimed = await claimOne(own);
      expect(await own.deadLetters.add({ ...claimed, account: ACCOUNT, reason: "x" })).toEqual({
        ...{ ok: false, reason: "full" },
      });
      expect(await poisoned(own, other)).toBe("parked");
      await fresh.close();
    });

    test("because mailboxes overflowed parks all the same", async () => {
      const fresh = await harness.open({ mailbox: 1, dead: 2, deadLettersOfOne: 10 });
      const { store: own } = fresh;
      const contact = await newContact(own);
      await accept(own, contact, "poison");
      for (const text of ["2", "3"]) expect(await accept(own, contact, text)).toBe("dead");
      await expect(accept(own, contact, "4")).rejects.toMatchObject({ code: "STORE_FULL" });
      const claimed = await claimOne(own);
      expect(
        await own.deadLetters.add({ ...claimed, account: ACCOUNT, reason: "x" }),
      ).toMatchObject({
        ok: true,
      });
      await fresh.close();
    });
  });

  describe(`timers on ${harness.name}`, () => {
    test("become mail when the virtual clock reaches them, once", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "oi");
      const due = (await store.now()) + 3_600_000;
      await store.mail.commit([commitOf(await claimOne(store), { due })]);

      expect(await store.mail.tick({ offsetMs: 3_500_000, limit: 10 })).toBe(0);
      expect(await store.mail.tick({ offsetMs: 3_700_000, limit: 10 })).toBe(1);
      expect(await store.mail.tick({ offsetMs: 3_700_000, limit: 10 })).toBe(0);

      const claimed = await claimOne(store);
      expect(claimed.mail).toMatchObject([{ event: `tick:${due}`, mail: { kind: "tick", due } }]);
      await store.mail.commit([commitOf(claimed, { due: null })]);
      expect(await store.mail.tick({ offsetMs: 9_000_000, limit: 10 })).toBe(0);
    });

    test("are moved and cleared by the next commit", async () => {
      const contact = await newContact(store);
      const now = await store.now();
      for (const due of [now + 1_000, now + 50_000, null]) {
        await accept(store, contact, "oi");
        await store.mail.commit([commitOf(await claimOne(store), { due })]);
        expect(await store.mail.tick({ offsetMs: 10_000, limit: 10 })).toBe(
          due === now + 1_000 ? 1 : 0,
        );
        for (const claimed of await claimAll(store)) await store.mail.commit([commitOf(claimed)]);
      }
      expect(await store.mail.tick({ offsetMs: 100_000, limit: 10 })).toBe(0);
    });

    test("due in great number move only into the room that is left, the latest among them, and some in any case", async () => {
      const fresh = await harness.open();
      const now = await fresh.store.now();
      const due: { contact: ContactId; at: number }[] = [];
      while (due.length < 18) {
        const contact = await newContact(fresh.store);
        // Stores may divide their contacts; the bound is for each part.
        if (Number.parseInt(contact.slice(0, 4), 16) % 16 !== 3) continue;
        const at = now - 60_000 + due.length;
        await accept(fresh.store, contact, "oi");
        await fresh.store.mail.commit([commitOf(await claimOne(fresh.store), { due: at })]);
        due.push({ contact, at });
      }
      const tick = (): Promise<number> => fresh.store.mail.tick({ offsetMs: 0, limit: 6 });

      expect(await tick()).toBe(6);
      const first = await claimAll(fresh.store);
      const moved = first.map(({ contact }) => due.findIndex((one) => one.contact === contact));
      const [oldest, latest] = [moved.filter((at) => at < 3), moved.filter((at) => at >= 15)];
      expect([oldest.length, latest.length]).toEqual([3, 3]);
      await fresh.store.mail.commit(first.map((claimed) => commitOf(claimed)));

      expect(await tick()).toBe(6);
      expect(await tick()).toBe(1);
      const second = await claimAll(fresh.store);
      await fresh.store.mail.commit(second.map((claimed) => commitOf(claimed)));
      expect(await tick()).toBe(5);
      expect(await tick()).toBe(0);
      await fresh.close();
    });

    test("make mail wait that may wait, but never what comes meanwhile", async () => {
      const contact = await newContact(store);
      const notBefore = (await store.now()) + 20_000;
      await store.mail.accept([
        { account: ACCOUNT, contact, event: "w", mail: { text: "wait" }, notBefore },
      ]);
      expect(await claimAll(store)).toEqual([]);
      expect(await store.mail.tick({ offsetMs: 0, limit: 10 })).toBe(0);
      await accept(store, contact, "now");
      const claimed = await claimOne(store);
      expect(texts(claimed)).toEqual(["wait", "now"]);
      await store.mail.commit([commitOf(claimed)]);
      expect(await store.mail.tick({ offsetMs: 30_000, limit: 10 })).toBe(0);

      await store.mail.accept([
        { account: ACCOUNT, contact, event: "w2", mail: { text: "later" }, notBefore },
      ]);
      expect(await store.mail.tick({ offsetMs: 30_000, limit: 10 })).toBe(1);
      const later = await claimOne(store);
      expect(texts(later)).toEqual(["later"]);
      await store.mail.commit([commitOf(later)]);
    });
  });

  describe(`bookkeeping on ${harness.name}`, () => {
    test("loses no event between accepted, applied, dead and queued", async () => {
      const fresh = await harness.open({ mailbox: 4 });
      const contact = await newContact(fresh.store);
      for (const text of ["1", "2", "3", "4", "5"]) await accept(fresh.store, contact, text, text);
      await accept(fresh.store, contact, "1", "1");
      const claimed = await claimOne(fresh.store);
      await fresh.store.mail.commit([commitOf(claimed, { applied: 2, due: 1 })]);
      await fresh.store.mail.tick({ offsetMs: 0, limit: 10 });

      const { counters, dead, ready } = await fresh.store.views.backlog();
      expect(counters).toEqual({ accepted: 6, duplicate: 1, applied: 2, dead: 1, queued: 3 });
      expect({ dead, ready }).toEqual({ dead: 1, ready: 1 });
      await fresh.close();
    });

    test("tells the age of the oldest contact that waits", async () => {
      const fresh = await harness.open();
      expect((await fresh.store.views.backlog()).oldestMs).toBe(0);
      await accept(fresh.store, await newContact(fresh.store), "oi");
      await sleep(60);
      expect((await fresh.store.views.backlog()).oldestMs).toBeGreaterThanOrEqual(50);
      await fresh.close();
    });

    test("keeps as many journal records as it was told, newest first", async () => {
      const fresh = await harness.open({ journal: 3 });
      const contact = await newContact(fresh.store);
      await accept(fresh.store, contact, "oi");
      const journal = [1, 2, 3, 4, 5].map((n) => ({ n }));
      await fresh.store.mail.commit([commitOf(await claimOne(fresh.store), { journal })]);
      expect(await fresh.store.views.journal(ACCOUNT, contact, 10)).toEqual([
        { n: 5 },
        { n: 4 },
        { n: 3 },
      ]);
      expect(await fresh.store.views.journal(ACCOUNT, contact, 1)).toEqual([{ n: 5 }]);
      expect(await fresh.store.views.journal("other", contact, 10)).toEqual([]);
      await fresh.close();
    });

    test("lists sessions of one account or of all, latest first, page by page", async () => {
      const fresh = await harness.open();
      const mine: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        const contact = await newContact(fresh.store);
        await accept(fresh.store, contact, "oi");
        await fresh.store.mail.commit([
          commitOf(await claimOne(fresh.store), { session: { index } }),
        ]);
        mine.unshift(contact);
        await sleep(3);
      }
      const stranger = await newContact(fresh.store, "other");
      await fresh.store.mail.accept([
        { account: "other", contact: stranger, event: "e", mail: {} },
      ]);
      await fresh.store.mail.commit([commitOf(await claimOne(fresh.store))]);

      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await fresh.store.views.sessions({
          ...{ account: ACCOUNT, limit: 2 },
          ...(after === undefined ? {} : { after }),
        });
        seen.push(...page.items.map(({ contact }) => contact));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual(mine);
      const all = await fresh.store.views.sessions({ limit: 10 });
      expect(all.items.map(({ contact }) => contact)).toEqual([stranger, ...mine]);
      await fresh.close();
    });

    test("wakes who waits for turns and for the outbox", async () => {
      const heard: string[] = [];
      const off = store.onWake((what) => heard.push(what));
      const contact = await newContact(store);
      await accept(store, contact, "oi");
      expect(heard).toContain("turns");
      const effects = [message(`${contact}:1:0`)];
      await store.mail.commit([commitOf(await claimOne(store), { effects })]);
      expect(heard).toContain("outbox");
      off();
      const before = heard.length;
      await accept(store, contact, "again");
      expect(heard).toHaveLength(before);
      await store.mail.commit([commitOf(await claimOne(store))]);
    });
  });
}
