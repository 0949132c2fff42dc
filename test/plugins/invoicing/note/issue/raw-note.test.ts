/** A note submitted by the bare route keeps what must hold for every note: one sale, one submission. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Fault, type JsonObject } from "../../../../../src/base/index.ts";
import { createActions } from "../../../../../src/app/operator/actions.ts";
import type { RouteId } from "../../../../../src/gateway/index.ts";
import type { Store } from "../../../../../src/store/index.ts";
import { VirtualClock, type WorkerDeps } from "../../../../../src/worker/index.ts";
import { goodNote } from "../../../../sandbox/notes.ts";
import { until } from "../../../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../../../support/redis.ts";
import {
  CUSTOMER,
  issue,
  ISSUER,
  OTHER,
  rig,
  textOf,
  WAITER,
  type Asked,
  type Rig,
} from "../../../../worker/rig.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "40"] });
});
afterAll(() => redis.stop());
let database = 0;
const places = () => [{}, { redisUrl: `${redis.url}/${(database += 1)}` }];

let it: Rig;
afterEach(() => it.close());

const ROUTE = "invoicing.nfseEnvio";

/** The sale that `issue()` asks for, written by the flow itself. */
async function raw(change: (note: ReturnType<typeof goodNote>) => void = () => undefined) {
  const dados = goodNote(it.clock.now(), 15_000);
  change(dados);
  const input = { emitente_id: ISSUER, dados } as unknown as JsonObject;
  return { type: "call", class: "fiscal", name: ROUTE, waiter: WAITER, input } as Asked;
}

const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ROUTE).length;

