/** A person's decision and the issuer's notice about one note, at the same moment: there is one note, and one end. */
import { afterEach, describe, expect, test } from "vitest";
import { Fault } from "../../../../../src/base/index.ts";
import { localDay } from "../../../../../src/brazil/index.ts";
import type { CallOutcome, Gateway, RouteId } from "../../../../../src/gateway/index.ts";
import type { Store } from "../../../../../src/store/index.ts";
import { until } from "../../../../sandbox/stage.ts";
import { answering } from "../../../../worker/bot.ts";
import { revOf } from "../../../../../src/plugins/invoicing/note/invoice.ts";
import { CUSTOMER, issue, ISSUER, rig, textOf, type Rig } from "../../../../worker/rig.ts";
import { type Steps, withSteps } from "../../../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

/** The rig's store, but for some of its methods. */
const storeWith = (other: Steps): Store => withSteps(it.store, other);

const record = async () => {
  const [one] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!one) throw new Error("there is no record");
  return one;
};

/** A note whose answer was lost, and the notice that tells of it. */
async function lost() {
  it = await rig();
  await it.fault({
    route: "invoicing.nfseEnvio",
    effect: { kind: "accepted_then_lost" },
    times: 1,
  });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const [note] = await it.list("invoices");
  const mine = await record();
  const { id, token, sentAt = 0 } = mine;
  const notice = {
    ...{ evento: "nfse.autorizada", status: "autorizada", emitente_id: ISSUER, token },
    ...{ chave: textOf(note?.["chave"]), valor_servicos: 150 },
    data_emissao: new Date(sentAt).toISOString(),
  };
  return { id, notice, rev: revOf(mine) };
}

/** A worker whose first look at a record is followed by `then`, before it does anything about it. */
function slowReader(then: () => Promise<void>) {
  let isFirst = true;
  const get: Store["documents"]["get"] = async (collection, id) => {
    const found = await it.store.documents.get(collection, id);
    if (collection === "invoices" && isFirst) {
      isFirst = false;
      await then();
    }
    return found;
  };
  return it.again({ store: storeWith({ "documents.get": get }) });
}

