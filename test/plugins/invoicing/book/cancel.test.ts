/** A note's cancellation is asked of the authority once, by whoever asks and however the answer gets lost. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createActions } from "../../../../src/app/operator/actions.ts";
import { statusOf, titleOf } from "../../../../src/plugins/invoicing/book/note-view.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import type { Store } from "../../../../src/store/index.ts";
import { until } from "../../../sandbox/stage.ts";
import {
  type Asked,
  CUSTOMER,
  issue,
  OPERATOR,
  type Rig,
  rig,
  textOf,
  WAITER,
} from "../../../worker/rig.ts";
import { type Steps, withSteps } from "../../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

const ROUTE = "invoicing.cancelamento";
const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE).length;

/** Of a process that dies. */
const quiet = () => undefined;
const QUIET = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Redis keeps the sales of the tests before. */
let value = 15_000;

async function issuedNote() {
  await it.asks(CUSTOMER, issue({ value }));
  await it.worker.drain();
  const { items } = await it.worker.invoices.list("demo", { limit: 1 });
  const [note] = items;
  if (!note) throw new Error("no note was issued");
  return note;
}

const cancel = (note: string, name = "invoice.cancel"): Asked => ({
  ...{ type: "call", name, class: name === "invoice.cancel" ? "fiscal" : "replace" },
  ...{ waiter: WAITER, input: { note, reason: "error", why: "O valor saiu errado na nota" } },
});

