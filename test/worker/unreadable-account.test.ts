/** One account that cannot be read is its own trouble: all others are watched, told and tidied up as ever. */
import { afterEach, expect, test } from "vitest";
import { Fault } from "../../src/base/index.ts";
import type { Account } from "../../src/engine/index.ts";
import { bot, HEARING, pass, TOKEN, writes } from "./bot.ts";
import { library as flows } from "./flow-words.ts";
import { CUSTOMER, OPERATOR, rig, type Rig } from "./rig.ts";

let it: Rig;
afterEach(() => it.close());

/** The unreadable one stands first in every list. */
const BROKEN = "broken";
let isBroken = true;
const accounts = {
  get: async (id: string): Promise<Account | null> => {
    if (id !== BROKEN) return id === it.account.id ? it.account : null;
    if (isBroken) throw new Fault("DATA_TAMPERED", "Account broken does not fit its schema.");
    return { ...it.account, id: BROKEN };
  },
  ids: async () => [BROKEN, it.account.id],
};

const alarms = (code: string) =>
  it.events.flatMap((event) => (event.type === "alarm" && event.code === code ? [event] : []));

test("a gap of the others is told or pulled back, and the one that cannot be read is an alarm, once", async () => {
  isBroken = true;
  const channels = [...HEARING.channels, { channel: "engine-a", token: TOKEN }];
  it = await rig({ account: { channels } });
  const first = bot(it);
  await first.up();
  await first.down();
  await writes(it, CUSTOMER, "durante");
  await pass(it, 2);
  const second = bot(it, { accounts });
  await second.up();

  expect(alarms("channel.gap").map(({ account }) => account)).toEqual([it.account.id]);
  expect((await it.journal(CUSTOMER)).length).toBeGreaterThan(0);
  for (let hours = 0; hours < 3; hours++) {
    await pass(it, 1);
    await second.worker.drain();
  }
  const told = alarms("account.unreadable");
  expect(told.map(({ subject }) => subject)).toEqual([BROKEN]);

  // What was missed of it waits until it can be read.
  expect((await it.worker.gaps.get(BROKEN)).from).toBeDefined();
  isBroken = false;
  await pass(it, 1);
  await second.worker.drain();
  expect((await it.worker.gaps.get(BROKEN)).from).toBeUndefined();
  await second.down();
});

test("dead letters and retention of the others go on, and their phones are told", async () => {
  isBroken = true;
  const alerts = { phones: true, report: "off" };
  it = await rig({ library: flows, account: { alerts }, limits: { mailbox: 1 } });
  const worker = it.again({ accounts });
  const silent = await it.contact(CUSTOMER);
  await it.says(CUSTOMER, "oi");
  await worker.drain();
  const contact = await it.contact("5511987650009");
  for (let n = 0; n < 2; n++) {
    const mail = { kind: "tick", due: 0 };
    await it.store.mail.accept([{ account: it.account.id, contact, event: `o${n}`, mail }]);
  }
  worker.alarms.raise({ code: "send.failed", account: BROKEN, message: "x" });
  it.clock.moveTo(it.clock.now() + 61_000);
  await worker.drain();

  expect(alarms("dead.waiting").map(({ account }) => account)).toEqual([it.account.id]);
  expect((await it.received(OPERATOR)).join("\n")).toMatch(/à espera de alguém: 1/);
  it.clock.moveTo(it.clock.now() + 91 * 86_400_000);
  await worker.drain();
  expect(await it.store.views.session(it.account.id, silent)).toBeNull();
  expect(alarms("account.unreadable")).toHaveLength(1);
  await worker.stop(1_000);
});
