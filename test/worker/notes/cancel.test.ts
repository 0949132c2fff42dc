/** A note's cancellation is asked of the authority once, by whoever asks and however the answer gets lost. */
import { afterEach, describe, expect, test } from "vitest";
import type { Store } from "../../../src/store/index.ts";
import { until } from "../../sandbox/stage.ts";
import { type Asked, CUSTOMER, issue, OPERATOR, type Rig, rig, textOf, WAITER } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const ROUTE = "invoicing.cancelamento";
const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE).length;

async function issuedNote() {
  await it.asks(CUSTOMER, issue());
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
async function ready(account: object = { cancelTipo: "nfse-cancelamento" }) {
  it = await rig({ account });
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
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const dying: Partial<Store> = {
      beginSend: (options) => it.store.beginSend({ ...options, leaseMs: 1 }),
      endSend: () => Promise.reject(new Error("dead")),
    };
    const store = new Proxy(it.store, {
      get(target, name) {
        const value: unknown = Reflect.get(name in dying ? dying : target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    await it.again({ log, store }).drain();
    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe(state);
    await it.worker.start();
    await until(
      async () =>
        (await it.store.effects({ state: "inflight", limit: 1 })).length === 0 || undefined,
    );
    await it.worker.drain();

    expect((await it.worker.invoices.get("demo", note.id))?.cancel?.state).toBe(state);
    expect((await result(OPERATOR)).outcome).toBe(outcome);
    expect(await it.store.effects({ limit: 5 })).toEqual([]);
    expect(await sent()).toBe(1);
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