async function result(phone: string) {
  const lines = await it.journal(phone);
  const last = lines.findLast((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return last?.["mail"]?.["result"] as unknown as { outcome: string; out: Record<string, unknown> };
}

/** The operator has spoken: rights hang on the session's role. */
async function ready(account: object = { cancelTipo: "nfse-cancelamento" }, redisUrl?: string) {
  it = await rig({ account, ...(redisUrl === undefined ? {} : { redisUrl }) });
  if (redisUrl !== undefined) await emptied();
  await it.says(OPERATOR, "oi");
  await it.says(CUSTOMER, "oi");
  await it.worker.drain();
  return issuedNote();
}

describe("invoice.cancel", () => {
  test("asks once, however many want the same", async () => {
    const note = await ready();
    await it.asks(OPERATOR, cancel(note.id), cancel(note.id));
    await it.worker.drain();
    expect(await sent()).toBe(1);
    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe("cancelada");
    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    expect(await sent()).toBe(1);
    expect((await result(OPERATOR)).out["code"]).toBe("already");
  });

  test("holds a lost answer as incerta and never sends it again", async () => {
    const note = await ready();
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    expect((await result(OPERATOR)).outcome).toBe("held");
    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe("incerta");
    await it.asks(OPERATOR, cancel(note.id));
    it.clock.moveTo(it.clock.now() + 3_600_000);
    await it.worker.drain();
    expect(await sent()).toBe(1);
  });

  test("leaves a refused note as it is, and free to be asked for again", async () => {
    const note = await ready();
    const refusal = { kind: "business_error", message: "Prazo de cancelamento expirado" };
    await it.fault({ route: ROUTE, effect: refusal, times: 1 });
    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    expect((await result(OPERATOR)).outcome).toBe("rejected");
    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe("recusada");
    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    expect(await sent()).toBe(2);
  });

  test.each([
    ["cancelada", "done"],
    ["recusada", "rejected"],
  ])("stays %s when its process dies after the answer was written down", async (state, outcome) => {
    const note = await ready();
    const refusal = { kind: "business_error", message: "Prazo de cancelamento expirado" };
    if (state === "recusada") await it.fault({ route: ROUTE, effect: refusal, times: 1 });
    await it.asks(OPERATOR, cancel(note.id));
    const dying: Steps = {
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
      "effects.end": () => Promise.reject(new Error("dead")),
    };
    const store = withSteps(it.store, dying);
    await it.again({ log: QUIET, store }).drain();
    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe(state);
    await it.worker.start();
    await until(
      async () =>
        (await it.store.views.effects({ state: "inflight", limit: 1 })).length === 0 || undefined,
    );
    await it.worker.drain();

    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe(state);
    expect((await result(OPERATOR)).outcome).toBe(outcome);
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    expect(await sent()).toBe(1);
  });

  test("leaves a refused note free although its process died before it said so", async () => {
    const note = await ready();
    const refusal = { kind: "business_error", message: "Prazo de cancelamento expirado" };
    await it.fault({ route: ROUTE, effect: refusal, times: 1 });
    await it.asks(OPERATOR, cancel(note.id));
    const dying: Steps = {
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
      "keys.free": () => Promise.reject(new Error("dead")),
    };
    const store = withSteps(it.store, dying);
    await it.again({ log: QUIET, store }).drain();
    await it.worker.start();
    await until(
      async () =>
        (await it.store.views.effects({ state: "inflight", limit: 1 })).length === 0 || undefined,
    );
    await it.worker.drain();
    expect((await result(OPERATOR)).outcome).toBe("rejected");

    await it.asks(OPERATOR, cancel(note.id));
    await until(async () => (await it.store.views.effects({ limit: 1 })).length === 0 || undefined);
    expect(await sent()).toBe(2);
    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe("cancelada");
  });

  test("is no customer's, and nobody's where the account has not set it up", async () => {
    const note = await ready();
    await it.asks(CUSTOMER, cancel(note.id));
    await it.worker.drain();
    expect((await result(CUSTOMER)).out["code"]).toBe("not_allowed");
    expect(await sent()).toBe(0);
    await it.close();
    const other = await ready({});
    await it.asks(OPERATOR, cancel(other.id));
    await it.worker.drain();
    expect((await result(OPERATOR)).out["code"]).toBe("not_available");
    expect(await sent()).toBe(0);
  });
});

async function emptied(): Promise<void> {
  value += 100;
  for (const scope of (await it.store.scopes.pauses()).keys()) await it.store.scopes.resume(scope);
  for (const phone of [CUSTOMER, OPERATOR])
    await it.store.contacts.erase("demo", await it.contact(phone));
  for (const { id } of (await it.worker.invoices.list("demo", { limit: 50 })).items)
    await it.store.documents.remove("invoices", `demo.${id}`);
}

describe.each(["the embedded store", "Redis"])("A held cancellation, on %s", (name) => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const people = (store = it.store) => {
    const [none, worker] = [{} as never, it.again({ store })];
    const { clock } = it;
    return createActions({ store, worker, clock, library: none, layouter: none, works: true });
  };
  const ana = { actor: "ana", reason: "ninguém sabe" };

  /** The store, as a process meets it that dies or stands still. */
  const altered = (own: Steps): Store => withSteps(it.store, own);

  /** Sent, and its answer lost. */
  async function heldOne(kind = "accepted_then_lost", onRateLimit = "messages") {
    const account = { cancelTipo: "nfse-cancelamento", onRateLimit };
    const note = await ready(account, name === "Redis" ? redis.url : undefined);
    const effect = kind === "429" ? { kind: "status", status: 429 } : { kind };
    await it.fault({ route: ROUTE, effect, times: 1 });
    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    const [held] = await it.store.views.effects({ account: "demo", state: "held", limit: 5 });
    if (!held) throw new Error("nothing is held");
    const ref = { account: "demo", contact: held.contact, id: held.id };
    return { id: note.id, ref, rev: held.rev };
  }
  const record = async (id: string) => {
    const note = await it.worker.invoices.get("demo", id);
    if (!note) throw new Error("there is no record");
    return note;
  };

  test("that is given up leaves a note of which nobody knows whether it is cancelled, and says so", async () => {
    const { id, ref, rev } = await heldOne();

    expect(await people().decideEffect(ref, "discard", { ...ana, rev })).toEqual({ ok: true });
    await it.worker.drain();

    const note = await record(id);
    expect(statusOf(note)).toBe("indefinida");
    expect(titleOf(note, "pt-BR")).toContain("(cancelamento sem confirmação)");
    expect(await result(OPERATOR)).toMatchObject({ outcome: "failed", out: { code: "abandoned" } });
    // Older builds read it as what it was.
    expect(note.cancel?.state).toBe("incerta");
    expect(await sent()).toBe(1);
    // A person may ask for it anew: the authority says that the note does not stand.
    await it.asks(OPERATOR, cancel(id));
    await it.worker.drain();
    expect(await sent()).toBe(2);
    expect((await result(OPERATOR)).outcome).toBe("done");
    expect(statusOf(await record(id))).toBe("cancelada");
  });

  test("that was turned away unread and is given up leaves its note as it was", async () => {
    const { id, ref, rev } = await heldOne("429");

    expect(await people().decideEffect(ref, "discard", { ...ana, rev })).toEqual({ ok: true });
    await it.worker.drain();

    expect(statusOf(await record(id))).toBe("autorizada");
    expect(await result(OPERATOR)).toMatchObject({ outcome: "failed", out: { code: "" } });
    // It may be asked for again.
    for (const scope of (await it.store.scopes.pauses()).keys())
      await it.store.scopes.resume(scope);
    await it.asks(OPERATOR, cancel(id));
    await it.worker.drain();
    expect(statusOf(await record(id))).toBe("cancelada");
  });

  const CREDITS = "credits:demo";
  const timeOver = async () => {
    await it.store.scopes.pause(CREDITS, "rate_limited", { until: Date.now() - 1 });
    await it.worker.drain();
  };
  const heldAlarms = () =>
    it.events.filter((event) => event.type === "alarm" && event.code === "effect.held").length;

  test("that a rate limit turned away reads as asked for, waits, and goes when the limit is over", async () => {
    const { id } = await heldOne("429");
    // Which older builds beside this one leave alone, too.
    expect((await record(id)).cancel?.state).toBe("enviando");
    expect(statusOf(await record(id))).toBe("cancelando");
    expect(await result(OPERATOR)).toMatchObject({ outcome: "held", out: { code: "waiting" } });
    expect(heldAlarms()).toBe(0);
    // Whoever wants the same meanwhile is told so; nothing is sent twice.
    await it.asks(OPERATOR, cancel(id));
    await timeOver();

    expect((await record(id)).cancel?.state).toBe("cancelada");
    expect(await sent()).toBe(2);
    const lines = await it.journal(OPERATOR);
    const told = lines.filter((line) => (line["mail"]?.["kind"] as unknown) === "result");
    const ends = told.map(
      (line) => (line["mail"]?.["result"] as unknown as { outcome: string }).outcome,
    );
    expect(ends.sort()).toEqual(["done", "held", "rejected"]);
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
  });

  test("that was turned away and then lost its answer is incerta, and goes no more", async () => {
    const { id } = await heldOne("429");
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    await timeOver();
    expect((await record(id)).cancel?.state).toBe("incerta");
    await it.store.scopes.pause(CREDITS, "rate_limited", { until: Date.now() - 1 });
    await it.worker.drain();
    expect(await sent()).toBe(2);
    expect(heldAlarms()).toBe(1);
  });

  test("that waits is refused when its note does not stand any more by then", async () => {
    const { id } = await heldOne("429");
    await it.worker.invoices.change("demo", id, (note) => ({ ...note, state: "abandonada" }));
    await timeOver();
    expect(await result(OPERATOR)).toMatchObject({
      outcome: "rejected",
      out: { code: "not_issued" },
    });
    expect(await sent()).toBe(1);
  });

  const given = (change: object) => {
    const account = { ...it.account, ...change };
    return { get: async () => account, ids: async () => ["demo"] };
  };

  test.each([
    ["a rate limit", "no right to it", { operators: [] }, "not_allowed"],
    ["a rate limit", "nothing set up for it", { cancelTipo: undefined }, "not_available"],
    ["an empty balance", "no right to it", { operators: [] }, "not_allowed"],
    ["an empty balance", "nothing set up for it", { cancelTipo: undefined }, "not_available"],
  ])("that waits for %s and meets %s then leaves its note free", async (why, _, change, code) => {
    const note = await ready(undefined, name === "Redis" ? redis.url : undefined);
    const limited = why === "a rate limit";
    const effect = limited ? { kind: "status", status: 429 } : { kind: "no_balance" };
    await it.fault({ route: ROUTE, effect, times: 1 });
    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    expect(await sent()).toBe(1);

    const other = it.again({ accounts: given(change) });
    await it.says(OPERATOR, "oi");
    await other.drain();
    if (limited) await it.store.scopes.pause(CREDITS, "rate_limited", { until: Date.now() - 1 });
    else await it.store.scopes.resume(CREDITS);
    await other.drain();
    expect(await result(OPERATOR)).toMatchObject({ outcome: "rejected", out: { code } });
    expect(statusOf(await record(note.id))).toBe("autorizada");
    expect(await sent()).toBe(1);

    // The right is given back.
    await it.says(OPERATOR, "oi");
    await it.worker.drain();
    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    expect(await sent()).toBe(2);
    expect(statusOf(await record(note.id))).toBe("cancelada");
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
  });

  test("whose process died when it had its key, and nothing else, leaves its note free when it is turned down", async () => {
    const note = await ready(undefined, name === "Redis" ? redis.url : undefined);
    await it.asks(OPERATOR, cancel(note.id));
    const store = altered({
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
      "keys.claim": async (...of) => {
        await it.store.keys.claim(...of);
        throw new Error("dead");
      },
    });
    await it.again({ log: QUIET, store }).drain();
    const worker = it.again({ accounts: given({ cancelTipo: undefined }) });
    await worker.start();
    await until(async () => (await it.store.views.effects({ limit: 1 })).length === 0 || undefined);
    await worker.drain();
    await worker.stop(1_000);
    expect((await result(OPERATOR)).out["code"]).toBe("not_available");

    await it.asks(OPERATOR, cancel(note.id));
    await it.worker.drain();
    expect(statusOf(await record(note.id))).toBe("cancelada");
    expect(await sent()).toBe(1);
  });

  test("that waits and is turned down ends once, though its process dies over it and the right comes back", async () => {
    const { id } = await heldOne("429");
    await it.store.scopes.pause(CREDITS, "rate_limited", { until: Date.now() - 1 });
    const store = altered({
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
      "effects.end": () => Promise.reject(new Error("dead")),
    });
    await it.again({ log: QUIET, store, accounts: given({ cancelTipo: undefined }) }).drain();
    expect((await record(id)).cancel?.state).toBe("recusada");

    const worker = it.again();
    await worker.start();
    await until(async () => (await it.store.views.effects({ limit: 1 })).length === 0 || undefined);
    await worker.drain();
    await worker.stop(1_000);
    expect((await result(OPERATOR)).outcome).toBe("rejected");
    expect(await sent()).toBe(1);
    await it.asks(OPERATOR, cancel(id));
    await it.worker.drain();
    expect(await sent()).toBe(2);
  });

  test("that is let go at the moment a person says how it ended stays as that person said", async () => {
    const { id, ref, rev } = await heldOne("429");
    const dying = people(altered({ "effects.resolve": () => Promise.reject(new Error("dead")) }));
    await expect(dying.decideEffect(ref, "done", { ...ana, rev })).rejects.toThrow("dead");
    await timeOver();

    expect(statusOf(await record(id))).toBe("cancelada");
    expect((await result(OPERATOR)).outcome).toBe("done");
    expect(await sent()).toBe(1);
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
  });

  test("is turned down by no process that stood still while another one sent it", async () => {
    const { id } = await heldOne("429");
    await it.store.scopes.pause(CREDITS, "rate_limited", { until: Date.now() - 1 });
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    let stood = false;
    const store = altered({
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
      "documents.get": async (...of) => {
        if (of[0] === "invoices" && !stood) {
          stood = true;
          const other = it.again();
          await other.start();
          await until(async () => (await sent()) === 2 || undefined);
          await until(async () => (await it.store.views.held({ limit: 1 })).items[0]);
          await other.stop(1_000);
        }
        return it.store.documents.get(...of);
      },
    });
    await it.again({ store, accounts: given({ cancelTipo: undefined }) }).drain();

    expect(stood).toBe(true);
    expect((await record(id)).cancel?.state).toBe("incerta");
    expect((await it.store.views.held({ limit: 5 })).items).toHaveLength(1);
    await it.asks(OPERATOR, cancel(id));
    await it.worker.drain();
    expect(await sent()).toBe(2);
  });

  test("that a build of before left as merely asked for goes, and is nobody's decision", async () => {
    const { id } = await heldOne("429");
    await it.worker.invoices.change("demo", id, ({ cancel: known, ...note }) => {
      if (!known) throw new Error("nothing was asked for");
      const { waited: _, ...older } = known;
      return { ...note, cancel: { ...older, state: "pedida" } };
    });
    const worker = it.again();
    await worker.start();
    await new Promise((done) => setTimeout(done, 500));
    await worker.stop(1_000);
    expect((await record(id)).cancel?.state).toBe("pedida");
    await timeOver();
    expect((await record(id)).cancel?.state).toBe("cancelada");
    expect(await sent()).toBe(2);
  });

  test("that waits where the account lets nothing go by itself is let go by a person, once", async () => {
    const { id, ref, rev } = await heldOne("429", "hold");
    await timeOver();
    expect(await sent()).toBe(1);
    expect(heldAlarms()).toBe(1);
    expect((await record(id)).cancel?.state).toBe("enviando");

    expect(await people().decideEffect(ref, "retry", { ...ana, rev })).toEqual({ ok: true });
    await it.worker.drain();
    expect((await record(id)).cancel?.state).toBe("cancelada");
    expect(await sent()).toBe(2);
    expect((await result(OPERATOR)).outcome).toBe("done");
  });

  test("whose answer was lost before it was turned away stays incerta", async () => {
    const { id, ref } = await heldOne();
    await it.fault({ route: ROUTE, effect: { kind: "status", status: 429 }, times: 1 });
    // An older build let it go again.
    await it.store.effects.resolve({ ...ref, action: "resend" });
    await it.worker.drain();
    expect(await sent()).toBe(2);
    expect((await record(id)).cancel?.state).toBe("incerta");
    const [held] = await it.store.views.effects({ account: "demo", state: "held", limit: 5 });
    expect(held?.payload).toMatchObject({ work: { frozen: { route: ROUTE } } });
  });

  test("whose answer was lost is sent again by nobody", async () => {
    const { ref, rev } = await heldOne();
    expect(await people().decideEffect(ref, "retry", { ...ana, rev })).toMatchObject({
      reason: "refused",
    });
  });

  test("that waits is no decided one to whoever keeps house", async () => {
    const { id } = await heldOne("429", "hold");
    const worker = it.again();
    await worker.start();
    // The first round of house-keeping is at the start.
    await new Promise((done) => setTimeout(done, 500));
    await worker.stop(1_000);
    expect((await record(id)).cancel?.state).toBe("enviando");
    expect(await it.store.views.effects({ state: "held", limit: 5 })).toHaveLength(1);
  });

  test.each([
    ["done", "cancelada"],
    ["failed", "autorizada"],
    ["discard", "indefinida"],
  ] as const)(
    "whose process dies over a person's word (%s) ends as %s, and no other word undoes it",
    async (word, status) => {
      const { id, ref, rev } = await heldOne();
      const store = withSteps(it.store, (method) => {
        if (method === "effects.resolve") return () => Promise.reject(new Error("dead"));
        return undefined;
      });
      const dying = people(store);
      await expect(dying.decideEffect(ref, word, { ...ana, rev })).rejects.toThrow("dead");
      const other = word === "done" ? "discard" : "done";
      expect(await people().decideEffect(ref, other, { ...ana, rev })).toMatchObject({
        reason: "refused",
      });

      const worker = it.again();
      await worker.start();
      await until(
        async () =>
          (await it.store.views.effects({ state: "held", limit: 1 })).length === 0 || undefined,
      );
      await worker.drain();
      await worker.stop(1_000);

      expect(statusOf(await record(id))).toBe(status);
      expect((await result(OPERATOR)).outcome).toBe(word === "done" ? "done" : "failed");
      expect(await sent()).toBe(1);
    },
  );
});

describe("notes.cancel", () => {
  test("records a customer's wish once and tells the business, and asks nobody else", async () => {
    const note = await ready({});
    await it.asks(CUSTOMER, cancel(note.id, "notes.cancel"), cancel(note.id, "notes.cancel"));
    await it.worker.drain();
    const { cancel: kept } = (await it.worker.invoices.get("demo", note.id)) ?? {};
    expect(kept).toMatchObject({ state: "pedida", code: "1", why: "O valor saiu errado na nota" });
    expect(await sent()).toBe(0);
    const told = (await it.received(OPERATOR)).filter((text) => text.includes("cancel-asked"));
    expect(told).toHaveLength(1);
  });
});
