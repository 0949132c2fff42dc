/**
 * For how long a note keeps its sale: from its issue on for the window of notes alike, while nobody knows its end for as long as
 * that takes, and not at all once it certainly is none, whoever dies in between.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Gateway } from "../../../../../src/gateway/index.ts";
import type { Store } from "../../../../../src/store/index.ts";
import { alarmStuck } from "../../../../../src/plugins/invoicing/reports/alarms.ts";
import { revOf } from "../../../../../src/plugins/invoicing/note/invoice.ts";
import { UNCERTAIN } from "../../../../../src/plugins/invoicing/note/open-notes.ts";
import { VirtualClock } from "../../../../../src/worker/index.ts";
import type { Decision } from "../../../../../src/plugins/invoicing/note/decision.ts";
import { until } from "../../../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../../../support/redis.ts";
import { answering } from "../../../../worker/bot.ts";
import {
  CUSTOMER,
  issue,
  ISSUER,
  OTHER,
  rig,
  type Rig,
  type RigWorker as Worker,
  textOf,
} from "../../../../worker/rig.ts";
import { type Steps, withSteps } from "../../../../../src/store/port/with-steps.ts";

const ROUTE = "invoicing.nfseEnvio";
/** What the window of a day is for a worker in a hurry, ms. */
const DAY = 2_500;
/** Longer than the lease of a call. */
const LONG_MS = 60_000;
const ORDER = { sale: "pedido 7" };

let it: Rig;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(() => it.close());

let opened = 0;
/** An account of its own, for one Redis holds those of all tests. */
async function open(name: string, account: object = {}): Promise<void> {
  const where = name === "Redis" ? { redisUrl: redis.url } : {};
  it = await rig({ ...where, timeoutMs: 10_000, account: { id: `sale${++opened}`, ...account } });
}

const next = async (kind: string) => it.fault({ route: ROUTE, effect: { kind }, times: 1 });
const issued = () => it.list("invoices");
const resume = async (worker: Worker) => {
  await worker.scopes.resume(`credits:${it.account.id}`);
  await worker.drain();
};

async function result(phone: string) {
  const contact = await it.store.contacts.identify(it.account.id, [`phone:${phone}`]);
  const lines = await it.store.views.journal(it.account.id, contact, 50);
  const mails = lines as unknown as { mail?: { kind: string; result: Result } }[];
  return mails.find(({ mail }) => mail?.kind === "result")?.mail?.result;
}
interface Result {
  readonly outcome: string;
  readonly out: Readonly<Record<string, unknown>>;
}

/** Asks for a note, and what its flow is told. */
async function asks(phone: string, input: object = {}, worker = it.worker): Promise<string> {
  await it.asks(phone, issue(input));
  await worker.drain();
  const { outcome, out } = (await result(phone)) ?? { outcome: "nothing", out: {} };
  return outcome === "rejected" ? textOf(out["code"]) : outcome;
}

const record = async () => {
  const [one] = (await it.worker.invoices.list(it.account.id, { limit: 1 })).items;
  if (!one) throw new Error("there is no record");
  return one;
};
const lines = async () =>
  (await it.store.documents.list(UNCERTAIN)).items.filter(
    ({ value }) => value["account"] === it.account.id,
  );

async function decide(decision: Decision["decision"], worker = it.worker) {
  const note = await record();
  const of = { decision, rev: revOf(note), actor: "ana", reason: "não consta no portal" };
  return worker.settling.decide(it.account.id, note.id, of);
}

/** The list is looked through an hour after the process died. */
async function anHourLater(): Promise<void> {
  for (const { id, value } of await lines())
    await it.store.documents.put(UNCERTAIN, id, {
      ...value,
      since: Number(value["since"]) - 3_600_001,
    });
  const { store, clock } = it;
  const { invoices } = it.worker;
  const alarms = { raise: () => undefined };
  const pager = { stored: async () => undefined };
  await alarmStuck({ store, clock, invoices, alarms, pager }, "one");
}

const storeWith = (other: Steps) => withSteps(it.store, other);
const die = () => Promise.reject(new Error("dead"));