async function lastResult(phone: string) {
  const lines = await it.journal(phone);
  const results = lines.filter((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return results.at(-1)?.["mail"]?.["result"] as unknown as {
    outcome: string;
    out: Record<string, unknown>;
  };
}

describe("nfse-envio called by its route", () => {
  test("one sale asked for by two contacts is submitted once", async () => {
    it = await rig();
    await it.asks(CUSTOMER, await raw());
    await it.worker.drain();
    await it.asks(OTHER, await raw());
    await it.worker.drain();

    expect(await sent()).toBe(1);
    expect((await lastResult(CUSTOMER)).outcome).toBe("done");
    expect(await lastResult(OTHER)).toMatchObject({
      outcome: "rejected",
      out: { code: "blocked_duplicate" },
    });
  });

  test.each([
    ["all", 2, []],
    ["messages", 1, ["rate_limited"]],
  ])(
    "turned away by a rate limit goes again where the policy is %s",
    async (policy, times, rests) => {
      it = await rig({ account: { onRateLimit: policy } });
      await it.fault({ route: ROUTE, effect: { kind: "status", status: 429 }, times: 1 });
      await it.asks(CUSTOMER, await raw());
      await it.worker.drain();
      await it.store.pause("credits:demo", "rate_limited", { until: Date.now() - 1 });
      await it.worker.drain();

      expect(await sent()).toBe(times);
      const held = await it.store.effects({ account: "demo", state: "held", limit: 5 });
      expect(held.map(({ reason }) => reason)).toEqual(rests);
      // Whichever it is, nobody else's request for the sale leaves beside it.
      await it.asks(OTHER, await raw());
      await it.worker.drain();
      expect(await sent()).toBe(times);
      expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
    },
  );

  test("meets the same sale issued by invoice.issue, in either order", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect(await sent()).toBe(1);
    expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
    await it.close();

    it = await rig();
    await it.asks(CUSTOMER, await raw());
    await it.worker.drain();
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect(await sent()).toBe(1);
    expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
  });

  test("meets a sale whose note has no end, for longer than a claim lives", async () => {
    it = await rig();
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const [first] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
    // A day later the claim is over.
    await it.store.freeKey("demo", first?.businessKey ?? "", first?.effect ?? "");
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect(await sent()).toBe(1);
    expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
  });

  test("a refused one leaves the sale free for a corrected one", async () => {
    it = await rig();
    await it.fault({
      route: ROUTE,
      effect: { kind: "business_error", message: "E0042" },
      times: 1,
    });
    await it.asks(CUSTOMER, await raw());
    await it.worker.drain();
    expect((await lastResult(CUSTOMER)).outcome).toBe("rejected");

    await it.asks(CUSTOMER, await raw());
    await it.worker.drain();
    expect(await sent()).toBe(2);
    expect((await lastResult(CUSTOMER)).outcome).toBe("done");
  });

  test("one whose answer was lost keeps the sale: nobody submits it again", async () => {
    it = await rig();
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(CUSTOMER, await raw());
    await it.worker.drain();
    expect((await lastResult(CUSTOMER)).outcome).toBe("held");

    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect(await sent()).toBe(1);
  });

  /** A worker for which an hour of a claim is over in no time, or in as much as what is asked meanwhile may take. */
  function hasty(gateway = it.gateway, soonMs = 40) {
    const short = (ms?: number) => (ms === undefined ? undefined : soonMs);
    const { store } = it;
    const claimKey: typeof store.claimKey = (account, key, owner, ms) =>
      store.claimKey(account, key, owner, short(ms));
    const settleKey: typeof store.settleKey = (account, key, owner, ms) =>
      store.settleKey(account, key, owner, short(ms));
    const proxy = new Proxy(store, {
      get(target, name) {
        if (name === "claimKey") return claimKey;
        if (name === "settleKey") return settleKey;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    return it.again({ store: proxy, gatewayFor: () => gateway });
  }
  const overs = (ms = 60) => new Promise((done) => setTimeout(done, ms));

  test.each([0, 1])(
    "one whose answer was lost keeps the sale until somebody says what became of it (store %i)",
    async (at) => {
      it = await rig(places()[at]);
      const worker = hasty(it.gateway, 2_000);
      await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
      const [id = ""] = await it.asks(CUSTOMER, await raw());
      await worker.drain();
      await overs(2_100);
      await it.asks(OTHER, await raw());
      await worker.drain();
      expect(await sent()).toBe(1);
      expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");

      // Given up, it may exist all the same: a sale like it is another one once the window is over.
      const [held] = (await it.store.held({ limit: 1 })).items;
      if (held?.id !== id) throw new Error("the call does not rest");
      const named = { account: held.account, contact: held.contact, id, rev: held.rev };
      expect(await it.store.resolve({ ...named, action: "finish" })).toBe(true);
      await worker.settling.words.after(held, "discard");
      await it.asks(OTHER, await raw());
      await worker.drain();
      expect(await sent()).toBe(1);
      await overs(2_100);
      await it.asks(OTHER, await raw());
      await worker.drain();
      expect(await sent()).toBe(2);
    },
  );

  test("one that was issued may be followed by one like it once the window is over", async () => {
    it = await rig();
    const worker = hasty();
    await it.asks(CUSTOMER, await raw());
    await worker.drain();
    await overs();
    await it.asks(OTHER, await raw());
    await worker.drain();
    expect(await sent()).toBe(2);
    expect((await lastResult(OTHER)).outcome).toBe("done");
  });

  test.each([0, 1])(
    "a refusal that comes after somebody said that it was issued leaves the sale taken (store %i)",
    async (at) => {
      it = await rig(places()[at]);
      // This process stands still with its call; another one gives it up, and a person finds the note.
      const call = async (route: RouteId, ...rest: unknown[]) => {
        const real = await (it.gateway.call as (...args: unknown[]) => unknown)(route, ...rest);
        if (route !== ROUTE) return real;
        const [effect] = await it.store.effects({ state: "inflight", limit: 1 });
        if (!effect) throw new Error("the call is not on its way");
        await it.worker.settling.words.after(effect, "done");
        return { kind: "business_error", message: "E0042", status: 200, ms: 1 };
      };
      const slow = it.again({
        gatewayFor: () => ({ ...it.gateway, call, exactBytes: it.gateway.exactBytes }) as never,
      });
      await it.asks(CUSTOMER, await raw());
      await slow.drain();
      await it.asks(OTHER, await raw());
      await it.worker.drain();
      expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
      expect(await sent()).toBe(1);
    },
  );

  test("one that waited while the ceiling was lowered holds its sale no longer", async () => {
    it = await rig();
    const [id = ""] = await it.asks(CUSTOMER, await raw());
    await it.fault({ route: ROUTE, effect: { kind: "no_balance" }, times: 1 });
    await it.worker.drain();
    const [waiting] = await it.store.effects({ limit: 1 });
    expect(waiting).toMatchObject({ id, state: "pending" });
    const lower = { ...it.account, policy: { ...it.account.policy, ceiling: 1 } };
    const other = it.again({ accounts: { get: async () => lower, ids: async () => ["demo"] } });
    for (const scope of (await it.store.pauses()).keys()) await other.scopes.resume(scope);
    await other.drain();
    expect((await lastResult(CUSTOMER)).out["code"]).toBe("over_ceiling");
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect((await lastResult(OTHER)).outcome).toBe("done");
  });

  describe.each([0, 1])("one whose sale has another name by now (store %i)", (at) => {
    /** Its worker has an account whose window was switched off; `seen` are the names it claims. */
    async function renamed() {
      it = await rig(places()[at]);
      const [id = ""] = await it.asks(CUSTOMER, await raw());
      const owner = { account: "demo", contact: await it.contact(CUSTOMER), id };
      const policy = { ...it.account.policy, similarHours: 0 };
      const own = { ...it.account, policy };
      const accounts = { get: async () => own, ids: async () => ["demo"] };
      const seen: string[] = [];
      const claimKey: Store["claimKey"] = (account, key, ...of) => {
        seen.push(key);
        return it.store.claimKey(account, key, ...of);
      };
      const store = new Proxy(it.store, {
        get(target, name) {
          const value: unknown = name === "claimKey" ? claimKey : Reflect.get(target, name);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
      return {
        owner,
        seen,
        store,
        later: (other = store, clock = it.clock) => it.again({ accounts, store: other, clock }),
      };
    }

    test("lets the former one go when it waited, and ends by the new one", async () => {
      const { seen, later, owner } = await renamed();
      await it.fault({ route: ROUTE, effect: { kind: "no_balance" }, times: 1 });
      await it.worker.drain();
      for (const scope of (await it.store.pauses()).keys()) await it.worker.scopes.resume(scope);
      await later().drain();
      expect((await lastResult(CUSTOMER)).outcome).toBe("done");
      expect((await it.store.list("sale-claims")).items).toEqual([]);
      const [key = "", ...more] = seen;
      expect(more).toEqual([]);
      expect(await it.store.claimKey("demo", key, "another", 1)).toEqual({
        ...{ ok: false, owner: owner.id, state: "settled" },
      });

      await it.asks(OTHER, await raw());
      await it.worker.drain();
      expect((await lastResult(OTHER)).outcome).toBe("done");
      expect(await sent()).toBe(3);
    });

    test("keeps the former one when it may have left", async () => {
      const { seen, later, owner } = await renamed();
      await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
      await it.worker.drain();
      await it.store.resolve({ ...owner, action: "resend" });
      await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
      await later().drain();
      expect((await it.store.list("sale-claims")).items).toMatchObject([
        { value: { key: seen[0] } },
      ]);

      await it.asks(OTHER, await raw());
      await it.worker.drain();
      expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
    });

    test("lets nothing go where its process stood still", async () => {
      const { later, owner, store } = await renamed();
      await it.fault({ route: ROUTE, effect: { kind: "no_balance" }, times: 1 });
      await it.worker.drain();
      for (const scope of (await it.store.pauses()).keys()) await it.worker.scopes.resume(scope);
      await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
      const [claim] = (await it.store.list("sale-claims")).items;
      const key = textOf(claim?.value["key"]);
      let stoodMs = 0;
      const late = new Proxy(store, {
        get(target, name) {
          const begin: Store["beginSend"] = (options) =>
            target.beginSend({ ...options, leaseMs: 1 });
          const get: Store["get"] = async (collection, id) => {
            const found = await target.get(collection, id);
            if (collection !== "sale-claims" || stoodMs > 0) return found;
            // Its lease is over; another process, which has the account as it was, submits the note.
            stoodMs = 60_000;
            await overs();
            const other = it.again();
            await other.start();
            await until(async () => (await it.store.held({ limit: 1 })).items[0]);
            await other.stop(1_000);
            return found;
          };
          const own: unknown =
            name === "beginSend" ? begin : name === "get" ? get : Reflect.get(target, name);
          return typeof own === "function" ? (own.bind(target) as unknown) : own;
        },
      });
      await later(late, new VirtualClock(() => Date.now() + stoodMs)).drain();

      expect(stoodMs).toBeGreaterThan(0);
      expect(await sent()).toBe(2);
      expect((await it.store.list("sale-claims")).items).toMatchObject([{ value: { key } }]);
      expect(await it.store.claimKey("demo", key, "another", 1)).toMatchObject({ owner: owner.id });
    });
  });

  test.each([0, 1])(
    "one that the gateway only took in rests with its sale until somebody says what became of it (store %i)",
    async (at) => {
      it = await rig(places()[at]);
      await it.stage.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 600_000 });
      const worker = hasty();
      const [id = ""] = await it.asks(CUSTOMER, await raw());
      await worker.drain();
      expect(await lastResult(CUSTOMER)).toMatchObject({
        outcome: "held",
        out: { status: "processando" },
      });
      // Where an operator sees it, however long it takes.
      const [held] = (await it.store.held({ limit: 1 })).items;
      expect(held).toMatchObject({ id, reason: "processando" });
      await overs();
      await it.asks(OTHER, await raw());
      await worker.drain();
      expect(await sent()).toBe(1);
      expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");

      const by = { actor: "ana", reason: "recusada no portal", rev: held?.rev ?? -1 };
      const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };
      expect(await people().decideEffect(ref, "failed", by)).toEqual({ ok: true });
      await it.asks(OTHER, await raw());
      await worker.drain();
      expect(await sent()).toBe(2);
    },
  );

  test("one refused because there may be one already rests with its sale", async () => {
    it = await rig();
    const call = async (route: RouteId, ...rest: unknown[]) => {
      const real = await (it.gateway.call as (...args: unknown[]) => unknown)(route, ...rest);
      const erros = [{ codigo: "E0014", mensagem: "DPS ja foi utilizada em NFS-e" }];
      return route === ROUTE ? { kind: "ok", data: { status: "rejeitada", erros }, ms: 1 } : real;
    };
    const worker = hasty({ ...it.gateway, call } as never);
    await it.asks(CUSTOMER, await raw());
    await worker.drain();
    await overs();
    await it.asks(OTHER, await raw());
    await worker.drain();
    expect((await it.store.held({ limit: 1 })).items).toMatchObject([{ reason: "duplicate_hint" }]);
    expect(await sent()).toBe(1);
  });

  test("counts for the day's ceiling like any note, and a refused one does not", async () => {
    it = await rig({ account: { policy: { dailyCeiling: 39_999 } } });
    const effect = { kind: "business_error", message: "E0042" };
    await it.fault({ route: ROUTE, effect, times: 1 });
    // Refused; then one by each way, which fit; then one more of each, which does not.
    const worth = (cents: number) =>
      raw((note) => {
        note.servico["valor_servicos"] = cents / 100;
        for (const item of note.servico["itens"] as Record<string, unknown>[])
          item["valor_servicos"] = cents / 100;
      });
    for (const asked of [await worth(20_000), await worth(20_000), issue({ value: 15_000 })]) {
      await it.asks(CUSTOMER, asked);
      await it.worker.drain();
    }
    expect(await sent()).toBe(3);
    for (const asked of [await worth(6_000), issue({ value: 6_100 })]) {
      await it.asks(OTHER, asked);
      await it.worker.drain();
      expect(await lastResult(OTHER)).toMatchObject({
        outcome: "rejected",
        out: { code: "over_day" },
      });
    }
    expect(await sent()).toBe(3);
    // What did not fit holds no sale: it may be asked for again tomorrow.
    it.clock.moveTo(it.clock.now() + 25 * 3_600_000);
    await it.asks(OTHER, issue({ value: 6_100 }));
    await it.worker.drain();
    expect((await lastResult(OTHER)).out["code"]).not.toBe("blocked_duplicate");
  });

  test("one above the account's ceiling is refused before anything is sent", async () => {
    it = await rig({ account: { policy: { ceiling: 14_999 } } });
    await it.asks(CUSTOMER, await raw());
    await it.worker.drain();

    expect(await sent()).toBe(0);
    expect((await lastResult(CUSTOMER)).out["code"]).toBe("over_ceiling");
  });
});

/** What operators can do; flows and charts are no part of it. */
function people(store = it.store) {
  const { worker, clock } = it;
  const [none, own] = [{} as never, store === it.store ? worker : it.again({ store })];
  return createActions({ store, worker: own, clock, library: none, layouter: none, works: true });
}

/** A worker that keeps house once, more than a minute later, and is stopped. */
async function kept(
  done: () => Promise<boolean>,
  laterMs = 61_000,
  other: Partial<WorkerDeps> = {},
): Promise<void> {
  const clock = new VirtualClock(() => Date.now() + laterMs);
  const worker = it.again({ clock, ...other });
  await worker.start();
  try {
    await until(async () => (await done()) || undefined);
  } finally {
    await worker.stop(1_000);
  }
}

/** The store, in a process that dies at the first call of `method`. */
function dying(method: keyof Store): Store {
  return new Proxy(it.store, {
    get(target, name) {
      if (name === method) return () => Promise.reject(new Error("dead"));
      const own: unknown = Reflect.get(target, name);
      return typeof own === "function" ? (own.bind(target) as unknown) : own;
    },
  });
}

describe.each([0, 1])("What keeps a sale is let go (store %i)", (at) => {
  const by = { actor: "ana", reason: "não consta no portal" };
  const claims = async () => (await it.store.list("sale-claims")).items;

  async function lost() {
    it = await rig(places()[at]);
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    const [id = ""] = await it.asks(CUSTOMER, await raw());
    await it.worker.drain();
    const [held] = (await it.store.held({ limit: 1 })).items;
    return { ref: { account: "demo", contact: await it.contact(CUSTOMER), id }, held };
  }
  const decision = (held: { rev: number } | undefined) => ({ ...by, rev: held?.rev ?? -1 });

  test("by who discards one that cannot be read any more, once the window is over", async () => {
    const { ref, held } = await lost();
    const store = new Proxy(it.store, {
      get(target, name) {
        const spoilt: typeof target.effect = async (of) => {
          const one = await target.effect(of);
          return one && { ...one, payload: {}, reason: "unreadable" };
        };
        const own: unknown = name === "effect" ? spoilt : Reflect.get(target, name);
        return typeof own === "function" ? (own.bind(target) as unknown) : own;
      },
    });
    const short: typeof it.store.settleKey = (account, key, owner) =>
      it.store.settleKey(account, key, owner, 2_000);
    const worn = new Proxy(store, {
      get: (target, name) =>
        name === "settleKey" ? short : (Reflect.get(target, name) as unknown),
    });
    expect(await people(worn).decideEffect(ref, "discard", decision(held))).toEqual({ ok: true });
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
    await new Promise((done) => setTimeout(done, 2_100));
    await it.asks(OTHER, await raw());
    await it.worker.drain();

    expect((await lastResult(OTHER)).outcome).toBe("done");
    expect(await claims()).toEqual([]);
  });

  test("by the next process, when the one that was told how it ended died over it", async () => {
    const { ref, held } = await lost();
    const dead = people(dying("freeKey"));
    await expect(dead.decideEffect(ref, "failed", decision(held))).rejects.toThrow("dead");
    expect(await it.store.effects({ limit: 5 })).toEqual([]);
    await kept(async () => (await claims()).length === 0);
    await it.worker.drain();
    expect((await lastResult(CUSTOMER)).outcome).toBe("failed");

    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect((await lastResult(OTHER)).outcome).toBe("done");
    expect(await sent()).toBe(2);
  });

  test("and the person's word is carried out when that process died before the effect went", async () => {
    const { ref, held } = await lost();
    const dead = people(dying("resolve"));
    await expect(dead.decideEffect(ref, "failed", decision(held))).rejects.toThrow("dead");
    // Nobody undoes it meanwhile: a note might be issued for a sale that was said to be done.
    const other = await people().decideEffect(ref, "done", decision(held));
    expect(other).toMatchObject({ reason: "refused" });
    await kept(async () => (await claims()).length === 0);
    await it.worker.drain();

    expect(await lastResult(CUSTOMER)).toMatchObject({
      outcome: "failed",
      out: { text: by.reason },
    });
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect((await lastResult(OTHER)).outcome).toBe("done");
  });

  test("and one word that cannot be carried out keeps nobody else's waiting", async () => {
    it = await rig(places()[at]);
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 2 });
    const dead = people(dying("resolve"));
    for (const phone of [CUSTOMER, OTHER]) {
      // A sale of its own for each.
      const taker = phone === CUSTOMER ? "52998224725" : "39053344705";
      await it.asks(phone, await raw((note) => void (note.tomador["cpf"] = taker)));
      await it.worker.drain();
    }
    const { items } = await it.store.held({ limit: 5 });
    for (const { account, contact, id, rev } of items) {
      const said = dead.decideEffect({ account, contact, id }, "failed", { ...by, rev });
      await expect(said).rejects.toThrow("dead");
    }
    const [first, second, ...more] = (await claims()).map(({ id }) => id);
    expect([first, second, more]).toEqual([expect.anything(), expect.anything(), []]);

    // The contact whose claim comes first waits for an entry of PROSA_KEYS: nothing can be sealed for it.
    const store = new Proxy(it.store, {
      get(target, name) {
        const resolve: Store["resolve"] = async (of) => {
          if (of.id === first) throw new Fault("KEY_UNKNOWN", "Data is sealed under another key.");
          return target.resolve(of);
        };
        const own: unknown = name === "resolve" ? resolve : Reflect.get(target, name);
        return typeof own === "function" ? (own.bind(target) as unknown) : own;
      },
    });
    const failed: unknown[] = [];
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: (of: object) => failed.push(of) };
    const left = async () => (await claims()).map(({ id }) => id);
    await kept(async () => (await left()).length === 1, 61_000, { store, log });
    expect(await left()).toEqual([first]);
    expect((await it.store.held({ limit: 5 })).items.map(({ id }) => id)).toEqual([first]);
    expect(failed).toEqual([expect.objectContaining({ effect: first })]);

    // The entry is given again.
    await kept(async () => (await left()).length === 0);
    expect((await it.store.held({ limit: 5 })).items).toEqual([]);
  });

  test("but not while its call only rests, or when it rests anew since that person looked", async () => {
    const { ref, held } = await lost();
    const dead = people(dying("resolve"));
    await expect(dead.decideEffect(ref, "failed", decision(held))).rejects.toThrow("dead");
    await it.store.resolve({ ...ref, action: "resend" });
    const [begun] = await it.store.beginSend({
      ...{ limit: 1, leaseMs: 60_000, paused: [], offsetMs: 0 },
    });
    await it.store.endSend([
      { ...ref, token: begun?.token ?? "", outcome: { kind: "held", reason: "reset" } },
    ]);
    await kept(async () => (await claims())[0]?.value["word"] === undefined);
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
    expect(await sent()).toBe(1);
    const [again] = (await it.store.held({ limit: 1 })).items;
    expect(await people().decideEffect(ref, "done", decision(again))).toEqual({ ok: true });
    expect(await claims()).toEqual([]);
  });

  test("of a named sale without a record, too, when the process died between its effect and its key", async () => {
    it = await rig(places()[at]);
    const asked = issue({ sale: "pedido-77" });
    const [id = ""] = await it.asks(CUSTOMER, asked);
    // It claims, and dies before it writes the record; then its account is away.
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    await it.again({ log, store: claimsAndDies() }).drain();
    await until(
      async () => (await it.store.effects({ state: "inflight", limit: 1 })).length > 0 || undefined,
    );
    const accounts = { get: async () => null, ids: async () => ["demo"] };
    const late = it.again({ accounts });
    await late.start();
    const held = await until(async () => (await it.store.held({ limit: 1 })).items[0]);
    await late.stop(1_000);
    const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };
    const dead = people(dying("freeKey"));
    await expect(dead.decideEffect(ref, "failed", decision(held))).rejects.toThrow("dead");
    await kept(async () => (await claims()).length === 0);

    await it.asks(OTHER, asked);
    await it.worker.drain();
    expect((await lastResult(OTHER)).outcome).toBe("done");
    expect(await sent()).toBe(1);
  });

  function claimsAndDies(): Store {
    const { store } = it;
    return new Proxy(store, {
      get(target, name) {
        const claim: typeof store.claimKey = async (...args) => {
          await target.claimKey(...args);
          throw new Error("dead");
        };
        const begin: typeof store.beginSend = (options) =>
          target.beginSend({ ...options, leaseMs: 1 });
        const own: unknown =
          name === "claimKey" ? claim : name === "beginSend" ? begin : Reflect.get(target, name);
        return typeof own === "function" ? (own.bind(target) as unknown) : own;
      },
    });
  }

  test("when whoever asked for it is erased: a sale like it is another one once the window is over", async () => {
    const { ref } = await lost();
    await it.store.erase("demo", ref.contact);
    await kept(async () => (await claims()).length === 0);
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
    const [key, owner] = await keyOf();
    expect(await it.store.claimKey("demo", key, "somebody")).toEqual({
      ...{ ok: false, owner, state: "settled" },
    });
  });

  /** The sale's key, and whose it is. */
  async function keyOf(): Promise<[string, string]> {
    const seen: [string, string][] = [];
    const { store } = it;
    const claim: typeof store.claimKey = async (account, key, owner, ms) => {
      const answer = await store.claimKey(account, key, owner, ms);
      if (!answer.ok) seen.push([key, answer.owner]);
      return answer;
    };
    const spy = new Proxy(store, {
      get(target, name) {
        const own: unknown = name === "claimKey" ? claim : Reflect.get(target, name);
        return typeof own === "function" ? (own.bind(target) as unknown) : own;
      },
    });
    await it.asks(OTHER, await raw());
    await it.again({ store: spy }).drain();
    const [found] = seen;
    if (!found) throw new Error("the sale is free");
    return found;
  }
});

