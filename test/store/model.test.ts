/**
 * Both stores against a plain object that does the same: thousands of steps in orders nobody would write down, two workers,
 * leases that run out between any two of them, and pairs of steps at once, which must come out as one after the other.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Begun,
  type Claimed,
  type ContactId,
  openStore,
  type Store,
} from "../../src/store/index.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { type Answer, type Ask, follow, type Model, newModel } from "./model.ts";
import { withSteps } from "../../src/store/port/with-steps.ts";

const ACCOUNT = "acme";
const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const LONG_MS = 60_000;
/** Over as soon as anything else happens: see {@link OVER_MS}. */
const SHORT_MS = 1;
const OVER_MS = 3;
/** Histories for each store; `MODEL_RUNS` for more, `MODEL_SEED` to see one again. */
const RUNS = 30;
/** Steps of one history. */
const STEPS = 40;

type Ending = Extract<Ask, { do: "end" }>["how"];
const short = fc.boolean();
const by = fc.constantFrom(0 as const, 1 as const);
/** Of one body. */
const events = fc.array(fc.nat(9), { minLength: 1, maxLength: 3 });
/** A step before chance has met the store: numbers choose among what there is. */
const steps = {
  accept: fc.record({ do: fc.constant("accept" as const), who: fc.nat(1), events }),
  take: fc.record({ ...{ do: fc.constant("take" as const), who: fc.nat(1), events, by, short } }),
  claim: fc.record({ do: fc.constant("claim" as const), by, short }),
  commit: fc.record({
    ...{ do: fc.constant("commit" as const), by, applied: fc.nat(4), due: fc.boolean() },
    ...{ effects: fc.nat(7), again: fc.nat(4).map((number) => number === 0) },
  }),
  park: fc.record({
    ...{ do: fc.constant("park" as const), by, anew: fc.boolean(), due: fc.boolean() },
  }),
  tick: fc.record({ do: fc.constant("tick" as const) }),
  begin: fc.record({ do: fc.constant("begin" as const), short }),
  end: fc.record({
    ...{ do: fc.constant("end" as const), nth: fc.nat(20), result: fc.boolean() },
    how: fc.constantFrom(
      ...(["done", "retry", "not_sent", "held", "in-place"] as const satisfies readonly Ending[]),
    ),
  }),
  reap: fc.record({ do: fc.constant("reap" as const), short }),
  resolve: fc.record({
    ...{ do: fc.constant("resolve" as const), nth: fc.nat(20) },
    action: fc.constantFrom("finish" as const, ...(["resend", "resend"] as const), "hold" as const),
    rev: fc.constantFrom(null, null, 0, 1),
    all: fc.boolean(),
  }),
};
type Step = {
  [S in keyof typeof steps]: (typeof steps)[S] extends fc.Arbitrary<infer A> ? A : never;
}[keyof typeof steps];

/** So often each comes beside the others. */
function mixed(weights: Partial<Record<keyof typeof steps, number>>): fc.Arbitrary<Step> {
  const names = Object.keys(steps) as (keyof typeof steps)[];
  return fc.oneof(
    ...names.flatMap((name) =>
      weights[name] === undefined
        ? []
        : [{ weight: weights[name], arbitrary: steps[name] as fc.Arbitrary<Step> }],
    ),
  );
}

const ANY = mixed({
  ...{ accept: 4, take: 4, claim: 4, commit: 5, park: 1 },
  ...{ tick: 2, begin: 2, end: 3, reap: 2, resolve: 2 },
});
/** What becomes of messages that wait already: their order needs more steps in a row than the others leave it. */
const SENDS = mixed({ begin: 4, end: 5, resolve: 5, reap: 1 });
/** Turns of one contact, two messages each. */
const turns = (count: number): readonly Step[] =>
  Array.from({ length: count }).flatMap((_, at): Step[] => [
    { do: "take", who: 0, events: [at], by: 0, short: false },
    { ...{ do: "commit", by: 0, applied: 1, due: false }, effects: 3, again: false },
  ]);

const namesOf = (step: { readonly events: readonly number[] }): string[] =>
  step.events.map((event) => `e${event}`);