/** A worker for which a day of a sale is over soon. */
function hasty(other: Steps = {}): Worker {
  const { store } = it;
  const soon = (ms?: number) => (ms === undefined ? undefined : DAY);
  const quick: Steps = {
    "keys.claim": (account, key, owner, ms) => store.keys.claim(account, key, owner, soon(ms)),
    "keys.settle": (account, key, owner, ms) => store.keys.settle(account, key, owner, soon(ms)),
    "keys.free": (account, key, owner, ms) => store.keys.free(account, key, owner, soon(ms)),
    ...other,
  };
  return it.again({ store: storeWith(quick) });
}

describe.each(["the embedded store", "Redis"])("A sale on %s", (name) => {
  test("is the same for a day from its issue on, however long its note had waited for balance", async () => {
    await open(name);
    const worker = hasty();
    const begun = Date.now();
    await next("no_balance");
    expect(await asks(CUSTOMER, {}, worker)).toBe("nothing");
    await pause(begun + 0.8 * DAY - Date.now());
    await resume(worker);
    const done = Date.now();
    expect(await issued()).toHaveLength(1);

    await pause(begun + 1.15 * DAY - Date.now());
    expect(await asks(OTHER, {}, worker)).toBe("blocked_duplicate");
    expect(await issued()).toHaveLength(1);
    await pause(done + DAY + 50 - Date.now());
    expect(await asks(OTHER, {}, worker)).toBe("done");
  });

  test("is the same for a day from the proof of a note that was uncertain for longer", async () => {
    await open(name);
    const worker = hasty();
    await next("accepted_then_lost");
    expect(await asks(CUSTOMER, {}, worker)).toBe("held");
    await pause(DAY + 50);
    const { token } = await record();
    const [note] = await issued();
    const notice = { status: "autorizada", emitente_id: ISSUER, token, chave: note?.["chave"] };
    expect(await worker.settling.fromWebhook(it.account.id, notice as never)).toBe("settled");

    expect(await asks(OTHER, {}, worker)).toBe("blocked_duplicate");
    expect(await issued()).toHaveLength(1);
  });

  test("is not issued twice because its claim was nearly over when its note could leave", async () => {
    await open(name);
    const worker = hasty();
    const begun = Date.now();
    await next("no_balance");
    await asks(CUSTOMER, {}, worker);
    await pause(begun + 0.9 * DAY - Date.now());
    let told = "";
    const late = hasty({
      "effects.amend": async (input) => {
        const done = await it.store.effects.amend(input);
        await pause(begun + DAY + 50 - Date.now());
        if (told === "") told = await asks(OTHER, {}, worker);
        return done;
      },
    });
    await resume(late);

    expect(told).toBe("blocked_duplicate");
    expect(await issued()).toHaveLength(1);
    expect((await result(CUSTOMER))?.outcome).toBe("done");
  });

  test("whose claim ended while its process stood still is the other one's", async () => {
    await open(name);
    let told = "";
    const claimKey: Store["keys"]["claim"] = (account, key, owner) =>
      it.store.keys.claim(account, key, owner, 300);
    const late = it.again({
      store: storeWith({
        "keys.claim": claimKey,
        "effects.amend": async (input) => {
          const done = await it.store.effects.amend(input);
          await pause(350);
          if (told === "") told = await asks(OTHER);
          return done;
        },
      }),
    });
    await it.asks(CUSTOMER, issue());
    await late.drain();
    // Tried again a little later, not at once.
    it.clock.moveTo(it.clock.now() + 1_000);
    await late.drain();

    expect(told).toBe("done");
    expect(await issued()).toHaveLength(1);
    expect((await result(CUSTOMER))?.out["code"]).toBe("blocked_duplicate");
  });

  test.each(["stands", "is lost"])(
    "that was claimed by another name when its note waited for balance stands by its new name alone; its record %s",
    async (which) => {
      await open(name);
      await next("no_balance");
      expect(await asks(CUSTOMER)).toBe("nothing");
      const before = await record();
      if (which === "is lost")
        await it.store.documents.remove("invoices", `${before.account}.${before.id}`);
      // Meanwhile the business has switched the window off.
      const policy = { ...it.account.policy, similarHours: 0 };
      const own = { ...it.account, policy };
      const accounts = { get: async () => own, ids: async () => [own.id] };
      await resume(it.again({ accounts }));
      expect((await result(CUSTOMER))?.outcome).toBe("done");
      expect((await record()).businessKey).not.toBe(before.businessKey);

      expect(await asks(OTHER)).toBe("done");
      expect(await issued()).toHaveLength(2);
    },
  );

  test("that is known by another name is let go by no process that stood still meanwhile", async () => {
    await open(name);
    await next("no_balance");
    expect(await asks(CUSTOMER)).toBe("nothing");
    const policy = { ...it.account.policy, similarHours: 0 };
    const own = { ...it.account, policy };
    const accounts = { get: async () => own, ids: async () => [own.id] };
    let told = "";
    let stoodMs = 0;
    await next("accepted_then_lost");
    const late = it.again({
      accounts,
      clock: new VirtualClock(() => Date.now() + stoodMs),
      store: storeWith({
        "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
        "keys.claim": async (...of) => {
          const claimed = await it.store.keys.claim(...of);
          if (told !== "") return claimed;
          told = "begun";
          // Its lease is over; another process, which has the account as it was, sends the note.
          await pause(50);
          const other = it.again();
          await other.start();
          await until(async () => (await issued()).length === 1 || undefined);
          await until(async () => (await record()).state === "incerta" || undefined);
          await other.stop(1_000);
          told = (await record()).businessKey;
          stoodMs = LONG_MS;
          return claimed;
        },
      }),
    });
    await resume(late);

    const { effect } = await record();
    expect(await it.store.keys.claim(it.account.id, told, "another", 1)).toEqual({
      ...{ ok: false, owner: effect, state: "claimed" },
    });
  });

  test("that was given up unsent is free although its process died over it, for its effect tells of it", async () => {
    await open(name, { policy: { dailyCeiling: 15_000 } });
    await next("no_balance");
    await asks(CUSTOMER, ORDER);
    const dying = it.again({ store: storeWith({ "keys.free": die }) });
    await expect(decide("abandon", dying)).rejects.toThrow("dead");
    expect((await record()).state).toBe("abandonada");

    await resume(it.again());
    expect((await result(CUSTOMER))?.out["text"]).toContain("não foi emitida");
    expect(await asks(OTHER, ORDER)).toBe("done");
  });

  test("that was given up unsent is free although its process died and its person is gone", async () => {
    await open(name);
    await next("no_balance");
    await asks(CUSTOMER, ORDER);
    const dying = it.again({ store: storeWith({ "keys.free": die }) });
    await expect(decide("abandon", dying)).rejects.toThrow("dead");
    const { account } = it;
    await it.store.contacts.erase(
      account.id,
      await it.store.contacts.identify(account.id, [`phone:${CUSTOMER}`]),
    );
    await anHourLater();

    expect(await lines()).toEqual([]);
    await it.worker.scopes.resume(`credits:${account.id}`);
    expect(await asks(OTHER, ORDER)).toBe("done");
  });

  test("that was given up while its note was about to leave is claimed by nobody", async () => {
    await open(name, { policy: { dailyCeiling: 15_000 } });
    await next("no_balance");
    await asks(CUSTOMER, ORDER);
    let isLooked = false;
    const late = it.again({
      store: storeWith({
        "documents.get": async (collection, id) => {
          const found = await it.store.documents.get(collection, id);
          if (collection === "invoices" && !isLooked) {
            isLooked = true;
            expect(await decide("abandon")).toMatchObject({ ok: true });
          }
          return found;
        },
      }),
    });
    await resume(late);

    expect(isLooked).toBe(true);
    expect(await issued()).toEqual([]);
    expect(await asks(OTHER, ORDER)).toBe("done");
  });

  test("that was claimed by a process that died before its record is free once the request is refused here", async () => {
    await open(name, { policy: { dailyCeiling: 15_000 } });
    const [effect] = await it.asks(CUSTOMER, issue(ORDER));
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const dying = storeWith({
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
      "documents.put": async (collection, ...rest) =>
        collection === "invoices" ? die() : it.store.documents.put(collection, ...rest),
    });
    await it.again({ log, store: dying }).drain();
    const bare = { ...it.account, services: [] };
    const accounts = { get: async () => bare, ids: async () => [bare.id] };
    const next = it.again({ accounts });
    await next.start();
    await until(async () => {
      const left = await it.store.views.effects({ account: it.account.id, limit: 5 });
      return left.some(({ id }) => id === effect) ? undefined : true;
    });
    await next.stop(1_000);

    expect((await result(CUSTOMER))?.out["code"]).toBe("service_missing");
    expect(await asks(OTHER, ORDER)).toBe("done");
  });

  test("of a note that was taken off the list late is protected by its next stay on it", async () => {
    await open(name);
    await next("reset");
    expect(await asks(CUSTOMER, ORDER)).toBe("held");
    await next("accepted_then_lost");
    let isLate = false;
    const slow = it.again({
      store: storeWith({
        "documents.remove": async (collection, id) => {
          if (collection === UNCERTAIN && !isLate) {
            isLate = true;
            const [effect] = (await it.store.views.held({ limit: 100 })).items.filter(
              ({ account }) => account === it.account.id,
            );
            if (effect) await it.worker.settling.repair(effect);
            await it.worker.drain();
          }
          return it.store.documents.remove(collection, id);
        },
      }),
    });
    await decide("not_issued", slow);
    await it.worker.drain();

    expect(isLate).toBe(true);
    const note = await record();
    expect(note.state).toBe("incerta");
    expect((await lines()).map(({ value }) => value["invoice"])).toEqual([note.id]);
    // What is left of an earlier stay goes.
    const [own] = await lines();
    await it.store.documents.put(UNCERTAIN, `${it.account.id}.${note.id}.1`, own?.value ?? {});
    await anHourLater();
    expect((await lines()).map(({ id }) => id)).toEqual([own?.id]);
    // Nor does it outlive its own end.
    expect(await decide("abandon")).toMatchObject({ ok: true });
    expect(await lines()).toEqual([]);
  });
});

