/** Alarms and reports where two processes, or a process and a store that is away, meet. */
import { afterEach, describe, expect, test } from "vitest";
import type { Store } from "../../../src/store/index.ts";
import { Alarms } from "../../../src/worker/alarms/alarms.ts";
import { alarmStuck } from "../../../src/plugins/invoicing/reports/alarms.ts";
import { library as flows } from "../flow-words.ts";
import { revOf } from "../../../src/plugins/invoicing/note/invoice.ts";
import { CUSTOMER, issue, OPERATOR, rig, type Rig } from "../rig.ts";
import { tomorrowNoon } from "../../support/days.ts";
import { type Steps, withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

const HOUR = 3_600_000;
const PHONES = { alerts: { phones: true, report: "off" } };

const storeWith = (other: Steps): Store => withSteps(it.store, other);

async function lost(): Promise<void> {
  const effect = { kind: "accepted_then_lost" };
  await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  it.clock.moveTo(it.clock.now() + 1.1 * HOUR);
}

/** One process's look at stuck notes; its alarms are counted, and `pager` says whether they were written down. */
function process(raised: string[], stored: () => Promise<void> = async () => undefined) {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const alarms = new Alarms({
    log,
    now: () => it.clock.real(),
    emit: () => undefined,
  });
  alarms.onRaise(({ code, subject = "" }) => {
    raised.push(`${code} ${subject.split(" ")[1] ?? ""}`);
  });
  const { invoices } = it.worker;
  const context = { store: it.store, invoices, alarms, clock: it.clock, pager: { stored } };
  return (owner: string) => alarmStuck(context, owner);
}

describe("a note nobody knows the fate of", () => {
  test("is one alarm, when two processes look at the same moment", async () => {
    it = await rig();
    await lost();
    const raised: string[] = [];
    await Promise.all([process(raised)("a"), process(raised)("b"), process(raised)("c")]);
    expect(raised).toEqual(["invoice.stuck 1"]);
  });

  test("is not called told before its alarm is written down", async () => {
    it = await rig();
    await lost();
    const raised: string[] = [];
    const away = () => Promise.reject(new Error("the store is away"));
    await expect(process(raised, away)("a")).rejects.toThrow("away");
    const [listed] = (await it.store.documents.list("uncertain")).items;
    expect(listed?.value).toMatchObject({ told: 0 });
    // The one that failed may try again at once; its claim is its own.
    expect(await process(raised)("a")).toBe(1);
  });

  test("is told once a day for as long as that takes", async () => {
    it = await rig();
    await lost();
    const raised: string[] = [];
    for (let day = 1; day <= 9; day++) {
      await process(raised)("a");
      it.clock.moveTo(it.clock.now() + 24 * HOUR);
    }
    expect(raised).toHaveLength(9);
  });

  test("that has an end since is taken off the list, and no alarm", async () => {
    it = await rig();
    await lost();
    const [listed] = (await it.store.documents.list("uncertain")).items;
    const [note] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
    const rev = note ? revOf(note) : 0;
    const decision = { decision: "abandon", actor: "ana", reason: "x", rev } as const;
    await it.worker.settling.decide("demo", note?.id ?? "", decision);
    // As a crash between the record's end and the list leaves it.
    await it.store.documents.put("uncertain", listed?.id ?? "", listed?.value ?? {});
    const raised: string[] = [];

    expect(await process(raised)("a")).toBe(0);
    expect(raised).toEqual([]);
    expect((await it.store.documents.list("uncertain")).items).toEqual([]);
  });
});

test("an alarm that another round is just writing down is not called stored before it is", async () => {
  it = await rig();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const put: Store["documents"]["put"] = async (...args) => {
    if (args[0] === "pages") await released;
    return it.store.documents.put(...args);
  };
  const worker = it.again({ store: storeWith({ "documents.put": put }) });
  worker.alarms.raise({ code: "invoice.stuck", account: "demo", message: "x" });
  const one = worker.pager.stored();
  let isStored = false;
  const other = worker.pager.stored().then(() => (isStored = true));
  await new Promise((wake) => setTimeout(wake, 50));
  expect(isStored).toBe(false);
  release();
  await Promise.all([one, other]);
  expect((await worker.pager.of("demo")).codes["invoice.stuck"]).toMatchObject({ count: 1 });
});

test("a process that tells a bubble late does not take the next one for told", async () => {
  it = await rig({ library: flows, account: PHONES });
  let isHeld = true;
  let reached = () => {};
  const arrived = new Promise<void>((resolve) => (reached = resolve));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const slow = it.again({
    store: storeWith({
      "mail.accept": async (items) => {
        const accepted = await it.store.mail.accept(items);
        if (isHeld) {
          isHeld = false;
          reached();
          await released;
        }
        return accepted;
      },
    }),
  });
  const broken = it.again({
    store: storeWith({ "mail.accept": () => Promise.reject(new Error("the store is away")) }),
  });
  it.worker.alarms.raise({ code: "send.failed", account: "demo", message: "x" });
  await it.worker.pager.stored();
  const late = slow.pager.round();
  await arrived;
  // Another process finishes the first bubble, then a third dies while it tells the second.
  await it.worker.pager.round();
  broken.alarms.raise({ code: "event.parked", account: "demo", message: "x" });
  await expect(broken.pager.round()).rejects.toThrow("away");
  release();
  await late;

  expect((await it.worker.pager.of("demo")).telling).toBeDefined();
  await it.worker.drain();
  expect(await it.received(OPERATOR)).toHaveLength(2);
});

describe("the day's report", () => {
  const DAILY = { alerts: { phones: false, report: "daily", reportAt: "07:00" } };
  const tomorrow = () => it.clock.moveTo(tomorrowNoon(it.clock.now()));

  test("waits while sending is paused, and is told when it goes on", async () => {
    it = await rig({ library: flows, account: DAILY });
    await it.worker.scopes.pause("plan:demo", "unreachable");
    tomorrow();
    await it.worker.drain();
    const kept = async () =>
      (await it.store.documents.list("reports")).items.map(({ value }) => value["told"]);
    expect(await kept()).toEqual([false]);

    await it.worker.scopes.resume("plan:demo");
    it.clock.moveTo(it.clock.now() + HOUR);
    await it.worker.drain();
    expect(await kept()).toEqual(["phones"]);
    expect(await it.received(OPERATOR)).toHaveLength(1);
  });

  test("takes nothing of the plan's reserve: it is kept, and stands in the console", async () => {
    it = await rig({ library: flows, account: { ...DAILY, quotaReserve: 0.05 } });
    // A new month has a plan of its own: none may begin meanwhile.
    const now = new Date(it.clock.now());
    it.clock.moveTo(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 5, 12));
    await it.stage.http("PUT", "/sandbox/billing", { enforce: false, quota: 1 });
    await it.asks(CUSTOMER, {
      ...{ type: "send", class: "message", channel: "engine-b", address: CUSTOMER, turn: "t" },
      message: { text: "a última" },
    });
    await it.worker.drain();
    tomorrow();
    await it.worker.drain();

    expect(await it.received(OPERATOR)).toEqual([]);
    const kept = (await it.store.documents.list("reports")).items.map(({ value }) => value["told"]);
    expect(kept.at(-1)).toBe("nobody");
  });
});
