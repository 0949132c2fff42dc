/** What a person says of a request for a note whose record is lost: the sale follows, also where the process dies over it. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createActions } from "../../../../../src/app/operator/actions.ts";
import type { Store } from "../../../../../src/store/index.ts";
import { until } from "../../../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../../../support/redis.ts";
import { CUSTOMER, issue, OTHER, rig, textOf, type Rig } from "../../../../worker/rig.ts";
import { withSteps } from "../../../../../src/store/port/with-steps.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "20"] });
});
afterAll(() => redis.stop());
let database = 0;

let it: Rig;
afterEach(() => it.close());

const ASKED = issue({ sale: "pedido-77" });
/** In place of a window of hours, ms. */
const SOON_MS = 1_000;
const BY = { actor: "ana", reason: "não consta no portal" };

const sent = async () =>
  (await it.list("requests")).filter(({ route }) => textOf(route) === "invoicing.nfseEnvio").length;

async function lastResult(phone: string) {
  const lines = await it.journal(phone);
  const results = lines.filter((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return results.at(-1)?.["mail"]?.["result"] as unknown as {
    outcome: string;
    out: Record<string, unknown>;
  };
}

function people(store = it.store) {
  const { worker, clock } = it;
  const [none, own] = [{} as never, store === it.store ? worker : it.again({ store })];
  return createActions({ store, worker: own, clock, library: none, layouter: none, works: true });
}

/** Asks again for the same sale, and answers what became of it. */
async function again() {
  await it.asks(OTHER, ASKED);
  await it.worker.drain();
  return lastResult(OTHER);
}

/** Claimed; its process died before it wrote the record, and then its account was away: it rests. */
async function lost(name: string) {
  it = await rig(name === "Redis" ? { redisUrl: `${redis.url}/${(database += 1)}` } : {});
  const [id = ""] = await it.asks(CUSTOMER, ASKED);
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  await it.again({ log, store: claimsAndDies() }).drain();
  await until(
    async () =>
      (await it.store.views.effects({ state: "inflight", limit: 1 })).length > 0 || undefined,
  );
  const late = it.again({ accounts: { get: async () => null, ids: async () => ["demo"] } });
  await late.start();
  const { rev } = await until(async () => (await it.store.views.held({ limit: 1 })).items[0]);
  await late.stop(1_000);
  const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };
  return { ref, said: { ...BY, rev } };
}

function claimsAndDies(): Store {
  const { store } = it;
  return withSteps(store, (method) => {
    if (method === "keys.claim")
      return async (...args: Parameters<Store["keys"]["claim"]>) => {
        await store.keys.claim(...args);
        throw new Error("dead");
      };
    if (method === "effects.begin")
      return (options: Parameters<Store["effects"]["begin"]>[0]) =>
        store.effects.begin({ ...options, leaseMs: 1 });
    return undefined;
  });
}

/** Of a process that dies when it frees a key. `laterMs`: how soon it is free that was to be free later. */
function dying(when: "at once" | "later", laterMs?: number): Store {
  return withSteps(it.store, (method) =>
    method === "keys.free"
      ? (account: string, key: string, owner: string, afterMs?: number) => {
          if ((afterMs === undefined ? "at once" : "later") === when)
            return Promise.reject(new Error("dead"));
          return it.store.keys.free(account, key, owner, afterMs && (laterMs ?? afterMs));
        }
      : undefined,
  );
}

describe.each(["the embedded store", "Redis"])("A note without a record on %s", (name) => {
  test("that was not issued leaves its sale free", async () => {
    const { ref, said } = await lost(name);
    expect(await people().decideEffect(ref, "failed", said)).toEqual({ ok: true });
    expect(await again()).toMatchObject({ outcome: "done" });
    expect(await sent()).toBe(1);
  });

  test("is never said to be issued, and goes again only because nothing was sent", async () => {
    const { ref, said } = await lost(name);
    expect(await people().decideEffect(ref, "done", said)).toMatchObject({ reason: "refused" });
    expect(await people().decideEffect(ref, "retry", said)).toEqual({ ok: true });
    await it.worker.drain();
    expect(await lastResult(CUSTOMER)).toMatchObject({ outcome: "done" });
    expect(await again()).toMatchObject({ out: { code: "blocked_duplicate" } });
    expect(await sent()).toBe(1);
  });

  test("rests as before when the process of who decides dies first, and is decided again", async () => {
    const { ref, said } = await lost(name);
    const dead = people(dying("later"));
    await expect(dead.decideEffect(ref, "failed", said)).rejects.toThrow("dead");
    expect(await again()).toMatchObject({ out: { code: "blocked_duplicate" } });
    expect(await people().decideEffect(ref, "failed", said)).toEqual({ ok: true });
    expect(await again()).toMatchObject({ outcome: "done" });
  });

  test("keeps its sale when that process dies before the effect goes, however long nobody decides anew", async () => {
    const { ref, said } = await lost(name);
    const dead = people(
      withSteps(it.store, (method) => {
        if (method === "effects.resolve") return () => Promise.reject(new Error("dead"));
        return method === "keys.free"
          ? (account: string, key: string, owner: string, afterMs?: number) =>
              it.store.keys.free(account, key, owner, afterMs && SOON_MS)
          : undefined;
      }),
    );
    await expect(dead.decideEffect(ref, "failed", said)).rejects.toThrow("dead");
    const held = await it.store.views.effect(ref);
    if (!held) throw new Error("the effect is gone");
    await it.worker.settling.repair(held);
    await pause(2 * SOON_MS);
    expect(await again()).toMatchObject({ out: { code: "blocked_duplicate" } });
    expect(await sent()).toBe(0);
  });

  test.each(["", ", also for who saw the effect before"])(
    "has a sale that is free after its window when the process dies once the effect is gone%s",
    async (late) => {
      const { ref, said } = await lost(name);
      const seen = await it.store.views.effect(ref);
      const store = dying("at once", SOON_MS);
      await expect(people(store).decideEffect(ref, "failed", said)).rejects.toThrow("dead");
      expect(await it.store.views.effect(ref)).toBeNull();
      if (seen && late !== "") await it.again({ store }).settling.repair(seen);
      expect(await again()).toMatchObject({ out: { code: "blocked_duplicate" } });
      await until(async () => (await again()).outcome === "done" || undefined);
      expect(await sent()).toBe(1);
    },
  );
});

test("A note with a record is decided by its record alone", async () => {
  it = await rig();
  const effect = { kind: "accepted_then_lost" };
  await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
  const [id = ""] = await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };

  for (const decision of ["retry", "done", "failed", "discard"] as const)
    expect(await people().decideEffect(ref, decision, { ...BY, rev: 0 })).toMatchObject({
      reason: "refused",
    });
});
