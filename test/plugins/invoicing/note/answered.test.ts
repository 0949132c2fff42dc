/**
 * The gateway said that a note is issued, its sale was settled, and the process died before the record had that: only the key is
 * lost. It is told so, and nobody has it sent again, by mistake or without an end.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { noteActions } from "../../../../src/plugins/invoicing/http/notes.ts";
import { revOf } from "../../../../src/plugins/invoicing/note/invoice.ts";
import type { Decision } from "../../../../src/plugins/invoicing/note/decision.ts";
import type { Log } from "../../../../src/worker/index.ts";
import { until } from "../../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { CUSTOMER, issue, rig, type Rig, textOf } from "../../../worker/rig.ts";
import { type Steps, withSteps } from "../../../../src/store/port/with-steps.ts";

const ROUTE = "invoicing.nfseEnvio";

let it: Rig;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(() => it.close());

let opened = 0;
/** An account of its own, for one Redis holds those of all tests. */
async function open(name: string): Promise<void> {
  const where = name === "Redis" ? { redisUrl: redis.url } : {};
  it = await rig({ ...where, timeoutMs: 10_000, account: { id: `answered${++opened}` } });
}

const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const storeWith = (other: Steps) => withSteps(it.store, other);

const record = async () => {
  const [one] = (await it.worker.invoices.list(it.account.id, { limit: 1 })).items;
  if (!one) throw new Error("there is no record");
  return one;
};
const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE).length;
const alarms = () =>
  it.events.flatMap((event) =>
    event.type === "alarm" && event.account === it.account.id
      ? [`${event.code}: ${event.message}`]
      : [],
  );

function says(decision: "not_issued" | "issued" | "abandon", rev: number, chave?: string) {
  const actions = noteActions(it.worker.context);
  return record().then(({ id }) =>
    actions.resolveInvoice({ account: it.account.id, id }, decision, {
      ...{ rev, actor: "ana", reason: "conferido no portal" },
      ...(chave === undefined ? {} : { chave }),
    }),
  );
}

/** The sale of an issued note is settled, and nothing more of it is written by that process. */
async function dies(input: object): Promise<void> {
  let isDead = false;
  const dead = async () => {
    if (isDead) throw new Error("dead");
  };
  const dying = storeWith({
    "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 300 }),
    "keys.settle": async (...args) => {
      const done = await it.store.keys.settle(...args);
      isDead = true;
      return done;
    },
    "documents.get": async (...args) => dead().then(() => it.store.documents.get(...args)),
    "documents.put": async (...args) => dead().then(() => it.store.documents.put(...args)),
    "effects.end": async (...args) => dead().then(() => it.store.effects.end(...args)),
  });
  await it.asks(CUSTOMER, issue(input));
  // Nor can it end its round.
  await it.again({ log, store: dying }).drain().catch(quiet);
  expect(isDead).toBe(true);
  expect(await record()).toMatchObject({ state: "enviando" });
}

/** Judged by the next process as what it is. */
async function judged(): Promise<void> {
  const next = it.again();
  await next.start();
  await until(async () => {
    const rests = await it.store.views.effects({ account: it.account.id, state: "held", limit: 1 });
    return rests.length > 0 || undefined;
  });
  await next.stop(1_000);
}

describe.each(["the embedded store", "Redis"])("On %s, a note whose issue was answered", (name) => {
  test.each([
    ["by the business's own id", { sale: "pedido 7" }],
    ["as one like it", {}],
  ])("is not sent again for a person who did not find it: %s", async (_name, input) => {
    await open(name);
    await dies(input);
    await judged();
    const [note] = await it.list("invoices");
    const now = await record();
    expect(now).toMatchObject({ state: "incerta" });
    expect(alarms()).toEqual([
      expect.stringMatching(/^invoice.uncertain: An invoice of .* was issued, as its gateway said/),
    ]);

    expect(await says("not_issued", revOf(now))).toMatchObject({
      ...{ ok: false, reason: "refused" },
      message: expect.stringContaining("The gateway said that this note was issued") as string,
    });
    await it.worker.drain();
    expect(await record()).toEqual(now);
    expect(await sent()).toBe(1);
    expect(await says("issued", revOf(now), textOf(note?.["chave"]))).toMatchObject({ ok: true });
    expect(await record()).toMatchObject({ state: "autorizada", number: note?.["numero"] });
  });

  test("rests, although a person's word of before has it go again, and is tried once for it", async () => {
    await open(name);
    await dies({ sale: "pedido 7" });
    await judged();
    // As a process of an earlier build left it: uncertain alone, then let go.
    const { history, ...note } = await record();
    const by = { at: it.clock.now(), by: "ana", why: "não consta" };
    const older = history.map(({ why: _why, ...step }) => step);
    await it.store.documents.put("invoices", `${it.account.id}.${note.id}`, {
      ...note,
      ...{ state: "pendente", history: [...older, { state: "pendente", ...by }] },
    });
    const [effect] = await it.store.views.effects({ account: it.account.id, limit: 1 });
    if (!effect) throw new Error("there is no effect");
    await it.store.effects.resolve({ ...effect, action: "resend" });
    let begun = 0;
    const counting = it.again({
      store: storeWith({
        "effects.begin": async (options) => {
          const taken = await it.store.effects.begin(options);
          begun += taken.filter((one) => one.class === "fiscal").length;
          return taken;
        },
      }),
    });
    await counting.drain();

    expect(begun).toBe(1);
    expect(await sent()).toBe(1);
    expect(await record()).toMatchObject({ state: "incerta" });
    expect((await record()).history.at(-1)).toMatchObject({ by: "worker", why: "answered" });
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("is known for that when its sale is another one again, a day later", async () => {
    await open(name);
    await dies({});
    await judged();
    const now = await record();
    // Its window is over: the store has forgotten.
    const forgetful = it.again({
      store: storeWith({ "keys.hold": async () => "gone" }),
    });
    const of = { actor: "ana", reason: "não consta", rev: revOf(now) };
    const decision: Decision = { decision: "not_issued", ...of };

    expect(await forgetful.settling.decide(it.account.id, now.id, decision)).toEqual({
      ...{ ok: false, why: "answered" },
    });
    expect(await says("abandon", revOf(now))).toMatchObject({ ok: true });
  });
});

test("A sale that somebody let go since is not asked for again and again", async () => {
  await open("the embedded store");
  await it.asks(CUSTOMER, issue());
  let holds = 0;
  const worker = it.again({
    store: storeWith({
      "keys.hold": async () => {
        holds += 1;
        return "gone";
      },
    }),
  });
  await worker.start();
  await until(async () => holds > 0 || undefined);
  await new Promise((wake) => setTimeout(wake, 700));
  await worker.stop(1_000);

  expect(holds).toBe(1);
  expect(await sent()).toBe(0);
});
