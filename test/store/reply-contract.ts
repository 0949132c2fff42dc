/** The usual reply: its commit begins it, it is the only effect of its contact, and the journal keeps what it says. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/index.ts";
import type { Begun, Commit, NewEffect, SendEnd, Store } from "../../src/store/port/port.ts";
import {
  accept,
  ACCOUNT,
  beginAll,
  claimOne,
  commitOf,
  type Harness,
  message,
  newContact,
  type Opened,
  sleep,
} from "./contract.ts";

export function replyContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  let contact: string;
  let rev = 0;
  beforeEach(async () => {
    opened = await harness.open({ journal: 4 });
    store = opened.store;
    contact = await newContact(store);
    rev = 0;
  });
  afterEach(() => opened.close());

  const turn = async (changes: (id: string) => Partial<Commit>): Promise<readonly Begun[]> => {
    await accept(store, contact, "hello");
    rev += 1;
    const commit = commitOf(await claimOne(store), changes(`${contact}:${rev}:0`));
    const [done] = await store.mail.commit([commit]);
    if (!done?.ok) throw new Error("the commit was refused");
    return done.begun;
  };
  const reply = async (leaseMs = 5_000, changes: Partial<NewEffect> = {}): Promise<Begun> => {
    const begin = { leaseMs };
    const [begun] = await turn((id) => ({
      effects: [message(id, { begin, ...changes })],
      journal: [{ at: rev, effects: [id] }],
    }));
    if (!begun) throw new Error("the reply was not begun");
    return begun;
  };
  const line = (of: number, id: string): Json => ({
    at: of,
    effects: [{ type: "send", text: id, turn: "t1" }],
  });
  const ended = (begun: Begun, changes: Partial<SendEnd> = {}) =>
    store.effects.end([
      { ...begun, outcome: { kind: "done" }, journal: { over: begun.id }, ...changes },
    ]);
  const journal = (limit = 10) => store.views.journal(ACCOUNT, contact, limit);
  const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
  const standing = async () => idsOf(await store.views.effects({ contact, limit: 10 }));

  describe(`a reply that its commit begins on ${harness.name}`, () => {
    test("is kept once, and both its line and its end are read with what it says", async () => {
      const begun = await reply();
      expect(begun.payload).toEqual({ type: "send", text: begun.id, turn: "t1" });
      expect(await journal()).toEqual([line(1, begun.id)]);
      expect(await ended(begun, { isPlain: true })).toEqual(["ok"]);
      expect(await journal()).toEqual([{ over: begun.id }, line(1, begun.id)]);
      expect(await journal(1)).toEqual([{ over: begun.id }]);
      expect(await standing()).toEqual([]);
      expect(await ended(begun)).toEqual(["stale"]);
      expect(await store.views.backlog()).toMatchObject({ pendingEffects: 0, heldEffects: 0 });
    });

    test("is like any other effect to whoever asks for it", async () => {
      const begun = await reply();
      const seen = { id: begun.id, state: "inflight", attempt: 1, payload: begun.payload };
      expect(await store.views.effects({ state: "inflight", limit: 10 })).toMatchObject([seen]);
      expect(await store.views.effect(begun)).toMatchObject(seen);
      const page = await store.views.effectsOf({ account: ACCOUNT, contact, limit: 10 });
      expect(page.items).toMatchObject([seen]);
      expect(await store.effects.renew([begun], 5_000)).toEqual([true]);
      expect(await ended({ ...begun, token: "another" })).toEqual(["stale"]);
      expect(await ended({ ...begun, account: "other" })).toEqual(["stale"]);
      expect(await ended(begun)).toEqual(["ok"]);
      expect(await standing()).toEqual([]);
    });

    test("is neither ended under another token nor for another account", async () => {
      const begun = await reply();
      expect(await ended({ ...begun, token: "another" })).toEqual(["stale"]);
      expect(await ended({ ...begun, account: "other" })).toEqual(["stale"]);
      expect(await standing()).toEqual([begun.id]);
    });

    test("is judged when its process died, with what it says, and goes again", async () => {
      const begun = await reply(1);
      await sleep(20);
      const [judged] = await opened.second.effects.reap({ limit: 10, leaseMs: 5_000 });
      expect(judged).toMatchObject({ id: begun.id, attempt: 1, payload: begun.payload });
      expect(judged?.token).not.toBe(begun.token);
      expect(await ended(begun)).toEqual(["stale"]);
      expect(
        await ended(judged as Begun, { outcome: { kind: "retry", at: 0 }, journal: undefined }),
      ).toEqual(["ok"]);
      const [again] = await beginAll(store);
      expect(again).toMatchObject({ id: begun.id, attempt: 2, payload: begun.payload });
      expect(await ended(again as Begun)).toEqual(["ok"]);
      expect(await journal()).toEqual([{ over: begun.id }, line(1, begun.id)]);
    });

    test("goes before the replies of later turns, whatever becomes of it", async () => {
      const first = await reply();
      const later = await turn((id) => ({
        effects: [message(id, { begin: { leaseMs: 5_000 } })],
      }));
      expect(later).toEqual([]);
      expect(await beginAll(store)).toEqual([]);
      expect(await ended(first, { outcome: { kind: "held", reason: "refused" } })).toEqual(["ok"]);
      const [second] = await beginAll(store);
      expect(second?.id).toBe(`${contact}:2:0`);
      const at = await store.now();
      await ended(second as Begun, { outcome: { kind: "retry", at }, journal: undefined });
      await store.effects.resolve({ account: ACCOUNT, contact, id: first.id, action: "resend" });
      await sleep(5);
      for (const id of [first.id, `${contact}:2:0`]) {
        const [next] = await beginAll(store);
        expect(next?.id).toBe(id);
        await ended(next as Begun);
      }
      expect(await standing()).toEqual([]);
      // The next one is alone again.
      expect(await ended(await reply())).toEqual(["ok"]);
    });

    test("keeps what it says while lines of its journal are written over or forgotten", async () => {
      const first = await reply(200);
      for (let n = 0; n < 5; n += 1) await turn(() => ({ journal: [{ quiet: n }] }));
      expect(await journal()).toEqual([4, 3, 2, 1].map((quiet) => ({ quiet })));
      await sleep(220);
      const [judged] = await store.effects.reap({ limit: 10, leaseMs: 5_000 });
      expect(judged).toMatchObject({ id: first.id, payload: first.payload });
      await ended(judged as Begun, { journal: undefined });

      const next = await reply(1);
      await store.contacts.forgetLines(ACCOUNT, contact, 10, 0);
      expect(await journal()).toEqual([]);
      await sleep(20);
      expect(await store.effects.reap({ limit: 10, leaseMs: 5_000 })).toMatchObject([
        { id: next.id, payload: next.payload },
      ]);
    });

    test("goes with its contact when that is erased", async () => {
      const begun = await reply(1);
      expect(await store.contacts.erase(ACCOUNT, contact)).toBe(true);
      expect(await ended(begun)).toEqual(["stale"]);
      await sleep(20);
      expect(await store.effects.reap({ limit: 10, leaseMs: 5_000 })).toEqual([]);
      expect(await store.views.effects({ limit: 10 })).toEqual([]);
      expect(await opened.liveBytesInclude(begun.id)).toBe(false);
    });

    test("may tell of its end with a result, which is mail in the same step", async () => {
      const begun = await reply();
      const result = { event: `r:${begun.id}:1`, mail: { kind: "text", text: "shown" } };
      expect(await ended(begun, { result })).toEqual(["ok"]);
      expect((await claimOne(store)).mail).toMatchObject([result]);
    });

    test("does not begin a class that is held", async () => {
      await store.scopes.pause("hold:message", "by hand");
      const begun = await turn((id) => ({
        effects: [message(id, { begin: { leaseMs: 5_000 } })],
        journal: [{ at: 1, effects: [id] }],
      }));
      expect(begun).toEqual([]);
      expect(await store.views.effects({ contact, limit: 10 })).toMatchObject([
        { state: "pending", payload: { text: `${contact}:1:0` } },
      ]);
    });
  });
}
