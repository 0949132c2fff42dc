/** What one contact's effect is asked about stays true behind any number of others: a plan that is paused for days gathers them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createActions } from "../../src/app/operator/actions.ts";
import { revOf } from "../../src/plugins/invoicing/note/invoice.ts";
import { Echoes } from "../../src/worker/outbox/sending/echoes.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { type Asked, bubble, CUSTOMER, issue, rig, type Rig } from "./rig.ts";

const MANY = 1_001;
const PLAN = "plan:demo";
const NOTE = "invoicing.nfseEnvio";
const BY = { actor: "ana", reason: "não consta no portal" };

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "20"] });
});
afterAll(() => redis.stop());
let database = 0;
const PLACES = {
  "the embedded store": () => ({}),
  Redis: () => ({ redisUrl: `${redis.url}/${(database += 1)}` }),
};

let it: Rig;
afterEach(() => it.close());

/** The plan is paused, and so much waits for the customer. */
async function paused(place: keyof typeof PLACES): Promise<void> {
  it = await rig(PLACES[place]());
  await it.store.scopes.pause(PLAN, "payment");
  const notices = Array.from({ length: MANY }, (_, n) => bubble(CUSTOMER, `aviso ${n}`));
  await it.asks(CUSTOMER, ...notices);
}

/** A note whose answer is lost, asked for behind all that. */
async function lost(asked: Asked) {
  await it.fault({ route: NOTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  const [id = ""] = await it.asks(CUSTOMER, asked);
  await it.worker.drain();
  const [held] = (await it.store.views.held({ limit: 5 })).items;
  expect(held?.id).toBe(id);
  return { ref: { account: "demo", contact: await it.contact(CUSTOMER), id } };
}

function people() {
  const none = {} as never;
  const { store, worker, clock } = it;
  return createActions({ store, worker, clock, library: none, layouter: none, works: true });
}

/** In flight in a process that died. */
const dead = async (count: number) =>
  it.store.effects.begin({ limit: count, leaseMs: 60_000, paused: [], offsetMs: 0 });

describe.each(["the embedded store", "Redis"] as const)(
  "Behind a thousand messages that wait, on %s,",
  (place) => {
    test("a note that was looked for in vain is sent again", async () => {
      await paused(place);
      const { ref } = await lost(issue());
      const [note] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
      if (!note) throw new Error("there is no record");
      const decided = await it.worker.settling.decide("demo", note.id, {
        ...{ ...BY, rev: revOf(note), decision: "not_issued" },
      });
      expect(decided).toMatchObject({ ok: true, invoice: { state: "pendente" } });
      expect(await it.store.views.effect(ref)).toMatchObject({ state: "pending", rev: 1 });
    });

    test("nobody is erased while their note is open", async () => {
      await paused(place);
      const { ref } = await lost(issue());
      const { account, contact } = ref;
      expect(await people().forget(account, contact)).toMatchObject({
        ...{ ok: false, reason: "refused" },
      });
      expect(await it.store.views.effect(ref)).toMatchObject({ state: "held" });
    });

    test("a message that was turned away goes again with the rest of its turn", async () => {
      it = await rig(PLACES[place]());
      const call = { type: "call", class: "replace", name: "profile.name", input: {} } as const;
      const many = Array.from({ length: MANY }, () => call as unknown as Asked);
      await it.asks(CUSTOMER, ...many);
      for (let begun = await dead(500); begun.length > 0; begun = await dead(500))
        await it.store.effects.end(
          begun.map((one) => ({ ...one, outcome: { kind: "held", reason: "decide" } as const })),
        );
      const effect = { kind: "status", status: 429 };
      await it.fault({ route: "message.sendText", effect, times: 1 });
      await it.asks(CUSTOMER, bubble(CUSTOMER, "um"), bubble(CUSTOMER, "dois"));
      await it.worker.drain();
      expect(await it.received(CUSTOMER)).toEqual([]);
      await it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() - 1 });
      await it.worker.drain();

      expect(await it.received(CUSTOMER)).toEqual(["um", "dois"]);
    });

    test("a bubble that came too late is not said when a newer one waits", async () => {
      it = await rig(PLACES[place]());
      await it.store.scopes.pause(PLAN, "payment");
      await it.store.scopes.pause("credits:demo", "no_balance");
      await it.asks(CUSTOMER, ...Array.from({ length: MANY }, () => issue()));
      await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
      it.clock.moveTo(it.clock.now() + 60_000);
      await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
      it.clock.moveTo(it.clock.now() + 45 * 60_000);
      await it.store.scopes.resume(PLAN);
      await it.worker.drain();

      const said = await it.received(CUSTOMER);
      expect(said).toHaveLength(1);
      expect(said[0]).toMatch(/dois$/);
    });

    test("a process that sent nothing knows the echo of what another one sends, from a person's words", async () => {
      it = await rig(PLACES[place]());
      for (let n = 0; n < 25; n += 1) {
        await it.asks(CUSTOMER, bubble(CUSTOMER, `falhou ${n}`, `turno ${n}`));
        const outcome = { kind: "held", reason: "failed:status_400" } as const;
        await it.store.effects.end((await dead(1)).map((one) => ({ ...one, outcome })));
      }
      await it.asks(CUSTOMER, bubble(CUSTOMER, "agora"), bubble(CUSTOMER, "depois"));
      expect(await dead(1)).toHaveLength(1);
      const keys = { hash: (text: string) => text };
      const liveness = new Echoes(it.store, keys, () => it.clock.now());
      const contact = await it.contact(CUSTOMER);
      const isOurs = (text: string) =>
        liveness.isOurs("demo", contact, { messageId: `3EB0${text}`, text });

      expect(await isOurs("agora")).toBe(true);
      // Waits, so nobody can have heard it but from a person.
      expect(await isOurs("depois")).toBe(false);
      expect(await isOurs("bom dia, aqui é a Ana")).toBe(false);
    });
  },
);
