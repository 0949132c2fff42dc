import { afterAll, beforeAll, afterEach, describe, expect, test } from "vitest";
import type { CallOutcome, RouteId } from "../../../src/gateway/index.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { answering, bot, heardOf, HEARING, pass, TOKEN, writes } from "../bot.ts";
import { bubble, CUSTOMER, OPERATOR, OTHER, rig, textOf, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const pulls = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "chat.findMessages").length;
const contacts = Array.from({ length: 10 }, (_, index) => `55119876501${10 + index}`);

describe.each(["embedded", "redis"])("what nobody heard, %s store", (kind) => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    if (kind === "redis") redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  test("is there once and in order, in one call, however often it is told again", async () => {
    it = await rig({ account: HEARING, ...(redis ? { redisUrl: redis.url } : {}) });
    const first = bot(it);
    await first.up();
    await writes(it, CUSTOMER, "antes");
    await first.hear();
    expect(await pulls()).toBe(0);
    await first.down();

    for (const phone of contacts) {
      await writes(it, phone, "um");
      await writes(it, phone, "dois");
    }
    await writes(it, CUSTOMER, "durante");
    await pass(it, 1);
    for (const phone of contacts) await writes(it, phone, "três");
    const second = bot(it);
    await second.up();

    for (const phone of contacts) expect(await heardOf(it, phone)).toEqual(["um", "dois", "três"]);
    expect(await heardOf(it, CUSTOMER)).toEqual(["antes", "durante"]);
    expect(await pulls()).toBe(1);
    await second.hear();
    for (const phone of contacts) expect(await heardOf(it, phone)).toHaveLength(3);
    const { counters } = await it.store.views.backlog();
    expect(counters.accepted).toBe(counters.applied + counters.dead + counters.queued);
    await second.down();
  });
});

