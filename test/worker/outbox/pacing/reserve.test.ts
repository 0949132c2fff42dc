/** What the last share of the plan's calls is kept for, and what else may leave out of it. */
import { afterEach, expect, test } from "vitest";
import type { NewEffect } from "../../../../src/store/port/port.ts";
import type { Worker } from "../../../../src/worker/index.ts";
import { bubble, CUSTOMER, OTHER, rig, textOf, type Rig } from "../../rig.ts";

let it: Rig;
afterEach(() => it.close());

const HOUR_MS = 3_600_000;
const sends = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "message.sendText").length;
const billing = (change: object) => it.stage.http("PUT", "/sandbox/billing", change);
const phone = (index: number) => `55119876700${String(index).padStart(2, "0")}`;

/** Of twenty calls of this month five are left, all of them reserved. */
async function onlyTheReserve(): Promise<void> {
  it = await rig({ account: { quotaReserve: 0.25 } });
  const now = new Date(it.clock.now());
  it.clock.moveTo(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 5, 12));
  await billing({ enforce: false, quota: 20 });
  const many = Array.from({ length: 15 }, (_, index) => bubble(OTHER, `m${index}`, `t${index}`));
  await it.asks(OTHER, ...many);
  await it.worker.drain();
  expect(await sends()).toBe(15);
}

/** Bubbles that wait in this order; `!` begins a result, `@` a person's word. */
async function says(...texts: string[]): Promise<void> {
  const contact = await it.contact(CUSTOMER);
  const mail = { kind: "tick", due: 0 };
  await it.store.mail.accept([{ account: "demo", contact, event: `e${texts.join()}`, mail }]);
  const [mine] = await it.store.mail.claim({ owner: "t", contacts: 1, events: 1, leaseMs: 5_000 });
  if (!mine) throw new Error("nobody could be claimed");
  const effects = texts.map((text, index): NewEffect => {
    const id = `${contact}:${texts.join()}:${index}`;
    const work = { at: it.clock.now(), ...(text.startsWith("!") ? { result: true } : {}) };
    const byHuman = text.startsWith("@") ? { byHuman: true } : {};
    const payload = { ...bubble(CUSTOMER, text, `t${index}`), ...byHuman, id, work };
    const how = { class: "message", scope: "plan:demo", ordered: true } as const;
    return { id, ...how, payload };
  });
  const { account, epoch, rev, session } = mine;
  const turn = { account, contact, epoch, rev, session, applied: 1, due: null, journal: [] };
  await it.store.mail.commit([{ ...turn, effects }]);
}

test("what stands before a result leaves with it, in order", async () => {
  await onlyTheReserve();
  await says("um momento", "!sua nota saiu", "até logo");
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual(["um momento", "!sua nota saiu"]);
});

test("of several before a result only the last is said, and a person's own words; the journal tells of the others", async () => {
  await onlyTheReserve();
  await says("um", "@sou eu", "dois", "três", "!a primeira saiu", "quatro", "!a segunda saiu");
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([
    ...["@sou eu", "três", "!a primeira saiu"],
    ...["quatro", "!a segunda saiu"],
  ]);
  const dropped = (await it.journal(CUSTOMER)).filter((line) => line["dropped"] !== undefined);
  expect(dropped.map((line) => textOf(line["dropped"]))).toEqual(["collapsed", "collapsed"]);
});

test("what else is said waits for the reserve's end, however many say it in however many processes", async () => {
  await onlyTheReserve();
  const workers: Worker[] = [it.worker, it.again()];
  for (let index = 0; index < 8; index++) await it.asks(phone(index), bubble(phone(index), "oi"));
  for (let minute = 0; minute < 12; minute++) {
    it.clock.moveTo(it.clock.now() + 61_000);
    for (const worker of workers) await worker.drain();
  }
  expect(await sends()).toBe(15);
  expect((await it.store.views.effects({ state: "pending", limit: 20 })).length).toBe(8);
});

test("four of them a day, of all processes, hear whether the quota was raised", async () => {
  await onlyTheReserve();
  const workers: Worker[] = [it.worker, it.again(), it.again()];
  for (let index = 0; index < 8; index++) await it.asks(phone(index), bubble(phone(index), "oi"));
  for (let hour = 0; hour < 24; hour += 2) {
    it.clock.moveTo(it.clock.now() + 2 * HOUR_MS);
    for (const worker of workers) await worker.drain();
  }
  expect((await sends()) - 15).toBe(4);

  await billing({ quota: 1_000 });
  it.clock.moveTo(it.clock.now() + 6 * HOUR_MS);
  for (const worker of workers) await worker.drain();
  it.clock.moveTo(it.clock.now() + 61_000);
  for (const worker of workers) await worker.drain();
  expect((await sends()) - 15).toBe(8);
});
