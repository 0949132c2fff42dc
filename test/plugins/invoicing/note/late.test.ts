/**
 * A process that stood still and goes on late writes nothing over what became of its note meanwhile: another one may have sent it,
 * lost its answer, and a person may have said that it is to go again.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Store } from "../../../../src/store/index.ts";
import { revOf } from "../../../../src/plugins/invoicing/note/invoice.ts";
import type { Decision } from "../../../../src/plugins/invoicing/note/decision.ts";
import type { Log } from "../../../../src/worker/index.ts";
import { until } from "../../../sandbox/stage.ts";
import { CUSTOMER, issue, OTHER, rig, type Rig, textOf } from "../../../worker/rig.ts";
import { type Steps, withSteps } from "../../../../src/store/port/with-steps.ts";

const ROUTE = "invoicing.nfseEnvio";
/** Of a process in a hurry to be taken for dead, ms. */
const LEASE_MS = 300;

let it: Rig;
afterEach(() => it.close());

const quiet = () => undefined;
/** What a process says that lost its effect is no failure of these tests. */
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const record = async () => {
  const [one] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!one) throw new Error("there is no record");
  return one;
};

const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE).length;

async function decide(decision: Decision["decision"]) {
  const note = await record();
  const of = { decision, rev: revOf(note), actor: "ana", reason: "não consta no portal" };
  return it.worker.settling.decide("demo", note.id, of);
}

interface Result {
  readonly outcome: string;
  readonly out: Readonly<Record<string, unknown>>;
}

/** What the flows of a phone were told last. */
async function result(phone: string): Promise<Result | undefined> {
  const mails = (await it.journal(phone)) as unknown as {
    mail?: { kind: string; result: Result };
  }[];
  return mails.findLast(({ mail }) => mail?.kind === "result")?.mail?.result;
}

const short: Steps = {
  "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: LEASE_MS }),
  "effects.reap": (options) => it.store.effects.reap({ ...options, leaseMs: LEASE_MS }),
};

/** A gate in a process, right before it touches an invoice's record so. */
function stopping(method: "get" | "put", nth: number) {
  let open = quiet as () => void;
  const gate = new Promise<void>((resolve) => (open = resolve));
  let seen = 0;
  let isStopped = false;
  const wait = async (collection: string) => {
    if (collection !== "invoices" || (seen += 1) !== nth) return;
    isStopped = true;
    await gate;
  };
  const over: Steps = {
    ...short,
    ...(method === "put"
      ? {
          "documents.put": async (...args: Parameters<Store["documents"]["put"]>) => {
            await wait(args[0]);
            return it.store.documents.put(...args);
          },
        }
      : {
          "documents.get": async (...args: Parameters<Store["documents"]["get"]>) => {
            await wait(args[0]);
            return it.store.documents.get(...args);
          },
        }),
  };
  return { store: withSteps(it.store, over), open, stopped: () => isStopped };
}

/** The next process takes the note over, sends it, and loses the answer; a person has it sent again. Nobody does so far. */
async function takenOver(): Promise<void> {
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  const next = it.again({ log, store: withSteps(it.store, (name) => short[name]) });
  await next.start();
  await until(async () => {
    const [one] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
    const [rests] = await it.store.views.effects({ state: "held", limit: 1 });
    return (one?.state === "incerta" && rests) || undefined;
  });
  await next.stop(1_000);
  await it.store.scopes.pause("credits:demo", "operator");
  await it.worker.scopes.round();
  expect(await decide("not_issued")).toMatchObject({ ok: true });
}

async function wakesUp(late: { open(): void }, drained: Promise<unknown>): Promise<void> {
  late.open();
  await drained.catch(quiet);
  await pause(50);
}

test("A record is not opened over one that another process wrote meanwhile, and the sale stays its own", async () => {
  it = await rig();
  const late = stopping("put", 1);
  await it.asks(CUSTOMER, issue());
  const worker = it.again({ log, store: late.store });
  const drained = worker.drain();
  await until(async () => late.stopped() || undefined);
  await takenOver();
  const before = await record();

  await wakesUp(late, drained);

  expect(await record()).toEqual(before);
  expect(before).toMatchObject({ state: "pendente" });
  expect(await decide("abandon")).toMatchObject({ ok: true });
  await it.worker.scopes.resume("credits:demo");
  await it.worker.drain();
  expect((await result(CUSTOMER))?.out["text"]).toContain("Ela pode ter sido emitida");
  await it.asks(OTHER, issue());
  await it.worker.drain();
  expect((await result(OTHER))?.out["code"]).toBe("blocked_duplicate");
  expect(await it.list("invoices")).toHaveLength(1);
});

