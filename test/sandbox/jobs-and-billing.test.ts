import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CUSTOMER, SECOND, stage, until, type Stage, rowsOf, textOf } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
});

const text = { number: CUSTOMER, text: "oi" };
const ledger = async () => rowsOf((await now.http("GET", "/sandbox/ledger")).body);
const received = async () =>
  rowsOf((await now.http("GET", `/sandbox/messages?number=${CUSTOMER}`)).body);

describe("jobs", () => {
  test("an enqueued send answers at once, is charged at once and goes queued, processing, done", async () => {
    const { body } = await now.call("message.sendTextQueue", text);
    const id = body["id"];
    expect(await received()).toHaveLength(0);
    expect(await ledger()).toHaveLength(1);
    const job = async () => (await now.call("jobs.find", { id: [id] })).body[0];
    expect(await job()).toMatchObject({ status: "queued", processed_at: "", diff_in_minutes: "" });
    expect((await job())?.["created_at"]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
    await until(async () => textOf((await job())?.["status"]) === "processing");
    const done = await until(async () => {
      const seen = await job();
      return textOf(seen?.["status"]) === "done" ? seen : undefined;
    });
    expect(done["processed_at"]).toMatch(/^\d\d\/\d\d\/\d{4} /);
    expect(done["diff_in_minutes"]).toBe(0);
    expect(await received()).toHaveLength(1);
    expect(await ledger()).toHaveLength(1);
  });

  test("a job whose send is refused ends as failed", async () => {
    const { body } = await now.call("message.sendTextQueue", { ...text, number: "5500999990000" });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    expect((await now.call("jobs.find", { id: [body["id"]] })).body[0]?.["status"]).toBe("failed");
  });

  test("one unknown or foreign id refuses the whole request with 422", async () => {
    const mine = (await now.call("message.sendTextQueue", text)).body["id"];
    const theirs = (await now.call("message.sendTextQueue", text, { as: SECOND })).body["id"];
    for (const id of [theirs, "00000000-0000-4000-8000-000000000000"]) {
      const answer = await now.call("jobs.find", { id: [mine, id] });
      expect(answer.status).toBe(422);
      expect(answer.text).not.toContain(textOf(mine));
    }
  });

  test("the list holds the caller's own jobs, newest first, in pages of 15", async () => {
    const ids: unknown[] = [];
    for (let count = 0; count < 17; count += 1)
      ids.push((await now.call("message.sendTextQueue", text)).body["id"]);
    await now.call("message.sendTextQueue", text, { as: SECOND });
    const first = (await now.call("jobs.list")).body;
    expect(first).toMatchObject({
      current_page: 1,
      last_page: 2,
      per_page: 15,
      total: 17,
      from: 1,
    });
    expect(first["data"]?.[0]?.["job_id"]).toBe(ids[16]);
    expect(Object.keys(first["data"]?.[0] ?? {})).toEqual([
      "job_id",
      "status",
      "created_at",
      "updated_at",
    ]);
    const second = (await now.call("jobs.list", undefined, { query: "?page=2" })).body;
    expect(second["data"]).toHaveLength(2);
    expect(second["next_page_url"]).toBeNull();
    expect((await now.http("GET", "/sandbox/jobs")).body).toHaveLength(18);
  });
});

describe("billing", () => {
  test("only billed calls write rows: scope, route, tipo, price and balance in BRL", async () => {
    await now.call("message.sendText", text);
    await now.call("jobs.list");
    await now.call("invoicing.emitentesLista", {});
    await now.call("invoicing.nfseConsulta", {
      emitente_id: "6f1f7d3e-0000-4000-8000-000000000001",
      chave: "1".repeat(44),
    });
    await now.call("message.sendText", text, { as: {} });
    const rows = await ledger();
    expect(rows).toMatchObject([
      { scope: "plan:sandbox-device", route: "message.sendText", price: 0, balance: 250.7 },
      {
        scope: "credits:sandbox",
        route: "invoicing.emitentesLista",
        tipo: "emitentes-lista",
        price: 0,
      },
      { scope: "credits:sandbox", route: "invoicing.nfseConsulta", price: 0.5, balance: 250.2 },
    ]);
    expect(rows[0]).not.toHaveProperty("tipo");
  });

  test("money is written in four styles", async () => {
    const issuer = { emitente_id: "6f1f7d3e-0000-4000-8000-000000000001" };
    const seen = [
      await now.call("invoicing.emitentesLista", {}),
      await now.call("invoicing.emitentesAtualiza", issuer),
      await now.call("invoicing.emitentesCadastro", { razao: "X", cnpj: "11222333000181" }),
      await now.call("invoicing.certificadoUpload", {
        dados: { ...issuer, senha: "x", certificado: "MIIKFAIBAzCC" },
      }),
    ].map((answer) => answer.body["balance"]);
    expect(seen).toEqual(["250,700", "250.20", "231,20", "230.700"]);
  });

  test("usage is refused only when enforced", async () => {
    await now.http("PUT", "/sandbox/billing", { quota: 1, balance: 0 });
    expect((await now.call("message.sendText", text)).status).toBe(200);
    expect((await now.call("message.sendText", text)).body["api_limit_used"]).toBe(2);
    await now.http("PUT", "/sandbox/billing", { enforce: true });
    const refused = await now.call("message.sendText", text);
    expect(refused.status).toBe(402);
    expect(refused.body["error"]).toBe(true);
    expect((await now.call("message.sendText", text, { as: SECOND })).status).toBe(200);
    const paid = { emitente_id: "6f1f7d3e-0000-4000-8000-000000000001", chave: "1".repeat(44) };
    expect((await now.call("invoicing.nfseConsulta", paid)).status).toBe(402);
    expect((await now.call("invoicing.emitentesLista", {})).status).toBe(200);
    expect(await ledger()).toHaveLength(4);
  });

  test("test mode answers from the fixed base, does nothing and costs nothing", async () => {
    const answer = await now.call("invoicing.emitentesCadastro", {
      razao: "X",
      cnpj: "11222333000181",
      homolog: true,
    });
    expect(answer.body).toMatchObject({ error: false, homolog: true, api_limit_for: "homolog" });
    expect(await ledger()).toHaveLength(0);
    expect((await now.http("GET", "/sandbox/issuers")).body).toHaveLength(1);
  });
});
