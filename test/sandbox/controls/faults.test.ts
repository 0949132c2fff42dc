import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RouteId } from "../../../src/gateway/index.ts";
import { DEMO_ISSUER_ID } from "../../../src/sandbox/index.ts";
import { goodNote, submit } from "../notes.ts";
import { CUSTOMER, FIRST, stage, type Stage, rowsOf } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
});

const text = { number: CUSTOMER, text: "oi" };
const send = () => now.call("message.sendText", text);
const put = (fault: object) => now.http("POST", "/sandbox/faults", fault);
const count = async (list: string) =>
  rowsOf((await now.http("GET", `/sandbox/${list}`)).body).length;

describe("effects", () => {
  test.each([
    [500, 0],
    [503, 0],
    [429, 0],
    [404, 1],
    [400, 1],
  ])("status %i is answered, nothing happens, %i calls are charged", async (status, charged) => {
    await put({ effect: { kind: "status", status, message: "de propósito" } });
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: true, message: "de propósito" });
    if (status === 429 || status === 503) expect(answer.headers["retry-after"]).toBe("1");
    expect(await count("messages")).toBe(0);
    expect(await count("ledger")).toBe(charged);
  });

  test("reset cuts the connection and nothing happens", async () => {
    await put({ effect: { kind: "reset" } });
    await expect(send()).rejects.toThrow();
    expect(await count("messages")).toBe(0);
    const rows = rowsOf((await now.http("GET", "/sandbox/requests")).body);
    expect(rows).toMatchObject([{ route: "message.sendText", status: null, method: "POST" }]);
  });

  test("timeout gives no answer until its time is up", async () => {
    await put({ effect: { kind: "timeout", ms: 300 } });
    const begun = Date.now();
    await expect(send()).rejects.toThrow();
    expect(Date.now() - begun).toBeGreaterThanOrEqual(290);
    expect(await count("messages")).toBe(0);
  });

  test("malformed answers half a JSON, html a proxy's page", async () => {
    await put({ effect: { kind: "malformed" }, times: 1 });
    await put({ effect: { kind: "html" }, times: 1 });
    const half = await send();
    expect(half.status).toBe(200);
    expect(() => JSON.parse(half.text) as unknown).toThrow();
    const page = await send();
    expect(page.status).toBe(502);
    expect(page.headers["content-type"]).toContain("text/html");
    expect((await send()).status).toBe(200);
    expect(await count("messages")).toBe(1);
  });

  test("business_error is 200 with error true, charged and without effect", async () => {
    await put({ effect: { kind: "business_error", message: "Serviço indisponível" } });
    const answer = await send();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ error: true, message: "Serviço indisponível" });
    expect(await count("messages")).toBe(0);
    expect(await count("ledger")).toBe(1);
  });

  test("slow is the normal answer, later", async () => {
    await put({ effect: { kind: "slow", ms: 200 } });
    const begun = Date.now();
    expect((await send()).status).toBe(200);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(190);
  });

  test("accepted_then_lost takes effect and gives no answer", async () => {
    await put({ tipo: "nfse-envio", effect: { kind: "accepted_then_lost" }, times: 1 });
    await expect(submit(now)).rejects.toThrow();
    const invoices = rowsOf((await now.http("GET", "/sandbox/invoices")).body);
    expect(invoices).toMatchObject([{ status: "autorizada" }]);
    expect(await count("ledger")).toBe(1);
  });

  test("no_balance is 402 and is not charged", async () => {
    await put({ effect: { kind: "no_balance" } });
    expect((await send()).status).toBe(402);
    expect(await count("ledger")).toBe(0);
  });

  test("a fault does not open what auth closes", async () => {
    await put({ effect: { kind: "status", status: 500 } });
    expect((await now.call("message.sendText", text, { as: {} })).status).toBe(401);
    expect(await count("ledger")).toBe(0);
  });
});

describe("an answer that is lost after the effect, class by class", () => {
  const lose = async (id: RouteId, body?: object) => {
    await put({ route: id, effect: { kind: "accepted_then_lost" }, times: 1 });
    await expect(now.call(id, body)).rejects.toThrow();
    const rows = rowsOf((await now.http("GET", "/sandbox/requests")).body);
    expect(rows.at(-1)).toMatchObject({ route: id, status: null });
    expect(await count("faults")).toBe(0);
  };

  test("read: nothing but the charge", async () => {
    await lose("instance.connectionState");
    expect(await count("ledger")).toBe(1);
  });

  test("message: sent", async () => {
    await lose("message.sendText", text);
    expect(await count("messages")).toBe(1);
  });

  test("replace: changed", async () => {
    await lose("settings.set", { reject_call: true, msg_call: "depois", groups_ignore: false });
    const found = (await now.call("settings.find")).body["response"];
    expect(JSON.stringify(found)).toContain("depois");
  });

  test("costly: registered and paid", async () => {
    await lose("invoicing.emitentesCadastro", { razao: "Outra", cnpj: "11444777000161" });
    expect(await count("issuers")).toBe(2);
    expect(rowsOf((await now.http("GET", "/sandbox/ledger")).body)[0]?.["price"]).toBe(19);
  });

  test("destructive: gone", async () => {
    await lose("instance.logout");
    const state = (await now.call("instance.connectionState")).body["response"];
    expect(state?.["instance"]?.["state"]).toBe("close");
  });

  test("fiscal: issued, cancelled", async () => {
    const dados = goodNote(await now.now());
    await lose("invoicing.nfseEnvio", { emitente_id: DEMO_ISSUER_ID, dados });
    const chave = rowsOf((await now.http("GET", "/sandbox/invoices")).body)[0]?.["chave"];
    const motivo = "Emitida com o valor errado";
    await lose("invoicing.cancelamento", { emitente_id: DEMO_ISSUER_ID, chave, motivo });
    const rows = rowsOf((await now.http("GET", "/sandbox/invoices")).body);
    expect(rows).toMatchObject([{ status: "cancelada" }]);
  });

  test("of a body that is refused: charged, nothing else", async () => {
    await lose("message.sendText", { number: CUSTOMER });
    expect([await count("messages"), await count("ledger")]).toEqual([0, 1]);
  });
});

