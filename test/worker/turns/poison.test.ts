/** Events that cannot be applied, for whatever reason: they end in dead letters, and everything else goes on. */
import { Redis } from "ioredis";
import { createMachine, initialTransition, transition } from "xstate";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Library, Program } from "../../../src/engine/index.ts";
import { createActions } from "../../../src/app/operator/actions.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { changed } from "../../store/unreadable.ts";
import { CUSTOMER, inbound, library, OTHER, rig, type Rig } from "../rig.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "16"] });
});
afterAll(() => redis.stop());

let it: Rig;
afterEach(() => it.close());

let database = 0;
const places = () => [
  { name: "the embedded store", at: {} },
  { name: "Redis", at: { redisUrl: `${redis.url}/${(database += 1)}` } },
];

/** A library whose only flow does this when it is started by "bomba". */
function exploding(start: () => never): Library {
  const expects = () => ({ step: "x", rests: "ask", slots: [], sealed: false, optional: false });
  const own = { start, expects, prompt: () => [], step: start, summary: () => [] };
  const bomb = { ...library.get("bomb"), ...own } as unknown as Program;
  return { ...library, get: (flow) => (flow === "bomb" ? bomb : undefined), list: () => [bomb] };
}

const dead = async (): Promise<unknown[]> => {
  const { items } = await it.store.deadLetters.list({ limit: 10 });
  return items.map(({ event, reason }) => [event, reason]);
};
const applied = async (phone: string): Promise<unknown[]> =>
  (await it.journal(phone)).filter((line) => line["mail"]).map((line) => line["event"]);

describe.each([0, 1])("an event that fails (store %i)", (at) => {
  test("is tried five times, parked, told once, and what follows it is applied", async () => {
    let tries = 0;
    const flows = exploding(() => {
      tries += 1;
      throw new Error(`the flow is broken for the ${tries}. time`);
    });
    it = await rig({ ...places()[at]?.at, library: flows });
    await it.says(CUSTOMER, "oi", "first");
    await it.worker.drain();
    await it.says(CUSTOMER, "bomba", "poison");
    await it.says(CUSTOMER, "oi de novo", "next");
    await it.says(OTHER, "oi", "other");

    await it.worker.drain();

    expect(tries).toBe(5);
    expect(await dead()).toEqual([["poison", "the flow is broken for the 5. time"]]);
    expect(await applied(CUSTOMER)).toEqual(["first", "parked:poison", "next"]);
    expect(await applied(OTHER)).toEqual(["other"]);
    const alarms = it.events.filter((event) => event.type === "alarm");
    expect(alarms.map((event) => event.code)).toEqual(["event.parked"]);
  });

  test("whenever it is run alone kills five processes, is parked without being run again", async () => {
    let runs = 0;
    it = await rig({
      ...places()[at]?.at,
      library: exploding(() => {
        runs += 1;
        throw new Error("must not run");
      }),
    });
    await it.says(CUSTOMER, "bomba", "deadly");
    // Two deaths in company, which may have been another's fault, and five alone.
    for (let deaths = 0; deaths < 7; deaths++) expect(await claimAndDie(it)).toEqual(["deadly"]);
    await it.says(CUSTOMER, "oi", "next");

    await it.worker.drain();

    expect(runs).toBe(0);
    expect(await dead()).toEqual([["deadly", "no_commit"]]);
    expect(await applied(CUSTOMER)).toEqual(["parked:deadly", "next"]);
  });
});

