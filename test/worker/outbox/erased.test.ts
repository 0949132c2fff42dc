/** A person who is erased while we write to them stays erased: what is learnt from the answer brings nobody back. */
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { sentAlias } from "../../../src/channels/index.ts";
import type { Store } from "../../../src/store/index.ts";
import type { WorkerDeps } from "../../../src/worker/deps.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import {
  type Asked,
  bubble,
  CUSTOMER,
  hear,
  OPERATOR,
  rig,
  textOf,
  WAITER,
  type Rig,
} from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
let redis: TestRedis | undefined;
afterEach(async () => {
  await it.close();
  await redis?.stop();
  redis = undefined;
});

const short = (text: string) => ({ ...bubble(CUSTOMER, text), channel: "sms" }) as Asked;
const phone = `phone:${CUSTOMER}`;
/** A gateway in whose every answered call something happens. */
const answering = (then: () => Promise<unknown>): WorkerDeps["gatewayFor"] => {
  const { gateway } = it;
  const call = (async (...given: Parameters<typeof gateway.call>) => {
    const outcome = await gateway.call(...given);
    await then();
    return outcome;
  }) as typeof gateway.call;
  return () => ({ exactBytes: gateway.exactBytes.bind(gateway), call });
};
/** The name that an answer to the first short message would have. */
async function sentName(): Promise<string> {
  const [row] = await it.list("messages");
  return sentAlias("sms", textOf(row?.["id"]));
}

test("the answer to a short message finds whom it was sent to", async () => {
  it = await rig();
  await it.asks(CUSTOMER, short("oi"));
  await it.worker.drain();

  expect(await it.store.contacts.lookup("demo", await sentName())).toBe(await it.contact(CUSTOMER));
});

test("its id is no name of theirs for ever", async () => {
  it = await rig();
  const contact = await it.contact(CUSTOMER);
  const given: unknown[] = [];
  const store = withSteps(it.store, (method) =>
    method === "contacts.identify"
      ? async (...names: Parameters<Store["contacts"]["identify"]>) => {
          given.push(...names[1]);
          return it.store.contacts.identify(...names);
        }
      : undefined,
  );
  await it.asks(CUSTOMER, short("oi"));
  await it.again({ store }).drain();
  expect(await it.store.contacts.lookup("demo", await sentName())).toBe(contact);
  expect(given).not.toContain(await sentName());
});

test("nor does a store that fails after it left let it leave again", async () => {
  it = await rig();
  const contact = await it.contact(CUSTOMER);
  const store = withSteps(it.store, (method) =>
    method === "contacts.lead" ? () => Promise.reject(new Error("no answer")) : undefined,
  );
  await it.asks(CUSTOMER, short("oi"));
  await it.again({ store }).drain();
  const left = await it.store.views.effectsOf({ account: "demo", contact, limit: 10 });

  expect(await it.list("messages")).toHaveLength(1);
  expect(left.items).toEqual([]);
});

test("a short message on its way to somebody who is erased meanwhile names nobody", async () => {
  it = await rig();
  const contact = await it.contact(CUSTOMER);
  const gatewayFor = answering(() => it.store.contacts.erase("demo", contact));
  await it.asks(CUSTOMER, short("oi"));
  await it.again({ gatewayFor }).drain();

  expect(await it.list("messages")).toHaveLength(1);
  expect(await it.store.contacts.lookup("demo", phone)).toBeNull();
  expect(await it.store.contacts.lookup("demo", await sentName())).toBeNull();
});

test("the echo of what we wrote before an erasure brings nobody back", async () => {
  it = await rig();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "oi"));
  await it.worker.drain();
  await hear(it, "own", 1, []);
  // Echoes tell whole seconds: an erasure counts from the next one.
  await new Promise((done) => setTimeout(done, 1_000 - (Date.now() % 1_000)));
  expect(await it.store.contacts.erase("demo", await it.contact(CUSTOMER))).toBe(true);
  await hear(it, "own", 1, ["oi"]);

  expect(await it.store.contacts.lookup("demo", phone)).toBeNull();
});

test.each(["embedded", "redis"] as const)(
  "the answer to what somebody asked makes no conversation of them anew, on the %s store",
  async (kind) => {
    if (kind === "redis") redis = await startRedis();
    it = await rig(redis ? { redisUrl: redis.url } : {});
    await it.says(CUSTOMER, "oi");
    await it.worker.drain();
    const contact = await it.contact(CUSTOMER);
    const answer = (request: string): Asked => ({
      ...{ type: "peer", class: "internal", to: `contact:${contact}` },
      mail: {
        ...{ kind: "answer", request, waiter: WAITER, outcome: "approved", out: { nome: "Ana" } },
        by: { contact: "0" },
      },
    });
    await it.asks(OPERATOR, answer("r1"));
    await it.worker.drain();
    expect(JSON.stringify(await it.journal(CUSTOMER))).toContain("Ana");

    await it.store.contacts.erase("demo", contact);
    await it.asks(OPERATOR, answer("r2"));
    await it.worker.drain();
    // However long ago it was.
    const raw = redis && new Redis(redis.url);
    for (const key of (await raw?.keys("prosa:*:x:*")) ?? []) await raw?.del(key);
    raw?.disconnect();
    await it.asks(OPERATOR, answer("r3"));
    await it.worker.drain();

    expect(await it.store.views.session("demo", contact)).toBeNull();
    expect(await it.store.views.journal("demo", contact, 10)).toEqual([]);
    const { items } = await it.store.views.sessions({ limit: 10 });
    expect(items.map((one) => one.contact)).not.toContain(contact);
    expect((await it.store.deadLetters.list({ limit: 10 })).items).toEqual([]);
    const lines = JSON.stringify(await it.journal(OPERATOR));
    expect(lines.match(/"dropped":"erased"/g)).toHaveLength(2);
  },
);