describe("what strikes before anybody looks", () => {
  test.each([
    ["status", 500],
    ["reset", null],
    ["malformed", 200],
    ["html", 502],
    ["timeout", null],
  ])(
    "%s at one tipo leaves no note and no charge, and the next call is whole",
    async (kind, status) => {
      await put({ tipo: "nfse-envio", effect: { kind, ms: 20 }, times: 1 });
      if (status === null) await expect(submit(now)).rejects.toThrow();
      else expect((await submit(now)).status).toBe(status);
      expect([await count("invoices"), await count("ledger")]).toEqual([0, 0]);
      expect((await submit(now)).body["data"]?.["status"]).toBe("autorizada");
    },
  );
});

describe("which calls are struck", () => {
  test("by route and tipo together", async () => {
    await put({ route: "invoicing.nfseEnvio", tipo: "other", effect: { kind: "business_error" } });
    expect((await submit(now)).body["error"]).toBe(false);
    await put({
      route: "invoicing.nfseEnvio",
      tipo: "nfse-envio",
      effect: { kind: "business_error" },
    });
    expect((await submit(now)).body["error"]).toBe(true);
  });

  test("the oldest fault first, each as often as it says", async () => {
    await put({ effect: { kind: "status", status: 500 }, times: 1 });
    await put({ route: "message.sendText", effect: { kind: "status", status: 429 }, times: 1 });
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([
      500, 429, 200,
    ]);
  });

  test("not by callers whom nobody admitted, except on the line", async () => {
    await put({ effect: { kind: "status", status: 500 }, times: 1 });
    expect((await now.call("message.sendText", text, { as: {} })).status).toBe(401);
    expect((await send()).status).toBe(500);
    await put({ effect: { kind: "html" }, times: 1 });
    expect((await now.call("message.sendText", text, { as: {} })).status).toBe(502);
    expect((await send()).status).toBe(200);
  });

  test("enqueue calls too: what is refused there makes no job", async () => {
    await put({ route: "message.sendTextQueue", effect: { kind: "business_error" }, times: 1 });
    expect((await now.call("message.sendTextQueue", text)).body["error"]).toBe(true);
    expect([await count("jobs"), await count("ledger")]).toEqual([0, 1]);
  });

  test("by route and by tipo only", async () => {
    await put({ route: "message.sendPoll", effect: { kind: "status", status: 500 } });
    await put({ tipo: "nfse-envio", effect: { kind: "business_error" } });
    expect((await send()).status).toBe(200);
    expect((await now.call("invoicing.emitentesLista", {})).body["error"]).toBe(false);
    expect((await submit(now)).body["error"]).toBe(true);
  });

  test("as often as said, then never again", async () => {
    await put({ effect: { kind: "status", status: 500 }, times: 2 });
    const statuses = [await send(), await send(), await send()].map((answer) => answer.status);
    expect(statuses).toEqual([500, 500, 200]);
    expect(await count("faults")).toBe(0);
  });

  test("by a chance that the seed decides", async () => {
    const run = async (seed: number) => {
      await now.http("DELETE", "/sandbox/faults");
      await put({ effect: { kind: "status", status: 500 }, probability: 0.5, seed });
      const statuses: number[] = [];
      for (let time = 0; time < 20; time += 1) statuses.push((await send()).status);
      return statuses.join();
    };
    const first = await run(1);
    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
    expect(first).toContain("500");
    expect(first).toContain("200");
  });
});

describe("the control", () => {
  test("lists faults with their hits and removes them all", async () => {
    await put({ route: "message.sendText", effect: { kind: "slow", ms: 0 } });
    await send();
    expect((await now.http("GET", "/sandbox/faults")).body).toMatchObject([
      { route: "message.sendText", effect: { kind: "slow" }, hits: 1 },
    ]);
    expect((await now.http("DELETE", "/sandbox/faults")).body).toEqual({ removed: 1 });
    expect(await count("faults")).toBe(0);
  });

  test.each([
    { effect: { kind: "explode" } },
    { route: "message.nothing", effect: { kind: "reset" } },
    { effect: { kind: "reset" }, probability: 2 },
    {},
  ])("refuses %j with 422", async (fault) => {
    expect((await put(fault)).status).toBe(422);
  });

  test("holds 200 faults and refuses the next, and no two have one id", async () => {
    for (let number = 0; number < 200; number += 1)
      expect((await put({ effect: { kind: "slow", ms: 0 } })).status).toBe(201);
    expect((await put({ effect: { kind: "reset" } })).status).toBe(409);
    const ids = rowsOf((await now.http("GET", "/sandbox/faults")).body).map((row) => row["id"]);
    expect(new Set(ids).size).toBe(200);
  });

  test("knows nothing of authorisation: it is a control", async () => {
    const answer = await now.http("GET", "/sandbox/faults", undefined, { ...FIRST });
    expect(answer.status).toBe(200);
  });
});