// What follows is the worker's alone: which store counted the tries makes no difference.
describe("an event that fails", () => {
  test("and then does not is applied, and nothing is parked", async () => {
    let tries = 0;
    const flows = exploding(() => {
      tries += 1;
      if (tries < 3) throw new Error("not yet");
      // The third time the flow is not there any more: a newer build.
      throw Object.assign(new Error("gone"), { code: "x" });
    });
    const gone: Library = { ...flows, list: () => (tries < 3 ? flows.list() : []) };
    it = await rig({ library: gone });
    await it.says(CUSTOMER, "bomba", "once");

    await it.worker.drain();

    expect(await dead()).toEqual([]);
    expect(await applied(CUSTOMER)).toEqual(["once"]);
  });

  test("because its turn never ends is ended, parked, and nobody else waits for ever", async () => {
    const flows = exploding(() => {
      for (;;);
    });
    it = await rig({ library: flows });
    await it.says(CUSTOMER, "bomba", "endless");
    // The process that met it first was killed while it stood still; so were two others.
    for (let deaths = 0; deaths < 3; deaths++) expect(await claimAndDie(it)).toEqual(["endless"]);
    await it.says(CUSTOMER, "oi", "next");
    await it.says(OTHER, "oi", "other");

    await it.worker.drain();

    expect(await dead()).toEqual([["endless", "the turn did not end within 1250 ms"]]);
    expect(await applied(CUSTOMER)).toEqual(["parked:endless", "next"]);
    expect(await applied(OTHER)).toEqual(["other"]);
  });

  test("is not what has no processor: its tries are not counted, and it is applied once it has one", async () => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    let cut = 0;
    const word = (key: string): string => {
      cut += 1;
      const until = performance.now() + 2_000;
      while (cut <= 5 && performance.now() < until) Atomics.wait(cell, 0, 0, 5);
      return `[${key}]`;
    };
    it = await rig({ library: { ...library, word } });
    await it.says(CUSTOMER, "oi", "starved");
    expect(await claimAndDie(it)).toEqual(["starved"]);

    await it.worker.drain();

    expect(await dead()).toEqual([]);
    expect(await applied(CUSTOMER)).toEqual(["starved"]);
  }, 30_000);

  test("is not what takes long where processors are scarce: each try has longer", async () => {
    let ended = -Infinity;
    const word = (key: string): string => {
      // As an honest turn of a process that has just started beside twenty others; once a turn.
      const begun = performance.now();
      if (begun - ended > 30) while (performance.now() < begun + 900);
      ended = performance.now();
      return `[${key}]`;
    };
    it = await rig({ library: { ...library, word } });
    await it.says(CUSTOMER, "oi", "slow");
    expect(await claimAndDie(it)).toEqual(["slow"]);

    await it.worker.drain();

    expect(await dead()).toEqual([]);
    expect(await applied(CUSTOMER)).toEqual(["slow"]);
  });

  test("and is a person's first message is told to them all the same", async () => {
    it = await rig({
      library: exploding(() => {
        throw new Error("boom");
      }),
    });
    await it.says(CUSTOMER, "bomba", "first");

    await it.worker.drain();

    expect((await applied(CUSTOMER))[0]).toBe("parked:first");
    expect((await it.list("messages")).map((row) => row["text"])).toEqual(["[sorry]\n\n[privacy]"]);
  });
});

describe("a flow that runs away", () => {
  const endless = createMachine({
    ...{ initial: "idle", options: { maxIterations: 200 } },
    states: { idle: { on: { GO: "a" } }, a: { always: "b" }, b: { always: "a" } },
  });
  test.each([
    [
      "moves without end",
      () => transition(endless, initialTransition(endless)[0], { type: "GO" }),
      /infinite loop/i,
    ],
    ["asks for ten thousand things in one turn", () => asking(10_000), /More than 64 effects/],
    ["calls itself without end", () => deep(0), /call stack/i],
  ])("and %s is stopped and parked, and writes nothing", async (_what, start, reason) => {
    it = await rig({ library: exploding(start as () => never) });
    await it.says(CUSTOMER, "bomba", "away");
    await it.says(CUSTOMER, "oi", "next");

    await it.worker.drain();

    const { items } = await it.store.deadLetters.list({ limit: 10 });
    expect(items.map(({ event }) => event)).toEqual(["away"]);
    expect(items[0]?.reason).toMatch(reason);
    expect(await applied(CUSTOMER)).toEqual(["parked:away", "next"]);
    expect(await it.list("requests")).not.toContainEqual(
      expect.objectContaining({ route: "invoicing.emitentesLista" }),
    );
  });

  test("and gathers more than a session may hold is parked, the session is as it was, the person is told", async () => {
    const heavy = {
      ...{
        state: { bag: "x".repeat(600 * 1_024) },
        handled: true,
        say: [],
        demands: [],
        trace: [],
      },
    };
    it = await rig({ library: exploding(() => heavy as never) });
    await it.says(CUSTOMER, "oi", "before");
    await it.says(CUSTOMER, "bomba", "heavy");
    await it.says(CUSTOMER, "oi", "next");

    await it.worker.drain();

    expect(await dead()).toEqual([["heavy", "session_too_large"]]);
    expect(await applied(CUSTOMER)).toEqual(["before", "parked:heavy", "next"]);
    expect((await it.received(CUSTOMER)).join()).toContain("[sorry]");
    const view = await it.store.views.session("demo", await it.contact(CUSTOMER));
    expect(JSON.stringify(view?.session).length).toBeLessThan(2_000);
  });
});

/** A first step that asks for so many calls. */
function asking(many: number): unknown {
  const demands = Array.from({ length: many }, (_, at) => ({
    ...{ type: "effect", name: "invoicing.emitentesLista", class: "read", input: {} },
    ...{ step: `s${at}`, for: "x" },
  }));
  return { state: {}, handled: true, say: [], demands, trace: [] };
}

function deep(at: number): number {
  return deep(at + 1) + 1;
}

/** Claims as a process does that dies before it commits; answers the events it held. */
async function claimAndDie({ store }: Rig): Promise<string[]> {
  const lease = { owner: "dead", contacts: 32, events: 1, leaseMs: 5 };
  const claims = await store.mail.claim(lease);
  await new Promise((done) => setTimeout(done, 10));
  return claims.flatMap(({ mail }) => mail.map(({ event }) => event));
}