describe("A person's decision that a notice overtakes", () => {
  test("sends no second note, whatever the person read before", async () => {
    const { id, notice, rev } = await lost();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    // The notice has settled the record, and not yet ended the effect.
    const resolve: Store["effects"]["resolve"] = async (input) => {
      written();
      await released;
      return it.store.effects.resolve(input);
    };
    const listener = it.again({ store: storeWith({ "effects.resolve": resolve }) });
    let told: Promise<unknown> = Promise.resolve();
    const person = slowReader(async () => {
      told = listener.settling.fromWebhook("demo", notice);
      await isWritten;
    });

    const decided = await person.settling.decide("demo", id, {
      ...{ rev, decision: "not_issued", actor: "ana", reason: "não está no portal" },
    });
    await it.worker.drain();
    release();
    await told;
    await it.worker.drain();

    expect(decided).toEqual({ ok: false, why: "not-open" });
    expect(await record()).toMatchObject({ state: "autorizada", key: notice.chave });
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("does not give up a note that exists", async () => {
    const { id, notice, rev } = await lost();
    const person = slowReader(async () => {
      expect(await it.worker.settling.fromWebhook("demo", notice)).toBe("settled");
    });

    const decided = await person.settling.decide("demo", id, {
      ...{ rev, decision: "abandon", actor: "ana", reason: "cliente desistiu" },
    });

    expect(decided).toEqual({ ok: false, why: "not-open" });
    expect(await record()).toMatchObject({ state: "autorizada", key: notice.chave });
  });

  test("keeps the sale's key when a refusal comes after the note was proved", async () => {
    const { notice } = await lost();
    const { businessKey } = await record();
    const { chave: _chave, ...rest } = notice;
    const refusal = { ...rest, evento: "nfse.rejeitada", status: "rejeitada" };
    let isFirst = true;
    const get: Store["documents"]["get"] = async (collection, id) => {
      const found = await it.store.documents.get(collection, id);
      if (collection === "invoices" && isFirst) {
        isFirst = false;
        expect(await it.worker.settling.fromWebhook("demo", notice)).toBe("settled");
      }
      return found;
    };
    await it
      .again({ store: storeWith({ "documents.get": get }) })
      .settling.fromWebhook("demo", refusal);

    expect(await record()).toMatchObject({ state: "autorizada" });
    expect(await it.store.keys.claim("demo", businessKey, "another", 1_000)).toMatchObject({
      ok: false,
    });
  });
});

describe("An answer that a notice overtakes", () => {
  /** The gateway issued the note and told so by its notice; then its own answer says that it did not. */
  async function refusedAfterProof(message: string) {
    it = await rig();
    const call = async (route: RouteId, ...rest: unknown[]) => {
      const real = await (it.gateway.call as (...args: unknown[]) => unknown)(route, ...rest);
      if (route !== "invoicing.nfseEnvio") return real;
      const [note] = await it.list("invoices");
      const { token } = await record();
      const chave = textOf(note?.["chave"]);
      const notice = { status: "autorizada", emitente_id: ISSUER, token, chave };
      expect(await it.worker.settling.fromWebhook("demo", notice)).toBe("settled");
      return { kind: "business_error", message, code: "E0042", status: 200, ms: 1 };
    };
    const gateway = { ...answering(it, () => undefined), call: call as Gateway["call"] };
    const worker = it.again({ gatewayFor: () => gateway });
    await it.asks(CUSTOMER, issue());
    await worker.drain();
  }

  test.each(["o CPF não confere", ""])(
    "with a refusal (%j) leaves the sale's key where it is, and a person is told",
    async (message) => {
      await refusedAfterProof(message);

      const { businessKey, state } = await record();
      expect(state).toBe("autorizada");
      expect(await it.store.keys.claim("demo", businessKey, "another", 1_000)).toMatchObject({
        ok: false,
      });
      const results = (await it.journal(CUSTOMER)).flatMap(
        (line) => (line["mail"]?.["result"] as unknown as { outcome: string } | undefined) ?? [],
      );
      expect(results.map(({ outcome }) => outcome)).toEqual(["done"]);
      const alarms = it.events.filter((event) => event.type === "alarm");
      expect(alarms.map(({ code }) => code)).toEqual(["invoice.unproven"]);
    },
  );
});

describe("A notice that takes back what was told as issued", () => {
  test("changes nothing, and a person is told", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const { token } = await record();

    const refusal = { status: "rejeitada", emitente_id: ISSUER, token };
    expect(await it.worker.settling.fromWebhook("demo", refusal)).toBe("unproven");
    // Who does not name the note by what only its issuer knows takes nothing back.
    const claim = { status: "rejeitada", emitente_id: ISSUER, valor_servicos: 150 };
    expect(await it.worker.settling.fromWebhook("demo", claim)).toBe("unmatched");

    expect(await record()).toMatchObject({ state: "autorizada" });
    const alarms = it.events.filter((event) => event.type === "alarm");
    expect(alarms.map(({ code }) => code)).toEqual(["invoice.unproven"]);
  });
});

describe("A notice that a person overtakes", () => {
  test("makes what was given up issued by its proved key, and says so", async () => {
    const { id, notice, rev } = await lost();
    const listener = slowReader(async () => {
      const given = { rev, decision: "abandon", actor: "ana", reason: "desistiu" } as const;
      expect(await it.worker.settling.decide("demo", id, given)).toMatchObject({ ok: true });
    });

    expect(await listener.settling.fromWebhook("demo", notice)).toBe("settled");

    expect(await record()).toMatchObject({ state: "autorizada", key: notice.chave });
    const alarms = it.events.filter((event) => event.type === "alarm");
    expect(alarms.map((alarm) => alarm.code)).toContain("invoice.contradicted");
  });
});

describe("A person's word that a note was issued", () => {
  test("makes one that was given up issued by its key, counts it for its day, and tells who asked", async () => {
    const { id, notice, rev } = await lost();
    const given = { rev, decision: "abandon", actor: "ana", reason: "desistiu" } as const;
    const closed = await it.worker.settling.decide("demo", id, given);
    if (!closed.ok) throw new Error("it was to be given up");
    await it.worker.drain();
    const found = { decision: "issued", key: notice.chave, actor: "ana", reason: "vi" } as const;
    const again = { ...found, rev: revOf(closed.invoice) };
    expect(await it.worker.settling.decide("demo", id, again)).toMatchObject({ ok: true });
    await it.worker.drain();

    expect(await record()).toMatchObject({ state: "autorizada", key: notice.chave });
    const { businessKey, cents, createdAt, issuer } = await record();
    const other = await it.store.keys.claim("demo", businessKey, "another", 1_000);
    expect(other).toMatchObject({ ok: false });
    const ceiling = await it.store.documents.get(
      "ceilings",
      `demo.${localDay(createdAt, issuer.zone)}`,
    );
    expect(ceiling?.value["notes"]).toEqual({ [id]: cents });
    expect(JSON.stringify(await it.journal(CUSTOMER))).toContain("note-exists");
  });

  /** Judged with what the gateway says of the key. */
  async function says(answer: (chave: string) => CallOutcome) {
    const { id, notice, rev } = await lost();
    const about = (route: string) =>
      route === "invoicing.nfseConsulta" ? answer(notice.chave) : undefined;
    const worker = it.again({ gatewayFor: () => answering(it, about) });
    const decision = { decision: "issued", key: notice.chave, actor: "ana", reason: "vi" } as const;
    const decided = await worker.settling.decide("demo", id, { ...decision, rev });
    await it.worker.drain();
    return decided;
  }
  const ok = (data: object): CallOutcome =>
    ({ kind: "ok", data, ms: 1, status: 200 }) as unknown as CallOutcome;

  const answers: [string, string, (chave: string) => CallOutcome][] = [
    ["refused", "key-refused", (chave) => ok({ chave, status: "rejeitada", codigo: "E0042" })],
    ["cancelled", "key-cancelled", (chave) => ok({ chave, status: "cancelada" })],
    ["still being processed", "key-processing", (chave) => ok({ chave, status: "processando" })],
    [
      "of another value",
      "key-other",
      (chave) => ok({ chave, status: "autorizada", valor_servicos: 1 }),
    ],
    [
      "unknown",
      "key-unknown",
      () => ({ kind: "business_error", message: "Nota não encontrada.", status: 200, ms: 1 }),
    ],
    ["not told of", "lookup-failed", () => ({ kind: "unknown", reason: "timeout", ms: 1 })],
  ];
  test.each(answers)(
    "changes nothing when the authority calls the note of that key %s, and says so",
    async (_name, why, answer) => {
      expect(await says(answer)).toEqual({ ok: false, why });

      expect(await record()).toMatchObject({ state: "incerta" });
      const { businessKey } = await record();
      const other = await it.store.keys.claim("demo", businessKey, "another", 1_000);
      expect(other).toMatchObject({ ok: false });
      const results = (await it.journal(CUSTOMER)).filter(
        (line) => (line["mail"]?.["kind"] as unknown) === "result",
      );
      expect(results).toHaveLength(1);
      // Who asks is told; nobody's phone rings for it.
      expect(it.events.filter((event) => event.type === "alarm").map(({ code }) => code)).toEqual([
        "invoice.uncertain",
      ]);
    },
  );
});

describe("A note that is on its way", () => {
  test("is not called unissued by somebody who looked before it left, and not sent a third time", async () => {
    const { id, rev } = await lost();
    const says = { rev, decision: "not_issued", actor: "ana", reason: "não consta" } as const;
    const second = { ...says, actor: "bia" };
    const answers: unknown[] = [];
    let sends = 0;
    const gateway = answering(it, (route) => {
      if (route === "invoicing.nfseEnvio") sends++;
      return undefined;
    });
    const call = (async (...args: Parameters<Gateway["call"]>) => {
      // The other one's click comes while the first one's call is under way.
      if (args[0] === "invoicing.nfseEnvio")
        answers.push(await it.worker.settling.decide("demo", id, second));
      return gateway.call(...args);
    }) as Gateway["call"];
    const worker = it.again({ gatewayFor: () => ({ ...gateway, call }) });
    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "accepted_then_lost" } });
    expect(await worker.settling.decide("demo", id, says)).toMatchObject({ ok: true });
    await worker.drain();

    expect(answers).toEqual([{ ok: false, why: "under-way" }]);
    expect(sends).toBe(1);
    expect((await record()).history.map(({ by }) => by)).not.toContain("bia");
    expect((await record()).state).toBe("incerta");
  });
});

