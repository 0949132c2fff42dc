import net from "node:net";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  classifyCall,
  createGateway,
  routes,
  type AnyRoute,
  type CallOutcome,
  type GatewayOptions,
  type ObservedCall,
} from "../../../src/gateway/index.ts";
import { Fault } from "../../../src/base/index.ts";
import { freePort } from "../../support/ports.ts";
import { json, startRemote, type Remote } from "../remote.ts";

const TOKEN = "canary-bearer-7f3a9c";
const DEVICE = "canary-device-51be02";
const number = "5511900000002";

let remote: Remote;
let calls: ObservedCall[] = [];
beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(() => {
  calls = [];
  remote.received.length = 0;
  remote.behave(json({ error: false, message: "ok", response: { key: { id: "M1" } } }));
});

function gatewayWith(options: Partial<GatewayOptions> = {}) {
  return createGateway({
    baseUrl: remote.baseUrl,
    token: TOKEN,
    deviceToken: DEVICE,
    timeoutMs: 2_000,
    fiscalTimeoutMs: 2_000,
    onCall: (call) => calls.push(call),
    ...options,
  });
}
const send = (options: Partial<GatewayOptions> = {}) =>
  gatewayWith(options).message.sendText({ number, text: "oi" });
const timeless = ({ ms, ...outcome }: CallOutcome) => {
  expect(ms).toBeGreaterThanOrEqual(0);
  return outcome;
};

