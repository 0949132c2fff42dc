/** A timer whose turn fails: set aside once, with one dead letter and one bubble; all other timers go on. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Demand, FlowEvent, Library, Program } from "../../../src/engine/index.ts";
import { atStep as failing } from "../../../src/flow/ast/finding.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { CUSTOMER, library, OTHER, rig, type Rig } from "../rig.ts";

const MINUTE = 60_000;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "16"] });
});
afterAll(() => redis.stop());

let it: Rig;
afterEach(() => it.close());

let database = 0;
const places = () => [{}, { redisUrl: `${redis.url}/${(database += 1)}` }];

/** What a flow does with an event: null when it takes it in silence. */
type Deed = (event: FlowEvent) => { readonly ends?: true; readonly big?: true } | null;

/** A library whose only flow begins with "bomba", asks something and sets these timers, which fire as `deed` says. */
function ticking(
  demands: readonly Demand[],
  deed: Deed,
  { prompt, rests = "ask" }: { prompt?: () => never; rests?: string } = {},
): Library {
  const state = { at: "asked" };
  const quietly = { handled: true, say: [], demands: [], trace: [] };
  const own = {
    start: () => ({ ...quietly, state, demands, say: [{ key: "ask", text: "[ask]" }] }),
    expects: () => ({ step: "x", rests, slots: [], sealed: false, optional: false }),
    prompt: prompt ?? (() => [{ key: "ask", text: "[ask]" }]),
    step: (_state: unknown, event: FlowEvent) => {
      const done = deed(event);
      return {
        ...quietly,
        state: done?.big ? { bag: "x".repeat(600 * 1_024) } : state,
        say: [{ key: event.type, text: `[${event.type}]` }],
        ...(done?.ends ? { ended: { outcome: "done", out: {} } } : {}),
      };
    },
    summary: () => [],
  };
  const flow = { ...library.get("bomb"), ...own } as unknown as Program;
  return { ...library, get: (name) => (name === "bomb" ? flow : undefined), list: () => [flow] };
}

const NUDGED: readonly Demand[] = [{ type: "quiet", nudgeMs: 30 * MINUTE, expireMs: 120 * MINUTE }];

/** The nudge is broken, all else is well. */
function nudgeFails(tries: { count: number; mended?: boolean }): Deed {
  return ({ type }) => {
    if (type !== "quiet.nudge") return type === "quiet.expire" ? { ends: true } : null;
    tries.count += 1;
    if (tries.mended) return null;
    throw new Error("the nudge is broken");
  };
}

async function later(minutes: number, worker = it.worker): Promise<void> {
  it.clock.moveTo(it.clock.now() + minutes * MINUTE);
  await worker.drain();
}
const letters = async () => (await it.store.deadLetters.list({ limit: 50 })).items;
const heard = async (): Promise<string[]> => it.received(CUSTOMER);
const alarms = (): string[] =>
  it.events.flatMap((event) => (event.type === "alarm" ? [event.code] : []));
const events = async (): Promise<unknown[]> =>
  (await it.journal(CUSTOMER))
    // Without what the gateway told of the chat's address.
    .filter(({ mail }) => mail !== undefined && textOf(mail, "kind") !== "resolved")
    .map((line) => line["event"]);
const textOf = (value: unknown, field: string): string =>
  String((value as Record<string, string>)[field]);
/** Event and mail of the letters, as far as they name a timer. */
const parked = async (): Promise<unknown[]> =>
  (await letters()).map(({ event, mail, reason }) => ({
    ...{ event: event.replace(/\d+/g, "#"), reason, kind: textOf(mail, "kind") },
    ...(textOf(mail, "kind") === "timer" ? { flow: textOf(mail, "flow") } : {}),
  }));
const letterNamed = (name: string, reason: string): object => ({
  ...{ event: `timer:f#.${name}:#`, reason, kind: "timer", flow: "bomb" },
});

