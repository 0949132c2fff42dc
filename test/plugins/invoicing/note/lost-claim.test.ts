/** A bare note keeps its sale although a fail-over lost the key of it: what is written down beside the call claims it anew. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { EffectView, Store } from "../../../../src/store/index.ts";
import { sweepClaims } from "../../../../src/plugins/invoicing/note/issue/sale-claims.ts";
import { VirtualClock } from "../../../../src/worker/index.ts";
import { goodNote } from "../../../sandbox/notes.ts";
import { between } from "../../../server/house.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { CUSTOMER, ISSUER, OTHER, rig, textOf, WAITER, type Rig } from "../../../worker/rig.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "40"] });
});
afterAll(() => redis.stop());
let database = 0;

let it: Rig;
afterEach(() => it.close());

const ROUTE = "invoicing.nfseEnvio";

async function asks(phone: string): Promise<string> {
  const input = { emitente_id: ISSUER, dados: goodNote(it.clock.now(), 15_000) };
  const call = { type: "call", class: "fiscal", name: ROUTE, waiter: WAITER } as const;
  const [id = ""] = await it.asks(phone, {
    ...call,
    input: input as unknown as Record<string, never>,
  });
  await it.worker.drain();
  return id;
}
async function told(phone: string) {
  const lines = await it.journal(phone);
  const last = lines.findLast((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return last?.["mail"]?.["result"] as unknown as { outcome: string; out: { code?: string } };
}
const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE).length;
const claims = async () => (await it.store.list("sale-claims")).items;

/** A round of house-keeping more than a minute later. */
async function kept(store = it.store): Promise<void> {
  const clock = new VirtualClock(() => Date.now() + 61_000);
  const failed: unknown[] = [];
  const quiet = () => undefined;
  const log = {
    ...{ debug: quiet, info: quiet, warn: quiet },
    error: (of: object) => failed.push(of),
  };
  await sweepClaims({ store, clock, wake: quiet, log });
  expect(failed).toEqual([]);
}

describe.each(["the embedded store", "Redis"])("A bare note at rest on %s", (name) => {
  /** Sent, its answer lost; then a fail-over loses the key. */
  async function lost() {
    it = await rig(name === "Redis" ? { redisUrl: `${redis.url}/${(database += 1)}` } : {});
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    const id = await asks(CUSTOMER);
    const [claim] = await claims();
    const key = textOf(claim?.value["key"]);
    expect(await it.store.freeKey("demo", key, id)).toBe(true);
    const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };
    return { id, key, ref };
  }
  const holder = async (key: string) => it.store.claimKey("demo", key, "a look", 1);

  test("has its sale again, and nobody submits it a second time", async () => {
    const { id, key } = await lost();
    await kept();
    expect(await holder(key)).toEqual({ ok: false, owner: id, state: "claimed" });
    await asks(OTHER);
    expect((await told(OTHER)).out.code).toBe("blocked_duplicate");
    expect(await sent()).toBe(1);
  });

  test("has it for an hour at a time, asked for by every round", async () => {
    await lost();
    const asked: unknown[] = [];
    const store = between(it.store, (method) =>
      method === "claimKey"
        ? (...of: Parameters<Store["claimKey"]>) => {
            asked.push(of[3]);
            return it.store.claimKey(...of);
          }
        : undefined,
    );
    await kept(store);
    await kept(store);
    expect(asked).toEqual([3_600_000, 3_600_000]);
  });

  test("lets it go as ever once a person says that there is no note", async () => {
    const { ref } = await lost();
    await kept();
    const held = (await it.store.effect(ref)) as EffectView;
    expect(await it.worker.settling.words.before(held, "failed", "não consta")).not.toBeNull();
    await it.store.resolve({ ...ref, rev: held.rev, action: "finish" });
    await it.worker.settling.words.after(held, "failed");
    await asks(OTHER);
    expect((await told(OTHER)).outcome).toBe("done");
    await kept();
    expect(await sent()).toBe(2);
  });

  test("keeps nothing that somebody decided while this process stood still", async () => {
    const { key, ref } = await lost();
    const store = between(it.store, (method) =>
      method === "claimKey"
        ? async (...of: Parameters<Store["claimKey"]>) => {
            const held = (await it.store.effect(ref)) as EffectView;
            await it.store.resolve({ ...ref, rev: held.rev, action: "finish" });
            await it.worker.settling.words.after(held, "failed");
            return it.store.claimKey(...of);
          }
        : undefined,
    );
    await kept(store);
    expect(await claims()).toEqual([]);
    expect(await holder(key)).toEqual({ ok: true });
  });

  test("leaves the sale with whoever has it since", async () => {
    const { key } = await lost();
    await it.store.claimKey("demo", key, "somebody");
    await kept();
    expect(await holder(key)).toMatchObject({ ok: false, owner: "somebody" });
  });

  test("that was given up, or issued, stands for its window although its key was lost", async () => {
    const { id, key, ref } = await lost();
    const held = (await it.store.effect(ref)) as EffectView;
    await it.store.resolve({ ...ref, rev: held.rev, action: "finish" });
    await it.worker.settling.words.after(held, "done");
    expect(await holder(key)).toEqual({ ok: false, owner: id, state: "settled" });
    await asks(OTHER);
    expect((await told(OTHER)).out.code).toBe("blocked_duplicate");
    expect(await sent()).toBe(1);
  });
});