const itemsOf = ({ contact, events }: Extract<Ask, { do: "accept" | "take" }>) =>
  events.map((event) => ({ account: ACCOUNT, contact, event, mail: { event } }));

/** A timer's mail has a name of the store's own. */
const unticked = (event: string): string => event.replace(/^tick:.*/, "tick");

/** A history under way. */
class History {
  readonly #stores: readonly [Store, Store];
  readonly #contacts: readonly ContactId[];
  /** What each worker claimed last; kept after its commit, so that late ones are tried too. */
  readonly #claims: (Claimed | undefined)[] = [undefined, undefined];
  /** Under which each contact was handed out last. */
  readonly #latest = new Map<ContactId, Claimed>();
  readonly #begun: Begun[] = [];
  readonly #ids: { id: string; contact: ContactId }[] = [];
  /** All that may be true: of two steps at once the answers do not always tell which was first. */
  #models: Model[];
  #due = 0;

  constructor(stores: readonly [Store, Store], contacts: readonly ContactId[]) {
    this.#stores = stores;
    this.#contacts = contacts;
    this.#models = [newModel(contacts)];
  }

  async one(step: Step): Promise<void> {
    const ask = this.#decide(step);
    if (!ask) return;
    const answer = await this.#put(ask, "by" in step ? step.by : 0);
    await this.#over([ask]);
    this.#follow([[ask, answer]], [[ask, answer]]);
    this.#keep(step, ask, answer);
    await this.#compare();
  }