describe.each([0, 1])("a timer whose turn fails (store %i)", (at) => {
  test("is parked once, told once and never fires again by itself; the flow's others fire", async () => {
    const tries = { count: 0 };
    it = await rig({ ...places()[at], library: ticking(NUDGED, nudgeFails(tries)) });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    const before = (await heard()).length;

    await later(31);

    const tried = tries.count;
    expect(tried).toBeGreaterThan(0);
    expect(await parked()).toEqual([letterNamed("quiet.nudge", "the nudge is broken")]);
    expect((await heard()).slice(before)).toEqual(["[sorry]\n\n[ask]"]);
    expect(alarms()).toEqual(["event.parked"]);

    await later(30);
    expect([tries.count, (await letters()).length, (await heard()).length]).toEqual([
      ...[tried, 1, before + 1],
    ]);
    await later(60);
    expect((await heard()).slice(before + 1)).toEqual(["[quiet.expire]"]);
    const { counters } = await it.store.views.backlog();
    expect(counters).toMatchObject({ dead: 1, queued: 0 });
    expect(counters.accepted).toBe(counters.applied + 1);
  });

  test("lets others fire at their times also where the notice's turn fails", async () => {
    const tries = { count: 0 };
    const prompt = (): never => {
      throw new Error("the prompt is broken");
    };
    const flows = ticking(NUDGED, nudgeFails(tries), { prompt });
    it = await rig({ ...places()[at], library: flows });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    const before = (await heard()).length;

    await later(31);
    expect(await parked()).toEqual([
      letterNamed("quiet.nudge", "the nudge is broken"),
      { event: "parked:timer:f#.quiet.nudge:#", kind: "parked", reason: "the prompt is broken" },
    ]);
    const tried = tries.count;
    await later(90);

    expect(tries.count).toBe(tried);
    expect((await heard()).slice(before)).toEqual(["[quiet.expire]"]);
    expect(await letters()).toHaveLength(2);
  });

  test("fires again when its letter is released and it still stands, and only then", async () => {
    const tries: { count: number; mended?: boolean } = { count: 0 };
    it = await rig({ ...places()[at], library: ticking(NUDGED, nudgeFails(tries)) });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    await later(31);
    const before = (await heard()).length;
    const release = async (): Promise<void> => {
      const [letter] = await letters();
      expect(await it.store.deadLetters.resolve(letter?.id ?? "", "release")).toBe(true);
      await it.worker.drain();
    };

    // Nothing was mended: it is a letter again, and the person, who did nothing, is told nothing.
    const tried = tries.count;
    await release();
    expect(tries.count).toBeGreaterThan(tried);
    expect(await parked()).toEqual([letterNamed("quiet.nudge", "the nudge is broken")]);
    expect((await heard()).slice(before)).toEqual([]);

    tries.mended = true;
    await release();
    expect(await letters()).toEqual([]);
    expect((await heard()).slice(before)).toEqual(["[quiet.nudge]"]);
    await later(90);
    expect((await heard()).slice(before + 1)).toEqual(["[quiet.expire]"]);
    const { counters } = await it.store.views.backlog();
    expect(counters.accepted).toBe(counters.applied);
  });

  test("whose turn leaves too large a session is parked once; the session is as it was", async () => {
    const flows = ticking(NUDGED, ({ type }) =>
      type === "quiet.nudge" ? { big: true } : type === "quiet.expire" ? { ends: true } : null,
    );
    it = await rig({ ...places()[at], library: flows });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    const before = (await heard()).length;

    await later(31);

    expect(await parked()).toEqual([letterNamed("quiet.nudge", "session_too_large")]);
    expect((await heard()).slice(before)).toEqual(["[sorry]\n\n[ask]"]);
    await later(90);
    expect((await heard()).slice(before + 1)).toEqual(["[quiet.expire]"]);
    expect(await letters()).toHaveLength(1);
  });

  test("that kills whoever runs it is parked without being run again; the others fire", async () => {
    const tries = { count: 0 };
    it = await rig({ ...places()[at], library: ticking(NUDGED, nudgeFails(tries)) });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    const before = (await heard()).length;
    it.clock.moveTo(it.clock.now() + 31 * MINUTE);
    expect(await it.store.mail.tick({ offsetMs: it.clock.offsetMs, limit: 10 })).toBe(1);
    for (let deaths = 0; deaths < 7; deaths++) {
      const lease = { owner: "dead", contacts: 32, events: 1, leaseMs: 5 };
      expect(await it.store.mail.claim(lease)).toHaveLength(1);
      await new Promise((done) => setTimeout(done, 10));
    }

    await it.worker.drain();

    expect(tries.count).toBe(0);
    expect(await parked()).toEqual([letterNamed("quiet.nudge", "no_commit")]);
    await later(90);
    expect((await heard()).slice(before)).toEqual(["[sorry]\n\n[ask]", "[quiet.expire]"]);
  });
});

