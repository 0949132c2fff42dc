/** Messages that are held in their place: who waits for them, and how that ends. What both stores promise. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Begun, EffectView, SendEnd, Store } from "../../src/store/index.ts";
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
  withEffects,
} from "./contract.ts";

export function inPlaceContract(harness: Harness): void {
  let opened: Opened;
  let store: Store;
  let contact: string;
  const named = (id: string) => ({ id, account: ACCOUNT, contact });
  const of = (id: string, turn: string) => message(id, { payload: { type: "send", turn } });
  const ids = async () => (await beginAll(store)).map(({ id }) => id);
  const view = async (id: string): Promise<EffectView> => {
    const [shown, other] = [
      await store.views.effect(named(id)),
      (await opened.second.views.effects({ contact, limit: 9 })).find((one) => one.id === id),
    ];
    expect(shown).toEqual(other);
    if (!shown) throw new Error(`${id} is no more`);
    return shown;
  };
  const begin = async (id: string): Promise<Begun> => {
    const [begun, more] = await beginAll(store);
    expect(begun?.id).toBe(id);
    if (!begun || more) throw new Error("exactly one effect was expected to be due");
    return begun;
  };
  const rest = async (id: string, more: Partial<SendEnd> = {}) => {
    const outcome = { kind: "held", reason: "full", inPlace: true } as const;
    await store.effects.end([{ ...(await begin(id)), outcome, ...more }]);
  };
  const held = async (id: string) =>
    store.effects.end([{ ...(await begin(id)), outcome: { kind: "held", reason: "lost" } }]);
  /** All that leaves from now on, one after the other. */
  const leaves = async () => {
    const sent: string[] = [];
    for (let [one] = await beginAll(store); one; [one] = await beginAll(store)) {
      sent.push(one.id);
      await store.effects.end([{ ...one, outcome: { kind: "done" } }]);
    }
    return sent;
  };

  describe(`a message held in its place in ${harness.name}`, () => {
    beforeEach(async () => {
      opened = await harness.open();
      store = opened.store;
      contact = await newContact(store);
    });
    afterEach(() => opened.close());

    test("lets nothing of its contact leave that stands behind it, nor be born in flight, and nobody else wait", async () => {
      await withEffects(store, [of("a", "t1"), of("b", "t2")], contact);
      await rest("a", { yields: await store.now() });
      expect(await view("a")).toMatchObject({ state: "held", reason: "full", inPlace: true });
      expect(await view("b")).toMatchObject({ state: "pending", notBefore: 0 });
      expect(await view("b")).not.toHaveProperty("inPlace");
      expect(await ids()).toEqual([]);

      await accept(store, contact, "oi");
      const born = message("c", { begin: { leaseMs: 5_000 } });
      const [done] = await store.mail.commit([
        commitOf(await claimOne(store), { effects: [born] }),
      ]);
      expect(done).toMatchObject({ ok: true, begun: [] });
      expect(await ids()).toEqual([]);
      const read = message("read", { class: "read", ordered: false });
      await withEffects(store, [read], contact);
      const other = await withEffects(store, [message("other")]);
      expect((await ids()).sort()).toEqual(["other", "read"]);
      expect((await store.views.effects({ contact: other, limit: 1 }))[0]?.state).toBe("inflight");
      expect((await store.views.held({ limit: 5 })).items.map(({ id }) => id)).toEqual(["a"]);
      expect((await store.views.backlog()).heldEffects).toBe(1);
    });

    test("goes again where it stood, its attempts anew, with the rest of its turn right behind it", async () => {
      const turns = { a: "t1", b: "t1", c: "t1", d: "t2" };
      await withEffects(
        store,
        Object.entries(turns).map(([id, turn]) => of(id, turn)),
        contact,
      );
      await rest("a", { holdTurn: "t1" });
      expect(await view("b")).toMatchObject({ state: "held", reason: "turn" });
      expect(await view("b")).not.toHaveProperty("inPlace");
      const { rev } = await view("a");
      const again = { ...named("a"), rev, action: "resend", behind: ["b", "c"] } as const;
      const answers = await Promise.all([
        store.effects.resolve(again),
        opened.second.effects.resolve(again),
      ]);
      expect(answers.sort()).toEqual([false, true]);
      expect(await view("a")).toMatchObject({ state: "pending", attempt: 0, rev: rev + 1 });
      expect(await view("a")).not.toHaveProperty("inPlace");
      await rest("a");
      expect(await ids()).toEqual([]);
      expect(await store.effects.resolve({ ...named("a"), action: "resend" })).toBe(true);
      expect(await leaves()).toEqual(["a", "b", "c", "d"]);
      expect(await store.views.effects({ contact, limit: 9 })).toEqual([]);
    });

    test("gives its place up once, with the mail that says so, and rests without it", async () => {
      await withEffects(store, [of("a", "t1"), of("b", "t2")], contact);
      await rest("a");
      const { rev } = await view("a");
      const result = { event: "gave up", mail: { kind: "send-failed" } };
      const given = { ...named("a"), action: "hold", reason: "late", result } as const;
      expect(await store.effects.resolve({ ...given, rev: rev + 1 })).toBe(false);
      expect(await ids()).toEqual([]);
      expect(await store.effects.resolve({ ...given, rev })).toBe(true);
      expect(await store.effects.resolve(given)).toBe(false);
      expect(await view("a")).toMatchObject({ state: "held", reason: "late", rev: rev + 1 });
      expect(await view("a")).not.toHaveProperty("inPlace");
      expect((await claimOne(store)).mail).toMatchObject([result]);
      expect(await leaves()).toEqual(["b"]);
      expect(await store.effects.resolve({ ...named("a"), action: "resend" })).toBe(true);
      expect(await leaves()).toEqual(["a"]);
    });

    test("that is dropped lets the next one go, but not beside what is on its way", async () => {
      await withEffects(
        store,
        ["a", "b", "c", "d", "e"].map((id) => of(id, id)),
        contact,
      );
      const drop = async (id: string) => store.effects.resolve({ ...named(id), action: "finish" });
      await held("a");
      await held("b");
      await rest("c");
      expect(await store.effects.resolve({ ...named("b"), action: "resend" })).toBe(true);
      const b = await begin("b");
      expect(await store.effects.resolve({ ...named("a"), action: "resend" })).toBe(true);
      expect(await drop("c")).toBe(true);
      expect(await ids()).toEqual([]);
      await store.effects.end([{ ...b, outcome: { kind: "done" } }]);
      const a = await begin("a");
      await store.effects.end([{ ...a, outcome: { kind: "done" } }]);
      await rest("d");
      expect(await drop("d")).toBe(true);
      expect(await leaves()).toEqual(["e"]);
    });

    test("stays behind what was asked for before it and is resent, and ahead of what was asked for since", async () => {
      await withEffects(
        store,
        ["a", "b", "c", "d"].map((id) => of(id, id === "a" || id === "d" ? id : "t")),
        contact,
      );
      await held("a");
      await rest("b", { holdTurn: "t" });
      expect(await store.effects.resolve({ ...named("c"), action: "resend" })).toBe(true);
      expect(await ids()).toEqual([]);
      expect(await store.effects.resolve({ ...named("a"), action: "resend" })).toBe(true);
      await rest("a");
      expect(await ids()).toEqual([]);
      for (const id of ["b", "a"])
        expect(await store.effects.resolve({ ...named(id), action: "resend" })).toBe(true);
      expect(await leaves()).toEqual(["a", "b", "c", "d"]);
    });

    test("keeps it also where what was asked for later is resent while it is on its way", async () => {
      await withEffects(
        store,
        ["a", "b", "c"].map((id) => of(id, id)),
        contact,
      );
      const resend = async (id: string) =>
        store.effects.resolve({ ...named(id), action: "resend" });
      await held("a");
      await held("b");
      expect(await resend("a")).toBe(true);
      const a = await begin("a");
      expect(await resend("b")).toBe(true);
      await store.effects.end([{ ...a, outcome: { kind: "held", reason: "full", inPlace: true } }]);
      expect(await ids()).toEqual([]);
      expect(await resend("a")).toBe(true);
      expect(await leaves()).toEqual(["a", "b", "c"]);
    });

    test("has the rest of its turn behind it in the order it was asked for, resent alone or with it", async () => {
      await withEffects(
        store,
        ["a", "b", "c", "d"].map((id) => of(id, id === "d" ? "t2" : "t1")),
        contact,
      );
      await rest("a", { holdTurn: "t1" });
      expect(await store.effects.resolve({ ...named("b"), action: "resend" })).toBe(true);
      const again = { ...named("a"), action: "resend", behind: ["c"] } as const;
      expect(await store.effects.resolve(again)).toBe(true);
      expect(await leaves()).toEqual(["a", "b", "c", "d"]);
    });

    test("is one that leaves in order: any other has no place to keep", async () => {
      const read = message("read", { class: "read", ordered: false });
      await withEffects(store, [read], contact);
      await rest("read");
      expect(await view("read")).toMatchObject({ state: "held" });
      expect(await view("read")).not.toHaveProperty("inPlace");
      expect(await store.effects.resolve({ ...named("read"), action: "hold", reason: "x" })).toBe(
        false,
      );
    });

    test("goes with its contact", async () => {
      await withEffects(store, [of("a", "t1"), of("b", "t2")], contact);
      await rest("a");
      expect(await store.contacts.erase(ACCOUNT, contact)).toBe(true);
      expect((await store.views.held({ limit: 5 })).items).toEqual([]);
      await withEffects(store, [message("new")], await newContact(store));
      expect(await leaves()).toEqual(["new"]);
    });
  });
}
