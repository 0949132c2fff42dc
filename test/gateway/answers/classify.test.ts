import { describe, expect, test } from "vitest";
import {
  classifyCall,
  classifyOutcome,
  routes,
  type CallClass,
  type CallOutcome,
} from "../../../src/gateway/index.ts";

const ms = 1;
const ok: CallOutcome = { kind: "ok", status: 200, data: {}, raw: {}, ms };
const refused = (status: number, message = "", more = {}): CallOutcome => ({
  kind: "refused",
  status,
  message,
  ms,
  ...more,
});
const failed = (message: string, code?: string): CallOutcome => ({
  kind: "business_error",
  message,
  status: 200,
  ms,
  ...(code === undefined ? {} : { code }),
});
const unclear = ["timeout", "reset", "server_error", "unreadable", "aborted", "too_large"] as const;
const classes: CallClass[] = ["read", "message", "replace", "costly", "destructive", "fiscal"];

describe("what follows from how a call ended", () => {
  test("a success is done, whatever the class", () => {
    for (const name of classes) expect(classifyOutcome(name, ok)).toEqual({ kind: "done" });
  });

  test.each([
    ["read", { kind: "retry", limit: 3, attempt: true, duplicate: false }],
    ["message", { kind: "retry", limit: 3, attempt: true, duplicate: true }],
    ["replace", { kind: "retry", limit: 2, attempt: true, duplicate: false }],
  ] as const)("an unclear end of a %s call is retried within its limit", (name, decision) => {
    for (const reason of unclear)
      expect(classifyOutcome(name, { kind: "unknown", reason, ms })).toEqual(decision);
  });

  test("an unclear end of a fiscal, costly or queued call is held, never sent again", () => {
    for (const reason of unclear) {
      const outcome: CallOutcome = { kind: "unknown", reason, ms };
      expect(classifyOutcome("fiscal", outcome)).toEqual({ kind: "held", reason });
      expect(classifyOutcome("costly", outcome)).toEqual({ kind: "held", reason });
      expect(classifyOutcome("message", outcome, { queued: true })).toEqual({
        kind: "held",
        reason,
      });
      expect(classifyCall("message.sendTextQueue", outcome)).toEqual({ kind: "held", reason });
      for (const route of routes)
        if (route.class === "fiscal" || route.class === "costly")
          expect(classifyCall(route.id, outcome).kind, route.id).toBe("held");
    }
  });

  test("an unclear end of a destructive call is retried only where a repeat is harmless", () => {
    const outcome: CallOutcome = { kind: "unknown", reason: "timeout", ms };
    expect(classifyCall("instance.logout", outcome)).toMatchObject({ kind: "retry", limit: 2 });
    expect(classifyCall("group.revokeInviteCode", outcome).kind).toBe("held");
    expect(classifyOutcome("destructive", outcome).kind).toBe("held");
  });

  test("what never left pauses the scope or goes again, without an attempt consumed", () => {
    for (const reason of [
      "dns",
      "connection_refused",
      "connect_timeout",
      "tls",
      "unreachable",
    ] as const)
      for (const name of classes)
        expect(classifyOutcome(name, { kind: "not_sent", reason, ms })).toEqual({
          kind: "pause",
          scope: name === "fiscal" ? "credits" : "plan",
          reason: "unreachable",
          entry: "keep",
        });
    for (const reason of ["timeout", "aborted", "closed"] as const)
      expect(classifyOutcome("fiscal", { kind: "not_sent", reason, ms })).toMatchObject({
        kind: "retry",
        attempt: false,
        duplicate: false,
      });
  });

  test.each([
    [401, "unauthorized", "keep"],
    [402, "no_balance", "keep"],
    [403, "forbidden", "keep"],
    [429, "rate_limited", "held"],
  ] as const)("%i pauses the scope that is billed", (status, reason, entry) => {
    expect(classifyCall("invoicing.nfseEnvio", refused(status))).toEqual({
      kind: "pause",
      scope: "credits",
      reason,
      entry,
    });
    expect(classifyCall("invoicing.emitentesLista", refused(status))).toMatchObject({
      scope: "credits",
    });
    expect(classifyCall("message.sendText", refused(status))).toMatchObject({
      scope: "plan",
      reason,
    });
  });

  test("429 hands on how long to wait", () => {
    expect(
      classifyCall("message.sendText", refused(429, "", { retryAfterMs: 7_000 })),
    ).toMatchObject({
      retryAfterMs: 7_000,
    });
  });

  test("other 4xx and business errors fail once, redirects too", () => {
    for (const status of [307, 400, 404, 405, 410, 413, 422])
      for (const name of classes)
        expect(classifyOutcome(name, refused(status, "campo inválido"))).toEqual({
          kind: "failed",
        });
    for (const name of classes)
      expect(classifyOutcome(name, failed("campo inválido"))).toEqual({ kind: "failed" });
  });

  test.each([
    "E0014: DPS duplicada",
    "E10 - RPS já informado",
    "E010",
    "Possível duplicidade",
    "Já existe nota com estes dados",
    "Nota já foi emitida",
    "invoice already issued",
    "Nota em processamento",
  ])("a fiscal refusal that says %j is held", (message) => {
    for (const outcome of [failed(message), refused(422, message)]) {
      expect(classifyCall("invoicing.nfseEnvio", outcome)).toEqual({
        kind: "held",
        reason: "duplicate_hint",
      });
      expect(classifyCall("message.sendText", outcome)).toEqual({ kind: "failed" });
    }
    expect(classifyCall("invoicing.nfseEnvio", failed("", "possivel_duplicada")).kind).toBe("held");
  });

  test.each([
    "E0206: CPF inválido",
    "E100 serviço",
    "E0202 tomador é o prestador",
    "Município não atendido",
  ])("a fiscal refusal that says %j is a definite failure", (message) => {
    expect(classifyCall("invoicing.nfseEnvio", failed(message))).toEqual({ kind: "failed" });
  });

  test("a fiscal conflict or a time-out told as 4xx is held", () => {
    for (const status of [408, 409, 425])
      expect(classifyCall("invoicing.nfseEnvio", refused(status)).kind).toBe("held");
    expect(classifyCall("message.sendText", refused(408)).kind).toBe("failed");
  });

  test.each([
    'The "loja1" instance does not exist',
    "Connection Closed",
    "O dispositivo loja1 não está conectado.",
    "Instância não encontrada",
  ])(
    "a phone that is not connected (%j) pauses the plan, except for what manages the phone",
    (message) => {
      for (const outcome of [refused(404, message), failed(message)]) {
        expect(classifyCall("message.sendText", outcome)).toEqual({
          kind: "pause",
          scope: "plan",
          reason: "instance_not_open",
          entry: "keep",
        });
        expect(classifyCall("engineA.sendText", outcome).kind).toBe("pause");
        expect(classifyCall("instance.restart", outcome)).toEqual({ kind: "failed" });
        expect(classifyCall("invoicing.nfseConsulta", outcome)).toEqual({ kind: "failed" });
      }
    },
  );

  test("a taken instance name is the caller's error, not a locked account", () => {
    const taken = refused(403, 'This name "loja1" is already in use.');
    expect(classifyCall("instance.create", taken)).toEqual({ kind: "failed" });
    expect(classifyCall("instance.create", refused(403, "forbidden")).kind).toBe("pause");
  });
});