describe("trouble that is not the event's fault", () => {
  test("is never counted against it: an account that cannot be read for long parks nothing", async () => {
    it = await rig();
    let reads = 0;
    const accounts = {
      ids: async () => ["demo"],
      get: async () => {
        reads += 1;
        if (reads <= 8) throw new Error("the account cannot be read");
        return it.account;
      },
    };
    const other = it.again({ accounts, log: { debug() {}, info() {}, warn() {}, error() {} } });
    await it.says(CUSTOMER, "oi", "patient");
    for (let at = 1; reads <= 8 && at < 100; at++) {
      await it.store.mail.tick({ offsetMs: at * 2_000, limit: 10 });
      await other.drain();
    }
    await other.stop(100);

    expect(reads).toBeGreaterThan(8);
    expect(await dead()).toEqual([]);
    expect(await applied(CUSTOMER)).toEqual(["patient"]);
  });
});

describe("a session", () => {
  test("whose bytes were changed is parked event by event, with an alarm; all others are served", async () => {
    it = await rig({ redisUrl: `${redis.url}/15` });
    for (const phone of [CUSTOMER, OTHER]) await it.says(phone, "oi");
    await it.worker.drain();
    const raw = new Redis(`${redis.url}/15`);
    const [key = ""] = await raw.keys(`prosa:*:s:${await it.contact(CUSTOMER)}`);
    const sealed = (await raw.hget(key, "d")) ?? "";
    await raw.hset(key, "d", `${sealed.slice(0, -6)}AAAAAA`);
    raw.disconnect();
    // Another process: this one remembers what it wrote.
    await it.says(CUSTOMER, "ainda aí?", "unread");
    await it.says(OTHER, "tudo bem", "served");
    await it.worker.drain();

    expect(await dead()).toEqual([["unread", "session_unreadable"]]);
    expect(await applied(OTHER)).toContain("served");
    const alarms = it.events.filter((event) => event.type === "alarm");
    expect(alarms.map((event) => event.code)).toEqual(["event.parked"]);
  });
});

describe("a contact whose own key was changed", () => {
  const url = () => `${redis.url}/14`;

  /** Another process than the one that remembers the key. */
  async function spoiled(contact: string): Promise<void> {
    const raw = new Redis(url());
    const [key = ""] = await raw.keys(`prosa:*:s:${contact}`);
    await raw.hset(key, "k", changed((await raw.hget(key, "k")) ?? ""));
    raw.disconnect();
    await it.close();
    it = await rig({ redisUrl: url() });
  }
  const parked = () =>
    it.events.filter((event) => event.type === "alarm").map((event) => event.code);

  test("is taken in, parked event by event with one alarm, erased and begun anew; all others are served", async () => {
    it = await rig({ redisUrl: url() });
    for (const phone of [CUSTOMER, OTHER]) await it.says(phone, "oi");
    await it.worker.drain();
    const lost = await it.contact(CUSTOMER);
    await spoiled(lost);

    await it.says(CUSTOMER, "ainda aí?", "unread");
    await it.says(CUSTOMER, "alô", "unread too");
    await it.says(OTHER, "tudo bem", "served");
    await it.worker.drain();

    expect(await dead()).toEqual([
      ["unread", "session_unreadable"],
      ["unread too", "session_unreadable"],
    ]);
    expect(await applied(OTHER)).toContain("served");
    expect(parked()).toEqual(["event.parked"]);
    expect(await it.received(CUSTOMER)).toEqual([]);

    const { store, worker, clock } = it;
    const none = {} as never;
    const people = createActions({
      ...{ store, worker, clock, library: none, layouter: none, works: true },
    });
    expect(await people.forget("demo", lost)).toMatchObject({ ok: true });
    await it.says(CUSTOMER, "oi", "anew");
    await it.worker.drain();
    expect(await applied(CUSTOMER)).toEqual(["anew"]);
    expect((await it.received(CUSTOMER)).length).toBeGreaterThan(0);
    expect(await dead()).toEqual([]);
  });

  test("and that proved to be another one leaves what it was told in dead letters, and the other is served", async () => {
    it = await rig({ redisUrl: url() });
    const names = ["phone:5511987659991", "lid:770019991"] as const;
    const [older, younger] = [
      await it.store.contacts.identify("demo", [names[0]]),
      await it.store.contacts.identify("demo", [names[1]]),
    ];
    const mail = inbound("5511987659991", "oi", "stuck", it.clock.now());
    await it.store.mail.accept([{ account: "demo", contact: younger, event: "stuck", mail }]);
    await spoiled(younger);

    expect(await it.store.contacts.identify("demo", names)).toBe(older);
    const next = { ...mail, event: { ...mail.event, id: "next" } };
    await it.store.mail.accept([{ account: "demo", contact: older, event: "next", mail: next }]);
    await it.worker.drain();

    const { items } = await it.store.deadLetters.list({ limit: 10 });
    expect(items).toMatchObject([{ contact: younger, mail: null, reason: "session_unreadable" }]);
    expect(parked()).toEqual(["event.parked"]);
    expect(await it.store.views.session("demo", older)).toMatchObject({ queued: 0 });
  });
});