test("A note is not closed as refused by who knew its account of before", async () => {
  it = await rig();
  // Looked up when it begins, and when its refusal is to be written.
  const late = stopping("get", 2);
  await it.asks(CUSTOMER, issue());
  const bare = { ...it.account, services: [] };
  const accounts = { get: async () => bare, ids: async () => [bare.id] };
  const worker = it.again({ log, accounts, store: late.store });
  const drained = worker.drain();
  await until(async () => late.stopped() || undefined);
  await takenOver();

  await wakesUp(late, drained);

  expect(await record()).toMatchObject({ state: "pendente" });
  await it.worker.scopes.resume("credits:demo");
  await it.worker.drain();
  expect(await record()).toMatchObject({ state: "autorizada" });
  expect(await sent()).toBe(2);
});

test("Bytes that their record does not know are not sent under another's name: a person looks, as often as they are let go", async () => {
  it = await rig();
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  // As a process of an earlier build left it that stood still.
  const note = await record();
  await it.store.documents.put("invoices", `demo.${note.id}`, { ...note, token: "x".repeat(20) });

  for (const times of [1, 2]) {
    expect(await decide("not_issued")).toMatchObject({ ok: true });
    await it.worker.drain();
    const now = await record();
    expect(now).toMatchObject({ state: "incerta" });
    expect(now.history.filter(({ why }) => why === "bytes_differ")).toHaveLength(times);
  }
  expect(await sent()).toBe(1);
  expect(await it.store.views.effects({ state: "held", limit: 5 })).toHaveLength(1);
  expect(await decide("abandon")).toMatchObject({ ok: true });
  expect((await result(CUSTOMER))?.out["text"]).toContain("Ela pode ter sido emitida");
});

test("A note that goes again by a person's word although its bytes are lost may have left before, still", async () => {
  it = await rig();
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  const [id = ""] = await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  expect(await decide("not_issued")).toMatchObject({ ok: true });
  // A fail-over forgot the bytes, not the record: they stand in two parts of the store.
  const [begun] = await it.store.effects.begin({
    limit: 1,
    leaseMs: 5_000,
    paused: [],
    offsetMs: 0,
  });
  if (begun?.id !== id) throw new Error("it is not let go");
  const { account, contact, token } = begun;
  const payload = begun.payload as { work: { frozen?: object } };
  const { frozen: _frozen, ...work } = payload.work;
  await it.store.effects.amend({ id, account, contact, token, payload: { ...payload, work } });
  const end = { outcome: { kind: "not_sent", at: it.clock.now() } } as const;
  await it.store.effects.end([{ id, account, contact, token, ...end }]);

  await it.fault({ route: ROUTE, effect: { kind: "status", status: 429 }, times: 1 });
  await it.worker.drain();
  expect(await record()).toMatchObject({ state: "pendente" });
  await it.worker.scopes.resume("credits:demo");
  expect(await decide("abandon")).toMatchObject({ ok: true });
  await it.worker.drain();

  expect((await result(CUSTOMER))?.out["text"]).toContain("Ela pode ter sido emitida");
  await it.asks(OTHER, issue());
  await it.worker.drain();
  expect((await result(OTHER))?.out["code"]).toBe("blocked_duplicate");
});

test("A no that comes late frees no sale of a request that went after it and was given up unknown", async () => {
  it = await rig();
  await it.fault({ route: ROUTE, effect: { kind: "business_error" }, times: 1 });
  // Looked up when it begins, opened, set out, and when its answer is to be written.
  const late = stopping("get", 4);
  await it.asks(CUSTOMER, issue());
  const worker = it.again({ log, store: late.store });
  const drained = worker.drain();
  await until(async () => late.stopped() || undefined);
  expect(await sent()).toBe(1);
  await takenOver();
  await it.worker.scopes.resume("credits:demo");
  await it.worker.drain();
  expect(await sent()).toBe(2);
  expect(await decide("abandon")).toMatchObject({ ok: true });

  await wakesUp(late, drained);

  expect(await record()).toMatchObject({ state: "abandonada" });
  await it.asks(OTHER, issue());
  await it.worker.drain();
  expect((await result(OTHER))?.out["code"]).toBe("blocked_duplicate");
  expect(await it.list("invoices")).toHaveLength(1);
});