describe("a pull", () => {
  /** A bot that was up, and is down since an hour. */
  async function deaf(account: object = HEARING) {
    it = await rig({ account });
    const first = bot(it);
    await first.up();
    await first.down();
    await pass(it, 1);
  }

  test("keeps what is older than a day, and answers only the rest; a wish to hear no more counts", async () => {
    await deaf();
    await writes(it, CUSTOMER, "ontem");
    await writes(it, OTHER, "não quero mais receber mensagens");
    await pass(it, 25);
    await writes(it, CUSTOMER, "hoje");
    const second = bot(it);
    await second.up();

    expect(await heardOf(it, CUSTOMER)).toEqual(["!ontem", "hoje"]);
    expect(await it.received(OTHER)).toEqual([]);
    const view = await it.store.views.session("demo", await it.contact(OTHER));
    expect(view?.session).toHaveProperty("optOut");
    await second.down();
  });

  test("takes a person's words on the business's phone for a person's, and the bot's own for its own", async () => {
    it = await rig({ account: HEARING });
    const first = bot(it);
    await first.up();
    for (const phone of [CUSTOMER, OTHER]) await it.asks(phone, bubble(phone, "Qual serviço?"));
    await first.worker.drain();
    await first.down();

    await writes(it, CUSTOMER, { human: { text: "Oi, aqui é a Ana" } });
    const second = bot(it);
    await second.up();

    const session = async (phone: string) =>
      (await it.store.views.session("demo", await it.contact(phone)))?.session;
    expect(await session(CUSTOMER)).toMatchObject({ handoff: { reason: "typed" } });
    expect(await session(OTHER)).not.toMatchObject({ handoff: {} });
    await second.down();
  });

  test("ends a send whose answer nobody heard, and does not repeat it", async () => {
    it = await rig({ account: HEARING });
    const first = bot(it);
    await first.up();
    await first.down();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "Nota pronta"));
    // A process that dies with the answer on its way.
    const [begun] = await it.store.effects.begin({
      ...{ limit: 1, leaseMs: 1, paused: [], offsetMs: it.clock.offsetMs },
    });
    expect(begun?.attempt).toBe(1);
    await it.stage.call("message.sendText", { number: CUSTOMER, text: "Nota pronta" });
    const second = bot(it);
    await second.up();
    await second.worker.drain();

    expect(await it.received(CUSTOMER)).toEqual(["Nota pronta"]);
    await second.down();
  });

  test("leaves groups and status posts alone, and knows a person by either name", async () => {
    await deaf();
    await writes(it, CUSTOMER, "pelo número");
    await it.stage.http("PUT", "/sandbox/delivery", { lid: true });
    await writes(it, CUSTOMER, "pelo apelido");
    await writes(it, "120363000000000001@g.us", "no grupo");
    const second = bot(it);
    await second.up();

    expect(await heardOf(it, CUSTOMER)).toEqual(["pelo número", "pelo apelido"]);
    expect((await it.store.views.sessions({ limit: 9 })).items).toHaveLength(1);
    await second.down();
  });

  test("is made by one of several processes", async () => {
    await deaf();
    await writes(it, CUSTOMER, "oi");
    const bots = [bot(it), bot(it), bot(it)];
    await Promise.all(bots.map((one) => one.up()));

    expect(await heardOf(it, CUSTOMER)).toEqual(["oi"]);
    expect(await pulls()).toBe(1);
    for (const one of bots) await one.down();
  });

  test("waits for a gateway that is away, and burns nothing", async () => {
    await deaf();
    await writes(it, CUSTOMER, "oi");
    let away = true;
    const gone: CallOutcome = { kind: "not_sent", reason: "unreachable", ms: 1 };
    const second = bot(it, { gatewayFor: () => answering(it, () => (away ? gone : undefined)) });
    await second.up();
    expect(await heardOf(it, CUSTOMER)).toEqual([]);
    expect((await it.store.scopes.pauses()).get("plan:demo")?.reason).toBe("unreachable");
    expect(await second.worker.gaps.get("demo")).toMatchObject({ runs: 0, failures: 0 });

    away = false;
    await second.worker.scopes.resume("plan:demo");
    await second.worker.drain();
    expect(await heardOf(it, CUSTOMER)).toEqual(["oi"]);
    await second.down();
  });

  test("follows a line that opens again, from where it was lost", async () => {
    it = await rig({ account: HEARING });
    const first = bot(it);
    await first.up();
    const line = { kind: "connection", id: "c1", at: it.clock.now() } as const;
    await first.worker.signals.handle("demo", "engine-b", { ...line, state: "close" });
    await writes(it, CUSTOMER, "no escuro");
    await pass(it, 3);
    await first.worker.drain();
    expect(await pulls()).toBe(0);
    await first.worker.signals.handle("demo", "engine-b", { ...line, id: "c2", state: "open" });
    await first.worker.drain();

    expect(await heardOf(it, CUSTOMER)).toEqual(["no escuro"]);
    expect(await pulls()).toBe(1);
    await first.down();
  });

  test("is bounded for a bot that starts again and again", async () => {
    await deaf();
    for (let life = 0; life < 6; life++) {
      await writes(it, CUSTOMER, `vida ${life}`);
      const one = bot(it);
      await one.up();
      await one.down();
    }

    expect(await pulls()).toBe(3);
    // What could not be asked for yet is not forgotten.
    expect((await it.worker.gaps.get("demo")).from).toBeDefined();
  });

  test("leaves the plan's reserve to invoices, also when only an earlier life heard of it", async () => {
    it = await rig({ account: { ...HEARING, quotaReserve: 0.05 } });
    await it.stage.http("PUT", "/sandbox/billing", { enforce: false, quota: 1 });
    const first = bot(it);
    await first.up();
    await it.asks(OTHER, bubble(OTHER, "a última"));
    await first.worker.drain();
    await first.down();
    await writes(it, CUSTOMER, "oi");
    const second = bot(it);
    await second.up();

    expect(await it.received(OTHER)).toEqual(["a última"]);
    expect(await pulls()).toBe(0);
    expect((await it.worker.gaps.get("demo")).from).toBeDefined();
    await second.down();
  });
});