describe.each(["the embedded store", "Redis"])(
  "On %s, the sale of a note that was given up",
  (name) => {
    async function givenUp(input: object): Promise<void> {
      await open(name, { policy: { dailyCeiling: 15_000 } });
      await next("reset");
      expect(await asks(CUSTOMER, input)).toBe("held");
      expect(await decide("abandon")).toMatchObject({ ok: true });
      expect(await asks(OTHER, input)).toBe("blocked_duplicate");
    }

    test.each([
      ["by the business's own id", ORDER],
      ["as one like it", {}],
    ])("is free once a person says that there is none: %s", async (_name, input) => {
      await givenUp(input);
      const seen = await record();
      const says = {
        decision: "not_issued",
        actor: "bia",
        reason: "procurei: não existe",
      } as const;
      const of = { ...says, rev: revOf(seen) };
      expect(
        await it.worker.settling.decide(it.account.id, seen.id, { ...of, rev: of.rev - 1 }),
      ).toMatchObject({ ok: false, why: "stale" });
      expect(await it.worker.settling.decide(it.account.id, seen.id, of)).toMatchObject({
        ok: true,
      });

      const now = await record();
      expect(now).toMatchObject({ state: "abandonada", settledAt: seen.settledAt });
      expect(now.history.at(-1)).toMatchObject({ by: "bia", why: "procurei: não existe" });
      expect(await it.worker.settling.decide(it.account.id, seen.id, of)).toMatchObject({
        ...{ ok: false, why: "not-open" },
      });
      expect(await lines()).toEqual([]);
      expect(await asks(OTHER, input)).toBe("done");
      expect(await issued()).toHaveLength(1);
    });

    test("is free although the process of that person died over it", async () => {
      await givenUp(ORDER);
      const dying = it.again({ store: storeWith({ "keys.free": die }) });
      await expect(decide("not_issued", dying)).rejects.toThrow("dead");
      await anHourLater();

      expect(await asks(OTHER, ORDER)).toBe("done");
    });

    test("and that may exist is another one a day later, by the business's own id never by itself", async () => {
      await open(name);
      const worker = hasty();
      for (const input of [ORDER, {}]) {
        await next("reset");
        await asks(CUSTOMER, input, worker);
        const [note] = (await it.worker.invoices.list(it.account.id, { limit: 9 })).items.filter(
          ({ state }) => state === "incerta",
        );
        const of = { decision: "abandon", actor: "ana", reason: "não sei" } as const;
        const rev = note ? revOf(note) : 0;
        await worker.settling.decide(it.account.id, note?.id ?? "", { ...of, rev });
        expect(await asks(OTHER, input, worker)).toBe("blocked_duplicate");
      }
      await pause(DAY + 50);

      expect(await asks(OTHER, ORDER, worker)).toBe("blocked_duplicate");
      expect(await asks(OTHER, {}, worker)).toBe("done");
    });

    /** Its note is uncertain, and the store has lost its key. */
    async function keyless(input: object): Promise<Worker> {
      await open(name);
      const worker = hasty();
      await next("accepted_then_lost");
      expect(await asks(CUSTOMER, input, worker)).toBe("held");
      const note = await record();
      expect(await it.store.keys.free(note.account, note.businessKey, note.effect)).toBe(true);
      expect(await asks(OTHER, input, worker)).toBe("blocked_duplicate");
      return worker;
    }

    test.each([
      ["as one like it", {}],
      ["by the business's own id", ORDER],
    ])(
      "and that may exist stands from then on, although the store lost its key: %s",
      async (_name, input) => {
        const worker = await keyless(input);
        expect(await decide("abandon", worker)).toMatchObject({ ok: true });
        expect(await asks(OTHER, input, worker)).toBe("blocked_duplicate");
        expect(await issued()).toHaveLength(1);

        await pause(DAY + 50);
        // Whoever comes by the record later does not begin the day anew.
        it.clock.moveTo(it.clock.now() + 25 * 3_600_000);
        const { token, businessKey } = await record();
        const notice = { status: "processando", emitente_id: ISSUER, token };
        expect(await worker.settling.fromWebhook(it.account.id, notice as never)).toBe("known");
        const { ok } = await it.store.keys.claim(it.account.id, businessKey, "another", 1);
        expect(ok).toBe(input !== ORDER);
      },
    );

    test("is claimed for nobody by a process that stood still until a person said that there is none", async () => {
      await keyless(ORDER);
      let isSaid = false;
      const late = it.again({
        store: storeWith({
          "keys.claim": async (...of) => {
            if (!isSaid) {
              isSaid = true;
              expect(await decide("not_issued")).toMatchObject({ ok: true });
            }
            return it.store.keys.claim(...of);
          },
        }),
      });
      expect(await decide("abandon", late)).toMatchObject({ ok: true });

      expect(isSaid).toBe(true);
      expect(await asks(OTHER, ORDER)).toBe("done");
    });

    test("is not free while its request is on its way, nor when that issued it", async () => {
      await open(name);
      const said: unknown[] = [];
      const gateway = answering(it, () => undefined);
      const call = (async (...given: Parameters<Gateway["call"]>) => {
        const outcome = await gateway.call(...given);
        if (given[0] === ROUTE && said.length === 0)
          for (const decision of ["abandon", "not_issued"] as const)
            said.push(await decide(decision));
        return outcome;
      }) as Gateway["call"];
      await asks(CUSTOMER, ORDER, it.again({ gatewayFor: () => ({ ...gateway, call }) }));

      expect(said).toMatchObject([{ ok: true }, { ok: false, why: "under-way" }]);
      expect(await decide("not_issued")).toMatchObject({ ok: true });
      expect(await asks(OTHER, ORDER)).toBe("blocked_duplicate");
      expect(await issued()).toHaveLength(1);
    });
  },
);
