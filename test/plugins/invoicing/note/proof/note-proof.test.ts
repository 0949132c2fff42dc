/** Which access keys can be of a note, before anybody pays for a lookup. */
import { afterEach, describe, expect, test } from "vitest";
import { addMonths } from "../../../../../src/brazil/index.ts";
import { nfeKey } from "../../../../../src/gateway/index.ts";
import { type Invoice, revOf } from "../../../../../src/plugins/invoicing/note/invoice.ts";
import { isOurKey } from "../../../../../src/plugins/invoicing/note/proof/proving.ts";
import { CUSTOMER, issue, rig, type Rig, textOf } from "../../../../worker/rig.ts";

const ISSUER = { cnpj: "11222333000181", town: "3550308", zone: "America/Sao_Paulo" };

const keyOf = (month: string) =>
  nfeKey({
    ...{ place: "35", emitted: month, issuer: ISSUER.cnpj, model: "55", series: 1 },
    ...{ number: 5, emission: 1, code: "12345678" },
  });
const at = (local: string) => Date.parse(`${local}-03:00`);

/** A note that was made and set out at the first time, and set out once more at each of the others. */
const sent = (...times: [number, ...number[]]) => {
  const [createdAt] = times;
  const steps = times.flatMap((time) => [
    { at: time, state: "pendente", by: "worker" },
    { at: time, state: "enviando", by: "worker" },
    { at: time, state: "incerta", by: "worker" },
  ]);
  return { issuer: ISSUER, createdAt, sentAt: times.at(-1), history: steps } as unknown as Invoice;
};
const known = (note: Invoice, ...months: string[]) =>
  months.filter((month) => isOurKey(note, keyOf(month)));

describe("a key of the month", () => {
  test.each([
    ...["2026-01-28", "2026-01-29", "2026-01-30", "2026-01-31", "2026-02-28", "2026-03-31"],
    ...["2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31", "2026-09-30"],
    ...["2026-10-31", "2026-11-30", "2026-12-31"],
  ])("in which the note was sent, or of the one after, can be its own: %s", (day) => {
    const note = sent(at(`${day}T23:50:00`));
    const month = day.slice(0, 7);
    const [before, next, later] = [-1, 1, 2].map((by) => addMonths(month, by)) as [
      string,
      string,
      string,
    ];

    expect(known(note, before, month, next, later)).toEqual([month, next]);
  });

  test("before can be its own when its emission is told in the past", () => {
    const note = sent(at("2026-12-01T00:00:30"));

    expect(known(note, "2026-10", "2026-11", "2026-12", "2027-01")).toEqual([
      ...["2026-11", "2026-12", "2027-01"],
    ]);
  });

  test("of any of its requests can be its own, not only of the last", () => {
    const note = sent(at("2026-09-10T12:00:00"), at("2026-12-02T12:00:00"));

    expect(known(note, "2026-08", "2026-09", "2026-10", "2026-11", "2026-12", "2027-01")).toEqual([
      ...["2026-09", "2026-10", "2026-12", "2027-01"],
    ]);
  });
});

describe("a note that was sent at a month's end, and once more in the next month", () => {
  let it: Rig;
  afterEach(() => it.close());
  const record = async () => {
    const [one] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
    if (!one) throw new Error("there is no record");
    return one;
  };
  /** Bot and authority. */
  const pass = async (ms: number) => {
    it.clock.moveTo(it.clock.now() + ms);
    await it.stage.http("POST", "/sandbox/clock", { advance: `${Math.round(ms / 1000)}s` });
  };
  const fails = (effect: object) => it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });

  test("is proved by the key of the first sending, which the authority has", async () => {
    it = await rig();
    const now = new Date(it.clock.now());
    // Of the month after this one: it lies ahead on whichever day this runs.
    const lastNoon = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0, 15);
    await pass(lastNoon - now.getTime());
    await fails({ kind: "accepted_then_lost" });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const key = textOf((await it.list("invoices")).at(-1)?.["chave"]);
    await pass(2 * 86_400_000);
    await fails({ kind: "business_error", message: "E0014 - já existe uma NFS-e" });
    const word = { actor: "ana", reason: "não está no portal" };
    const lost = await record();
    await it.worker.settling.decide("demo", lost.id, {
      ...{ ...word, decision: "not_issued", rev: revOf(lost) },
    });
    await it.worker.drain();
    const twice = await record();
    expect(twice.state).toBe("incerta");

    const said = { ...word, decision: "issued", key, rev: revOf(twice) } as const;
    expect(await it.worker.settling.decide("demo", twice.id, said)).toMatchObject({ ok: true });
    expect(await record()).toMatchObject({ state: "autorizada", key });
  });
});
