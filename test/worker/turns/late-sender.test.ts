/**
 * A process stopped between the begin of an effect and its request, and let go on after its lease: meanwhile another one
 * judged the effect, perhaps a person decided about it. Nothing may leave the first one any more.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Store } from "../../../src/store/index.ts";
import { revOf } from "../../../src/plugins/invoicing/note/invoice.ts";
import { until } from "../../sandbox/stage.ts";
import {
  type Asked,
  bubble,
  CUSTOMER,
  issue,
  OPERATOR,
  rig,
  textOf,
  WAITER,
  type Rig,
} from "../rig.ts";
import { type StepName, withSteps } from "../../../src/store/port/with-steps.ts";

/** Longer than any lease here: the time-out of a call (2 s) and 15 s. */
const STOPPED_MS = 20_000;

let it: Rig;
/** Both of the machine's clocks go on while a process is stopped. */
let skipped = 0;
beforeEach(async () => {
  const [wall, steady] = [Date.now.bind(Date), performance.now.bind(performance)];
  vi.spyOn(Date, "now").mockImplementation(() => wall() + skipped);
  vi.spyOn(performance, "now").mockImplementation(() => steady() + skipped);
  it = await rig();
});
afterEach(async () => {
  await it.close();
  vi.restoreAllMocks();
  skipped = 0;
});

/** The store, stopping its caller once, after the so-many-th of these steps. */
function stopping(store: Store, step: StepName, nth: number) {
  let [seen, reach, go] = [0, () => {}, () => {}];
  const reached = new Promise<void>((done) => (reach = done));
  const gone = new Promise<void>((done) => (go = done));
  const proxy = withSteps(store, (name, own) =>
    name === step
      ? async (...given: unknown[]): Promise<unknown> => {
          const answer: unknown = await Reflect.apply(own, undefined, given);
          if ((seen += 1) !== nth) return answer;
          reach();
          await gone;
          return answer;
        }
      : undefined,
  );
  return { store: proxy, reached, go };
}

const sent = async (route: string) =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === route).length;
const record = async () => (await it.worker.invoices.list("demo", { limit: 9 })).items[0];

const logout = { type: "call", class: "destructive", name: "instance.logout", waiter: WAITER };
const NOTE = "invoicing.nfseEnvio";

test.each<[string, Asked, string, StepName, number]>([
  ["a note, before its record", issue(), NOTE, "keys.claim", 1],
  ["a note, before it is frozen", issue(), NOTE, "documents.put", 2],
  ["a note, once it is frozen", issue(), NOTE, "effects.amend", 1],
  ["a note, right before its request", issue(), NOTE, "effects.confirm", 1],
  ["what destroys", { ...logout, input: {} } as Asked, "instance.logout", "effects.confirm", 1],
  ["a message", bubble(CUSTOMER, "um"), "message.sendText", "views.session", 1],
])("stopped until its lease is over sends nothing: %s", async (_what, asked, route, step, nth) => {
  const stop = stopping(it.store, step, nth);
  const late = it.again({ store: stop.store });
  const [effect = ""] = await it.asks(CUSTOMER, asked);
  const drained = late.drain();
  await stop.reached;
  skipped += STOPPED_MS;
  await it.worker.start();
  // Judged: at rest, done by the other one, or gone.
  await until(async () => {
    const found = (await it.store.views.effects({ limit: 9 })).find(({ id }) => id === effect);
    return found === undefined || found.state === "held" ? true : undefined;
  });
  const [calls, judged] = [await sent(route), await record()];

  stop.go();
  await drained;
  await it.worker.drain();

  expect(await sent(route)).toBe(calls);
  expect(await record()).toEqual(judged);
  expect(calls).toBeLessThanOrEqual(1);
  await late.stop(0);
});

test("stopped for less than that goes on and issues its note", async () => {
  const stop = stopping(it.store, "effects.confirm", 1);
  const late = it.again({ store: stop.store });
  await it.asks(CUSTOMER, issue());
  const drained = late.drain();
  await stop.reached;
  skipped += 300;
  stop.go();
  await drained;

  expect(await sent(NOTE)).toBe(1);
  expect((await record())?.state).toBe("autorizada");
  await late.stop(0);
});

