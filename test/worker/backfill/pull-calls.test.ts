/** What pulling back may cost in all: calls of the plan, however many pages a gap has and however often a line flaps. */
import { afterEach, describe, expect, test } from "vitest";
import type { CallOutcome, PlanLimit, RouteId } from "../../../src/gateway/index.ts";
import { answering, bot, HEARING, pass } from "../bot.ts";
import { CUSTOMER, rig, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const month = () => new Date(it.clock.now()).toISOString().slice(0, 7);
const gaps = () =>
  it.events.flatMap((event) =>
    event.type === "alarm" && event.code === "channel.gap" ? [event.message] : [],
  );

/** A day full of messages: each page is new, and there is always another. */
function endless(limit?: () => PlanLimit) {
  let calls = 0;
  const page = (route: RouteId): CallOutcome | undefined => {
    if (route !== "chat.findMessages") return undefined;
    const id = ++calls;
    const row = {
      key: { id: `R${id}`, remoteJid: `${CUSTOMER}@s.whatsapp.net`, fromMe: false },
      ...{ message: { conversation: `n${id}` }, messageType: "conversation" },
      messageTimestamp: Math.floor((it.clock.now() - id * 1_000) / 1_000),
    };
    const told = limit ? { limit: limit() } : {};
    const data = { messages: { records: [row] } };
    return { kind: "ok", data, ms: 1, status: 200, ...told } as unknown as CallOutcome;
  };
  return { gatewayFor: () => answering(it, page), calls: () => calls };
}

async function deaf(account: object = HEARING): Promise<void> {
  it = await rig({ account });
  const first = bot(it);
  await first.up();
  await first.down();
  await pass(it, 1);
}

/** So many calls were made by pulls this month. */
const used = (calls: number) =>
  it.worker.gaps.change("demo", (gap) => ({ ...gap, month: month(), calls }));

describe("calls of the plan", () => {
  test("are 400 a month for pulls of the smallest plan, pages and tries counted; what was not read is told", async () => {
    await deaf();
    await used(390);
    const { calls, gatewayFor } = endless();
    const one = bot(it, { gatewayFor });
    await one.up();

    expect(calls()).toBe(10);
    expect(await it.worker.gaps.get("demo")).toMatchObject({ calls: 400 });
    expect(gaps()).toHaveLength(1);
    await one.down();
  });

  test("are there again next month, and the gap that waited for them is filled", async () => {
    await deaf();
    await it.worker.gaps.change("demo", (gap) => ({ ...gap, month: "2020-01", calls: 400 }));
    const { calls, gatewayFor } = endless();
    const one = bot(it, { gatewayFor });
    await one.up();

    expect(calls()).toBe(25);
    expect(await it.worker.gaps.get("demo")).toMatchObject({ month: month(), calls: 25 });
    await one.down();
  });

  test("stop in the middle of a gap where only the plan's reserve is left", async () => {
    await deaf({ ...HEARING, quotaReserve: 0.05 });
    const spent = endless(() => ({ for: "request", used: 935 + spent.calls() * 5, max: 1_000 }));
    const one = bot(it, { gatewayFor: spent.gatewayFor });
    await one.up();

    // The third page told that 950 of 1,000 are used.
    expect(spent.calls()).toBe(3);
    expect(gaps()).toHaveLength(1);
    await one.down();
  });

  test("that lack for a day are told to a person, also while the line goes on flapping", async () => {
    await deaf();
    await used(400);
    const { calls, gatewayFor } = endless();
    const one = bot(it, { gatewayFor });
    await one.up();
    for (let hour = 0; hour < 26; hour += 2) {
      for (const state of ["close", "open"] as const) {
        const id = `${state}${hour}`;
        const line = { kind: "connection", id, at: it.clock.now(), state } as const;
        await one.worker.signals.handle("demo", "engine-b", line);
      }
      it.clock.moveTo(it.clock.now() + 2 * 3_600_000);
      await it.worker.gaps.change("demo", (gap) => ({
        ...gap,
        next: 0,
        month: month(),
        calls: 400,
      }));
      await one.worker.drain();
    }

    expect(calls()).toBe(0);
    expect(gaps()).toHaveLength(1);
    await one.down();
  });

  test("that lack give up the gap that is told, and none that is noticed just then", async () => {
    await deaf();
    const noticed = it.clock.now() + 30_000;
    const short = it.clock.now() - 2 * 86_400_000;
    await it.worker.gaps.change("demo", (gap) => ({ ...gap, month: month(), calls: 400, short }));
    const put = it.store.documents.put.bind(it.store.documents);
    let begun: Promise<unknown> | undefined;
    it.store.documents.put = async (...what) => {
      const done = await put(...what);
      // Changes of one document wait for each other: this one comes between the two that give up.
      if (what[0] === "gaps" && what[2]["untold"] !== undefined)
        begun ??= it.worker.gaps.add("demo", noticed - 10_000, noticed);
      return done;
    };
    const one = bot(it);
    await one.up();

    expect(begun).toBeDefined();
    const { from } = await it.worker.gaps.get("demo");
    expect(from).toBeDefined();
    expect(from).toBeLessThanOrEqual(noticed - 10_000);
    await one.down();
  });
});