describe("a gateway's strange answers to a pull", () => {
  const row = (id: number, text: string, at: number, from = CUSTOMER) => ({
    key: { id: `R${id}`, remoteJid: `${from}@s.whatsapp.net`, fromMe: false },
    ...{ message: { conversation: text }, messageType: "conversation" },
    messageTimestamp: Math.floor(at / 1_000),
  });
  const answer = (records: unknown, more: object = {}): CallOutcome =>
    ({ kind: "ok", data: { messages: { records, ...more } }, ms: 1, status: 200 }) as never;

  /** Pages out of the test's hand; answers how many were asked for. */
  async function pulledFrom(page: (number: number, now: number) => CallOutcome): Promise<number> {
    it = await rig({ account: HEARING });
    const first = bot(it);
    await first.up();
    await first.down();
    let calls = 0;
    const answered = (route: RouteId) =>
      route === "chat.findMessages" ? page(++calls, it.clock.now()) : undefined;
    const second = bot(it, { gatewayFor: () => answering(it, answered) });
    await second.up();
    await second.down();
    return calls;
  }

  test("a page that never ends is read twice more, not for ever", async () => {
    expect(await pulledFrom((_, now) => answer([row(1, "oi", now)]))).toBe(3);
    expect(await heardOf(it, CUSTOMER)).toEqual(["oi"]);
  });

  test("a page that came twice because new rows shifted it does not end the pull", async () => {
    // As many rows as a page holds came in after each new page: the same rows again, then older ones.
    const pages = [["três"], ["três"], ["dois"], ["dois"], ["um"], []];
    const texts = ["um", "dois", "três"];
    const page = (number: number, now: number) =>
      answer(
        (pages[number - 1] ?? []).map((text) => {
          const age = 3 - texts.indexOf(text);
          return row(age, text, now - age * 5_000);
        }),
      );
    expect(await pulledFrom(page)).toBe(pages.length);
    expect(await heardOf(it, CUSTOMER)).toEqual(texts);
  });

  test("pages without end are left after some, and what was not read is told", async () => {
    // Each of somebody else: so many of one person would be a machine's.
    const page = (number: number, now: number) =>
      answer([row(number, "oi", now - number, `${5511987610000 + number}`)]);
    expect(await pulledFrom(page)).toBe(25);
    const codes = it.events.flatMap((event) => (event.type === "alarm" ? [event.code] : []));
    expect(codes).toEqual(["channel.gap"]);
  });

  test("a gateway that does not know the filter is read no further than the gap", async () => {
    const page = (number: number, now: number) =>
      answer([row(number, `${number}`, now - (number - 1) * 3_600_000)], { pages: 400 });
    expect(await pulledFrom(page)).toBe(2);
    expect(await heardOf(it, CUSTOMER)).toEqual(["1"]);
  });

  test.each<[string, unknown]>([
    ["no list", "rows"],
    ["rows of every shape", [null, 1, "x", [], [[]], { key: null }, { key: { id: {} } }]],
    [
      "a state of the line in a row",
      [{ state: "close" }, { status: "closed", disconnectionReasonCode: 401 }],
    ],
    ["a code in a row", [{ qrcode: { code: "x" } }, { keyId: "A", status: "ERROR", fromMe: true }]],
  ])("%s changes nothing", async (_name, records) => {
    // The page itself, and twice more: without news it ends.
    expect(await pulledFrom(() => answer(records))).toBeLessThanOrEqual(3);
    expect((await it.store.scopes.pauses()).size).toBe(0);
    expect((await it.store.views.sessions({ limit: 9 })).items).toEqual([]);
    expect((await it.worker.gaps.get("demo")).from).toBeUndefined();
  });

  test("refusals are tried some more times later, at growing distance", async () => {
    const no = { kind: "refused", status: 422, message: "?", ms: 1 } as CallOutcome;
    expect(await pulledFrom(() => no)).toBe(1);
    const gap = await it.worker.gaps.get("demo");
    expect(gap).toMatchObject({ failures: 1 });
    expect(gap.next).toBeGreaterThan(Date.now() + 30_000);
  });
});

test("a gap of an engine that cannot be asked is told once, on the operators' phones", async () => {
  const channels = [...HEARING.channels, { channel: "engine-a", token: TOKEN }];
  it = await rig({ account: { channels, alerts: { phones: true } } });
  const lives = [bot(it), bot(it), bot(it)];
  await lives[0]?.up();
  await lives[0]?.down();
  await pass(it, 1);
  for (const life of lives.slice(1)) {
    await life.up();
    await life.down();
  }

  expect(await it.received(OPERATOR)).toEqual(["[alarm]\n\n[alarm-gap]"]);
});
