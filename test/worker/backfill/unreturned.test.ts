/** What engine B is asked for and does not give back: told to a person, with its channel and all of its time. */
import { afterEach, expect, test } from "vitest";
import type { CallOutcome, RouteId } from "../../../src/gateway/index.ts";
import { whenIn } from "../../../src/worker/operators.ts";
import { answering, bot, heardOf, HEARING, pass, TOKEN, writes } from "../bot.ts";
import { CUSTOMER, rig, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const DAY_MS = 86_400_000;
const TWO = { channels: [...HEARING.channels, { channel: "engine-a", token: TOKEN }] };

const told = () =>
  it.events.flatMap((event) =>
    event.type === "alarm" && event.code === "channel.gap" ? [event] : [],
  );
const channels = () => told().map(({ vars }) => vars?.["channels"]);

/** Answers pulls with what `page` gives, numbered from 1. */
function pages(page: (number: number) => CallOutcome) {
  let calls = 0;
  const answered = (route: RouteId) => (route === "chat.findMessages" ? page(++calls) : undefined);
  return { gatewayFor: () => answering(it, answered), calls: () => calls };
}

/** Each page has one more row, and there is always another page. */
const endless = () =>
  pages((number) => {
    const row = {
      key: { id: `R${number}`, remoteJid: `${CUSTOMER}@s.whatsapp.net`, fromMe: false },
      ...{ message: { conversation: `${number}` }, messageType: "conversation" },
      messageTimestamp: Math.floor((it.clock.now() - number * 1_000) / 1_000),
    };
    const data = { messages: { records: [row] } };
    return { kind: "ok", data, ms: 1, status: 200 } as unknown as CallOutcome;
  });

/** A bot that was up, and is down since so many hours; answers since when. */
async function deaf(account: object, hours: number): Promise<number> {
  it = await rig({ account });
  const first = bot(it);
  await first.up();
  await first.down();
  const since = it.clock.now();
  await pass(it, hours);
  return since;
}

test("pages without end are told although another channel's gap of the same time was", async () => {
  await deaf(TWO, 2);
  const { calls, gatewayFor } = endless();
  const second = bot(it, { gatewayFor });
  await second.up();
  await second.down();

  expect(calls()).toBe(25);
  expect(channels()).toEqual(["A", "B"]);
});

test("a pull that was given up is told although another channel's gap of the same time was", async () => {
  await deaf(TWO, 2);
  const no = { kind: "refused", status: 422, message: "?", ms: 1 } as CallOutcome;
  const second = bot(
    it,
    pages(() => no),
  );
  await second.up();
  for (let tries = 0; tries < 5; tries++) {
    await it.worker.gaps.change("demo", (gap) => ({ ...gap, next: 0, ran: [], runs: 0 }));
    await second.worker.drain();
  }
  await second.down();

  expect((await it.worker.gaps.get("demo")).from).toBeUndefined();
  expect(channels()).toEqual(["A", "B"]);
});

test("of ten days the first three, which the store has forgotten, are told from their beginning to their end", async () => {
  const since = await deaf(HEARING, 0);
  await writes(it, CUSTOMER, "há dez dias");
  await pass(it, 24 * 10);
  await writes(it, CUSTOMER, "agora");
  const second = bot(it);
  await second.up();
  await second.down();

  expect(await heardOf(it, CUSTOMER)).toEqual(["agora"]);
  expect(channels()).toEqual(["B"]);
  const { untold, told: at } = await it.worker.gaps.get("demo");
  expect(untold).toBeUndefined();
  const from = at["engine-b"] ?? 0;
  expect(Math.abs(from - since)).toBeLessThan(60_000);
  expect(Number(told()[0]?.subject?.split(" ")[0])).toBe(from);
  const end = whenIn(it.account.zone, it.clock.now() - 7 * DAY_MS);
  // A minute may have begun meanwhile.
  expect([end, whenIn(it.account.zone, since + 3 * DAY_MS)]).toContain(told()[0]?.vars?.["to"]);
});

test("of a time the store forgot, and pages without end, one time is told, as far as nothing was read", async () => {
  await deaf(HEARING, 24 * 10);
  const second = bot(it, endless());
  await second.up();
  await second.down();

  expect(channels()).toEqual(["B"]);
});