  /** Two at once, from two clients: the outcome is that of one order or of the other. */
  async two(first: Step, second: Step): Promise<void> {
    // A short lease is over only once time has passed, and between two at once none does.
    const whole = (step: Step): Step => ("short" in step ? { ...step, short: false } : step);
    const [a, b] = [this.#decide(whole(first)), this.#decide(whole(second))];
    if (!a || !b) return;
    const [forA, forB] = await Promise.all([this.#put(a, 0), this.#put(b, 1)]);
    await this.#over([a, b]);
    this.#follow(
      [
        [a, forA],
        [b, forB],
      ],
      [
        [b, forB],
        [a, forA],
      ],
    );
    this.#keep(first, a, forA);
    this.#keep(second, b, forB);
    await this.#compare();
  }

  /** Keeps what may be true after these steps in one order or the other. */
  #follow(...orders: readonly (readonly (readonly [Ask, Answer])[])[]): void {
    const fits = new Map<string, Model>();
    let wrong: string | null = null;
    for (const known of this.#models)
      for (const order of orders) {
        const model = structuredClone(known);
        const fault = order.reduce<string | null>(
          (found, [ask, answer]) => found ?? follow(model, ask, answer),
          null,
        );
        if (fault === null) fits.set(JSON.stringify(model), model);
        else wrong ??= fault;
      }
    const asked = JSON.stringify(orders[0]?.map(([ask]) => ask));
    expect(fits.size, `no order fits: ${wrong}; ${asked}`).toBeGreaterThan(0);
    this.#models = [...fits.values()];
  }

  /** What the store counts and shows does not depend on the order. */
  get #model(): Model {
    const [model] = this.#models;
    if (!model) throw new Error("nothing may be true");
    return model;
  }

  /** Nothing that was put in may be gone: all of it can be worked off, and is what was heard. */
  async finish(): Promise<void> {
    const [store] = this.#stores;
    await this.#all({ do: "tick" });
    for (const contact of this.#contacts)
      // Whoever has it may still say what it made of it.
      if (this.#model.contacts[contact]?.ready === "later") await this.#workOff(contact);
    for (;;) {
      const [claimed] = await this.#all({ do: "claim", short: false });
      if (!claimed) break;
      await this.#workOff(claimed.contact);
    }
    const { accepted, applied, dead } = this.#model.counters;
    expect(accepted).toBe(applied + dead);
    expect((await store.views.backlog()).counters).toMatchObject({
      accepted,
      applied,
      dead,
      queued: 0,
    });
    for (const contact of this.#contacts) {
      const view = await store.views.session(ACCOUNT, contact);
      const heard = (view?.session as { heard?: string[] } | undefined)?.heard ?? [];
      expect(heard.map(unticked)).toEqual(this.#model.contacts[contact]?.heard.map(unticked));
    }
  }

  /** A step as it is, followed and compared; answers what was handed out. */
  async #all(ask: Ask): Promise<readonly Claimed[]> {
    const answer = await this.#put(ask, 0);
    this.#follow([[ask, answer]]);
    await this.#compare();
    const claims = "claims" in answer ? answer.claims : [];
    for (const one of claims) this.#latest.set(one.contact, one);
    return claims;
  }

  /** All mail of a contact that is handed out, and nothing more comes of it. */
  async #workOff(contact: ContactId): Promise<void> {
    const claimed = this.#latest.get(contact);
    if (!claimed) throw new Error("nobody was handed this contact");
    const applied = claimed.mail.length;
    await this.#all({ do: "commit", claimed, applied, effects: [], due: null, again: false });
  }

  #decide(step: Step): Ask | undefined {
    switch (step.do) {
      case "accept":
        return { do: "accept", contact: this.#contacts[step.who] ?? "", events: namesOf(step) };
      case "take": {
        const contact = this.#contacts[step.who] ?? "";
        return { do: "take", contact, events: namesOf(step), short: step.short };
      }
      case "claim":
        return { do: "claim", short: step.short };
      case "commit": {
        const claimed = this.#claims[step.by];
        if (!claimed) return undefined;
        const applied = Math.min(step.applied, claimed.mail.length);
        const id = (index: number): string => `${claimed.contact}:${claimed.rev + 1}:${index}`;
        this.#due += 1;
        return {
          ...{ do: "commit", claimed, applied, again: step.again && applied < claimed.mail.length },
          effects: [
            ...(step.effects & 1
              ? [{ id: id(0), class: "message" as const, fused: (step.effects & 4) > 0 }]
              : []),
            ...(step.effects & 2 ? [{ id: id(1), class: "message" as const, fused: false }] : []),
            ...(step.effects & 4 ? [{ id: id(2), class: "fiscal" as const, fused: false }] : []),
          ],
          due: step.due ? this.#due : null,
        };
      }
      case "park": {
        const claimed = this.#claims[step.by];
        if (!claimed) return undefined;
        this.#due += 1;
        const anew = { letter: `letter:${this.#due}`, due: step.due ? this.#due : null };
        return { do: "park", claimed, anew: step.anew ? anew : null };
      }
      case "tick":
        return { do: "tick" };
      case "begin":
      case "reap":
        return { do: step.do, short: step.short };
      case "end": {
        // As often what was begun last as anything that ever was.
        const some = step.nth % 2 === 0 ? this.#begun.slice(-1) : this.#begun;
        const begun = some[step.nth % Math.max(1, some.length)];
        const result = step.result ? `r:${begun?.id}:${begun?.attempt}` : null;
        return begun && { do: "end", begun, how: step.how, result };
      }
      case "resolve": {
        // As often about what rests as about whatever there is.
        const rests = this.#ids.filter(({ id }) => this.#model.effects[id]?.state === "held");
        const some = step.nth % 2 === 0 && rests.length > 0 ? rests : this.#ids;
        const one = some[step.nth % Math.max(1, some.length)];
        if (!one) return undefined;
        // Whoever resends some together names them as they were asked for; what is not theirs is left alone.
        const behind = step.all ? this.#ids.filter(({ id }) => id !== one.id) : [];
        return {
          ...{ do: "resolve", ...one, action: step.action, rev: step.rev },
          behind: behind.map(({ id }) => id),
        };
      }
    }
  }

  async #put(ask: Ask, client: 0 | 1): Promise<Answer> {
    const store = this.#stores[client];
    const leaseMs = "short" in ask && ask.short ? SHORT_MS : LONG_MS;
    switch (ask.do) {
      case "accept":
        return { of: "accept", accepted: await store.mail.accept(itemsOf(ask)) };
      case "take": {
        const claims: Claimed[] = [];
        const accepted = await store.mail.accept(itemsOf(ask), {
          events: 100,
          leaseMs,
          claimed: (claimed) => claims.push(claimed),
        });
        return { of: "take", accepted, claims };
      }
      case "claim":
        return {
          of: "claim",
          claims: await store.mail.claim({
            owner: `w${client}`,
            contacts: 1,
            events: 100,
            leaseMs,
          }),
        };
      case "commit": {
        const { contact, epoch, rev, session, mail } = ask.claimed;
        const heard = (session as { heard?: string[] } | null)?.heard ?? [];
        const news = mail.slice(0, ask.applied).map(({ event }) => event);
        const [said] = await store.mail.commit([
          {
            ...{ account: ACCOUNT, contact, epoch, rev, applied: ask.applied, journal: [] },
            session: { heard: [...heard, ...news] },
            effects: ask.effects.map(({ id, class: name, fused }) => ({
              ...{ id, class: name, scope: `plan:${ACCOUNT}`, ordered: name === "message" },
              payload: { id },
              ...(fused ? { begin: { leaseMs: LONG_MS } } : {}),
            })),
            due: ask.due,
            ...(ask.again ? { againAt: 1 } : {}),
          },
        ]);
        return { of: "commit", committed: said ?? { ok: false, reason: "fenced" } };
      }
      case "park": {
        const { contact, epoch, rev, session } = ask.claimed;
        const committed = await store.deadLetters.add({
          ...{ account: ACCOUNT, contact, epoch, rev, reason: "x" },
          ...(ask.anew
            ? {
                letter: { event: ask.anew.letter, mail: { letter: 1 } },
                ...{ newSession: session ?? { heard: [] }, due: ask.anew.due },
              }
            : {}),
        });
        return { of: "commit", committed };
      }
      case "tick":
        return { of: "tick", moved: await store.mail.tick({ offsetMs: 0, limit: 100 }) };
      case "begin":
        return {
          of: "begun",
          begun: await store.effects.begin({ limit: 100, leaseMs, paused: [], offsetMs: 0 }),
        };
      case "reap":
        return { of: "begun", begun: await store.effects.reap({ limit: 100, leaseMs }) };
      case "end": {
        const { id, contact, token } = ask.begun;
        const outcome =
          ask.how === "done"
            ? { kind: "done" as const }
            : ask.how === "held" || ask.how === "in-place"
              ? { kind: "held" as const, reason: "x", inPlace: ask.how === "in-place" }
              : { kind: ask.how, at: 0 };
        const [said] = await store.effects.end([
          {
            ...{ id, contact, account: ACCOUNT, token, outcome },
            ...(ask.result === null ? {} : { result: { event: ask.result, mail: { result: 1 } } }),
          },
        ]);
        return { of: "end", written: said ?? "stale" };
      }
      case "resolve": {
        const { id, contact, action, rev, behind } = ask;
        const seen = rev === null ? {} : { rev };
        return {
          of: "resolve",
          resolved: await store.effects.resolve({
            ...{ id, account: ACCOUNT, contact, action, behind, ...seen },
          }),
        };
      }
    }
  }

  async #over(asks: readonly Ask[]): Promise<void> {
    if (asks.some((ask) => "short" in ask && ask.short))
      await new Promise((done) => setTimeout(done, OVER_MS));
  }

  #keep(step: Step, ask: Ask, answer: Answer): void {
    if ("claims" in answer && "by" in step && answer.claims[0])
      this.#claims[step.by] = answer.claims[0];
    if ("claims" in answer) for (const one of answer.claims) this.#latest.set(one.contact, one);
    if (answer.of === "begun") this.#begun.push(...answer.begun);
    if (ask.do !== "commit" || answer.of !== "commit" || !answer.committed.ok) return;
    this.#begun.push(...answer.committed.begun);
    const { contact } = ask.claimed;
    this.#ids.push(...ask.effects.map(({ id }) => ({ id, contact })));
  }

