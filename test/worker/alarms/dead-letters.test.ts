/** Dead letters: whoever can do something about them hears of them, and hears again. */
import { afterEach, expect, test } from "vitest";
import { alarmDead } from "../../../src/worker/alarms/dead-letters.ts";
import { library as flows } from "../flow-words.ts";
import { CUSTOMER, OPERATOR, OTHER, rig, type Rig } from "../rig.ts";
import type { Context } from "../../../src/worker/context/context.ts";
import { type Steps, withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

const HOUR = 3_600_000;
const PHONES = { alerts: { phones: true, report: "off" } };
const SECOND = { id: "second", name: "Oficina", operators: [], alerts: { report: "off" } };

const alarms = () =>
  it.events.flatMap((event) =>
    event.type === "alarm" && event.code === "dead.waiting" ? [event] : [],
  );

/** What the watch does, at a time of the store's clock. */
const look = (later = 0, owner = "w1", other: Steps = {}) => {
  const now = async () => (await it.store.now()) + later;
  const store = withSteps(it.store, { now, ...other });
  const { alarms: raised, pager } = it.worker;
  const accounts = {
    get: async () => it.account,
    ids: async () => ["demo", "second"],
  } as unknown as Context["accounts"];
  return alarmDead({ store, accounts, alarms: raised, pager }, owner);
};

/** A letter of this account that found no room. */
async function overflow(account: string, phone: string, from = 0): Promise<void> {
  const contact = await it.store.contacts.identify(account, [`phone:${phone}`]);
  const mail = { kind: "tick", due: 0 };
  for (let n = from; n < from + 3; n++)
    await it.store.mail.accept([{ account, contact, event: `o${n}`, mail }]);
}

/** One that was parked. */
async function park(phone: string): Promise<void> {
  await it.says(phone, "oi");
  const [claim] = await it.store.mail.claim({ owner: "t", contacts: 1, events: 1, leaseMs: 5_000 });
  if (!claim) throw new Error("nothing to park");
  const { account, contact, epoch, rev } = claim;
  await it.store.deadLetters.add({ account, contact, epoch, rev, reason: "broken" });
}

test("mail that found no room is told on the operators' phones at once, with its number and age, and names nobody", async () => {
  it = await rig({ library: flows, account: PHONES, limits: { mailbox: 1 } });
  await overflow("demo", CUSTOMER);
  it.clock.moveTo(it.clock.now() + 61_000);
  await it.worker.drain();

  expect(alarms()).toMatchObject([{ account: "demo", vars: { letters: "2" } }]);
  const [said, ...more] = await it.received(OPERATOR);
  expect(more).toEqual([]);
  expect(said).toMatch(/à espera de alguém: 2, a mais antiga de \d\d\/\d\d \d\d:\d\d\./);
  expect(said).not.toContain(CUSTOMER.slice(4));
});

test("what was parked has its own alarm, is told again after an hour, then once a day, until somebody looked", async () => {
  it = await rig({ limits: { mailbox: 9 } });
  await park(CUSTOMER);
  expect(await look()).toBe(0);
  expect(await look(0.9 * HOUR)).toBe(0);
  expect(await look(1.1 * HOUR)).toBe(1);
  expect(await look(24 * HOUR, "w2")).toBe(0);
  expect(await look(26 * HOUR, "w2")).toBe(1);
  const [letter] = (await it.store.deadLetters.list({ limit: 1 })).items;
  await it.store.deadLetters.resolve(letter?.id ?? "", "drop");
  expect(await look(60 * HOUR, "w3")).toBe(0);
});

test("a mailbox that overflows all day is an alarm an hour, not one a letter", async () => {
  it = await rig({ limits: { mailbox: 1 } });
  await overflow("demo", CUSTOMER);
  expect(await look()).toBe(1);
  await overflow("demo", CUSTOMER, 3);
  expect(await look(0.9 * HOUR)).toBe(0);
  expect(await look(1.1 * HOUR)).toBe(1);
  expect(await look(2.3 * HOUR)).toBe(0);
  expect(alarms().map(({ vars }) => vars?.["letters"])).toEqual(["2", "5"]);
});

test("mail that found no room is told within the hour also where more letters lie than are looked at", async () => {
  it = await rig({ limits: { mailbox: 1 } });
  const contact = await it.contact(CUSTOMER);
  const mail = { kind: "tick", due: 0 };
  const many = Array.from({ length: 520 }, (_, n) => ({
    account: "demo",
    contact,
    event: `o${n}`,
    mail,
  }));
  await it.store.mail.accept(many);
  await look();
  expect(alarms().map(({ vars }) => vars?.["letters"])).toEqual(["500+"]);
  expect(await look(HOUR + 1)).toBe(0);
  await overflow("demo", OTHER);

  expect(await look(HOUR + 1)).toBe(1);
  expect(await look(2 * HOUR + 2)).toBe(0);
});

test("mail that found no room is told within minutes also behind thousands that were parked", async () => {
  it = await rig({ limits: { mailbox: 1 } });
  await overflow("demo", CUSTOMER);
  const start = (await it.store.now()) - 60_000;
  const parked = Array.from({ length: 3_600 }, (_, n) => ({
    ...{ id: `p${String(n).padStart(5, "0")}`, reason: "broken", at: start + n },
  }));
  const [letter] = (await it.store.deadLetters.list({ limit: 1 })).items;
  // As many pages as the store would give.
  const dead: typeof it.store.deadLetters.list = async ({ after = "", limit }) => {
    const all = [...parked, { ...letter, id: "q", reason: "mailbox_full", at: start + 9_000 }];
    const items = all.filter(({ id }) => id > after).slice(0, limit);
    const last = items.at(-1)?.id ?? "q";
    return { items, ...(last === "q" ? {} : { next: last }) } as never;
  };
  let rounds = 0;
  while (alarms().length === 0 && rounds < 5) {
    await look(0, "w1", { "deadLetters.list": dead });
    rounds++;
  }
  expect(rounds).toBe(2);
  expect(await look(HOUR + 1, "w1", { "deadLetters.list": dead })).toBe(0);
});

test("several processes raise one alarm, and each account hears of its own letters alone", async () => {
  it = await rig({ limits: { mailbox: 1 }, others: [SECOND] });
  await overflow("demo", CUSTOMER);
  await overflow("demo", OTHER);
  await overflow("second", CUSTOMER);
  await Promise.all([look(0, "w1"), look(0, "w2"), look(0, "w3")]);

  const told = alarms().map(({ account, vars }) => [account, vars?.["letters"]]);
  expect(told.sort()).toEqual([
    ["demo", "4"],
    ["second", "2"],
  ]);
});
