/** Where two things meet while messages are pulled back: a line that opens unheard, a person who is erased, an old gap. */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { CallOutcome, RouteId } from "../../../src/gateway/index.ts";
import { answering, type Bot, bot, heardOf, HEARING, pass, TOKEN, writes } from "../bot.ts";
import { CUSTOMER, rig, type Rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

const line = (state: "open" | "close" | "connecting") =>
  ({ kind: "connection", id: `c-${state}`, at: it.clock.now(), state }) as const;

test("a line that opened while nobody listened holds nothing back once the phone is known to be there", async () => {
  it = await rig({ account: HEARING });
  const first = bot(it);
  await first.up();
  await first.worker.signals.handle("demo", "engine-b", line("close"));
  await first.down();
  await writes(it, CUSTOMER, "no escuro");
  await pass(it, 1);

  const second = bot(it);
  await second.up();
  expect(await heardOf(it, CUSTOMER)).toEqual([]);
  // As the probe of the phone's state does when it finds the phone connected.
  await second.worker.scopes.resume("plan:demo");
  await pass(it, 1);
  await second.worker.drain();

  expect(await heardOf(it, CUSTOMER)).toEqual(["no escuro"]);
  await second.down();
});

test("a line that was away for weeks brings nothing back that is older than what the store remembers", async () => {
  it = await rig({ account: HEARING });
  const first = bot(it);
  await first.up();
  await first.worker.signals.handle("demo", "engine-b", line("close"));
  await writes(it, CUSTOMER, "há semanas");
  await pass(it, 24 * 20);
  await writes(it, CUSTOMER, "agora");
  await first.worker.signals.handle("demo", "engine-b", line("open"));
  await first.worker.drain();

  expect(await heardOf(it, CUSTOMER)).toEqual(["agora"]);
  await first.down();
});

test("an older gap that is still open stays the beginning, however old it is", async () => {
  it = await rig({ account: HEARING });
  const { gaps } = it.worker;
  const day = 86_400_000;
  const now = it.clock.now();
  await gaps.add("demo", now - 2 * day, now - day);
  expect(await gaps.add("demo", now - 10, now)).toMatchObject({ from: now - 2 * day });
  expect(await gaps.add("demo", now - 30 * day, now)).toMatchObject({ from: now - 30 * day });
});

describe("a pull and what happens beside it", () => {
  /** The real pages, and something that happens while the first is on its way. */
  const during = (happens: () => Promise<void>) => {
    let calls = 0;
    return {
      calls: () => calls,
      gatewayFor: () => {
        const { call, exactBytes } = it.gateway;
        const asked = async (route: RouteId, ...rest: unknown[]) => {
          const outcome = await (call as (...all: unknown[]) => Promise<unknown>)(route, ...rest);
          if (route === "chat.findMessages" && ++calls === 1) await happens();
          return outcome;
        };
        return { call: asked as unknown as typeof call, exactBytes };
      },
    };
  };
  async function deaf(): Promise<void> {
    it = await rig({ account: HEARING });
    const first = bot(it);
    await first.up();
    await first.down();
    await writes(it, CUSTOMER, "um");
    await pass(it, 1);
  }

  test("a gap that begins while its account is being asked is a pull of its own", async () => {
    await deaf();
    const { gatewayFor, calls } = during(async () => {
      const now = it.clock.now() + 1;
      await writes(it, CUSTOMER, "dois");
      await it.worker.gaps.add("demo", now - 60_000, now);
    });
    const one = bot(it, { gatewayFor });
    await one.up();
    await one.worker.drain();

    expect(calls()).toBe(2);
    expect(await heardOf(it, CUSTOMER)).toEqual(["um", "dois"]);
    expect((await it.worker.gaps.get("demo")).from).toBeUndefined();
    await one.down();
  });

  test("a pull that a stop leaves in the middle is no failure, and is made again by the next process", async () => {
    await deaf();
    let stopped: Promise<void> | undefined;
    const row = (n: number) => ({
      key: { id: `R${n}`, remoteJid: `${CUSTOMER}@s.whatsapp.net`, fromMe: false },
      ...{ message: { conversation: `n${n}` }, messageType: "conversation" },
      messageTimestamp: Math.floor(it.clock.now() / 1_000) - n,
    });
    let calls = 0;
    const page = (route: RouteId): CallOutcome | undefined => {
      if (route !== "chat.findMessages") return undefined;
      stopped ??= one.worker.stop(2_000);
      const data = { messages: { records: [row(++calls)] } };
      return { kind: "ok", data, ms: 1, status: 200 } as unknown as CallOutcome;
    };
    const one: Bot = bot(it, { gatewayFor: () => answering(it, page) });
    one.worker.liveness.open();
    await one.worker.liveness.report();
    await one.worker.start();
    for (let look = 0; look < 200 && !stopped; look++) await pause(20);
    await stopped;
    await one.worker.liveness.stop();

    expect(calls).toBe(1);
    const gap = await it.worker.gaps.get("demo");
    expect(gap).toMatchObject({ failures: 0, next: 0 });
    expect(gap.from).toBeDefined();
    const next = bot(it);
    await next.up();
    expect(await heardOf(it, CUSTOMER)).toEqual(["um"]);
    await next.down();
  });

  test("a webhook waits for what was said before it, and no longer than it takes", async () => {
    await deaf();
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const one = bot(it, { gatewayFor: during(() => opened).gatewayFor });
    one.worker.liveness.open();
    one.worker.liveness.start();
    await one.worker.start();
    const gate = Promise.resolve(one.worker.liveness.gate("demo", "engine-b")).then(() => "open");
    expect(await Promise.race([gate, pause(400, "shut")])).toBe("shut");
    // Nothing of another channel can be pulled back: it waits for nothing.
    expect(one.worker.liveness.gate("demo", "engine-a")).toBeUndefined();
    open();

    expect(await gate).toBe("open");
    await one.worker.drain();
    expect(await heardOf(it, CUSTOMER)).toEqual(["um"]);
    await one.down();
  });
});

describe("a time in which nobody said that he listens", () => {
  const beatAgo = async (ms: number) => {
    const now = it.clock.now();
    await it.store.documents.put("liveness", "all", {
      at: now - ms,
      steady: now - ms - it.clock.offsetMs,
    });
    await it.worker.liveness.report();
  };
  const TWO = { channels: [...HEARING.channels, { channel: "engine-a", token: TOKEN }] };

  test.each([
    [29_000, {}],
    [31_000, { from: true }],
    [59_000, { from: true }],
    [61_000, { from: true, untold: true }],
  ])("of %i ms is what it is worth, under a process that goes on", async (ms, worth) => {
    it = await rig({ account: TWO });
    await it.worker.liveness.report();
    await beatAgo(ms);

    const { from, untold } = await it.worker.gaps.get("demo");
    expect({ ...(from ? { from: true } : {}), ...(untold ? { untold: true } : {}) }).toEqual(worth);
  });

  test("is told once, however often it is noticed, and the next one again", async () => {
    it = await rig({ account: TWO });
    const { gaps } = it.worker;
    const span = { from: 1_000, to: 100_000, channels: ["engine-a"] } as const;
    await gaps.lost("demo", span);
    await it.worker.drain();
    await gaps.lost("demo", { ...span, to: 200_000 });
    expect((await gaps.get("demo")).untold).toBeUndefined();
    await gaps.lost("demo", { ...span, from: 300_000, to: 400_000 });
    expect((await gaps.get("demo")).untold).toMatchObject({ from: 300_000 });
  });

  test("is told of a channel that is heard to have lost it after another's was told, or while it is", async () => {
    it = await rig({ account: TWO });
    const { gaps, pager } = it.worker;
    const span = { from: 1_000, to: 100_000 };
    const stored = pager.stored.bind(pager);
    let begun: Promise<unknown> | undefined;
    // Between the alarm and the word that it was raised.
    pager.stored = () => {
      begun ??= gaps.lost("demo", { ...span, channels: ["sms"] });
      return stored();
    };
    await gaps.lost("demo", { ...span, channels: ["engine-a"] });
    await it.worker.drain();
    await begun;
    await it.worker.drain();
    await gaps.lost("demo", { ...span, channels: ["engine-a", "engine-b"] });
    await it.worker.drain();

    const told = it.events.flatMap((event) => (event.type === "alarm" ? [event.vars] : []));
    expect(told.map((vars) => vars?.["channels"])).toEqual(["A", "SMS", "B"]);
  });
});

describe("words of the business's own phone that are pulled back", () => {
  const handoff = async () =>
    (await it.store.views.session("demo", await it.contact(CUSTOMER)))?.session as
      { handoff?: { reason: string } } | undefined;

  test("a day later are no reason to be quiet today", async () => {
    it = await rig({ account: HEARING });
    const first = bot(it);
    await first.up();
    await first.down();
    await writes(it, CUSTOMER, { human: { text: "Oi, aqui é a Ana" } });
    await pass(it, 25);
    await writes(it, CUSTOMER, "bom dia");
    const second = bot(it);
    await second.up();

    expect(await heardOf(it, CUSTOMER)).toEqual(["bom dia"]);
    expect((await handoff())?.handoff).toBeUndefined();
    await second.down();
  });

  test("that are older than what is known of the chat are left alone", async () => {
    it = await rig({ account: HEARING });
    const first = bot(it);
    await first.up();
    await first.down();
    await writes(it, CUSTOMER, { human: { text: "uma resposta velha do robô?" } });
    await pass(it, 1);
    // The journal begins after it: ten records and more, none as old.
    const echoes = withSteps(it.store, {
      "views.journal": async () => Array.from({ length: 10 }, () => ({ at: it.clock.now() })),
    });
    const second = bot(it, { store: echoes });
    await second.up();

    expect((await handoff())?.handoff).toBeUndefined();
    await second.down();
  });
});
