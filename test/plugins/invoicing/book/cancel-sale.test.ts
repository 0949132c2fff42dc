/**
 * A sale by the business's own id, whose note was cancelled: it may be issued anew, once, as soon as the authority itself said that
 * the note does not stand, whoever died over it; and never while that is only believed.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createActions } from "../../../../src/app/operator/actions.ts";
import { UNCERTAIN } from "../../../../src/plugins/invoicing/note/open-notes.ts";
import { until } from "../../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import {
  CUSTOMER,
  issue,
  OPERATOR,
  OTHER,
  type Rig,
  rig,
  textOf,
  WAITER,
} from "../../../worker/rig.ts";
import { type Steps, withSteps } from "../../../../src/store/port/with-steps.ts";

const ROUTE = "invoicing.cancelamento";
const ORDER = { sale: "pedido 7" };
/** For how long a look at a key keeps it, ms. */
const LOOK_MS = 20;

let it: Rig;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(() => it.close());

let opened = 0;
/** An account of its own, for one Redis holds those of all tests; its sale is issued. */
async function open(name: string) {
  const where = name === "Redis" ? { redisUrl: redis.url } : {};
  const account = { id: `undone${++opened}`, cancelTipo: "nfse-cancelamento" };
  it = await rig({ ...where, account });
  await it.says(OPERATOR, "oi");
  await it.says(CUSTOMER, "oi");
  await it.worker.drain();
  expect(await asks(CUSTOMER)).toBe("done");
  const [note] = (await it.worker.invoices.list(it.account.id, { limit: 1 })).items;
  if (!note) throw new Error("no note was issued");
  return note;
}