describe("a timer whose turn fails", () => {
  const wait = (step: string): Demand => ({
    ...{ type: "wait", step, event: "paid", for: "x", withinMs: 30 * MINUTE },
  });

  test("is told from those that are due with it: they fire, it is the one set aside", async () => {
    const flows = ticking([wait("x"), ...NUDGED], ({ type }) => {
      if (type === "x.late") throw new Error("too late");
      return type === "quiet.expire" ? { ends: true } : null;
    });
    it = await rig({ library: flows });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    const before = (await heard()).length;

    await later(31);

    expect(await parked()).toEqual([letterNamed("x.late", "too late")]);
    expect((await heard()).slice(before).sort()).toEqual(["[quiet.nudge]", "[sorry]\n\n[ask]"]);
    await later(90);
    expect((await heard()).at(-1)).toBe("[quiet.expire]");
  });

  test("because of what another one of the same moment gathers is not blamed for it", async () => {
    const flows = ticking([wait("x"), ...NUDGED], ({ type }) =>
      type === "x.late" ? { big: true } : null,
    );
    it = await rig({ library: flows });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    const before = (await heard()).length;

    await later(31);

    expect(await parked()).toEqual([letterNamed("x.late", "session_too_large")]);
    expect((await heard()).slice(before)).toEqual(["[quiet.nudge]", "[sorry]\n\n[ask]"]);
  });

  test("makes its person hear of it at the pace of what nobody asked for", async () => {
    const flows = ticking([{ type: "quiet", nudgeMs: 25 * 60 * MINUTE }], nudgeFails({ count: 0 }));
    const pace = { perSecond: 10, burst: 4, unaskedPerMinute: 6 };
    it = await rig({ library: flows, account: { pace } });
    for (const phone of [CUSTOMER, OTHER]) await it.says(phone, "bomba");
    await it.worker.drain();

    await later(25 * 60 + 1);

    expect(await letters()).toHaveLength(2);
    const waiting = await it.store.views.effects({ state: "pending", limit: 10 });
    const told = [...(await heard()), ...(await it.received(OTHER))];
    expect([told.filter((text) => text.includes("[sorry]")).length, waiting.length]).toEqual([
      1, 1,
    ]);
    expect((waiting[0]?.notBefore ?? 0) - it.clock.now()).toBeGreaterThan(1_000);
  });

  test("is gone with its step: released later, its letter says nothing", async () => {
    const tries = { count: 0 };
    it = await rig({ library: ticking(NUDGED, nudgeFails(tries)) });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    await later(31);
    await later(90);
    const before = (await heard()).length;
    const [letter] = await letters();
    const tried = tries.count;

    expect(await it.store.deadLetters.resolve(letter?.id ?? "", "release")).toBe(true);
    await it.worker.drain();

    expect(tries.count).toBe(tried);
    expect((await heard()).length).toBe(before);
    expect(await letters()).toEqual([]);
    expect((await events()).at(-1)).toMatch(/^timer:/);
  });

  test("never fires again when its letter is dropped", async () => {
    const tries = { count: 0 };
    it = await rig({ library: ticking(NUDGED, nudgeFails(tries)) });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    await later(31);
    const [letter] = await letters();
    const tried = tries.count;

    expect(await it.store.deadLetters.resolve(letter?.id ?? "", "drop")).toBe(true);
    await later(60);

    expect([tries.count, await letters()]).toEqual([tried, []]);
  });
});

