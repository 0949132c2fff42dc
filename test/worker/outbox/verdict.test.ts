import { describe, expect, test } from "vitest";
import type { CallOutcome, RouteId } from "../../../src/gateway/index.ts";
import { retryDelayMs, verdict } from "../../../src/worker/outbox/verdict.ts";

const LOST: CallOutcome = { kind: "unknown", reason: "timeout", ms: 1 };
const SAID_NO: CallOutcome = { kind: "business_error", message: "Não deu.", status: 200, ms: 1 };
const refused = (status: number, retryAfterMs?: number): CallOutcome => ({
  kind: "refused",
  status,
  ms: 1,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** One route of each class. */
const ROUTES = {
  read: "chat.messengerNumbers",
  message: "message.sendText",
  replace: "settings.set",
  costly: "invoicing.emitentesCadastro",
  harmful: "chat.deleteMessageForEveryone",
  fiscal: "invoicing.nfseEnvio",
} as const satisfies Record<string, RouteId>;

const judge = (route: RouteId, outcome: CallOutcome, attempt = 1, onTimeout = "retry" as const) =>
  verdict({ route, attempt, onTimeout }, outcome);

describe("a call without a clear end", () => {
  test.each([
    ["read", 3],
    ["message", 3],
    ["replace", 2],
  ] as const)("of the class %s is tried again %i times, then given up", (name, retries) => {
    for (let attempt = 1; attempt <= retries; attempt++)
      expect(judge(ROUTES[name], LOST, attempt)).toEqual({ kind: "retry", counts: true });
    expect(judge(ROUTES[name], LOST, retries + 1)).toEqual({ kind: "failed", reason: "timeout" });
  });

  test.each(["costly", "fiscal"] as const)("of the class %s is held at once", (name) => {
    expect(judge(ROUTES[name], LOST)).toEqual({ kind: "held", reason: "timeout", known: false });
  });

  test("is held for messages too where the account wants it so", () => {
    const judged = verdict({ route: "message.sendText", attempt: 1, onTimeout: "hold" }, LOST);

    expect(judged).toEqual({ kind: "held", reason: "timeout", known: false });
  });
});

describe("a refusal", () => {
  test.each(Object.values(ROUTES))(
    "by 402 pauses the scope of %s and costs no attempt",
    (route) => {
      expect(judge(route, refused(402), 9)).toEqual({ kind: "pause", reason: "no_balance" });
    },
  );

  test.each([401, 403])("by %i pauses, it says nothing about the request", (status) => {
    expect(judge("message.sendText", refused(status)).kind).toBe("pause");
  });

  test.each([400, 404, 422])("by %i fails at once and is never repeated", (status) => {
    for (const route of Object.values(ROUTES))
      expect(judge(route, refused(status)).kind, route).toBe("failed");
  });

  test("by 429 rests for a person while the scope waits as long as it was told", () => {
    expect(judge("message.sendText", refused(429, 7_000))).toEqual({
      kind: "held",
      reason: "rate_limited",
      known: true,
      pauseMs: 7_000,
    });
  });
});

describe("a no at business level", () => {
  test("goes to the flow that asked", () => {
    expect(judge("invoicing.nfseEnvio", SAID_NO)).toEqual({
      kind: "rejected",
      message: "Não deu.",
    });
  });

  test("goes there with its words from a 4xx, too, where taxes are filed, and from there alone", () => {
    const said: CallOutcome = { kind: "refused", status: 422, message: "E0840", code: "x", ms: 1 };
    const rejected = { kind: "rejected", message: "E0840", code: "x" };

    expect(judge("invoicing.nfseEnvio", said)).toEqual(rejected);
    expect(judge("invoicing.cancelamento", said)).toEqual(rejected);
    expect(judge("settings.set", said)).toEqual({ kind: "failed", reason: "status_422" });
    expect(judge("message.sendText", said)).toEqual({ kind: "failed", reason: "status_422" });
  });

  test("is a failed send for a message", () => {
    expect(judge("message.sendText", SAID_NO)).toEqual({ kind: "failed", reason: "refused" });
  });

  test("that hints at a note that exists is held", () => {
    const hint: CallOutcome = { ...SAID_NO, message: "E0014 - nota já informada" };

    expect(judge("invoicing.nfseEnvio", hint).kind).toBe("held");
  });
});

test("what provably did not leave pauses its scope", () => {
  const outcome: CallOutcome = { kind: "not_sent", reason: "connection_refused", ms: 1 };

  for (const route of Object.values(ROUTES)) expect(judge(route, outcome).kind).toBe("pause");
});

test("delays between attempts spread from 1 s to 60 s", () => {
  expect(retryDelayMs(1, 0)).toBe(1_000);
  expect(retryDelayMs(1, 0.999_999)).toBe(2_000);
  expect(retryDelayMs(2, 0.5)).toBe(4_000);
  expect(retryDelayMs(9, 0.999_999)).toBe(60_000);
});