describe("what a call puts on the wire", () => {
  test("every route and variant reaches its own address with its own credentials and the example's body", async () => {
    for (const route of routes)
      for (const [variant, { example }] of Object.entries(route.variants)) {
        remote.behave(json(route.example.response));
        const outcome = await gatewayWith().call(route.id, example, {
          variant,
          ...(route.query ? { query: queryOf(route) } : {}),
        });
        expect(outcome.kind, `${route.id} ${variant}`).toBe("ok");
        const request = remote.received.at(-1);
        expect(request?.method).toBe(route.method);
        expect(request?.url.split("?")[0]).toBe(`/api/v2${route.path}`);
        expect(request?.headers["content-type"]).toBe("application/json");
        expect(request?.headers.authorization).toBe(`Bearer ${TOKEN}`);
        expect(request?.headers["devicetoken"], route.id).toBe(
          route.auth === "bearer" ? undefined : DEVICE,
        );
        const body = request?.body.toString() ?? "";
        const sent =
          route.tipo === null ? (example as object) : { tipo: route.tipo, ...(example as object) };
        if (body !== "") expect(JSON.parse(body), route.id).toEqual(sent);
        expect(body === "", route.id).toBe(route.bodiless || route.method === "GET");
      }
  });

  test("the methods carry the names of the table, and queue forms append their suffix once", async () => {
    const gateway = gatewayWith();
    remote.behave(json({ id: "J1", message: "na fila" }));
    const queued = await gateway.message.sendText.queue({ number, text: "oi" });
    expect(queued).toMatchObject({ kind: "ok", data: { id: "J1" } });
    await gateway.message.sendTextQueue({ number, text: "oi" });
    await gateway.group.updateGroupSubject.queue(
      { subject: "Avisos" },
      { query: { groupJid: "1203@g.us" } },
    );
    expect(remote.received.map((request) => request.url)).toEqual([
      "/api/v2/msgengine/message/sendText/queue",
      "/api/v2/msgengine/message/sendText/queue",
      "/api/v2/msgengine/group/updateGroupSubject/queue?groupJid=1203%40g.us",
    ]);
    expect(calls.map((call) => call.queued)).toEqual([true, true, true]);
    remote.behave(json({ error: false, response: { id: "123" } }));
    const offered = await gateway.call.offer({ number, isVideo: false, callDuration: 3 });
    expect(offered).toMatchObject({ kind: "ok", data: { id: "123" } });
  });

  test("a deployment's words and profile change address and body, never the caller's code", async () => {
    const gateway = gatewayWith({
      routeWords: { msgengine: "engine-x" },
      profile: { bodies: "v1", cancelTipo: "cancela", takerCnpj: "documento", filters: "body" },
    });
    await gateway.message.sendText({ number, text: "oi", options: { delay: 5 } });
    expect(remote.received.at(-1)?.url).toBe("/api/v2/engine-x/message/sendText");
    expect(JSON.parse(remote.received.at(-1)?.body.toString() ?? "")).toEqual({
      number,
      options: { delay: 5 },
      textMessage: { text: "oi" },
    });
    await gateway.chat.findMessages({ where: { key: { id: "A" } }, page: 2 });
    expect(remote.received.at(-1)?.url).toBe("/api/v2/engine-x/chat/findMessages");
    expect(JSON.parse(remote.received.at(-1)?.body.toString() ?? "")).toEqual({
      where: { key: { id: "A" } },
      page: 2,
    });
    const cancelled = gateway.exactBytes("invoicing.cancelamento", {
      emitente_id: "6f1f7d3e-0000-4000-8000-000000000001",
      chave: "3".repeat(50),
      motivo: "Emitida com o valor errado",
    });
    expect(JSON.parse(Buffer.from(cancelled).toString())).toMatchObject({ tipo: "cancela" });
  });

  test("the filter of a GET goes into the query, also when its bytes were frozen, and is shown to no observer", async () => {
    const gateway = gatewayWith();
    const filter = {
      where: { key: { remoteJid: `${number}@s.whatsapp.net`, fromMe: false } },
      page: 2,
    };
    const frozenBytes = gateway.exactBytes("chat.findMessages", filter);
    expect(frozenBytes.byteLength).toBe(0);
    await gateway.chat.findMessages(filter);
    await gateway.call("chat.findMessages", filter, { frozenBytes });
    await gateway.chat.findMessages();
    const asked = remote.received.map((request) => new URL(request.url, remote.baseUrl));
    expect(new Set(asked.map((url) => url.pathname))).toEqual(
      new Set(["/api/v2/msgengine/chat/findMessages"]),
    );
    const query = {
      "where[key][remoteJid]": `${number}@s.whatsapp.net`,
      "where[key][fromMe]": "false",
      page: "2",
    };
    expect(asked.map((url) => Object.fromEntries(url.searchParams))).toEqual([query, query, {}]);
    expect(remote.received.every((request) => request.body.length === 0)).toBe(true);
    expect(JSON.stringify(calls)).not.toContain(number);
  });

  test("a row without a body is called without one, by every method, with the content type all calls have", async () => {
    const gateway = gatewayWith();
    const groupJid = "120363000000000001@g.us";
    await gateway.instance.restartPost();
    await gateway.instance.restart();
    await gateway.instance.logout();
    await gateway.instance.connect();
    await gateway.group.revokeInviteCode({}, { query: { groupJid } });
    await gateway.group.revokeInviteCode.queue({}, { query: { groupJid } });
    await gateway.group.fetchAllGroups({}, { query: { getParticipants: false } });
    for (const request of remote.received) {
      expect(request.body.toString(), request.url).toBe("");
      expect(request.headers["content-type"], request.url).toBe("application/json");
    }
    expect(remote.received.map((request) => request.method)).toEqual([
      "POST",
      "PUT",
      "DELETE",
      "GET",
      "POST",
      "POST",
      "POST",
    ]);
    await gateway.instance.restartPost({ force: true });
    expect(remote.received.at(-1)?.body.toString()).toBe('{"force":true}');
    await gateway.chat.findChats();
    expect(remote.received.at(-1)?.body.toString()).toBe("{}");
  });

  test("frozen bytes of a fiscal call go out unchanged, and equal bodies freeze to equal bytes", async () => {
    const route = routes.find((entry) => entry.id === "invoicing.nfseEnvio") as AnyRoute;
    const body = route.example.body as { emitente_id: string; dados: object };
    const gateway = gatewayWith();
    const bytes = gateway.exactBytes("invoicing.nfseEnvio", body);
    const reordered = { dados: backwards(body.dados), emitente_id: body.emitente_id };
    expect(JSON.stringify(reordered.dados)).not.toBe(JSON.stringify(body.dados));
    const again = gateway.exactBytes("invoicing.nfseEnvio", reordered);
    expect(Buffer.from(again)).toEqual(Buffer.from(bytes));
    const extra = { ...body.dados, x1: 1, x2: 2 };
    expect(
      Buffer.from(gateway.exactBytes("invoicing.nfseEnvio", { ...body, dados: extra })),
    ).toEqual(
      Buffer.from(gateway.exactBytes("invoicing.nfseEnvio", { ...body, dados: backwards(extra) })),
    );
    remote.behave(json(route.example.response));
    await gateway.call("invoicing.nfseEnvio", undefined, { frozenBytes: bytes });
    await gateway.invoicing.nfseEnvio(body as never);
    expect(remote.received[0]?.body).toEqual(Buffer.from(bytes));
    expect(remote.received[1]?.body).toEqual(Buffer.from(bytes));
  });

  test("fiscal and costly calls never travel on a connection that was kept", async () => {
    const gateway = gatewayWith();
    const before = remote.connections();
    for (let turn = 0; turn < 20; turn += 1) await gateway.message.sendText({ number, text: "a" });
    const kept = remote.connections() - before;
    expect(kept).toBeLessThanOrEqual(2);
    remote.behave(json({ error: false, data: [] }));
    const bytes = Buffer.from("{}");
    await gateway.call("invoicing.nfseEnvio", undefined, { frozenBytes: bytes });
    await gateway.call("invoicing.nfseEnvio", undefined, { frozenBytes: bytes });
    expect(remote.connections() - before).toBe(kept + 2);
    remote.behave(json({ error: false, response: {} }));
    await gateway.call.offer({ number, isVideo: false, callDuration: 3 });
    expect(remote.connections() - before).toBe(kept + 3);
  });

  test("a mistake of the caller is a Fault and sends nothing", async () => {
    const gateway = gatewayWith();
    const wrong = [
      gateway.call("message.sendText", { number, text: "" }),
      gateway.call("message.sendText", { number, text: "oi" }, { variant: "toString" }),
      gateway.call("group.inviteCode"),
      gateway.call("message.sendText", { number, text: "oi" }, { query: { groupJid: "x" } }),
      gateway.call("call.offer", { number, isVideo: true, callDuration: 3 }, { queue: true }),
    ];
    for (const result of await Promise.allSettled(wrong)) {
      expect(result.status).toBe("rejected");
      if (result.status === "rejected") {
        expect(Fault.is(result.reason, "GATEWAY_BODY")).toBe(true);
        expect(
          JSON.stringify([String(result.reason), (result.reason as Fault).details]),
        ).not.toContain(number);
      }
    }
    expect(remote.received).toHaveLength(0);
    expect(() => gatewayWith({ baseUrl: "ftp://x/api" })).toThrow(Fault);
  });
});

