/** Decisions of the console about effects that rest, said with what was seen. */
import { describe, expect, test } from "vitest";
import type { HeldEffect } from "../../src/console/index.ts";
import {
  decisionsOf,
  effectCall,
  type Refusal,
  sentenceOf,
} from "../../src/console/web/data/model.ts";
import { ptBR } from "../../src/console/web/texts/pt-br.ts";
import { PORTUGUESE } from "../../src/plugins/invoicing/panels/texts.ts";

const NOW = Date.UTC(2026, 10, 22, 12);

const effect = (id: string, callClass: string, name?: string): HeldEffect => ({
  ...{ id, account: "demo", contact: "c1", class: callClass, rev: 7, createdAt: NOW },
  payload: name === undefined ? {} : { type: "call", name },
});

test("what files taxes is not sent again, and of what cannot be read nothing is known", () => {
  expect(decisionsOf(effect("a", "message"))).toEqual(["retry", "done", "discard"]);
  expect(decisionsOf(effect("a", "costly", "x"))).toEqual(["retry", "done", "failed", "discard"]);
  expect(decisionsOf(effect("a", "fiscal", "x"))).toEqual(["done", "failed", "discard"]);
  expect(decisionsOf(effect("a", "fiscal"))).toEqual(["discard"]);
});

describe("a refusal", () => {
  const words: Readonly<Record<string, string | undefined>> = { ...ptBR, ...PORTUGUESE };
  test("is said in the console's language, by its reason or its code; what it has no words for in the server's", () => {
    const problem = { code: "REFUSED", message: "That key is not of this issuer, month or form." };
    const say = (refusal?: Refusal) =>
      sentenceOf((key, fallback) => words[key] ?? fallback, 409, refusal);
    expect(say({ ...problem, why: "key-mismatch" })).toContain("Essa chave não é");
    expect(say({ code: "STALE", message: "It changed." })).toContain("Mudou desde que");
    expect(say({ ...problem, why: "of-tomorrow" })).toBe(problem.message);
    expect(say()).toBe("HTTP 409");
  });
});

test("every decision says what was seen", () => {
  const costly = effect("c1:9:0", "costly", "group.create");
  const at = "/outbox/demo/c1/c1%3A9%3A0";
  const calls = (["retry", "done", "failed", "discard"] as const).map((decision) =>
    effectCall(costly, decision, "visto"),
  );
  expect(calls).toEqual([
    { path: `${at}/retry`, body: { reason: "visto", rev: 7 } },
    { path: `${at}/resolve`, body: { decision: "done", reason: "visto", rev: 7 } },
    { path: `${at}/resolve`, body: { decision: "failed", reason: "visto", rev: 7 } },
    { path: `${at}/discard`, body: { reason: "visto", rev: 7 } },
  ]);
});
