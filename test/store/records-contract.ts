/** People, keys, documents, pauses, and what lies on disk. What both stores promise. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handover, type Store } from "../../src/store/index.ts";
import {
  accept,
  ACCOUNT,
  beginAll,
  claimAll,
  claimOne,
  commitOf,
  type Harness,
  message,
  newContact,
  type Opened,
  sleep,
  texts,
  withEffects,
} from "./contract.ts";

/** How long a key is kept, and when it is claimed anew: far apart, for a machine that stalls. */
const FREE_MS = 1_500;
const AGAIN_MS = 800;

export function recordsContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  beforeAll(async () => {
    opened = await harness.open();
    store = opened.store;
  });
  afterAll(() => opened.close());

  describe(`identify on ${harness.name}`, () => {
    test("gives one contact for all forms of one person, and another in another account", async () => {
      const forms = ["phone:5511988880001", "phone:551188880001", "lid:111@lid"];
      const contact = await store.contacts.identify(ACCOUNT, forms);
      expect(contact).toMatch(/^[0-9a-f]{32}$/);
      for (const form of forms) {
        expect(await opened.second.contacts.identify(ACCOUNT, [form])).toBe(contact);
        expect(await store.contacts.lookup(ACCOUNT, form)).toBe(contact);
      }
      expect(await store.contacts.lookup(ACCOUNT, "phone:5511900000000")).toBeNull();
      expect(await store.contacts.identify("other", forms)).not.toBe(contact);
      await expect(store.contacts.identify(ACCOUNT, [])).rejects.toThrow(TypeError);
    });

    test("makes one contact when twenty deliveries name a new person at once", async () => {
      const forms = ["phone:5511988880002", "lid:222@lid"];
      const found = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : opened.second).contacts.identify(
            ACCOUNT,
            index % 3 === 0 ? forms : [...forms].reverse(),
          ),
        ),
      );
      expect(new Set(found).size).toBe(1);
    });

    test("finds somebody by a name that leads to them, which is none of theirs", async () => {
      const forms = ["phone:5511988880031", "phone:551188880031"];
      const name = "x:sms:id:31";
      expect(await store.contacts.lead(ACCOUNT, name, forms)).toBe(false);
      expect(await store.contacts.lookup(ACCOUNT, name)).toBeNull();
      expect(await store.contacts.lookup(ACCOUNT, forms[0] ?? "")).toBeNull();

      const contact = await store.contacts.identify(ACCOUNT, forms.slice(1));
      for (const process of [store, opened.second, store])
        expect(await process.contacts.lead(ACCOUNT, name, forms)).toBe(true);
      for (const process of [store, opened.second])
        expect(await process.contacts.lookup(ACCOUNT, name)).toBe(contact);
      expect(await store.contacts.lookup("other", name)).toBeNull();
      // A name of their own counts before one that only leads.
      const other = await store.contacts.identify(ACCOUNT, [name]);
      expect(other).not.toBe(contact);
      expect(await store.contacts.lookup(ACCOUNT, name)).toBe(other);
    });

    test("leads to whoever somebody is by then: to the one they proved to be, and to nobody once they are erased", async () => {
      const [lid, phone, name] = ["lid:32@lid", "phone:5511988880032", "x:sms:id:32"];
      const older = await store.contacts.identify(ACCOUNT, [lid]);
      await store.contacts.identify(ACCOUNT, [phone]);
      await store.contacts.lead(ACCOUNT, name, [phone]);
      await store.contacts.identify(ACCOUNT, [phone, lid]);
      expect(await opened.second.contacts.lookup(ACCOUNT, name)).toBe(older);
      await store.contacts.erase(ACCOUNT, older);
      expect(await opened.second.contacts.lookup(ACCOUNT, name)).toBeNull();
      // Who comes anew under the same number is not led to by what was erased.
      await store.contacts.identify(ACCOUNT, [phone]);
      expect(await opened.second.contacts.lookup(ACCOUNT, name)).toBeNull();
    });

    test("keeps the last so many names that lead to one person, and each for so long", async () => {
      const few = await harness.open({ leads: 2 });
      const [one, two] = ["phone:5511988880033", "phone:5511988880034"];
      const contacts = [await few.store.contacts.identify(ACCOUNT, [one])];
      contacts.push(await few.store.contacts.identify(ACCOUNT, [two]));
      await few.store.contacts.lead(ACCOUNT, "x:other", [two]);
      for (const name of ["x:1", "x:2", "x:2", "x:2", "x:3"])
        await few.store.contacts.lead(ACCOUNT, name, [one]);
      const found = await Promise.all(
        ["x:1", "x:2", "x:3", "x:other"].map((name) => few.store.contacts.lookup(ACCOUNT, name)),
      );
      expect(found).toEqual([null, contacts[0], contacts[0], contacts[1]]);
      await few.close();

      const short = await harness.open({ leadMs: 200 });
      await short.store.contacts.identify(ACCOUNT, [one]);
      await short.store.contacts.lead(ACCOUNT, "x:1", [one]);
      await expect
        .poll(() => short.store.contacts.lookup(ACCOUNT, "x:1"), { timeout: 5_000 })
        .toBeNull();
      await short.close();
    });

    for (const order of ["phone first", "LID first"])
      test(`merges two contacts that prove to be one into the older (${order}), in the middle of a form`, async () => {
        const tail = order === "phone first" ? "3" : "4";
        const pair = [`phone:551198888000${tail}`, `lid:33${tail}@lid`];
        if (order === "LID first") pair.reverse();
        const [first = "", second = ""] = pair;
        const older = await store.contacts.identify(ACCOUNT, [first]);
        const younger = await store.contacts.identify(ACCOUNT, [second]);
        expect(younger).not.toBe(older);
        await accept(store, younger, "mid-form", "first");
        await store.mail.commit([
          commitOf(await claimOne(store), {
            ...{ session: { form: 1 }, due: 1 },
            effects: [message(`${younger}:1:0`)],
          }),
        ]);
        await accept(store, younger, "waiting", "second");

        expect(await store.contacts.identify(ACCOUNT, [second, first])).toBe(older);
        expect(await opened.second.contacts.identify(ACCOUNT, [second])).toBe(older);
        await accept(store, older, "next");

        // What was under way goes before what is said next, and nothing of it is left behind to be done again.
        const claimed = await claimOne(opened.second);
        expect(claimed).toMatchObject({ contact: older, session: null });
        expect(claimed).not.toHaveProperty("forward");
        expect(claimed.mail.map(({ mail }) => mail)).toEqual([
          { kind: "joined", from: younger, session: { form: 1 } },
          { kind: "text", text: "waiting", via: younger },
          { kind: "text", text: "next" },
        ]);
        await opened.second.mail.commit([commitOf(claimed, { session: { form: 2 } })]);
        expect(await store.mail.tick({ offsetMs: 0, limit: 10 })).toBe(0);
        const found = { contact: older, session: { form: 2 } };
        expect(await store.views.session(ACCOUNT, younger)).toMatchObject(found);
        expect(await store.views.session("other", younger)).toBeNull();
        const all = await store.views.sessions({ account: ACCOUNT, limit: 100 });
        expect(all.items.filter(({ contact }) => contact === younger)).toEqual([]);

        // What the younger had said stays its own, to be sent and ended as it was begun.
        const [begun] = await beginAll(store);
        expect(begun).toMatchObject({ id: `${younger}:1:0`, contact: younger });
        await store.effects.end(begun ? [{ ...begun, outcome: { kind: "done" } }] : []);

        // Mail under its name is handed out with the winner's, and what it was given once is remembered.
        await accept(store, younger, "late");
        const late = await claimOne(opened.second);
        expect(late).toMatchObject({ contact: younger, forward: older, session: null });
        expect(texts(late)).toEqual(["late"]);
        await opened.second.mail.commit([commitOf(late, { session: null })]);
        for (const event of ["first", "second"])
          expect(await store.contacts.knew(ACCOUNT, younger, event)).toBe(true);
        expect(await store.contacts.knew(ACCOUNT, younger, "third")).toBe(false);
        expect(await store.contacts.knew(ACCOUNT, older, "first")).toBe(false);
        const { counters } = await store.views.backlog();
        expect(counters.accepted).toBe(counters.applied + counters.dead + counters.queued);
      });

    test("fences a turn of the younger that is under way, and loses nothing of it", async () => {
      const [phone, lid] = ["phone:5511988880006", "lid:666@lid"];
      const older = await store.contacts.identify(ACCOUNT, [phone]);
      const younger = await store.contacts.identify(ACCOUNT, [lid]);
      await accept(store, younger, "under way");
      const slow = await claimOne(store);

      await opened.second.contacts.identify(ACCOUNT, [phone, lid]);

      const late = commitOf(slow, { effects: [message(`${younger}:1:0`)], due: 1 });
      expect(await store.mail.commit([late])).toEqual([{ ok: false, reason: "fenced" }]);
      const claimed = await claimOne(store);
      expect(claimed.contact).toBe(older);
      expect(texts(claimed)).toEqual(["under way"]);
      await store.mail.commit([commitOf(claimed)]);
      expect(await store.views.effects({ contact: younger, limit: 10 })).toEqual([]);
      expect(await store.mail.tick({ offsetMs: 0, limit: 10 })).toBe(0);
    });

    test("hands over what was handed over to the younger, when that is merged in its turn", async () => {
      const [one, two, three] = ["phone:5511988880007", "lid:667@lid", "lid:668@lid"];
      const first = await store.contacts.identify(ACCOUNT, [one]);
      const second = await store.contacts.identify(ACCOUNT, [two]);
      const third = await store.contacts.identify(ACCOUNT, [three]);
      await accept(store, third, "mid-form");
      await store.mail.commit([commitOf(await claimOne(store), { session: { form: 3 } })]);

      expect(await store.contacts.identify(ACCOUNT, [two, three])).toBe(second);
      expect(await store.contacts.identify(ACCOUNT, [one, two])).toBe(first);

      const claimed = await claimOne(store);
      expect(claimed.contact).toBe(first);
      expect(claimed.mail.map(({ mail }) => mail)).toEqual([
        { kind: "joined", from: third, session: { form: 3 }, via: second },
      ]);
      await store.mail.commit([commitOf(claimed, { session: { form: 4 } })]);
      expect(await store.views.session(ACCOUNT, third)).toMatchObject({ contact: first });
    });

    // What was acknowledged is never refused: not by bounds that the winner alone has reached, and not by those of letters.
    for (const [what, limits] of [
      ["mailbox is full", { mailbox: 2, dead: 0 }],
      ["mailbox is full, and letters have room", { mailbox: 2 }],
      ["memory of events is full", { dedupe: 2, dead: 0 }],
    ] as const)
      test(`hands over a conversation to one whose ${what}`, async () => {
        const small = await harness.open(limits);
        const [phone, lid] = ["phone:5511988880008", "lid:669@lid"];
        const older = await small.store.contacts.identify(ACCOUNT, [phone]);
        const younger = await small.store.contacts.identify(ACCOUNT, [lid]);
        await accept(small.store, younger, "mid-form");
        await small.store.mail.commit([
          commitOf(await claimOne(small.store), { session: { form: 1 } }),
        ]);
        for (const text of ["own 1", "own 2"]) await accept(small.store, older, text);
        const waiting = "dedupe" in limits ? ["1"] : ["1", "2"];
        for (const text of waiting) await accept(small.store, younger, text, `event ${text}`);

        expect(await small.store.contacts.identify(ACCOUNT, [phone, lid])).toBe(older);

        // It was told under the other name, and comes again; so does all that a crash makes be handed over anew.
        expect(await accept(small.second, older, "1", "event 1")).toBe("duplicate");
        const mail = waiting.map((text) => ({ event: `event ${text}`, mail: { text } }));
        const again = handover(younger, 1, { form: 1 }, mail);
        const of = { account: ACCOUNT, contact: older };
        expect(await small.second.mail.accept(again.map((item) => ({ ...of, ...item })))).toEqual(
          again.map(() => "duplicate"),
        );
        // Of what is new there is no more than before.
        const fresh = accept(small.store, older, "one too many");
        if ("dead" in limits) await expect(fresh).rejects.toMatchObject({ code: "STORE_FULL" });
        else expect(await fresh).toBe("dead");
        const letters = (await small.store.deadLetters.list({ limit: 10 })).items;
        expect(letters.map(({ mail: one }) => one)).toEqual(
          "dead" in limits ? [] : [{ kind: "text", text: "one too many" }],
        );

        const claimed = await claimOne(small.second);
        expect(claimed.contact).toBe(older);
        expect(claimed.mail.map(({ mail: one }) => one)).toEqual([
          ...["own 1", "own 2"].map((text) => ({ kind: "text", text })),
          { kind: "joined", from: younger, session: { form: 1 } },
          ...waiting.map((text) => ({ kind: "text", text, via: younger })),
        ]);
        await small.second.mail.commit([commitOf(claimed)]);
        const { counters } = await small.store.views.backlog();
        expect(counters).toMatchObject({ queued: 0, dead: letters.length });
        expect(counters.accepted).toBe(counters.applied + counters.dead);

        // Who was erased meanwhile is handed nothing.
        await small.store.contacts.erase(ACCOUNT, older);
        expect(await small.second.mail.accept(again.map((item) => ({ ...of, ...item })))).toEqual(
          again.map(() => "moved"),
        );
        await small.close();
      });

    test("merges once when both orders are told at the same time", async () => {
      const [phone, lid] = ["phone:5511988880005", "lid:555@lid"];
      const older = await store.contacts.identify(ACCOUNT, [phone]);
      await store.contacts.identify(ACCOUNT, [lid]);
      const found = await Promise.all([
        ...Array.from({ length: 8 }, () => store.contacts.identify(ACCOUNT, [phone, lid])),
        ...Array.from({ length: 8 }, () => opened.second.contacts.identify(ACCOUNT, [lid, phone])),
      ]);
      expect(new Set(found)).toEqual(new Set([older]));
      expect(await store.contacts.lookup(ACCOUNT, lid)).toBe(older);
    });
  });

  describe(`erase on ${harness.name}`, () => {
    test("drops everything of a person and of those merged into them, and lets them start afresh", async () => {
      const fresh = await harness.open();
      const forms = ["phone:5511977770001", "lid:777@lid"];
      const contact = await fresh.store.contacts.identify(ACCOUNT, forms.slice(0, 1));
      const merged = await fresh.store.contacts.identify(ACCOUNT, forms.slice(1));
      await withEffects(fresh.store, [message(`${merged}:1:0`)], merged);
      await fresh.store.contacts.identify(ACCOUNT, forms);
      await withEffects(fresh.store, [message(`${contact}:1:0`, { class: "fiscal" })], contact);
      const begun = await beginAll(fresh.store, { classes: ["fiscal"] });
      await accept(fresh.store, contact, "waiting", "w");
      const claimed = await claimOne(fresh.store);

      expect(await fresh.store.contacts.erase("other", contact)).toBe(false);
      expect(await fresh.store.contacts.erase(ACCOUNT, contact)).toBe(true);
      expect(await fresh.store.contacts.erase(ACCOUNT, contact)).toBe(false);

      expect(await fresh.store.mail.commit([commitOf(claimed)])).toEqual([
        { ok: false, reason: "fenced" },
      ]);
      const ends = begun.map((one) => ({ ...one, outcome: { kind: "done" } as const }));
      expect(await fresh.store.effects.end(ends)).toEqual(["stale"]);
      expect(await fresh.store.views.effects({ limit: 10 })).toEqual([]);
      expect(await fresh.store.views.session(ACCOUNT, contact)).toBeNull();
      expect(await fresh.store.views.session(ACCOUNT, merged)).toBeNull();
      expect((await fresh.store.views.sessions({ limit: 10 })).items).toEqual([]);
      expect(await fresh.store.views.journal(ACCOUNT, contact, 10)).toEqual([]);
      for (const form of forms) expect(await fresh.store.contacts.lookup(ACCOUNT, form)).toBeNull();
      const { counters } = await fresh.store.views.backlog();
      expect(counters.accepted).toBe(counters.applied + counters.dead + counters.queued);
      expect(await fresh.store.contacts.identify(ACCOUNT, forms)).not.toBe(contact);

      // An event that was on its way to the old contact finds nobody, also from a process that knew the old key.
      for (const process of [fresh.store, fresh.second])
        expect(await accept(process, contact, "late", "w")).toBe("moved");
      expect(await fresh.second.views.session(ACCOUNT, contact)).toBeNull();
      expect(await fresh.store.mail.commit([commitOf(claimed)])).toEqual([
        { ok: false, reason: "fenced" },
      ]);
      await fresh.close();
    });
  });

  describe(`journals on ${harness.name}`, () => {
    test("lose their oldest lines, and nothing that came since they were looked at", async () => {
      const contact = await newContact(store);
      const write = async (...journal: string[]) => {
        await accept(store, contact, "hello");
        await store.mail.commit([commitOf(await claimOne(store), { journal })]);
      };
      await write("a", "b", "c");
      const seen = await store.views.journal(ACCOUNT, contact, 10);
      expect(seen).toEqual(["c", "b", "a"]);
      await write("d");
      await store.contacts.forgetLines("other", contact, 3, 0);
      expect(await store.views.journal(ACCOUNT, contact, 10)).toEqual(["d", "c", "b", "a"]);
      await store.contacts.forgetLines(ACCOUNT, contact, seen.length, 1);
      expect(await store.views.journal(ACCOUNT, contact, 10)).toEqual(["d", "c"]);
      await store.contacts.forgetLines(ACCOUNT, contact, 2, 0);
      expect(await store.views.journal(ACCOUNT, contact, 10)).toEqual([]);
    });
  });

  describe(`business keys on ${harness.name}`, () => {
    test("belong to the first who asks, however many ask at once", async () => {
      const owners = Array.from({ length: 10 }, (_, index) => `c${index}:1:0`);
      const answers = await Promise.all(
        owners.map((owner, index) =>
          (index % 2 === 0 ? store : opened.second).keys.claim(ACCOUNT, "sale-1", owner),
        ),
      );
      const winners = owners.filter((_, index) => answers[index]?.ok);
      expect(winners).toHaveLength(1);
      const [owner = ""] = winners;
      expect(answers.filter(({ ok }) => !ok)).toEqual(
        Array.from({ length: 9 }, () => ({ ok: false, owner, state: "claimed" })),
      );
      expect(await store.keys.claim(ACCOUNT, "sale-1", owner)).toEqual({ ok: true });
      expect(await store.keys.claim("other", "sale-1", "x")).toEqual({ ok: true });
    });

    test("are settled and freed by their owner only, and once settled are not freed", async () => {
      await store.keys.claim(ACCOUNT, "sale-2", "me");
      expect(await store.keys.free(ACCOUNT, "sale-2", "you")).toBe(false);
      expect(await store.keys.free(ACCOUNT, "sale-2", "me")).toBe(true);
      expect(await store.keys.free(ACCOUNT, "sale-2", "me")).toBe(false);
      await store.keys.claim(ACCOUNT, "sale-2", "me");
      expect(await store.keys.settle(ACCOUNT, "sale-2", "you")).toBe(false);
      expect(await store.keys.settle(ACCOUNT, "sale-2", "me")).toBe(true);
      expect(await store.keys.claim(ACCOUNT, "sale-2", "you")).toEqual({
        ...{ ok: false, owner: "me", state: "settled" },
      });
      // A no that comes after the yes.
      expect(await store.keys.free(ACCOUNT, "sale-2", "me")).toBe(false);
      expect(await store.keys.claim(ACCOUNT, "sale-2", "you")).toMatchObject({ state: "settled" });
    });

    test("free themselves a while after they were settled, when told so, and not before", async () => {
      await store.keys.claim(ACCOUNT, "bare", "me");
      const settle = () => store.keys.settle(ACCOUNT, "bare", "me", FREE_MS);
      expect(await settle()).toBe(true);
      await sleep(AGAIN_MS);
      // Said again, it counts from the first time.
      const again = performance.now();
      expect(await settle()).toBe(true);
      expect(await store.keys.claim(ACCOUNT, "bare", "you")).toMatchObject({ ok: false });
      await freed("bare");
      expect(performance.now() - again).toBeLessThan(FREE_MS);
    });

    test("free themselves after their time, counted from the latest claim, which never shortens it", async () => {
      const claim = (owner: string, ttlMs?: number) =>
        store.keys.claim(ACCOUNT, "similar", owner, ttlMs);
      const first = performance.now();
      await claim("me", FREE_MS);
      await sleep(AGAIN_MS);
      const again = performance.now();
      expect(await claim("me", FREE_MS)).toEqual({ ok: true });
      expect(await claim("me", 1)).toEqual({ ok: true });
      await sleep(first + FREE_MS + 50 - performance.now());
      expect(await claim("you", FREE_MS)).toMatchObject({ ok: false, owner: "me" });
      await freed("similar");
      expect(performance.now() - again).toBeGreaterThan(FREE_MS - 20);
    });

    test("stand for good once their owner asks for that, until they are settled", async () => {
      const claim = (owner: string, ttlMs?: number) =>
        store.keys.claim(ACCOUNT, "out", owner, ttlMs);
      await claim("me", AGAIN_MS);
      expect(await claim("me")).toEqual({ ok: true });
      expect(await claim("me", AGAIN_MS)).toEqual({ ok: true });
      await sleep(AGAIN_MS + 50);
      expect(await claim("you", FREE_MS)).toMatchObject({ ok: false, state: "claimed" });
      await store.keys.settle(ACCOUNT, "out", "me", AGAIN_MS);
      // Settled is settled: whoever claims it once more does not keep it.
      expect(await claim("me")).toEqual({ ok: true });
      await freed("out");
    });

    test("are held for good by their owner alone, and only while they are claimed", async () => {
      expect(await store.keys.hold(ACCOUNT, "held", "me")).toBe("gone");
      await store.keys.claim(ACCOUNT, "held", "me", AGAIN_MS);
      expect(await store.keys.hold(ACCOUNT, "held", "you")).toBe("gone");
      expect(await store.keys.hold(ACCOUNT, "held", "me")).toBe("held");
      await sleep(AGAIN_MS + 50);
      expect(await store.keys.claim(ACCOUNT, "held", "you")).toMatchObject({ ok: false });
      await store.keys.settle(ACCOUNT, "held", "me", AGAIN_MS);
      expect(await store.keys.hold(ACCOUNT, "held", "me")).toBe("settled");
      expect(await store.keys.hold(ACCOUNT, "held", "you")).toBe("gone");
      await freed("held");
      expect(await store.keys.hold(ACCOUNT, "held", "me")).toBe("gone");
    });

    test("stand a while still when they are freed so, and no longer than they would have", async () => {
      const free = (afterMs?: number) => store.keys.free(ACCOUNT, "given", "me", afterMs);
      await store.keys.claim(ACCOUNT, "given", "me");
      const begun = performance.now();
      expect(await free(FREE_MS)).toBe(true);
      await sleep(AGAIN_MS);
      expect(await free(60_000)).toBe(true);
      expect(await store.keys.claim(ACCOUNT, "given", "you")).toMatchObject({ ok: false });
      await freed("given");
      expect(performance.now() - begun).toBeGreaterThan(FREE_MS - 20);
      expect(await free(FREE_MS)).toBe(false);
      expect(await store.keys.free(ACCOUNT, "given", "you", 60_000)).toBe(true);
      expect(await store.keys.free(ACCOUNT, "given", "you")).toBe(true);
      expect(await store.keys.claim(ACCOUNT, "given", "me")).toEqual({ ok: true });
      await store.keys.settle(ACCOUNT, "given", "me");
      expect(await free(1)).toBe(false);
    });

    test("are released by their owner alone, settled or not", async () => {
      const release = (owner: string) => store.keys.release(ACCOUNT, "undone", owner);
      expect(await release("me")).toBe(false);
      for (const settled of [false, true]) {
        await store.keys.claim(ACCOUNT, "undone", "me");
        if (settled) await store.keys.settle(ACCOUNT, "undone", "me");
        expect(await release("you")).toBe(false);
        expect(await store.keys.claim(ACCOUNT, "undone", "you")).toMatchObject({ owner: "me" });
        expect(await release("me")).toBe(true);
        expect(await release("me")).toBe(false);
      }
      expect(await store.keys.claim(ACCOUNT, "undone", "you")).toEqual({ ok: true });
      expect(await release("me")).toBe(false);
    });

    /** Waits until somebody else can have it. */
    async function freed(key: string): Promise<void> {
      while (!(await store.keys.claim(ACCOUNT, key, "you", FREE_MS)).ok) await sleep(20);
    }
  });

  describe(`documents on ${harness.name}`, () => {
    test("are written by compare-and-set", async () => {
      expect(await store.documents.get("things", "a")).toBeNull();
      expect(await store.documents.put("things", "a", { n: 1 }, 0)).toBe(1);
      expect(await store.documents.put("things", "a", { n: 9 }, 0)).toBe("conflict");
      expect(await opened.second.documents.get("things", "a")).toEqual({ value: { n: 1 }, rev: 1 });
      const answers = await Promise.all([
        store.documents.put("things", "a", { n: 2 }, 1),
        opened.second.documents.put("things", "a", { n: 3 }, 1),
      ]);
      expect(answers.sort()).toEqual([2, "conflict"]);
      expect(await store.documents.put("things", "a", { n: 4 })).toBe(3);
      expect(await store.documents.put("things", "missing", {}, 7)).toBe("conflict");
    });

    test("never have a revision twice, also when removed and made again", async () => {
      await store.documents.put("again", "a", { n: 1 });
      await store.documents.put("again", "a", { n: 2 });
      expect(await store.documents.remove("again", "a")).toBe(true);
      expect(await store.documents.remove("again", "a")).toBe(false);
      expect(await store.documents.put("again", "a", { n: 3 }, 0)).toBe(3);
      expect(await store.documents.put("again", "a", { n: 4 }, 2)).toBe("conflict");
    });

    test("are listed in the order of their ids, page by page, collections apart", async () => {
      const all = ["a", "b", "c", "d", "e"];
      for (const id of [...all].reverse()) await store.documents.put("list", id, { id });
      await store.documents.put("list2", "x", {});
      const first = await store.documents.list("list", { limit: 2 });
      expect(first).toEqual({
        items: [
          { id: "a", value: { id: "a" }, rev: 1 },
          { id: "b", value: { id: "b" }, rev: 1 },
        ],
        next: "b",
      });
      const rest = await store.documents.list("list", { after: "b", limit: 3 });
      expect(rest.items.map(({ id }) => id)).toEqual(["c", "d", "e"]);
      expect(rest.next).toBeUndefined();
      expect((await store.documents.list("nothing")).items).toEqual([]);
      expect(await store.documents.ids("list", { limit: 2 })).toEqual({
        items: ["a", "b"],
        next: "b",
      });
      expect(await store.documents.ids("list", { after: "b", limit: 3 })).toEqual({
        items: ["c", "d", "e"],
      });
      expect(await store.documents.ids("nothing")).toEqual({ items: [] });
    });
  });

  describe(`pauses on ${harness.name}`, () => {
    test("begin once, keep their beginning and end once", async () => {
      expect(await store.scopes.pause("plan:a", "402")).toBe(true);
      const since = (await store.scopes.pauses()).get("plan:a")?.since;
      expect(await opened.second.scopes.pause("plan:a", "still 402", { until: 99 })).toBe(false);
      expect((await store.scopes.pauses()).get("plan:a")).toEqual({
        reason: "still 402",
        since,
        until: 99,
      });
      expect(await store.scopes.resume("plan:a")).toBe(true);
      expect(await store.scopes.resume("plan:a")).toBe(false);
      expect((await store.scopes.pauses()).has("plan:a")).toBe(false);
    });
  });

  describe(`at rest ${harness.name}`, () => {
    test("shows no phone, document, text, token or event id in what lies on disk", async () => {
      const fresh = await harness.open();
      const secrets = {
        phone: "5511966660001",
        lid: "666777888@lid",
        cpf: "52998224725",
        text: "preciso da nota do conserto",
        token: "gateway-token-0123456789",
        event: "wamid.5511966660001",
        reason: "recusada para 52998224725",
      };
      const contact = await fresh.store.contacts.identify(ACCOUNT, [
        `phone:${secrets.phone}`,
        `lid:${secrets.lid}`,
      ]);
      await accept(fresh.store, contact, secrets.text, secrets.event);
      const claimed = await claimOne(fresh.store);
      const payload = { to: secrets.phone, text: secrets.text, turn: secrets.event };
      await fresh.store.mail.commit([
        commitOf(claimed, {
          session: { ...secrets },
          journal: [{ ...secrets }],
          effects: [message(`${contact}:1:0`, { payload })],
        }),
      ]);
      const [begun] = await beginAll(fresh.store);
      if (!begun) throw new Error("nothing to send");
      await fresh.store.effects.amend({ ...begun, payload: { ...secrets } });
      await fresh.store.effects.end([
        { ...begun, outcome: { kind: "held", reason: secrets.reason }, journal: { ...secrets } },
      ]);
      await accept(fresh.store, contact, secrets.text, `${secrets.event}.2`);
      const poison = await claimOne(fresh.store);
      await fresh.store.deadLetters.add({ ...poison, reason: secrets.reason });
      await fresh.store.keys.claim(ACCOUNT, `sale ${secrets.cpf}`, begun.id);
      await fresh.store.documents.put("accounts", "demo", { ...secrets });

      const bytes = await fresh.bytes();
      expect(bytes.includes(contact)).toBe(true);
      for (const [name, secret] of Object.entries(secrets))
        expect({ name, found: bytes.includes(secret) }).toEqual({ name, found: false });
      await fresh.close();
    });

    test("keeps nothing that could open the bytes of an erased person", async () => {
      const fresh = await harness.open();
      const contact = await newContact(fresh.store);
      await accept(fresh.store, contact, "secret words");
      await fresh.store.mail.commit([commitOf(await claimOne(fresh.store))]);
      const wrapped = await fresh.dataKey(contact);
      expect(wrapped).toMatch(/^k1:[\w-]+:[\w-]{40,}$/);
      expect(await fresh.liveBytesInclude(wrapped)).toBe(true);
      await fresh.store.contacts.erase(ACCOUNT, contact);
      expect(await fresh.liveBytesInclude(wrapped)).toBe(false);
      expect(await claimAll(fresh.store)).toEqual([]);
      await fresh.close();
    });
  });
}
