/** Which webhooks that were answered 503 are handed to whoever listens, and as whose. */
import { afterEach, expect, test } from "vitest";
import { Fault } from "../../src/base/index.ts";
import { createAccountRepository } from "../../src/store/index.ts";
import type { Store } from "../../src/store/index.ts";
import { Refusals, type Refused, type ServerDeps } from "../../src/server/index.ts";
import { inbound, openHouse, post, TOKEN, type House } from "./house.ts";
import { model } from "../support/plugins.ts";
import { withSteps } from "../../src/store/port/with-steps.ts";

let house: House;
afterEach(() => house.close());

const NOW = 1_000;
/** What is handed over now. */
async function handed(refusals: Refusals): Promise<Refused[]> {
  const all: Refused[] = [];
  await refusals.hand(async (one) => void all.push(one));
  return all;
}

/** A house that remembers what it refused; `accounts` of the store itself, whatever stands before it. */
async function refusing(
  deps: Partial<ServerDeps>,
  store?: (store: Store) => Store,
): Promise<Refusals> {
  let refusals: Refusals | undefined;
  house = await openHouse({
    ...(store ? { store } : {}),
    deps: () => ({ refusals: { add: (...what) => refusals?.add(...what) }, ...deps }),
  });
  const accounts = createAccountRepository(house.store, model, () => 0);
  return (refusals = new Refusals(accounts, () => NOW));
}

const send = async (token = TOKEN, channel = "engine-b") =>
  (await post(`${house.url}/webhooks/${channel}/${token}`, inbound("oi"))).status;
const demo = { account: "demo", channel: "engine-b", from: NOW, to: NOW, isFull: false };
const full = () => Promise.reject<never>(new Fault("STORE_FULL", "Full."));
const down = () => Promise.reject<never>(new Fault("STORE_UNAVAILABLE", "Gone."));

test("one that is taken, malformed or a stranger's leaves nothing", async () => {
  const refusals = await refusing({});
  expect(await send()).toBe(200);
  expect(await send("x".repeat(32))).toBe(404);
  expect((await post(`${house.url}/webhooks/engine-b/${TOKEN}`, "{")).status).toBe(400);

  expect(await handed(refusals)).toEqual([]);
});

test.each<[string, Partial<ServerDeps>, object]>([
  ["a store that is full", { ingest: full }, { isFull: true }],
  ["a store that is gone", { ingest: down }, {}],
  ["a stop under way", { isStopping: () => true }, {}],
  ["too many bodies at once", { limits: { gate: { bodies: 0, bytes: 0 } } }, {}],
])(
  "one that is refused for %s is handed over, once, by account and channel",
  async (_why, deps, how) => {
    const refusals = await refusing(deps);
    expect(await send()).toBe(503);
    expect(await send()).toBe(503);

    expect(await handed(refusals)).toEqual([{ ...demo, ...how }]);
    expect(await handed(refusals)).toEqual([]);
  },
);

test("one whose account could not be looked up is handed over when it can, and a stranger's is not", async () => {
  const refusals = await refusing({}, (store) =>
    withSteps(store, (method) => (method === "documents.get" ? down : undefined)),
  );
  expect(await send()).toBe(503);
  expect(await send("x".repeat(32))).toBe(503);

  const away = new Refusals({ byWebhookToken: down }, () => NOW);
  away.add("engine-b", TOKEN);
  expect(await handed(away)).toEqual([]);
  expect(await handed(refusals)).toEqual([demo]);
});

test("one that is not taken comes again, together with what was refused since", async () => {
  house = await openHouse();
  let now = NOW;
  const refusals = new Refusals(
    createAccountRepository(house.store, model, () => 0),
    () => now,
  );
  refusals.add("engine-b", TOKEN, new Fault("STORE_FULL", "Full."));
  await refusals.hand(() => {
    now += 500;
    refusals.add("engine-b", TOKEN);
    return Promise.reject(new Error("not now"));
  });

  expect(await handed(refusals)).toEqual([{ ...demo, to: NOW + 500, isFull: true }]);
});

test("guesses of strangers do not fill the memory", async () => {
  let looks = 0;
  const accounts = {
    byWebhookToken: async () => {
      looks++;
      return null;
    },
  };
  house = await openHouse();
  const refusals = new Refusals(accounts, () => NOW);
  for (let n = 0; n < 5_000; n++) refusals.add("engine-b", `guess-${n}`);
  await handed(refusals);

  expect(looks).toBe(1_000);
});