describe("how a call can end", () => {
  test("ok, with the payload, money, and usage of the envelope", async () => {
    remote.behave(
      json({
        error: false,
        message: "Dados validos! Voce foi tarifado em R$ 0,50.",
        balance: "1.250,70",
        tax: "0.500",
        extra_charges: { total: "0,250" },
        data: [{ emitente_id: "e1" }],
        api_limit: "999000",
        api_limit_used: 12,
        api_limit_for: "credit",
      }),
    );
    expect(timeless(await gatewayWith().invoicing.emitentesLista({}))).toEqual({
      kind: "ok",
      status: 200,
      data: [{ emitente_id: "e1" }],
      raw: [{ emitente_id: "e1" }],
      message: "Dados validos! Voce foi tarifado em R$ 0,50.",
      balance: 1_250_700,
      tax: 500,
      extraCharges: 250,
      limit: { max: 999_000, used: 12, for: "credit" },
    });
  });

  test.each([
    ["response", { error: false, response: { key: { id: "M1" } } }],
    ["data", { error: false, data: { key: { id: "M1" } } }],
    ["the top level", { error: false, message: "ok", key: { id: "M1" } }],
  ])("the payload is found under %s", async (_, body) => {
    remote.behave(json(body, 201));
    expect(await send()).toMatchObject({ kind: "ok", status: 201, data: { key: { id: "M1" } } });
  });

  test.each([
    ["error: true", { error: true, message: "Saldo" }, "Saldo"],
    ["error: true beside data", { error: true, data: { key: { id: "M1" } } }, ""],
    [
      "an engine status",
      { error: false, message: "", response: { status: 404, response: {} } },
      "",
    ],
    ["an engine error", { error: false, response: { error: "Bad Request" } }, "Bad Request"],
    ["an engine flag", { error: false, response: { error: true, message: "closed" } }, "closed"],
  ])("%s in a 200 is a business error", async (_, body, message) => {
    remote.behave(json(body));
    expect(timeless(await send())).toEqual({ kind: "business_error", message, status: 200 });
  });

  test.each([
    ["HTML", "<html>ok</html>", "text/html"],
    ["JSON declared as HTML", '{"error":false}', "text/html"],
    ["cut JSON", '{"error":false,"response":{', "application/json"],
    ["a textual flag", '{"error":"false","response":{}}', "application/json"],
    ["no flag", '{"response":{"key":{"id":"M1"}}}', "application/json"],
    ["a number for a flag", '{"error":0,"response":{}}', "application/json"],
    ["nothing", "", "application/json"],
    ["null", "null", "application/json"],
    ["a list", "[]", "application/json"],
    [
      "a record with two ids",
      '{"error":false,"response":{"key":{"id":"M1","id":"M2"}}}',
      "application/json",
    ],
    [
      "broken UTF-8",
      Buffer.from('{"error":false,"response":"\xff"}', "latin1"),
      "application/json",
    ],
  ])("%s in a 200 is unreadable", async (_, body, type) => {
    remote.behave((_request, response) => {
      response.writeHead(200, { "content-type": type });
      response.end(body);
    });
    expect(timeless(await send())).toEqual({ kind: "unknown", reason: "unreadable", status: 200 });
  });

  test("a list that is none is unreadable, while a send of unknown shape is done", async () => {
    remote.behave(json({ error: false, message: "ok", response: "queued by engine" }));
    expect(await send()).toMatchObject({ kind: "ok", data: {}, raw: "queued by engine" });
    expect(await gatewayWith().label.findLabels()).toMatchObject({
      kind: "unknown",
      reason: "unreadable",
    });
  });

  test("4xx is refused with text and code, personal data masked", async () => {
    remote.behave(
      json({ message: `Número +${number} inválido`, errors: { number: ["O campo number…"] } }, 422),
    );
    expect(timeless(await send())).toEqual({
      kind: "refused",
      status: 422,
      message: "Número +*** inválido; O campo number…",
    });
    remote.behave(
      json({ error: true, code: "queue_not_available", message: "Use a rota síncrona" }, 400),
    );
    expect(await send()).toMatchObject({
      kind: "refused",
      status: 400,
      code: "queue_not_available",
    });
    remote.behave(json("<html>Payment Required</html>", 402, { "content-type": "text/html" }));
    expect(timeless(await send())).toEqual({ kind: "refused", status: 402 });
  });

  test("429 tells when to come back, from seconds or from a date", async () => {
    remote.behave(json({ message: "slow" }, 429, { "retry-after": "7" }));
    expect(await send()).toMatchObject({ kind: "refused", status: 429, retryAfterMs: 7_000 });
    remote.behave(
      json({ message: "slow" }, 429, {
        "retry-after": new Date(Date.now() + 60_000).toUTCString(),
      }),
    );
    const outcome = await send();
    const wait = outcome.kind === "refused" ? (outcome.retryAfterMs ?? 0) : 0;
    expect(wait).toBeGreaterThan(55_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    remote.behave(json({ message: "slow" }, 429, { "retry-after": "soon" }));
    expect(await send()).not.toHaveProperty("retryAfterMs");
  });

  test.each([
    ["token", { token: `${TOKEN}\n` }],
    ["device's token", { deviceToken: `${DEVICE}\r\nx-forged: 1` }],
  ])("a %s that no header can carry is told as that, and sends nothing", async (_, odd) => {
    const end = await send(odd);
    expect(timeless(end)).toEqual({ kind: "not_sent", reason: "unsendable" });
    expect(classifyCall("message.sendText", end)).toMatchObject({
      kind: "pause",
      reason: "unauthorized",
    });
    expect(remote.received).toHaveLength(0);
  });

  test("a redirect is refused and never followed", async () => {
    remote.behave((_, response) => {
      response.writeHead(307, { location: `${remote.baseUrl}/elsewhere` });
      response.end();
    });
    expect(timeless(await send())).toEqual({ kind: "refused", status: 307 });
    expect(remote.received).toHaveLength(1);
    remote.behave((_, response) => {
      response.writeHead(302, { location: "/elsewhere", "content-type": "application/json" });
      response.end('{"error":false,"response":{"key":{"id":"M1"}}}');
    });
    expect(timeless(await send())).toMatchObject({ kind: "refused", status: 302 });
    expect(remote.received).toHaveLength(2);
  });

  test.each([302, 404])("a %i whose body breaks off is refused all the same", async (status) => {
    remote.behave((_, response, socket) => {
      response.writeHead(status, { "content-type": "application/json", "content-length": "99" });
      response.write('{"message":"', () => socket.end());
    });
    expect(timeless(await send())).toEqual({ kind: "refused", status, garbled: true });
  });

  test("a hint before the answer is no answer", async () => {
    remote.behave((_, response, socket) => {
      response.writeEarlyHints({ link: "</a.css>; rel=preload" }, () => socket.end());
    });
    expect(timeless(await send())).toEqual({ kind: "unknown", reason: "reset" });
    remote.behave((call, response, socket) => {
      response.writeEarlyHints({ link: "</a.css>; rel=preload" });
      json({ error: false, response: {} })(call, response, socket);
    });
    expect(await send()).toMatchObject({ kind: "ok", status: 200 });
  });

  test("a declared length beyond the limit ends the call before the body comes", async () => {
    remote.behave((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "99999999" });
      response.flushHeaders();
    });
    expect(timeless(await send())).toEqual({ kind: "unknown", reason: "too_large", status: 200 });
  });

  test("a call given up lets go of its connection", async () => {
    const abort = new AbortController();
    const closed = new Promise<boolean>((resolve) => {
      remote.behave((_, _response, socket) => {
        socket.once("close", resolve);
        abort.abort();
      });
    });
    const gateway = gatewayWith({ timeoutMs: 60_000 });
    const end = await gateway.message.sendText({ number, text: "oi" }, { signal: abort.signal });
    expect(timeless(end)).toEqual({ kind: "unknown", reason: "aborted" });
    // Undici's own time-outs would close it after a minute, which is longer than a test lasts.
    expect(await closed).toBe(false);
  });

  test("5xx is unknown, whatever its body says, and is not repeated", async () => {
    remote.behave(json({ error: false, response: { key: { id: "M1" } } }, 502));
    expect(timeless(await send())).toEqual({
      kind: "unknown",
      reason: "server_error",
      status: 502,
    });
    expect(remote.received).toHaveLength(1);
  });

  test("an answer of 10 MB is given up, with and without a declared length", async () => {
    const big = `{"error":false,"response":"${"x".repeat(10 * 1024 * 1024)}"}`;
    remote.behave(json(big, 200, { "content-length": big.length }));
    expect(timeless(await send())).toEqual({ kind: "unknown", reason: "too_large", status: 200 });
    remote.behave(json(big));
    expect(timeless(await send())).toEqual({ kind: "unknown", reason: "too_large", status: 200 });
    remote.behave(json(big, 400));
    expect(timeless(await send())).toEqual({ kind: "refused", status: 400, garbled: true });
  });

  test("media of 10 MB is taken where media is asked for", async () => {
    remote.behave(json({ error: false, response: { base64: "A".repeat(10 * 1024 * 1024) } }));
    const outcome = await gatewayWith().chat.getBase64FromMediaMessage({
      message: { key: { id: "M1" } },
    });
    expect(outcome.kind).toBe("ok");
  });

  test("headers that never come and a body that stops are unknown after the whole time", async () => {
    remote.behave(() => undefined);
    expect(timeless(await send({ timeoutMs: 150 }))).toEqual({
      kind: "unknown",
      reason: "timeout",
    });
    remote.behave((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"error":false,');
    });
    expect(timeless(await send({ timeoutMs: 150 }))).toEqual({
      kind: "unknown",
      reason: "timeout",
      status: 200,
    });
  });

  test("each phase has its own time: the handshake ends as not sent, headers and a pausing body as unknown", async () => {
    const open: net.Socket[] = [];
    const silent = net.createServer((socket) => void open.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const gateway = gatewayWith({
      baseUrl: `https://127.0.0.1:${port}/api/v2`,
      phases: { connectMs: 100 },
    });
    const handshake = await gateway.message.sendText({ number, text: "oi" });
    expect(timeless(handshake)).toEqual({ kind: "not_sent", reason: "connect_timeout" });
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
    remote.behave(() => undefined);
    const headers = await send({ timeoutMs: 20_000, phases: { headersMs: 100 } });
    expect(timeless(headers)).toEqual({ kind: "unknown", reason: "timeout" });
    remote.behave((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"error":false,');
    });
    const body = await send({ timeoutMs: 20_000, phases: { bodyIdleMs: 100 } });
    expect(timeless(body)).toEqual({ kind: "unknown", reason: "timeout", status: 200 });
    expect(Math.max(headers.ms, body.ms)).toBeLessThan(10_000);
  });

  test("invoicing has its own time", async () => {
    remote.behave(
      (_, response) =>
        void setTimeout(
          () => json({ error: false, data: [] })(_, response, response.req.socket),
          400,
        ),
    );
    const gateway = gatewayWith({ timeoutMs: 100, fiscalTimeoutMs: 5_000 });
    expect((await gateway.invoicing.emitentesLista({})).kind).toBe("ok");
    expect((await gateway.label.findLabels()).kind).toBe("unknown");
  });

  test("a reset after the request was written is unknown, before and after the status", async () => {
    remote.behave((_, __, socket) => socket.resetAndDestroy());
    expect(timeless(await send())).toEqual({ kind: "unknown", reason: "reset" });
    remote.behave((_, response, socket) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 500 });
      response.write('{"error":false,', () => socket.resetAndDestroy());
    });
    expect(timeless(await send())).toMatchObject({ kind: "unknown", reason: "reset" });
    expect(remote.received).toHaveLength(2);
  });

  test("a refused port, an unknown name and a failed handshake were not sent", async () => {
    const port = await freePort();
    expect(timeless(await send({ baseUrl: `http://127.0.0.1:${port}/api/v2` }))).toEqual({
      kind: "not_sent",
      reason: "connection_refused",
    });
    expect(timeless(await send({ baseUrl: "http://gateway.invalid/api/v2" }))).toMatchObject({
      kind: "not_sent",
    });
    const plain = remote.baseUrl.replace("http:", "https:");
    expect(timeless(await send({ baseUrl: plain }))).toEqual({ kind: "not_sent", reason: "tls" });
    expect(remote.received).toHaveLength(0);
  });

  test("a handshake that stalls past the whole time was not sent", async () => {
    const stalled: net.Socket[] = [];
    const server = net.createServer((socket) => void stalled.push(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const outcome = await send({ baseUrl: `https://127.0.0.1:${port}/api/v2`, timeoutMs: 200 });
    expect(timeless(outcome)).toEqual({ kind: "not_sent", reason: "timeout" });
    for (const socket of stalled) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  test("what was told to be not sent is never sent later, when a connection comes free", async () => {
    const dispatcher = new Agent({ connections: 1 });
    let release = (): void => undefined;
    remote.behave((request, response, socket) => {
      release = () => json({ error: false, response: {} })(request, response, socket);
    });
    const first = send({ dispatcher, timeoutMs: 3_000 });
    const second = await send({ dispatcher, timeoutMs: 100 });
    expect(timeless(second)).toEqual({ kind: "not_sent", reason: "timeout" });
    release();
    expect((await first).kind).toBe("ok");
    remote.behave(json({ error: false, response: {} }));
    expect((await send({ dispatcher })).kind).toBe("ok");
    expect(remote.received).toHaveLength(2);
    await dispatcher.close();
  });

  test("a caller's signal before the write means not sent, after it unknown", async () => {
    const gateway = gatewayWith();
    const gone = await gateway.message.sendText(
      { number, text: "oi" },
      { signal: AbortSignal.abort() },
    );
    expect(timeless(gone)).toEqual({ kind: "not_sent", reason: "aborted" });
    expect(remote.received).toHaveLength(0);
    const controller = new AbortController();
    remote.behave(() => controller.abort());
    const late = await gateway.message.sendText(
      { number, text: "oi" },
      { signal: controller.signal },
    );
    expect(timeless(late)).toEqual({ kind: "unknown", reason: "aborted" });
    const halfway = new AbortController();
    remote.behave((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"error":false,', () => setTimeout(() => halfway.abort(), 20));
    });
    const cut = await gateway.message.sendText({ number, text: "oi" }, { signal: halfway.signal });
    expect(timeless(cut)).toMatchObject({ kind: "unknown", reason: "aborted" });
  });

  test("a call that may leave no more, asked right before its first byte, is not sent; the next one is", async () => {
    const gateway = gatewayWith();
    const asked: number[] = [];
    const mayLeave = () => asked.push(remote.received.length) > 1;
    for (const kind of ["not_sent", "ok"] as const) {
      const end = await gateway.message.sendText({ number, text: "oi" }, { mayLeave });
      expect(end.kind).toBe(kind);
      if (end.kind === "not_sent") {
        expect(end.reason).toBe("too_late");
        expect(classifyCall("message.sendText", end)).toMatchObject({ attempt: false });
      }
    }
    // Both on one connection each time it was there: never before, never twice.
    expect(asked).toEqual([0, 0]);
    expect(remote.received).toHaveLength(1);
  });

  test("a signal that fires while the call waits for a connection means not sent, and it never leaves", async () => {
    const dispatcher = new Agent({ connections: 1 });
    let release = (): void => undefined;
    remote.behave((request, response, socket) => {
      release = () => json({ error: false, response: {} })(request, response, socket);
    });
    const first = send({ dispatcher });
    const controller = new AbortController();
    const waiting = gatewayWith({ dispatcher }).message.sendText(
      { number, text: "oi" },
      { signal: controller.signal },
    );
    while (remote.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(timeless(await waiting)).toEqual({ kind: "not_sent", reason: "aborted" });
    release();
    expect((await first).kind).toBe("ok");
    remote.behave(json({ error: false, response: {} }));
    expect((await send({ dispatcher })).kind).toBe("ok");
    expect(remote.received).toHaveLength(2);
    await dispatcher.close();
  });

  test("invoicing and jobs work without a DeviceToken and are never sent one", async () => {
    const without = createGateway({ baseUrl: remote.baseUrl, token: TOKEN });
    for (const gateway of [gatewayWith(), without]) {
      remote.behave(json({ error: false, data: [] }));
      expect((await gateway.invoicing.emitentesLista({})).kind).toBe("ok");
      remote.behave(json([]));
      const id = "3f0c2d9a-0000-4000-8000-000000000001";
      expect((await gateway.jobs.find({ id: [id] })).kind).toBe("ok");
      expect((await gateway.jobs.list()).kind).toBe("ok");
    }
    expect(remote.received).toHaveLength(6);
    for (const request of remote.received) {
      expect(request.headers["devicetoken"]).toBeUndefined();
      expect(JSON.stringify(request.headers)).not.toContain(DEVICE);
    }
    await without.close();
  });

  test("a plan-billed route without a DeviceToken is not sent", async () => {
    const gateway = createGateway({ baseUrl: remote.baseUrl, token: TOKEN });
    expect(timeless(await gateway.message.sendText({ number, text: "oi" }))).toEqual({
      kind: "not_sent",
      reason: "no_device_token",
    });
    expect(remote.received).toHaveLength(0);
  });

  test("a job list and an enqueue answer need no envelope, but a failed one counts", async () => {
    const gateway = gatewayWith();
    remote.behave(json([{ id: "J1", status: "queued", created_at: "", processed_at: "" }]));
    const id = "3f0c2d9a-0000-4000-8000-000000000001";
    expect(await gateway.jobs.find({ id: [id] })).toMatchObject({
      kind: "ok",
      data: [{ id: "J1" }],
    });
    for (const body of [{ response: { id: "J2" } }, { error: false, data: { id: "J2" } }]) {
      remote.behave(json(body));
      expect(await gateway.message.sendTextQueue({ number, text: "oi" })).toMatchObject({
        kind: "ok",
        data: { id: "J2" },
      });
    }
    remote.behave(json({ error: true, message: "não" }));
    expect((await gateway.jobs.list()).kind).toBe("business_error");
    remote.behave(json({ error: "false", id: "J3" }));
    expect((await gateway.message.sendTextQueue({ number, text: "oi" })).kind).toBe("unknown");
  });
});

describe("what a call tells", () => {
  test("observer and outcomes never hold a credential, a password or a number, however it is echoed", async () => {
    const senha = "canary-senha-99";
    const echo = `Bearer ${TOKEN} ${DEVICE} ${senha} ${number} 529.982.247-25 11222333000181`;
    const dados = {
      emitente_id: "6f1f7d3e-0000-4000-8000-000000000001",
      senha,
      certificado: "canary-certificado",
    };
    const outcomes: CallOutcome[] = [];
    for (const behaviour of [
      json({ error: true, message: echo, code: echo }),
      json({ message: echo, errors: { a: [echo] } }, 422),
      json({ error: false, message: echo, data: {} }),
      json(echo, 500),
      json(echo, 200, { "content-type": "text/html" }),
    ]) {
      remote.behave(behaviour);
      outcomes.push(await gatewayWith().invoicing.certificadoUpload({ dados }));
      outcomes.push(await send());
    }
    outcomes.push(await send({ baseUrl: `http://127.0.0.1:${await freePort()}` }));
    const told = JSON.stringify([outcomes.filter((_, index) => index % 2 === 0), calls]);
    for (const secret of [
      TOKEN,
      DEVICE,
      senha,
      "canary-certificado",
      number,
      "529.982",
      "11222333000181",
    ])
      expect(told).not.toContain(secret);
    expect(JSON.stringify(outcomes)).not.toMatch(new RegExp(`${TOKEN}|${DEVICE}|${number}`));
    expect(calls).toHaveLength(outcomes.length);
    expect(calls[0]).toMatchObject({
      routeId: "invoicing.certificadoUpload",
      method: "POST",
      path: "/consulta/emissao-notas/credits",
      class: "replace",
      kind: "business_error",
      status: 200,
    });
  });

  test("an observer that throws changes nothing", async () => {
    const gateway = gatewayWith({
      onCall: () => {
        throw new Error("observer");
      },
    });
    expect((await gateway.message.sendText({ number, text: "oi" })).kind).toBe("ok");
  });
});

function queryOf(route: AnyRoute): Record<string, unknown> {
  if (route.group) return { groupJid: "120363000000000001@g.us" };
  return route.id === "group.fetchAllGroups" ? { getParticipants: false } : {};
}

function backwards(record: object): object {
  return Object.fromEntries(Object.entries(record).reverse());
}
