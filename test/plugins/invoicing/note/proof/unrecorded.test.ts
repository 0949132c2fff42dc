/** A request for a note that rests without its record: it is found, told of and decided, and nothing is issued twice. */
import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createActions } from "../../../../../src/app/operator/actions.ts";
import type { Actions } from "../../../../../src/server/index.ts";
import { lineOf } from "../../../../../src/plugins/invoicing/note/invoices.ts";
import { UNCERTAIN } from "../../../../../src/plugins/invoicing/note/open-notes.ts";
import type { Worker } from "../../../../../src/worker/index.ts";
import { until } from "../../../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../../../support/redis.ts";
import { CUSTOMER, issue, ISSUER, OTHER, rig, type Rig, textOf } from "../../../../worker/rig.ts";
import { invoicingOf } from "../../../../../src/plugins/invoicing/account.ts";
import { type NoteActions, noteActions } from "../../../../../src/plugins/invoicing/http/notes.ts";
import { withSteps } from "../../../../../src/store/port/with-steps.ts";

let it: Rig;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(() => it.close());

const ROUTE = "invoicing.nfseEnvio";
const OTHER_ISSUER = "6f1f7d3e-0000-4000-8000-000000000002";
/** Redis keeps the sales of the tests before. */
let value = 15_000;
const note = () => issue({ value });
const ana = { actor: "ana", reason: "não consta no portal" };

function people(worker = it.worker): Actions & NoteActions {
  const { store, clock } = it;
  const none = {} as never;
  const parts = { store, worker, clock, library: none, layouter: none, works: true };
  return { ...createActions(parts), ...noteActions(worker.context) };
}

const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE).length;

const held = async () => {
  const [one] = await it.store.views.effects({ account: "demo", state: "held", limit: 5 });
  if (!one) throw new Error("nothing is held");
  return one;
};

const refOf = async () => {
  const { account, contact, id, rev } = await held();
  return { ref: { account, contact, id }, rev };
};