test("stopped before it wrote down a cancellation leaves alone how that ended meanwhile", async () => {
  await it.close();
  it = await rig({ account: { cancelTipo: "nfse-cancelamento" } });
  await it.says(OPERATOR, "oi");
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const why = "O valor saiu errado na nota";
  const input = { note: (await record())?.id ?? "", reason: "error", why };
  const stop = stopping(it.store, "keys.claim", 1);
  const late = it.again({ store: stop.store });
  const wish = { type: "call", class: "fiscal", name: "invoice.cancel", waiter: WAITER, input };
  await it.asks(OPERATOR, wish as Asked);
  const drained = late.drain();
  await stop.reached;
  skipped += STOPPED_MS;
  await it.worker.start();
  await until(async () => ((await record())?.cancel?.state === "cancelada" ? true : undefined));

  stop.go();
  await drained;
  await it.worker.drain();

  expect((await record())?.cancel?.state).toBe("cancelada");
  expect(await sent("invoicing.cancelamento")).toBe(1);
  await late.stop(0);
});

/** A gateway whose first two answers of a route are in hand before they are read, each until it is let go. */
function gated(route: string) {
  const { gateway } = it;
  const gates: { reached: () => void; readonly gone: Promise<void> }[] = [];
  const gate = () => {
    let [reach, go] = [() => {}, () => {}];
    const reached = new Promise<void>((done) => (reach = done));
    const gone = new Promise<void>((done) => (go = done));
    gates.push({ reached: reach, gone });
    return { reached, go };
  };
  const [one, two] = [gate(), gate()];
  let calls = 0;
  const call = (async (...given: Parameters<typeof gateway.call>) => {
    const outcome = await gateway.call(...given);
    const at = given[0] === route ? gates[calls++] : undefined;
    at?.reached();
    await at?.gone;
    return outcome;
  }) as typeof gateway.call;
  return { one, two, gatewayFor: () => ({ exactBytes: gateway.exactBytes.bind(gateway), call }) };
}

test("a refusal that is read only after the note was sent again is none of the second request", async () => {
  const { one, two, gatewayFor } = gated(NOTE);
  await it.fault({ route: NOTE, effect: { kind: "status", status: 400 }, times: 1 });
  const late = it.again({ gatewayFor });
  await it.asks(CUSTOMER, issue());
  const drained = late.drain();
  await one.reached;
  skipped += STOPPED_MS;
  const next = it.again({ gatewayFor });
  await next.start();
  await until(async () => ((await record())?.state === "incerta" ? true : undefined));
  await until(async () => {
    const found = await record();
    const of = { decision: "not_issued", actor: "ana", reason: "conferido no portal" } as const;
    const rev = found ? revOf(found) : 0;
    const { ok } = await next.settling.decide("demo", found?.id ?? "", { ...of, rev });
    return ok ? true : undefined;
  });
  await two.reached;

  one.go();
  await drained;
  expect((await record())?.state).toBe("enviando");
  const { businessKey = "" } = (await record()) ?? {};
  expect(await it.store.keys.claim("demo", businessKey, "another", 1_000)).toMatchObject({
    ok: false,
  });

  two.go();
  await next.drain();
  expect((await record())?.state).toBe("autorizada");
  expect(it.events.filter(({ type }) => type === "alarm")).not.toContainEqual(
    expect.objectContaining({ code: "invoice.contradicted" }),
  );
  for (const worker of [late, next]) await worker.stop(0);
});

test("nor is a cancellation's, read after a person let it go again", async () => {
  await it.close();
  it = await rig({ account: { cancelTipo: "nfse-cancelamento" } });
  await it.says(OPERATOR, "oi");
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const note = (await record())?.id ?? "";
  const route = "invoicing.cancelamento";
  const { one, two, gatewayFor } = gated(route);
  await it.fault({ route, effect: { kind: "business_error", message: "E0042" }, times: 1 });
  const late = it.again({ gatewayFor });
  const input = { note, reason: "error", why: "O valor saiu errado na nota" };
  const wish = { type: "call", class: "fiscal", name: "invoice.cancel", waiter: WAITER, input };
  const [id = ""] = await it.asks(OPERATOR, wish as Asked);
  const drained = late.drain();
  await one.reached;
  skipped += STOPPED_MS;
  const next = it.again({ gatewayFor });
  await next.start();
  await until(async () => ((await record())?.cancel?.state === "incerta" ? true : undefined));
  const named = { id, account: "demo", contact: await it.contact(OPERATOR) };
  await until(async () =>
    (await it.store.effects.resolve({ ...named, action: "resend" })) ? true : undefined,
  );
  next.wake();
  await two.reached;

  one.go();
  await drained;
  expect((await record())?.cancel?.state).toBe("enviando");

  two.go();
  await next.drain();
  expect((await record())?.cancel?.state).toBe("cancelada");
  expect(await sent(route)).toBe(2);
  for (const worker of [late, next]) await worker.stop(0);
});