  /** What the store shows is what the model holds. */
  async #compare(): Promise<void> {
    const [store] = this.#stores;
    const { counters, heldEffects } = await store.views.backlog();
    expect(counters).toMatchObject(this.#model.counters);
    const effects = Object.entries(this.#model.effects);
    expect(heldEffects).toBe(effects.filter(([, { state }]) => state === "held").length);
    for (const contact of this.#contacts) {
      const rows = await store.views.effects({ account: ACCOUNT, contact, limit: 100 });
      const have = rows
        .map(({ id, state, attempt, inPlace }) => `${id} ${state} ${attempt} ${inPlace === true}`)
        .sort();
      const want = effects
        .filter(([, effect]) => effect.contact === contact)
        .map(([id, { state, attempt, inPlace }]) => `${id} ${state} ${attempt} ${inPlace}`)
        .sort();
      expect(have).toEqual(want);
    }
  }
}

type Opened = { stores: readonly [Store, Store]; close(): Promise<void> };

async function holds(
  open: () => Promise<Opened>,
  runs: number,
  step: fc.Arbitrary<Step>,
  before: readonly Step[] = [],
): Promise<void> {
  const act = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(step) },
    { weight: 1, arbitrary: fc.tuple(step, step) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 5, maxLength: STEPS, size: "max" }),
      async (acts) => {
        const opened = await open();
        const { stores } = opened;
        try {
          const contacts = [
            await stores[0].contacts.identify(ACCOUNT, ["x:0"]),
            await stores[0].contacts.identify(ACCOUNT, ["x:1"]),
          ];
          const history = new History(stores, contacts);
          for (const one of before) await history.one(one);
          for (const [first, second] of acts)
            if (second) await history.two(first, second);
            else await history.one(first);
          await history.finish();
        } finally {
          await opened.close();
        }
      },
    ),
    {
      numRuns: Number(process.env["MODEL_RUNS"] ?? runs),
      ...(process.env["MODEL_SEED"] ? { seed: Number(process.env["MODEL_SEED"]) } : {}),
    },
  );
}