async function result(phone: string) {
  const lines = await it.journal(phone);
  const last = lines.findLast((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return last?.["mail"]?.["result"] as unknown as { outcome: string; out: Record<string, unknown> };
}

/** Its account is away when the request is to leave. */
async function homeless(phone: string): Promise<void> {
  await it.asks(phone, note());
  const accounts = { get: async () => null, ids: async () => ["demo"] };
  await it.again({ accounts }).drain();
  expect(await held()).toMatchObject({ reason: "account_unknown" });
}

/** Sent, its answer lost, and its record lost with what a fail-over forgot. */
async function lostRecord(): Promise<string> {
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  await it.asks(CUSTOMER, note());
  await it.worker.drain();
  const [record] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!record) throw new Error("there is no record");
  await forgetRecord(record.id);
  return record.id;
}

async function forgetRecord(id: string): Promise<void> {
  const record = await it.worker.invoices.get("demo", id);
  if (record) await it.store.documents.remove(UNCERTAIN, lineOf(record));
  await it.store.documents.remove("invoices", `demo.${id}`);
  expect(await it.worker.invoices.get("demo", id)).toBeNull();
}

/** A worker that keeps house once, and is stopped. */
async function sweep(worker: Worker, done: () => Promise<boolean>): Promise<void> {
  await worker.start();
  try {
    await until(async () => (await done()) || undefined);
  } finally {
    await worker.stop(1_000);
  }
}

describe.each(["the embedded store", "Redis"])("On %s", (name) => {
  const open = async () => {
    value += 100;
    const where = name === "Redis" ? { redisUrl: redis.url } : {};
    it = await rig({ ...where, timeoutMs: 10_000 });
    if (name !== "Redis") return;
    for (const phone of [CUSTOMER, OTHER])
      await it.store.contacts.erase("demo", await it.contact(phone));
    for (const { id } of (await it.worker.invoices.list("demo", { limit: 50 })).items)
      await forgetRecord(id);
  };

  test("what never left is sent after all by a person's word, about what that person saw, and once", async () => {
    await open();
    await homeless(CUSTOMER);
    const { ref, rev } = await refOf();
    const actions = people();

    expect(await actions.decideEffect(ref, "retry", ana)).toMatchObject({ reason: "unseen" });
    expect(await actions.decideEffect(ref, "retry", { ...ana, rev: rev + 1 })).toMatchObject({
      reason: "stale",
    });
    expect(await actions.decideEffect(ref, "done", { ...ana, rev })).toMatchObject({
      reason: "refused",
      message: expect.stringContaining("no record") as string,
    });
    expect(await sent()).toBe(0);
    expect(await actions.decideEffect(ref, "retry", { ...ana, rev })).toEqual({ ok: true });
    await it.worker.drain();

    expect(await sent()).toBe(1);
    expect(await it.list("invoices")).toHaveLength(1);
    expect((await result(CUSTOMER)).outcome).toBe("done");
    expect(await actions.decideEffect(ref, "retry", { ...ana, rev })).toMatchObject({
      reason: "absent",
    });
  });

  test.each(["failed", "discard"] as const)(
    "what never left is closed as %s: who waits hears that no note was issued, and the sale is free",
    async (decision) => {
      await open();
      await homeless(CUSTOMER);
      const { ref, rev } = await refOf();

      expect(await people().decideEffect(ref, decision, { ...ana, rev })).toEqual({ ok: true });
      await it.worker.drain();

      expect(await result(CUSTOMER)).toMatchObject({
        outcome: "failed",
        out: { code: "abandoned", text: expect.stringContaining("não foi emitida") as string },
      });
      await it.asks(OTHER, note());
      await it.worker.drain();
      expect(await it.list("invoices")).toHaveLength(1);
      expect((await result(OTHER)).outcome).toBe("done");
    },
  );

  test("what may have left gets its record again, with an alarm, and its notice settles it", async () => {
    await open();
    const id = await lostRecord();
    const [real] = await it.list("invoices");
    const isThere = async () => (await it.worker.invoices.get("demo", id)) !== null;
    await sweep(it.again(), isThere);

    const waits = await people().invoices("demo", { open: true });
    expect(waits).toMatchObject([{ id, state: "incerta", cents: value }]);
    expect(it.events).toContainEqual(
      expect.objectContaining({ type: "alarm", code: "invoice.uncertain", subject: id }),
    );
    const { token } = (await it.worker.invoices.get("demo", id)) ?? {};
    const notice = { status: "autorizada", emitente_id: ISSUER, token, chave: real?.["chave"] };
    expect(await it.worker.settling.fromWebhook("demo", notice as never)).toBe("settled");
    await it.worker.drain();

    expect((await result(CUSTOMER)).outcome).toBe("done");
    expect(await it.store.views.effects({ account: "demo", limit: 5 })).toEqual([]);
    expect(await sent()).toBe(1);
  });

  test("what may have left gets the record of the issuer and the sale it was sent for, not those of today", async () => {
    await open();
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(CUSTOMER, note());
    await it.worker.drain();
    const [before] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
    const id = before?.id ?? "";
    await forgetRecord(id);
    const [first] = invoicingOf(it.account).issuers;
    const other = { ...first, emitente_id: OTHER_ISSUER, cnpj: "11444777000161", default: true };
    const issuers = [other, { ...first, default: false }];
    const policy = { ...it.account.policy, similarHours: 0 };
    const now = { ...it.account, issuers, policy } as typeof it.account;
    const accounts = { get: async () => now, ids: async () => ["demo"] };
    const worker = it.again({ accounts });
    await sweep(worker, async () => (await it.worker.invoices.get("demo", id)) !== null);

    expect(await it.worker.invoices.get("demo", id)).toMatchObject({
      ...{ issuer: before?.issuer, businessKey: before?.businessKey, window: before?.window },
    });
    const [real] = await it.list("invoices");
    const found = { status: "autorizada", emitente_id: ISSUER, token: before?.token };
    const notice = { ...found, chave: real?.["chave"] } as never;
    expect(await it.again({ accounts }).settling.fromWebhook("demo", notice)).toBe("settled");
  });

  test("who decides about it before its record is there is led to it, and it is sent again as it was", async () => {
    await open();
    const id = await lostRecord();
    const { ref, rev } = await refOf();
    const actions = people();

    for (const decision of ["retry", "failed", "discard"] as const)
      expect(await actions.decideEffect(ref, decision, { ...ana, rev })).toMatchObject({
        reason: "refused",
        message: expect.stringContaining("invoices resolve") as string,
      });
    const seen = Number((await actions.invoice({ account: "demo", id }))?.["rev"]);
    expect(
      await actions.resolveInvoice({ account: "demo", id }, "not_issued", { ...ana, rev: seen }),
    ).toMatchObject({ ok: true });
    await it.worker.drain();

    expect(await sent()).toBe(2);
    const bodies = (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE);
    const digests = bodies.map(({ body }) =>
      createHash("sha256").update(JSON.stringify(body)).digest("hex"),
    );
    expect(new Set(digests).size).toBe(1);
  });

  test("what may have left and can get no record is called not issued, and never sent again", async () => {
    await open();
    await lostRecord();
    const { ref, rev } = await refOf();
    const bare = { ...it.account, services: [] };
    const accounts = { get: async () => bare, ids: async () => ["demo"] };
    const actions = people(it.again({ accounts }));

    expect(await actions.decideEffect(ref, "retry", { ...ana, rev })).toMatchObject({
      reason: "refused",
      message: expect.stringContaining("may have left") as string,
    });
    expect(await actions.decideEffect(ref, "discard", { ...ana, rev })).toEqual({ ok: true });
    await it.worker.drain();

    expect(await sent()).toBe(1);
    expect(await result(CUSTOMER)).toMatchObject({
      outcome: "failed",
      out: { code: "abandoned", text: expect.stringContaining("pode ter sido") as string },
    });
  });
});

test("a process that died over a request whose record is lost leaves a record for the next one", async () => {
  it = await rig();
  await it.asks(CUSTOMER, note());
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const dying = withSteps(it.store, (name) => {
    if (name === "effects.begin")
      return (options: Parameters<typeof it.store.effects.begin>[0]) =>
        it.store.effects.begin({ ...options, leaseMs: 1 });
    if (name === "effects.end") return () => Promise.reject(new Error("dead"));
    return undefined;
  });
  await it.again({ log, store: dying }).drain();
  const [before] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  const id = before?.id ?? "";
  await forgetRecord(id);

  await sweep(it.again(), async () => (await it.worker.invoices.get("demo", id)) !== null);

  await it.worker.drain();
  expect(await it.worker.invoices.get("demo", id)).toMatchObject({
    ...{ state: "incerta", token: before?.token, cents: before?.cents, effect: before?.effect },
  });
  expect((await result(CUSTOMER)).outcome).toBe("held");
  expect(await sent()).toBe(1);
});