describe("A note whose request was on its way when handling it failed once too often", () => {
  test("is uncertain as soon as its effect rests, and may be decided", async () => {
    it = await rig();
    const [id = ""] = await it.asks(CUSTOMER, issue());
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const dying = it.again({
      log,
      store: storeWith({
        "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 300 }),
        "effects.confirm": () => Promise.reject(new Error("the process died here")),
      }),
    });
    await dying.drain();
    expect(await record()).toMatchObject({ state: "enviando" });
    await it.store.documents.put("crash-counter", id, { times: 5, at: it.clock.real() });
    const next = it.again({ log });
    await next.start();
    const held = await until(
      async () => (await it.store.views.effects({ state: "held", limit: 1 }))[0],
    );
    await next.stop(1_000);
    expect(held).toMatchObject({ id, reason: "handling_failed" });

    await it.worker.settling.repair(held);
    const now = await record();
    expect(now).toMatchObject({ state: "incerta" });
    expect(now.history.at(-1)).toMatchObject({ by: "worker", why: "handling_failed" });
    const of = { decision: "not_issued", actor: "ana", reason: "não está no portal" } as const;
    expect(
      await it.worker.settling.decide("demo", now.id, { rev: revOf(now), ...of }),
    ).toMatchObject({ ok: true });
    await it.worker.drain();
    expect(await record()).toMatchObject({ state: "autorizada" });
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("keeps a short history however long nothing may leave", async () => {
    const { id, rev } = await lost();
    const of = { decision: "not_issued", actor: "ana", reason: "não está no portal" } as const;
    expect(await it.worker.settling.decide("demo", id, { rev, ...of })).toMatchObject({ ok: true });
    const before = (await record()).history.length;
    let isAway = true;
    const waiting = it.again({ store: storeWith({ "effects.confirm": async () => !isAway }) });
    for (let tries = 0; tries < 8; tries++) {
      isAway = tries < 6;
      await waiting.drain();
      it.clock.moveTo(it.clock.now() + 5_000);
    }
    const { history, state } = await record();
    expect(state).toBe("autorizada");
    expect(history.slice(before).map((one) => [one.state, one.why])).toEqual([
      ["enviando", undefined],
      ["pendente", "not_sent"],
      ["enviando", undefined],
      ["autorizada", undefined],
    ]);
  });

  test("is what it is while another attempt has it on its way again", async () => {
    const { id, rev } = await lost();
    const [rests] = await it.store.views.effects({ state: "held", limit: 1 });
    if (!rests) throw new Error("it does not rest");
    const gateway = answering(it, () => undefined);
    const seen: unknown[] = [];
    const call = (async (...args: Parameters<Gateway["call"]>) => {
      if (args[0] === "invoicing.nfseEnvio") {
        // Found at rest in a round that began before it was let go.
        await it.worker.settling.repair({ ...rests, reason: "handling_failed" });
        seen.push((await record()).state);
      }
      return gateway.call(...args);
    }) as Gateway["call"];
    const worker = it.again({ gatewayFor: () => ({ ...gateway, call }) });
    const says = { rev, decision: "not_issued", actor: "ana", reason: "não consta" } as const;
    expect(await worker.settling.decide("demo", id, says)).toMatchObject({ ok: true });
    await worker.drain();

    expect(seen).toEqual(["enviando"]);
  });
});

describe("An answer that comes while the store is away", () => {
  test.each(["autorizada", "rejeitada"] as const)(
    "is written when it is back: %s",
    async (state) => {
      it = await rig();
      let away = 3;
      const put: Store["documents"]["put"] = async (collection, id, value, expect) => {
        if (collection === "invoices" && value["state"] === state && away-- > 0)
          throw new Fault("STORE_UNAVAILABLE", "The store is away.");
        return it.store.documents.put(collection, id, value, expect);
      };
      if (state === "rejeitada") {
        const effect = { kind: "business_error", message: "valor inválido" };
        await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
      }
      await it.asks(CUSTOMER, issue());
      await it.again({ store: storeWith({ "documents.put": put }) }).drain();

      expect((await record()).state).toBe(state);
      expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
      expect(it.events).not.toContainEqual(expect.objectContaining({ code: "invoice.uncertain" }));
    },
  );
});

test("A person's word that their process did not live to carry out is carried out by the next one", async () => {
  it = await rig();
  await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "reset" }, times: 1 });
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const { id, ...before } = await record();
  expect(before.state).toBe("incerta");
  const dying = it.again({
    store: storeWith({
      "effects.resolve": () => Promise.reject(new Error("the process died here")),
    }),
  });
  const decision = { decision: "not_issued", actor: "ana", reason: "não está no portal" } as const;
  await expect(
    dying.settling.decide("demo", id, { rev: revOf(await record()), ...decision }),
  ).rejects.toThrow("died here");
  expect((await record()).state).toBe("pendente");

  const next = it.again();
  await next.start();
  try {
    await until(async () => (await record()).state === "autorizada");
  } finally {
    await next.stop(1_000);
  }

  expect(await it.list("invoices")).toHaveLength(1);
});

test("A note that failed inside this program as often as is tried is not let go each minute for a word said before", async () => {
  const { id, rev } = await lost();
  const dying = it.again({
    store: storeWith({
      "effects.resolve": () => Promise.reject(new Error("the process died here")),
    }),
  });
  const says = { rev, decision: "not_issued", actor: "ana", reason: "não está no portal" } as const;
  await expect(dying.settling.decide("demo", id, says)).rejects.toThrow("died here");
  const held = async () => {
    const [effect] = await it.store.views.effects({ state: "held", limit: 1 });
    return effect;
  };
  const before = await held();
  if (!before) throw new Error("it does not rest");

  await it.worker.settling.repair({ ...before, reason: "handling_failed" });
  expect(await held()).toEqual(before);
  await it.worker.settling.repair(before);
  expect(await held()).toBeUndefined();
});