describe("A raw note whose answer was lost", () => {
  const by = { actor: "ana", reason: "conferi no portal", rev: 0 };

  async function lost() {
    it = await rig();
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    const [id = ""] = await it.asks(CUSTOMER, await raw());
    await it.worker.drain();
    return { ref: { account: "demo", contact: await it.contact(CUSTOMER), id }, actions: people() };
  }

  test("is ended by a person, who is never offered to send it again", async () => {
    const { ref, actions } = await lost();
    expect(await actions.decideEffect(ref, "retry", by)).toMatchObject({ reason: "refused" });

    expect(await actions.decideEffect(ref, "done", by)).toEqual({ ok: true });
    await it.worker.drain();
    expect(await lastResult(CUSTOMER)).toMatchObject({ outcome: "done" });
    expect(await it.store.effects({ limit: 10 })).toEqual([]);
    await it.asks(OTHER, await raw());
    await it.worker.drain();
    expect((await lastResult(OTHER)).out["code"]).toBe("blocked_duplicate");
    expect(await sent()).toBe(1);
  });

  test("leaves the sale free when that person says that there is none", async () => {
    const { ref, actions } = await lost();
    expect(await actions.decideEffect(ref, "failed", by)).toEqual({ ok: true });
    await it.asks(OTHER, await raw());
    await it.worker.drain();

    expect((await lastResult(OTHER)).outcome).toBe("done");
    expect(await sent()).toBe(2);
  });

  test("is not ended there when it has a record, which asks for its key", async () => {
    it = await rig();
    await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
    const [id = ""] = await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };

    for (const decision of ["retry", "done", "failed", "discard"] as const)
      expect(await people().decideEffect(ref, decision, by)).toMatchObject({ reason: "refused" });
  });
});
