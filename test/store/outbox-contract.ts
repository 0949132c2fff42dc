/** Effects: order, tokens, leases, what rests and what a person decides. What both stores promise. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Begun, SendEnd, SendOutcome, Store } from "../../src/store/index.ts";
import {
  accept,
  ACCOUNT,
  beginAll,
  claimOne,
  commitOf,
  type Harness,
  LEASE_MS,
  message,
  newContact,
  type Opened,
  sleep,
  withEffects,
} from "./contract.ts";

const end = (begun: Begun, outcome: SendOutcome, more: Partial<SendEnd> = {}): SendEnd => ({
  ...{ id: begun.id, account: begun.account, contact: begun.contact, token: begun.token },
  outcome,
  ...more,
});
const ids = (begun: readonly { id: string }[]): string[] => begun.map(({ id }) => id);

async function beginOne(
  store: Store,
  options: Parameters<typeof beginAll>[1] = {},
): Promise<Begun> {
  const [begun, more] = await beginAll(store, options);
  if (!begun || more) throw new Error("exactly one effect was expected to be due");
  return begun;
}

export function outboxContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  beforeEach(async () => {
    opened = await harness.open();
    store = opened.store;
  });
  afterEach(() => opened.close());

  describe(`the outbox of ${harness.name}`, () => {
    test("sends the messages of a contact one after the other, in order", async () => {
      const contact = await newContact(store);
      const all = [0, 1, 2].map((n) => `${contact}:1:${n}`);
      await withEffects(
        store,
        all.map((id) => message(id)),
        contact,
      );
      const sent: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const begun = await beginOne(store);
        expect(begun).toMatchObject({ account: ACCOUNT, contact, attempt: 1, ordered: true });
        expect(await beginAll(opened.second)).toEqual([]);
        sent.push(begun.id);
        await store.effects.end([end(begun, { kind: round === 1 ? "failed" : "done" })]);
      }
      expect(sent).toEqual(all);
      expect(await store.views.effects({ contact, limit: 10 })).toEqual([]);
    });

    test("does not let one contact, or one class, wait for another", async () => {
      const [one, two] = [await newContact(store), await newContact(store)];
      await withEffects(store, [message(`${one}:1:0`), message(`${one}:1:1`)], one);
      const free = { class: "read", ordered: false };
      await withEffects(store, [message(`${two}:1:0`), message(`${two}:1:1`, free)], two);
      const begun = await beginAll(store);
      expect(ids(begun).sort()).toEqual([`${one}:1:0`, `${two}:1:0`, `${two}:1:1`].sort());
      await store.effects.end(begun.map((each) => end(each, { kind: "done" })));
    });

    test("knows what a full round left due, and gives it to who follows hints", async () => {
      const all: string[] = [];
      for (let n = 0; n < 60; n += 1) {
        const contact = await newContact(store);
        all.push(`${contact}:1:0`);
        await withEffects(store, [message(`${contact}:1:0`)], contact);
      }
      const round = async (hinted: boolean) =>
        ids(
          await store.effects.begin({
            limit: 16,
            leaseMs: 60_000,
            paused: [],
            offsetMs: 0,
            hinted,
          }),
        );
      // The first looks everywhere: from here on only what it left itself is known.
      const got = [...(await round(false))];
      for (let some = await round(true); some.length > 0; some = await round(true))
        got.push(...some);

      expect([...got].sort()).toEqual([...all].sort());
    });

    test("keeps the order over a retry, and counts the attempt only when something was sent", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message(`${contact}:1:0`), message(`${contact}:1:1`)], contact);
      const now = await store.now();
      const first = await beginOne(store);
      await store.effects.end([end(first, { kind: "not_sent", at: now - 1 })]);
      const second = await beginOne(store);
      expect(second).toMatchObject({ id: first.id, attempt: 1 });
      await store.effects.end([end(second, { kind: "retry", at: now + 10_000 })]);
      expect(await beginAll(store)).toEqual([]);
      const third = await beginOne(store, { offsetMs: 20_000 });
      expect(third).toMatchObject({ id: first.id, attempt: 2 });
      await store.effects.end([end(third, { kind: "done" })]);
      expect((await beginOne(store)).id).toBe(`${contact}:1:1`);
    });

    test("offers again what waits for nobody: retried, given back or resent", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message("free", { class: "read", ordered: false })], contact);
      const now = await store.now();
      const outcomes = [
        { kind: "retry", at: now } as const,
        { kind: "not_sent", at: now } as const,
        { kind: "held", reason: "?" } as const,
      ];
      for (const outcome of outcomes) {
        await store.effects.end([end(await beginOne(store), outcome)]);
        const named = { id: "free", account: ACCOUNT, contact };
        expect(await store.effects.resolve({ ...named, action: "resend" })).toBe(
          outcome.kind === "held",
        );
      }
      expect(await beginOne(store)).toMatchObject({ id: "free", attempt: 1 });
    });

    test("begins messages and reads with the commit when asked, money and taxes never", async () => {
      const contact = await newContact(store);
      await accept(store, contact, "oi");
      const begin = { leaseMs: 5_000 };
      const effects = [
        message(`${contact}:1:0`, { begin }),
        message(`${contact}:1:1`, { begin }),
        message(`${contact}:1:2`, { begin, class: "fiscal", ordered: false }),
        message(`${contact}:1:3`, { begin, class: "read", ordered: false }),
      ];
      const [done] = await store.mail.commit([commitOf(await claimOne(store), { effects })]);
      if (!done?.ok) throw new Error("refused");
      expect(ids(done.begun)).toEqual([`${contact}:1:0`, `${contact}:1:3`]);
      expect(done.begun[0]).toMatchObject({ attempt: 1, payload: { text: `${contact}:1:0` } });
      expect(ids(await beginAll(store))).toEqual([`${contact}:1:2`]);
      expect(
        await store.effects.end(done.begun.map((each) => end(each, { kind: "done" }))),
      ).toEqual(["ok", "ok"]);
      expect(ids(await beginAll(store))).toEqual([`${contact}:1:1`]);
    });

    test("holds back paused scopes, other classes and what is not due yet", async () => {
      const contact = await newContact(store);
      const notBefore = (await store.now()) + 30_000;
      const free = { ordered: false };
      await withEffects(
        store,
        [
          message("plan", { ...free }),
          message("credits", { ...free, scope: `credits:${ACCOUNT}`, class: "fiscal" }),
          message("later", { ...free, notBefore }),
        ],
        contact,
      );
      expect(
        ids(await beginAll(store, { paused: [`plan:${ACCOUNT}`], classes: ["message"] })),
      ).toEqual([]);
      expect(ids(await beginAll(store, { paused: [`plan:${ACCOUNT}`] }))).toEqual(["credits"]);
      expect(ids(await beginAll(store, { classes: ["fiscal"] }))).toEqual([]);
      expect(ids(await beginAll(store))).toEqual(["plan"]);
      expect(ids(await beginAll(store, { offsetMs: 31_000 }))).toEqual(["later"]);
    });

    test("hands nothing of a held class to anybody, whatever they know, until it is released", async () => {
      const contact = await newContact(store);
      const free = { ordered: false };
      await withEffects(
        store,
        [
          message("note", { ...free, class: "fiscal" }),
          message("issuer", { ...free, class: "costly" }),
          message("words", free),
        ],
        contact,
      );
      expect(await store.scopes.pause("hold:fiscal", "audit")).toBe(true);
      expect(await store.scopes.pause("hold:fiscal", "audit")).toBe(false);
      expect(ids(await beginAll(opened.second, { classes: ["fiscal"] }))).toEqual([]);
      expect(ids(await beginAll(opened.second)).sort()).toEqual(["issuer", "words"]);
      expect(await opened.second.scopes.resume("hold:fiscal")).toBe(true);
      expect(ids(await beginAll(store))).toEqual(["note"]);
    });

    test("holds any class back until a person lets go, also what would be born in flight", async () => {
      const contact = await newContact(store);
      const classes = ["fiscal", "destructive", "message"];
      for (const one of classes) await store.scopes.pause(`hold:${one}`, "audit");
      const effects = classes.map((one, at) =>
        message(`${contact}:1:${at}`, {
          ...{ class: one, ordered: false },
          ...(one === "message" ? { begin: { leaseMs: LEASE_MS } } : {}),
        }),
      );
      await accept(store, contact, "hello");
      const [done] = await store.mail.commit([commitOf(await claimOne(store), { effects })]);
      expect(done).toMatchObject({ ok: true, begun: [] });
      for (const [at, one] of classes.entries()) {
        expect(ids(await beginAll(opened.second))).toEqual([]);
        await opened.second.scopes.resume(`hold:${one}`);
        const begun = await beginAll(store);
        expect(ids(begun)).toEqual([`${contact}:1:${at}`]);
        await store.effects.end(begun.map((each) => end(each, { kind: "done" })));
      }
    });

    test("confirms nothing guarded while its class is held, and all else", async () => {
      expect(await store.effects.confirm("fiscal")).toBe(true);
      await opened.second.scopes.pause("hold:fiscal", "audit");
      expect(await store.effects.confirm("fiscal")).toBe(false);
      for (const other of ["costly", "destructive", undefined])
        expect(await store.effects.confirm(other)).toBe(true);
      await opened.second.scopes.resume("hold:fiscal");
      expect(await store.effects.confirm("fiscal")).toBe(true);
    });

    test("believes only the token of the last begin", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message(`${contact}:1:0`, { class: "fiscal" })], contact);
      const first = await beginOne(store, { leaseMs: 20 });
      await sleep(30);
      const [taken] = await opened.second.effects.reap({ limit: 1_000, leaseMs: 5_000 });
      expect(taken).toMatchObject({ id: first.id, attempt: 1 });
      expect(taken?.token).not.toBe(first.token);

      const named = { id: first.id, account: ACCOUNT, contact };
      expect(await store.effects.amend({ ...named, token: first.token, payload: {} })).toBe(false);
      expect(await store.effects.end([end(first, { kind: "done" })])).toEqual(["stale"]);
      const frozen = { type: "call", frozen: "<bytes>" };
      expect(
        await store.effects.amend({ ...named, token: taken?.token ?? "", payload: frozen }),
      ).toBe(true);
      expect(await store.views.effects({ contact, limit: 5 })).toMatchObject([
        { state: "inflight", payload: frozen },
      ]);
      expect(await store.effects.end([end(taken ?? first, { kind: "done" })])).toEqual(["ok"]);
      expect(await store.effects.end([end(taken ?? first, { kind: "done" })])).toEqual(["stale"]);
    });

    test("reaps nothing before its lease has run out", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message(`${contact}:1:0`)], contact);
      const begun = await beginOne(store);
      expect(await store.effects.reap({ limit: 100, leaseMs: 1_000 })).toEqual([]);
      expect(await store.effects.end([end(begun, { kind: "done" })])).toEqual(["ok"]);
    });

    test("renews the leases of calls that still run, each by its own token", async () => {
      const contacts = await Promise.all(Array.from({ length: 4 }, () => newContact(store)));
      for (const contact of contacts) await withEffects(store, [message(contact)], contact);
      const begun = await beginAll(store, { leaseMs: 300 });
      const [kept, forged, left, strange] = begun;
      if (!kept || !forged || !left || !strange) throw new Error("four were expected to be due");

      expect(
        await store.effects.renew(
          [{ ...forged, token: "other" }, kept, { ...strange, account: "other" }],
          30_000,
        ),
      ).toEqual([false, true, false]);
      // A shorter one does not take back what was given.
      expect(await store.effects.renew([kept], 1)).toEqual([true]);
      await sleep(350);

      const reaped = await opened.second.effects.reap({ limit: 100, leaseMs: 5_000 });
      expect(ids(reaped).sort()).toEqual(ids([forged, left, strange]).sort());
      expect(await store.effects.renew([forged, kept], 5_000)).toEqual([false, true]);
      expect(await store.effects.end([end(kept, { kind: "done" })])).toEqual(["ok"]);
      expect(await store.effects.renew([kept], 5_000)).toEqual([false]);
      expect(await store.effects.renew([], 5_000)).toEqual([]);
    });

    test("brings a result back as mail in the step that ends the effect, once, and leaves a journal line", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message(`${contact}:1:0`, { class: "fiscal" })], contact);
      const begun = await beginOne(store);
      const result = { event: `r:${begun.id}:1`, mail: { kind: "result", text: "issued" } };
      const ending = end(begun, { kind: "done" }, { result, journal: { line: 1 } });
      expect(await store.effects.end([ending, ending])).toEqual(["ok", "stale"]);
      const claimed = await claimOne(store);
      expect(claimed.mail).toMatchObject([result]);
      await store.mail.commit([commitOf(claimed, { journal: [{ line: 2 }] })]);
      expect(await store.views.journal(ACCOUNT, contact, 5)).toEqual([{ line: 2 }, { line: 1 }]);
    });

    test("lets what is unknown rest until somebody decides, and once only", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message(`${contact}:1:0`), message(`${contact}:1:1`)], contact);
      const begun = await beginOne(store);
      await store.effects.end([end(begun, { kind: "held", reason: "time-out after write" })]);
      expect(await store.views.effects({ state: "held", limit: 5 })).toMatchObject([
        { id: begun.id, reason: "time-out after write", attempt: 1 },
      ]);
      expect((await store.views.backlog()).heldEffects).toBe(1);
      expect(await store.effects.reap({ limit: 5, leaseMs: 1 })).toEqual([]);

      const named = { id: begun.id, account: ACCOUNT, contact };
      expect(await store.effects.resolve({ ...named, account: "other", action: "finish" })).toBe(
        false,
      );
      const answers = await Promise.all([
        store.effects.resolve({ ...named, action: "resend" }),
        opened.second.effects.resolve({ ...named, action: "resend" }),
      ]);
      expect(answers.sort()).toEqual([false, true]);
      const again = await beginOne(store);
      expect(again).toMatchObject({ id: begun.id, attempt: 1 });
      await store.effects.end([end(again, { kind: "held", reason: "again" })]);
      const result = { event: "decided", mail: { kind: "result", text: "by hand" } };
      expect(await store.effects.resolve({ ...named, action: "finish", result })).toBe(true);
      expect(await store.effects.resolve({ ...named, action: "finish", result })).toBe(false);
      const claimed = await claimOne(store);
      expect(claimed.mail).toMatchObject([result]);
      await store.mail.commit([commitOf(claimed)]);
      expect((await beginOne(store)).id).toBe(`${contact}:1:1`);
    });

    test("takes a decision about what was seen only: once let go, what is lost again is another matter", async () => {
      const contact = await newContact(store);
      const costly = { class: "costly", ordered: false };
      await withEffects(store, [message("one", costly)], contact);
      const lost = async () =>
        store.effects.end([end(await beginOne(store), { kind: "held", reason: "?" })]);
      const seen = async (from: Store) => (await from.views.held({ limit: 5 })).items[0]?.rev;
      const named = { id: "one", account: ACCOUNT, contact };
      await lost();
      const rev = await seen(store);
      expect(rev).toBe((await opened.second.views.effects({ contact, limit: 5 }))[0]?.rev);
      if (rev === undefined) throw new Error("nothing is held");

      expect(await store.effects.resolve({ ...named, rev: rev + 1, action: "resend" })).toBe(false);
      expect(await store.effects.resolve({ ...named, rev, action: "resend" })).toBe(true);
      await lost();
      // Whoever looked before the first one decided.
      for (const action of ["resend", "finish"] as const)
        expect(await opened.second.effects.resolve({ ...named, rev, action })).toBe(false);
      const now = await seen(opened.second);
      expect(now).toBeGreaterThan(rev);
      const both = await Promise.all([
        store.effects.resolve({ ...named, rev: now ?? -1, action: "resend" }),
        opened.second.effects.resolve({ ...named, rev: now ?? -1, action: "finish" }),
      ]);
      expect(both.sort()).toEqual([false, true]);
    });

    test("calls what came to rest otherwise another matter, too: put by behind a failed one, or its job's end", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message("a"), message("b")], contact);
      const named = { account: ACCOUNT, contact };
      await store.effects.end([end(await beginOne(store), { kind: "enqueued", job: "j" })]);
      const view = async (id: string) =>
        (await store.views.effects({ contact, limit: 5 })).find((one) => one.id === id)?.rev ?? -1;
      const asJob = await view("a");
      expect(
        await store.effects.resolve({ ...named, id: "a", action: "hold", reason: "job_failed" }),
      ).toBe(true);
      expect(await store.effects.resolve({ ...named, id: "a", rev: asJob, action: "finish" })).toBe(
        false,
      );
      await store.effects.end([end(await beginOne(store), { kind: "held", reason: "?" })]);
      const asHeld = await view("b");
      expect(
        await store.effects.resolve({
          ...named,
          id: "a",
          rev: await view("a"),
          action: "resend",
          behind: ["b"],
        }),
      ).toBe(true);
      expect(await view("b")).toBeGreaterThan(asHeld);
    });

    test("does not let a resent message overtake one that is on its way, nor leave beside it", async () => {
      const contact = await newContact(store);
      await withEffects(
        store,
        ["a", "b", "c"].map((id) => message(id)),
        contact,
      );
      const a = await beginOne(store);
      await store.effects.end([end(a, { kind: "held", reason: "?" })]);
      const b = await beginOne(store);
      await store.effects.resolve({ id: "a", account: ACCOUNT, contact, action: "resend" });
      expect(await beginAll(store)).toEqual([]);
      await store.effects.end([end(b, { kind: "retry", at: 0 })]);
      const sent: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const begun = await beginOne(store);
        sent.push(begun.id);
        await store.effects.end([end(begun, { kind: "done" })]);
      }
      expect(sent).toEqual(["a", "b", "c"]);
    });

    test("lets no resent message overtake what was asked for before it, whether that waits or is tried again", async () => {
      const contact = await newContact(store);
      const named = { account: ACCOUNT, contact, action: "resend" } as const;
      const all = ["a", "b", "c"];
      await withEffects(
        store,
        all.map((id) => message(id)),
        contact,
      );
      for (const _ of ["a", "b"])
        await store.effects.end([end(await beginOne(store), { kind: "held", reason: "?" })]);
      for (const id of ["a", "b"]) expect(await store.effects.resolve({ ...named, id })).toBe(true);
      const a = await beginOne(store);
      expect(a.id).toBe("a");
      await store.effects.end([end(a, { kind: "retry", at: 0 })]);
      const sent: string[] = [];
      for (const _ of all) {
        const begun = await beginOne(store);
        sent.push(begun.id);
        await store.effects.end([end(begun, { kind: "done" })]);
      }
      expect(sent).toEqual(all);
    });

    test("lets what is resent together go in its order, ahead of what waits, in one step", async () => {
      const contact = await newContact(store);
      await withEffects(
        store,
        ["a", "b", "c", "d"].map((id) => ({
          ...message(id),
          payload: { type: "send", turn: id === "d" ? "t2" : "t1" },
        })),
        contact,
      );
      const a = await beginOne(store);
      await store.effects.end([end(a, { kind: "held", reason: "?" }, { holdTurn: "t1" })]);
      const named = { account: ACCOUNT, contact, action: "resend" } as const;
      // One that is not held, or somebody else's, changes nothing.
      expect(await store.effects.resolve({ ...named, id: "a", behind: ["b", "c", "d", "x"] })).toBe(
        true,
      );
      expect(await store.effects.resolve({ ...named, id: "a", behind: ["b"] })).toBe(false);
      const sent: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        const begun = await beginOne(store);
        sent.push(begun.id);
        await store.effects.end([end(begun, { kind: "done" })]);
      }
      expect(sent).toEqual(["a", "b", "c", "d"]);
    });

    test("keeps an enqueued effect with its job until it is settled, and lets the next message go", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message(`${contact}:1:0`), message(`${contact}:1:1`)], contact);
      const begun = await beginOne(store);
      await store.effects.end([end(begun, { kind: "enqueued", job: "job-1" })]);
      expect(await store.views.effects({ contact, state: "enqueued", limit: 5 })).toMatchObject([
        { id: begun.id, job: "job-1" },
      ]);
      const next = await beginOne(store);
      expect(next.id).toBe(`${contact}:1:1`);
      await store.effects.end([end(next, { kind: "done" })]);
      const named = { id: begun.id, account: ACCOUNT, contact };
      expect(await store.effects.resolve({ ...named, action: "finish" })).toBe(true);
      expect(await store.views.effects({ contact, limit: 5 })).toEqual([]);
    });

    test("lets an enqueued effect rest as held, with its reason, its mail and its line, once", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message(`${contact}:1:0`)], contact);
      const begun = await beginOne(store);
      const named = { id: begun.id, account: ACCOUNT, contact };
      await store.effects.end([end(begun, { kind: "enqueued", job: "job-1" })]);
      const held = {
        ...{ ...named, action: "hold" as const, reason: "job_failed" },
        result: { event: "told", mail: { kind: "send-failed" } },
        journal: { line: "held" },
      };
      expect(await store.effects.resolve({ ...held, account: "other" })).toBe(false);
      expect(await store.effects.resolve(held)).toBe(true);
      expect(await store.effects.resolve(held)).toBe(false);
      const [resting] = await opened.second.views.effects({ contact, state: "held", limit: 5 });
      expect(resting).toMatchObject({ id: begun.id, reason: "job_failed", attempt: 1 });
      expect(resting?.job).toBeUndefined();
      expect(await store.views.effects({ contact, state: "enqueued", limit: 5 })).toEqual([]);
      expect((await store.views.backlog()).heldEffects).toBe(1);
      expect((await claimOne(store)).mail).toMatchObject([held.result]);
      expect(await store.views.journal(ACCOUNT, contact, 5)).toEqual([{ line: "held" }]);
      expect(
        await store.effects.resolve({ ...named, action: "finish", journal: { line: "done" } }),
      ).toBe(true);
      expect(await store.views.journal(ACCOUNT, contact, 1)).toEqual([{ line: "done" }]);
    });

    test("gives a contact's next message a new place when its last one yields, and never an earlier one", async () => {
      const many = await newContact(store);
      // Of one partition: between partitions no order is promised.
      const partition = (contact: string) => Number.parseInt(contact.slice(0, 4), 16) % 16;
      let one = await newContact(store);
      while (partition(one) !== partition(many)) one = await newContact(store);
      const now = await store.now();
      const [first, second] = [`${many}:1:0`, `${many}:1:1`];
      const at = (id: string, notBefore: number) => message(id, { notBefore });
      await withEffects(store, [at(first, now - 900), at(second, now - 800)], many);
      await withEffects(store, [at(`${one}:1:0`, now - 500)], one);
      const next = async () => {
        const some = { limit: 1, leaseMs: 5_000, paused: [], offsetMs: 0 };
        const [begun] = await store.effects.begin(some);
        if (!begun) throw new Error("an effect was expected to be due");
        return begun;
      };
      const begun = await next();
      expect(begun.id).toBe(first);
      // Given back, it stands where it stood: not before its own place.
      await store.effects.end([end(begun, { kind: "not_sent", at: now - 2_000 })]);
      const [placed] = await store.views.effects({ contact: many, limit: 1 });
      expect(placed).toMatchObject({ id: first, notBefore: now - 900 });
      await store.effects.end([end(await next(), { kind: "done" }, { yields: now - 300 })]);
      const other = await next();
      expect(other.id).toBe(`${one}:1:0`);
      const last = await next();
      expect(last.id).toBe(second);
      await store.effects.end([end(other, { kind: "done" }), end(last, { kind: "done" })]);
    });

    test("begins of each scope no more than its share, however much another has waiting, and of no other scope", async () => {
      const scopes = ["plan:big", "plan:small", "plan:other"];
      for (const [scope, count] of [[0, 9] as const, [1, 3] as const, [2, 3] as const])
        for (let n = 0; n < count; n++) {
          const contact = await newContact(store);
          await withEffects(
            store,
            [message(`${contact}:1:0`, { scope: scopes[scope] ?? "" })],
            contact,
          );
        }
      const shares = new Map([
        ["plan:big", 2],
        ["plan:small", 2],
      ]);
      const some = { leaseMs: 60_000, paused: [], offsetMs: 0, shares };
      const rounds: string[][] = [];
      for (let round = 0; round < 3; round++) {
        const begun = await store.effects.begin({ ...some, limit: 4 });
        rounds.push(begun.map(({ scope }) => scope).sort());
        await store.effects.end(begun.map((each) => end(each, { kind: "done" })));
      }
      expect(rounds).toEqual([
        ["plan:big", "plan:big", "plan:small", "plan:small"],
        ["plan:big", "plan:big", "plan:small"],
        ["plan:big", "plan:big"],
      ]);
      const last = [...(await beginAll(store)), ...(await beginAll(store))];
      const rest = last.filter(({ scope }) => scopes.includes(scope));
      expect(rest.map(({ scope }) => scope).sort()).toEqual([
        ...["plan:big", "plan:big", "plan:big", "plan:other", "plan:other", "plan:other"],
      ]);
      await store.effects.end(rest.map((each) => end(each, { kind: "done" })));
    });

    test("shows all that is held page by page, each once, in any state of the others", async () => {
      const contacts = [await newContact(store), await newContact(store), await newContact(store)];
      const all: string[] = [];
      for (const contact of contacts) {
        const own = [0, 1, 2].map((n) => `${contact}:1:${n}`);
        const free = { class: "read", ordered: false };
        await withEffects(
          store,
          [...own.map((id) => message(id, free)), message(`${contact}:1:9`)],
          contact,
        );
        all.push(...own);
      }
      // Two contacts of one partition may be more than its part of one step.
      const due = [...(await beginAll(store)), ...(await beginAll(store))];
      const begun = due.filter(({ id }) => all.includes(id));
      await store.effects.end(begun.map((each) => end(each, { kind: "held", reason: "because" })));
      const seen: string[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < 9; pages++) {
        const page = await store.views.held({
          limit: 2,
          ...(after === undefined ? {} : { after }),
        });
        expect(page.items.length).toBeLessThanOrEqual(2);
        seen.push(...page.items.map(({ id }) => id));
        expect(page.items.every((item) => item.reason === "because")).toBe(true);
        after = page.next;
        if (after === undefined) break;
      }
      expect(seen.sort()).toEqual([...all].sort());
      expect(new Set(seen).size).toBe(9);
    });

    test("a pause takes the place of those it is told it may, in one step, and of no other", async () => {
      expect(
        await store.scopes.pause("plan:x", "rate_limited", { until: 5, over: ["rate_limited"] }),
      ).toBe(true);
      expect(await store.scopes.pause("plan:x", "unreachable", { over: ["rate_limited"] })).toBe(
        false,
      );
      expect((await store.scopes.pauses()).get("plan:x")).toMatchObject({ reason: "unreachable" });
      expect(
        await store.scopes.pause("plan:x", "rate_limited", { until: 9, over: ["rate_limited"] }),
      ).toBe(false);
      expect((await store.scopes.pauses()).get("plan:x")).not.toHaveProperty("until");
      expect(await store.scopes.pause("plan:x", "by hand")).toBe(false);
      expect((await store.scopes.pauses()).get("plan:x")).toMatchObject({ reason: "by hand" });
    });

    test("a pause is ended by who saw it only while it is still that one", async () => {
      await store.scopes.pause("plan:x", "rate_limited", { until: 5 });
      expect(await store.scopes.resume("plan:x", { reason: "rate_limited", until: 4 })).toBe(false);
      expect(await store.scopes.resume("plan:x", { reason: "rate_limited" })).toBe(false);
      await store.scopes.pause("plan:x", "by hand | 5|x");
      expect(await store.scopes.resume("plan:x", { reason: "rate_limited", until: 5 })).toBe(false);
      expect((await store.scopes.pauses()).get("plan:x")).toMatchObject({
        reason: "by hand | 5|x",
      });
      expect(await store.scopes.resume("plan:x", { reason: "by hand | 5|x" })).toBe(true);
      expect(await store.scopes.resume("plan:x", { reason: "by hand | 5|x" })).toBe(false);
      expect(await store.scopes.resume("plan:x")).toBe(false);

      await store.scopes.pause("hold:fiscal", "failover");
      expect(await store.scopes.resume("hold:fiscal", { reason: "restored" })).toBe(false);
      expect(await store.scopes.resume("hold:fiscal", { reason: "failover" })).toBe(true);
    });

    describe("a rate limit", () => {
      const OVER = { over: ["rate_limited"] };
      const limit = (until: number) =>
        store.scopes.pause("plan:x", "rate_limited", { until, ...OVER });
      const standing = async () => (await store.scopes.pauses()).get("plan:x");
      const hour = async () => (await store.now()) + 3_600_000;

      test("is made longer by another one, and never shorter", async () => {
        const until = await hour();
        expect(await limit(until)).toBe(true);
        expect(await limit(until - 1)).toBe(false);
        expect(await standing()).toMatchObject({ reason: "rate_limited", until });
        await limit(until + 1);
        expect(await standing()).toMatchObject({ until: until + 1 });
        // Asked for only where nothing stands.
        await store.scopes.pause("plan:x", "rate_limited", { until: 5, over: [] });
        expect(await standing()).toMatchObject({ until: until + 1 });
        await store.scopes.pause("plan:y", "rate_limited", { until: 5, over: [] });
        expect((await store.scopes.pauses()).get("plan:y")).toMatchObject({ until: 5 });
      });

      test("stands again when a stronger reason that took its place is over before it", async () => {
        const until = await hour();
        await limit(until);
        await store.scopes.pause("plan:x", "away", OVER);
        expect(await standing()).toMatchObject({ reason: "away", limitedUntil: until });
        expect(await standing()).not.toHaveProperty("until");
        expect(await store.scopes.resume("plan:x", { reason: "away" })).toBe(false);
        expect(await standing()).toMatchObject({ reason: "rate_limited", until });
        expect(await standing()).not.toHaveProperty("limitedUntil");
        expect(await store.scopes.resume("plan:x", { reason: "rate_limited", until })).toBe(true);
        expect(await standing()).toBeUndefined();
      });

      test("that comes under a stronger reason lasts beyond it, and beyond a person's that ends by itself", async () => {
        const until = await hour();
        await store.scopes.pause("plan:x", "away");
        await limit(until);
        await limit(until - 1);
        await store.scopes.pause("plan:x", "by hand", { until: 7 });
        expect(await standing()).toMatchObject({ reason: "by hand", until: 7 });
        expect(await store.scopes.resume("plan:x", { reason: "by hand", until: 7 })).toBe(false);
        expect(await standing()).toMatchObject({ reason: "rate_limited", until });
      });

      test("that was over beneath a stronger reason ends with it", async () => {
        await limit((await store.now()) - 1);
        await store.scopes.pause("plan:x", "away", OVER);
        expect(await store.scopes.resume("plan:x", { reason: "away" })).toBe(true);
        expect(await standing()).toBeUndefined();
        await store.scopes.pause("plan:x", "away");
        expect(await standing()).not.toHaveProperty("limitedUntil");
      });

      test("is ended by a person whatever stands over it", async () => {
        await limit(await hour());
        await store.scopes.pause("plan:x", "away", OVER);
        expect(await store.scopes.resume("plan:x")).toBe(true);
        expect(await standing()).toBeUndefined();
        await store.scopes.pause("plan:x", "away");
        expect(await standing()).not.toHaveProperty("limitedUntil");
        expect([...(await store.scopes.pauses()).keys()]).toEqual(["plan:x"]);
      });
    });

    test("holds the rest of a turn with the message that failed, and nothing of another turn", async () => {
      const contact = await newContact(store);
      const turn = (name: string) => ({ payload: { type: "send", turn: name, text: name } });
      await withEffects(
        store,
        [
          message(`${contact}:1:0`, turn("t1")),
          message(`${contact}:1:1`, turn("t1")),
          message(`${contact}:1:2`, turn("t2")),
        ],
        contact,
      );
      const begun = await beginOne(store);
      await store.effects.end([end(begun, { kind: "failed" }, { holdTurn: "t1" })]);
      expect(ids(await store.views.effects({ contact, state: "held", limit: 5 }))).toEqual([
        `${contact}:1:1`,
      ]);
      expect((await beginOne(store)).id).toBe(`${contact}:1:2`);
      const held = { id: `${contact}:1:1`, account: ACCOUNT, contact };
      expect(await store.effects.resolve({ ...held, action: "finish" })).toBe(true);
    });

    test("holds of a turn what stands behind the message that failed, not what a person sent again before it", async () => {
      const contact = await newContact(store);
      const [one, two, three] = [0, 1, 2].map((at) => `${contact}:1:${at}`) as [
        string,
        string,
        string,
      ];
      await withEffects(store, [message(one), message(two), message(three)], contact);
      await store.effects.end([end(await beginOne(store), { kind: "held", reason: "reset" })]);
      const begun = await beginOne(store);
      expect(begun.id).toBe(two);
      const named = { account: ACCOUNT, contact };
      expect(await store.effects.resolve({ ...named, id: one, action: "resend" })).toBe(true);
      await store.effects.end([end(begun, { kind: "held", reason: "reset" }, { holdTurn: "t1" })]);
      const held = ids(await store.views.effects({ contact, state: "held", limit: 5 }));
      expect(held.sort()).toEqual([two, three]);
      const again = await beginOne(store);
      expect(again.id).toBe(one);
      await store.effects.end([end(again, { kind: "done" })]);
      for (const id of held)
        expect(await store.effects.resolve({ ...named, id, action: "finish" })).toBe(true);
    });

    test("leaves an effect that is there already as it is", async () => {
      const contact = await newContact(store);
      await withEffects(store, [message("same")], contact);
      await withEffects(store, [message("same", { payload: { other: true } })], contact);
      expect(await store.views.effects({ contact, limit: 5 })).toMatchObject([
        { id: "same", state: "pending", payload: { text: "same" } },
      ]);
      expect((await store.views.backlog()).pendingEffects).toBe(1);
    });

    test("lists effects by account, contact and state", async () => {
      const [one, two] = [await newContact(store), await newContact(store)];
      await withEffects(store, [message("a"), message("b")], one);
      await withEffects(store, [message("c")], two);
      await beginAll(store);
      const of = async (filter: object) =>
        ids(await store.views.effects({ limit: 10, ...filter })).sort();
      expect(await of({})).toEqual(["a", "b", "c"]);
      expect(await of({ contact: one })).toEqual(["a", "b"]);
      expect(await of({ state: "inflight" })).toEqual(["a", "c"]);
      expect(await of({ state: "pending", account: ACCOUNT })).toEqual(["b"]);
      expect(await of({ account: "other" })).toEqual([]);
      expect(await of({ limit: 1 })).toHaveLength(1);
    });
  });
}