interface Result {
  readonly outcome: string;
  readonly out: Readonly<Record<string, unknown>>;
}
async function result(phone: string): Promise<Result> {
  const lines = await it.journal(phone);
  const last = lines.findLast((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return last?.["mail"]?.["result"] as unknown as Result;
}

/** Asks for the sale's note, and what its flow is told. */
async function asks(phone: string, worker = it.worker): Promise<string> {
  await it.asks(phone, issue(ORDER));
  await worker.drain();
  const { outcome, out } = await result(phone);
  return outcome === "rejected" ? textOf(out["code"]) : outcome;
}

async function cancel(note: string, worker = it.worker): Promise<void> {
  await it.asks(OPERATOR, {
    ...{ type: "call", class: "fiscal", name: "invoice.cancel", waiter: WAITER },
    input: { note, reason: "error", why: "O valor saiu errado na nota" },
  });
  await worker.drain();
}

const issued = async () => (await it.list("invoices")).length;
const stateOf = async (id: string) =>
  (await it.worker.invoices.get(it.account.id, id))?.cancel?.state;
const fault = (effect: object) => it.fault({ route: ROUTE, effect, times: 1 });
const heldOne = async () => {
  const [held] = await it.store.views.effects({ account: it.account.id, state: "held", limit: 5 });
  if (!held) throw new Error("nothing is held");
  return held;
};

/** Whether nobody has the sale. */
async function isFree({ businessKey }: { readonly businessKey: string }): Promise<boolean> {
  const { ok } = await it.store.keys.claim(it.account.id, businessKey, "a look", LOOK_MS);
  await pause(LOOK_MS + 5);
  return ok;
}

const die = () => Promise.reject(new Error("dead"));
const quiet = () => undefined;
const QUIET = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const storeWith = (other: Steps) => withSteps(it.store, other);
/** A process that dies at a step; what it has begun is soon taken for lost. */
const dying = (other: Steps) =>
  it.again({
    log: QUIET,
    store: storeWith({
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
      ...other,
    }),
  });

describe.each(["the embedded store", "Redis"])("A named sale on %s", (name) => {
  test("is issued anew once its note is cancelled, and once only", async () => {
    const note = await open(name);
    expect(await asks(OTHER)).toBe("blocked_duplicate");
    await cancel(note.id);
    expect(await stateOf(note.id)).toBe("cancelada");

    expect(await asks(OTHER)).toBe("done");
    expect(await issued()).toBe(2);
    expect(await asks(CUSTOMER)).toBe("blocked_duplicate");
    expect(await issued()).toBe(2);
  });

  test("of a note that was cancelled elsewhere is issued anew when the authority says so", async () => {
    const note = await open(name);
    await fault({ kind: "business_error", message: "E0840 - Nota já cancelada." });
    await cancel(note.id);
    expect(await stateOf(note.id)).toBe("cancelada");
    expect(await asks(OTHER)).toBe("done");
  });

  test("of a note that another one replaced stays: that one is its note", async () => {
    const note = await open(name);
    const message = "E0840 - NFS-e já cancelada por substituição.";
    await fault({ kind: "business_error", message });
    await cancel(note.id);
    expect(await stateOf(note.id)).toBe("cancelada");
    expect(await asks(OTHER)).toBe("blocked_duplicate");
    expect(await issued()).toBe(1);
  });

  test.each([
    ["lost", { kind: "accepted_then_lost" }, "incerta"],
    ["refused", { kind: "business_error", message: "Prazo encerrado" }, "recusada"],
    [
      "refused for good",
      { kind: "business_error", message: "A nota já não pode ser cancelada." },
      "recusada",
    ],
  ])("stays its note's while the cancellation is %s", async (_, effect, state) => {
    const note = await open(name);
    await fault(effect);
    await cancel(note.id);
    expect(await stateOf(note.id)).toBe(state);
    expect(await asks(OTHER)).toBe("blocked_duplicate");
    expect(await issued()).toBe(1);
  });

  test.each([
    ["done", "cancelada"],
    ["discard", "incerta"],
    ["failed", "recusada"],
  ] as const)("stays its note's by a person's word alone: %s", async (word, state) => {
    const note = await open(name);
    await fault({ kind: "accepted_then_lost" });
    await cancel(note.id);
    const { id, account, contact, rev } = await heldOne();
    const none = {} as never;
    const { store, worker, clock } = it;
    const people = createActions({
      ...{ store, worker, clock, library: none, layouter: none, works: true },
    });
    const decided = people.decideEffect({ account, contact, id }, word, {
      ...{ actor: "ana", reason: "ninguém sabe", rev },
    });
    expect(await decided).toEqual({ ok: true });
    await it.worker.drain();

    expect(await stateOf(note.id)).toBe(state);
    expect(await asks(OTHER)).toBe("blocked_duplicate");
    expect(await issued()).toBe(1);
  });

  test("is let go by who judges the effect of a process that died between the answer and that", async () => {
    const note = await open(name);
    await cancel(note.id, dying({ "keys.release": die }));
    expect(await stateOf(note.id)).toBe("cancelada");
    expect(await isFree(note)).toBe(false);

    await it.worker.start();
    await until(
      async () =>
        (await it.store.views.effects({ account: it.account.id, limit: 1 })).length === 0 ||
        undefined,
    );
    await it.worker.drain();
    expect((await result(OPERATOR)).outcome).toBe("done");
    expect(await isFree(note)).toBe(true);
  });

  test("is let go with the effect that rests although its record knows the authority's answer", async () => {
    const note = await open(name);
    await fault({ kind: "accepted_then_lost" });
    await cancel(note.id);
    // A process that stood still had the answer, wrote it down and died.
    await it.worker.invoices.change(it.account.id, note.id, (now) =>
      now.cancel
        ? { ...now, cancel: { ...now.cancel, state: "cancelada", confirmed: true } }
        : null,
    );
    expect(await isFree(note)).toBe(false);

    await it.worker.settling.repair(await heldOne());
    await it.worker.drain();
    expect(await isFree(note)).toBe(true);
    expect((await result(OPERATOR)).outcome).toBe("done");
    expect(await it.store.views.effects({ account: it.account.id, limit: 5 })).toEqual([]);
  });

  test("is issued anew by the next request although nothing is left that would let it go", async () => {
    const note = await open(name);
    await cancel(note.id, dying({ "keys.release": die }));
    await it.store.contacts.erase(it.account.id, await it.contact(OPERATOR));
    expect(await isFree(note)).toBe(false);

    expect(await asks(OTHER)).toBe("done");
    expect(await issued()).toBe(2);
    expect(await asks(CUSTOMER)).toBe("blocked_duplicate");
  });

  test("stays the newer note's, however late the older one is let go again", async () => {
    const note = await open(name);
    let told = "";
    // It stands still between the authority's answer and the release.
    const late = it.again({
      store: storeWith({
        "keys.release": async (...of) => {
          if (told === "") told = await asks(OTHER);
          return it.store.keys.release(...of);
        },
      }),
    });
    await cancel(note.id, late);
    expect(told).toBe("done");
    expect(await issued()).toBe(2);

    // What is done again by whoever comes by the older note's record.
    const line = { account: it.account.id, invoice: note.id, since: 0, told: 0 };
    await it.store.documents.put(UNCERTAIN, `${it.account.id}.${note.id}`, line);
    const notice = { status: "autorizada", token: note.token, chave: note.key };
    await it.worker.settling.fromWebhook(it.account.id, notice);
    expect(await it.store.keys.release(it.account.id, note.businessKey, note.effect)).toBe(false);
    expect(await asks(CUSTOMER)).toBe("blocked_duplicate");
    expect(await issued()).toBe(2);
  });

  test("of a cancellation that is confirmed is not taken back by a word that comes after", async () => {
    const note = await open(name);
    await cancel(note.id);
    const known = await it.worker.invoices.get(it.account.id, note.id);
    expect(known?.cancel).toMatchObject({ state: "cancelada", confirmed: true });
    expect(await asks(OTHER)).toBe("done");
    await cancel(note.id);
    expect((await result(OPERATOR)).out["code"]).toBe("already");
    expect(await stateOf(note.id)).toBe("cancelada");
  });
});
