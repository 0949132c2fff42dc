/** A note that the gateway calls issued without its access key is issued, and is no dead end: the key may come later, and is proved. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallOutcome, Gateway, RouteId } from "../../../../../src/gateway/index.ts";
import { openNotes, UNCERTAIN } from "../../../../../src/plugins/invoicing/note/open-notes.ts";
import { revOf } from "../../../../../src/plugins/invoicing/note/invoice.ts";
import { answering } from "../../../../worker/bot.ts";
import {
  type Asked,
  CUSTOMER,
  issue,
  ISSUER,
  OPERATOR,
  OTHER,
  rig,
  type Rig,
  type RigWorker as Worker,
  textOf,
  WAITER,
} from "../../../../worker/rig.ts";
import { withSteps } from "../../../../../src/store/port/with-steps.ts";

const HOUR = 3_600_000;

let it: Rig;
let chave: string;
let worker: Worker;
afterEach(() => it.close());

const record = async () => {
  const [one] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!one) throw new Error("there is no record");
  return one;
};
const open = async () =>
  (await openNotes({ store: it.store, invoices: it.worker.invoices }, "demo", 9)).map(
    ({ id }) => id,
  );
const alarms = (code: string) =>
  it.events.filter((event) => event.type === "alarm" && event.code === code).length;
const lookups = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "invoicing.nfseConsulta")
    .length;
const outcomes = async (phone: string) =>
  (await it.journal(phone)).flatMap(
    (line) => (line["mail"]?.["result"] as unknown as { outcome: string } | undefined) ?? [],
  );
async function pass(hours: number): Promise<void> {
  it.clock.moveTo(it.clock.now() + hours * HOUR);
  await worker.drain();
}
async function decide(decision: "issued" | "not_issued" | "abandon", key = chave) {
  const note = await record();
  const of = { decision, key, rev: revOf(note), actor: "ana", reason: "vi no portal" };
  return worker.settling.decide("demo", note.id, of);
}
/** The issuer's notice, as it comes by itself. */
const notice = async (other: object = {}) => {
  const { token } = await record();
  const whole = { status: "autorizada", emitente_id: ISSUER, token, chave, valor_servicos: 150 };
  return worker.settling.fromWebhook("demo", { ...whole, ...other });
};

/** A gateway that says this of the key. */
const about = (answer: object) =>
  answering(it, (route) =>
    route === "invoicing.nfseConsulta"
      ? ({ kind: "ok", status: 200, ms: 1, data: { chave, ...answer } } as never)
      : undefined,
  );

/** The sandbox issues it; its answer loses the key on the way. */
beforeEach(async () => {
  it = await rig({ account: { cancelTipo: "nfse-cancelamento" } });
  const whole = answering(it, () => undefined);
  const call = async (route: RouteId, ...rest: unknown[]) => {
    const outcome = await (whole.call as (...of: unknown[]) => Promise<CallOutcome>)(
      route,
      ...rest,
    );
    if (route !== "invoicing.nfseEnvio" || outcome.kind !== "ok") return outcome;
    return { ...outcome, data: { status: "autorizada", numero: "1" } };
  };
  const gateway = { ...whole, call: call as unknown as Gateway["call"] };
  worker = it.again({ gatewayFor: () => gateway });
  await it.asks(CUSTOMER, issue());
  await worker.drain();
  const [note] = await it.list("invoices");
  chave = textOf(note?.["chave"]);
});