test("a conversation that cannot go on keeps its timers: none is set aside, and they fire once its flow is mended", async () => {
  const heardOf: string[] = [];
  const flows = ticking(NUDGED, ({ type }) => {
    heardOf.push(type);
    return type === "quiet.expire" ? { ends: true } : null;
  });
  let broken = false;
  // A newer version of the flow is live, and fails at the conversation it took over.
  const newer = () => ({
    ...flows.get("bomb"),
    hash: "newer",
    version: 2,
    adopt: () => ({ ok: true, step: flows.get("bomb")?.start({} as never, {} as never) }),
    question: (): never => {
      throw new Error("the flow is broken");
    },
  });
  const get = (name: string, hash?: string) =>
    (broken && hash !== flows.get("bomb")?.hash ? newer() : flows.get(name)) as Program;
  it = await rig({ library: { ...flows, get } });
  await it.says(CUSTOMER, "bomba", "first");
  await it.worker.drain();
  const before = (await heard()).length;
  broken = true;

  await later(31);
  await later(15);
  expect(await letters()).toEqual([]);
  expect((await heard()).length).toBe(before);
  expect(new Set(alarms())).toEqual(new Set(["timer.unfired"]));
  expect(heardOf).not.toContain("quiet.nudge");

  broken = false;
  await later(11);
  expect(heardOf).toContain("quiet.nudge");
  await later(90);
  expect((await heard()).at(-1)).toBe("[quiet.expire]");
});

test("the alarm names flow, step and kind of error, and nothing of what the error says", async () => {
  const cpf = "529.982.247-25";
  const flows = ticking(NUDGED, () => null);
  let broken = false;
  const newer = () => ({
    ...flows.get("bomb"),
    ...{ hash: "newer", version: 2, file: "flows/bomb/flow.ts" },
    adopt: () => ({ ok: true, step: flows.get("bomb")?.start({} as never, {} as never) }),
    // An author's rule: what it was given stands in the words of what it throws.
    question: () => failing("flows/bomb/flow.ts", "total", () => BigInt(cpf)),
  });
  const get = (name: string, hash?: string) =>
    (broken && hash !== flows.get("bomb")?.hash ? newer() : flows.get(name)) as Program;
  it = await rig({ library: { ...flows, get } });
  await it.says(CUSTOMER, "bomba", "first");
  await it.worker.drain();
  broken = true;
  await later(31);

  const [alarm] = it.events.filter((event) => event.type === "alarm");
  expect(alarm).toMatchObject({ code: "timer.unfired" });
  expect(alarm?.message).toContain('flows/bomb/flow.ts, step "total": SyntaxError.');
  expect(alarm?.message).not.toContain(cpf);
});

describe("a pile of dead letters that is full", () => {
  test("keeps the failing event at the head of its own mailbox, and nobody else waits for it", async () => {
    it = await rig({ limits: { deadLetters: 1 } });
    for (const id of ["one", "two"]) await it.says(CUSTOMER, "bomba", id);
    await it.says(CUSTOMER, "oi", "after");
    await it.says(OTHER, "oi", "other");
    await it.worker.drain();

    expect((await letters()).map(({ event }) => event)).toEqual(["one"]);
    expect(await events()).toEqual(["parked:one"]);
    expect((await it.received(OTHER)).length).toBeGreaterThan(0);
    expect(alarms()).toContain("dead.full");
    const [letter] = await letters();
    expect(await it.store.deadLetters.resolve(letter?.id ?? "", "drop")).toBe(true);
    await later(2);

    expect((await letters()).map(({ event }) => event)).toEqual(["two"]);
    expect(await events()).toEqual(["parked:one", "parked:two", "after"]);
  });

  test("puts a failing timer off: who has it is served, and it is parked once there is room", async () => {
    const tries = { count: 0 };
    it = await rig({ limits: { deadLetters: 0 }, library: ticking(NUDGED, nudgeFails(tries)) });
    await it.says(CUSTOMER, "bomba", "first");
    await it.worker.drain();
    const before = (await heard()).length;

    await later(31);
    expect(await letters()).toEqual([]);
    expect(alarms()).toContain("dead.full");
    const tried = tries.count;
    await it.says(CUSTOMER, "oi", "meanwhile");
    await it.worker.drain();
    expect(await events()).toContain("meanwhile");
    expect((await it.store.views.backlog()).counters).toMatchObject({ queued: 0, dead: 0 });
    await later(2);
    expect(tries.count).toBeGreaterThan(tried);
    await later(90);
    expect((await heard()).at(-1)).toBe("[quiet.expire]");
    expect((await heard()).slice(before)).not.toContain("[sorry]\n\n[ask]");
  });
});