test("a history whose last step loses mail is told, although the store counts as if it had it", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "prosa-model-"));
  const store = await openStore({ dataDir, keys: KEYS });
  /** Hands out all but what came last. */
  const forgetful = withSteps(store, {
    "mail.claim": async (options) =>
      (await store.mail.claim(options)).map((one) => ({ ...one, mail: one.mail.slice(0, -1) })),
  });
  const after = async (one: Store): Promise<void> => {
    const contact = await one.contacts.identify(ACCOUNT, ["x:0"]);
    const history = new History([one, one], [contact]);
    await history.one({ do: "accept", who: 0, events: [1, 2] });
    await history.finish();
  };
  try {
    await expect(after(forgetful)).rejects.toThrow(/mail e1 instead of e1,e2/);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

describe("any history of steps", () => {
  let server: TestRedis;
  let raw: Redis;
  beforeAll(async () => {
    server = await startRedis({ args: ["--appendfsync", "no"] });
    raw = new Redis(server.url);
  });
  afterAll(async () => {
    raw.disconnect();
    await server.stop();
  });

  const redis = async (): Promise<Opened> => {
    await raw.flushall();
    const options = { redisUrl: server.url, keys: KEYS, partitions: 1 };
    const stores = [await openStore(options), await openStore(options)] as const;
    const close = async () => void (await Promise.all(stores.map((store) => store.close())));
    return { stores, close };
  };
  const embedded = async (): Promise<Opened> => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "prosa-model-"));
    const store = await openStore({ dataDir, keys: KEYS });
    const close = async () => {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { stores: [store, store], close };
  };

  test("leaves Redis as it leaves the model, with two clients", { timeout: 240_000 }, async () => {
    await holds(redis, RUNS, ANY);
  });

  test("leaves the embedded store as it leaves the model", { timeout: 240_000 }, async () => {
    await holds(embedded, RUNS, ANY);
  });

  describe.each([
    { name: "Redis", open: redis },
    { name: "the embedded store", open: embedded },
  ])("of sends on $name", ({ open }) => {
    test("lets a contact's messages leave as the model does", { timeout: 240_000 }, async () => {
      await holds(open, 2 * RUNS, SENDS, turns(3));
    });
  });
});