describe("A note issued without its key", () => {
  test("is issued for its flow, keeps its sale, and is nobody's to send again or to give up", async () => {
    expect(await record()).toMatchObject({ state: "autorizada", number: "1" });
    expect((await record()).key).toBeUndefined();
    expect((await outcomes(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["done"]);
    for (const decision of ["not_issued", "abandon"] as const)
      expect(await decide(decision)).toEqual({ ok: false, why: "not-open" });
    await it.asks(OTHER, issue());
    await worker.drain();
    expect((await outcomes(OTHER)).map(({ outcome }) => outcome)).toEqual(["rejected"]);
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("is told to the business after an hour and once a day", async () => {
    const { id } = await record();
    expect(await open()).toEqual([id]);
    expect(alarms("invoice.stuck")).toBe(0);
    await pass(1.1);
    expect(alarms("invoice.stuck")).toBe(1);
    await pass(2);
    expect(alarms("invoice.stuck")).toBe(1);
    await pass(24);
    expect(alarms("invoice.stuck")).toBe(2);
    expect(await open()).toEqual([id]);
  });

  test("is told for a week, and stands among the open notes then", async () => {
    const { id } = await record();
    await pass(1.1);
    for (let day = 1; day < 9; day++) await pass(24);
    expect(alarms("invoice.stuck")).toBe(7);
    expect(await open()).toEqual([id]);
    expect(await decide("issued")).toMatchObject({ ok: true, invoice: { key: chave } });
    expect((await it.store.documents.list(UNCERTAIN)).items).toEqual([]);
  });

  test("has its record read once by those who issue others", async () => {
    const { id } = await record();
    const read: string[] = [];
    const store = withSteps(it.store, (method) =>
      method === "documents.get"
        ? (collection: string, name: string) => {
            read.push(name);
            return it.store.documents.get(collection, name);
          }
        : undefined,
    );
    const { invoices } = it.again({ store });
    const another = () => invoices.unsettledOf("demo", { businessKey: "other", id: "other" });
    expect(await another()).toBeNull();
    expect(read).toEqual([`demo.${id}`]);
    expect(await another()).toBeNull();
    // Nor does the alarm about it forget that.
    await pass(1.1);
    expect(alarms("invoice.stuck")).toBe(1);
    expect(await another()).toBeNull();
    expect(read).toHaveLength(1);
    expect(await open()).toEqual([id]);
  });

  test("that no list tells of is found by the report of its day", async () => {
    const { id } = await record();
    for (const line of (await it.store.documents.list(UNCERTAIN)).items)
      await it.store.documents.remove(UNCERTAIN, line.id);
    expect(await open()).toEqual([]);
    await worker.reconciliation(it.account);
    expect(await open()).toEqual([id]);
  });

  test("takes its key from the issuer's notice, once looked up, and is told no more", async () => {
    const { settledAt } = await record();
    await pass(0.5);
    expect(await notice()).toBe("settled");
    expect(await record()).toMatchObject({ state: "autorizada", key: chave, settledAt });
    expect(await lookups()).toBe(1);
    expect(await open()).toEqual([]);
    expect((await it.store.documents.list(UNCERTAIN)).items).toEqual([]);
    await pass(30);
    expect(alarms("invoice.stuck")).toBe(0);
    // Told again, and its flow was told before: nothing is looked up, nobody hears it twice.
    expect(await notice()).toBe("known");
    expect(await lookups()).toBe(1);
    expect((await outcomes(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["done"]);
  });

  test("takes its key from a person, after which it can be cancelled", async () => {
    const cancel: Asked = {
      ...{ type: "call", class: "fiscal", name: "invoice.cancel", waiter: WAITER },
      input: { note: (await record()).id, reason: "error", why: "O valor saiu errado na nota" },
    };
    await it.says(OPERATOR, "oi");
    await worker.drain();
    await it.asks(OPERATOR, cancel);
    await worker.drain();
    expect((await record()).cancel).toBeUndefined();

    const before = revOf(await record());
    expect(await decide("issued")).toMatchObject({ ok: true, invoice: { key: chave } });
    const { rev, history } = await record();
    expect(rev).toBe(before + 1);
    expect(history.at(-1)).toMatchObject({ state: "autorizada", by: "ana", why: "vi no portal" });
    expect(await open()).toEqual([]);
    expect(await decide("issued")).toEqual({ ok: false, why: "not-open" });
    await it.asks(OPERATOR, cancel);
    await worker.drain();
    expect((await record()).cancel?.state).toBe("cancelada");
  });

  test("takes no key that is not its own, or of a note that does not stand", async () => {
    expect(
      await decide("issued", `${chave.slice(0, -1)}${(Number(chave.at(-1)) + 1) % 10}`),
    ).toEqual({ ok: false, why: "key-mismatch" });
    const tries: [object, string][] = [
      [{ status: "autorizada", valor_servicos: 1 }, "key-other"],
      [{ status: "rejeitada", valor_servicos: 150 }, "key-refused"],
      [{ status: "processando", valor_servicos: 150 }, "key-processing"],
    ];
    for (const [answer, why] of tries) {
      worker = it.again({ gatewayFor: () => about(answer) });
      expect(await decide("issued")).toEqual({ ok: false, why });
      it.clock.moveTo(it.clock.now() + HOUR);
      expect(await notice()).toBe("unproven");
    }
    expect((await record()).key).toBeUndefined();
    expect(await open()).toHaveLength(1);
  });

  describe("and cancelled at the issuer's since", () => {
    beforeEach(() => {
      const gone = about({ status: "cancelada", valor_servicos: 150 });
      worker = it.again({ gatewayFor: () => gone });
    });
    const sale = async () => {
      const { businessKey } = await record();
      return (await it.store.keys.claim("demo", businessKey, "another")).ok;
    };

    const isGone = async () => {
      const { cancel, state, key } = await record();
      expect([state, key, cancel?.state]).toEqual(["autorizada", chave, "cancelada"]);
      expect(await open()).toEqual([]);
      expect((await it.store.documents.list(UNCERTAIN)).items).toEqual([]);
      // Another one may have replaced it there.
      expect(cancel?.confirmed).toBeUndefined();
      expect(await sale()).toBe(false);
    };

    test.each(["autorizada", "cancelada"])(
      "is cancelled after a notice of it (%s), and told no more",
      async (status) => {
        expect(await notice({ status })).toBe("settled");
        await isGone();
        expect(alarms("invoice.unproven")).toBe(0);
      },
    );

    test("is cancelled after a person's key", async () => {
      expect(await decide("issued")).toMatchObject({ ok: true, invoice: { key: chave } });
      await isGone();
    });
  });
});
