/** Decisions of the console about what rests: said with what was seen, and once for one matter. */
import { describe, expect, test } from "vitest";
import {
  accessKey,
  effectCall,
  effectDeeds,
  type HeldEffect,
  isUnrecorded,
  noteCall,
  noteDeeds,
  type OpenNote,
  toDecide,
} from "../../src/console/web/sends-model.ts";
import { type Refusal, sentenceOf } from "../../src/console/web/refusal.ts";
import { en } from "../../src/console/web/texts/en.ts";
import { ptBR } from "../../src/console/web/texts/pt-br.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;

const note = (id: string, state: string, age: number): OpenNote => ({
  ...{ id, account: "demo", contact: "c1", effect: `c1:${id}:0`, rev: 3, state, cents: 100 },
  ...{ taker: { name: "Ana", document: "***" }, createdAt: NOW - age, sentAt: NOW - age },
});
const effect = (id: string, callClass: string, name?: string): HeldEffect => ({
  ...{ id, account: "demo", contact: "c1", class: callClass, rev: 7, createdAt: NOW },
  payload: name === undefined ? {} : { type: "call", name },
});

describe("what is shown", () => {
  test("a note and its effect are one matter; one that only just left is nobody's yet", () => {
    const notes = [
      note("1", "incerta", 1_000),
      note("2", "processando", HOUR - 1),
      note("3", "processando", HOUR),
      note("4", "enviando", 1_000),
      note("5", "pendente", 1_000),
    ];
    const effects = [
      ...notes.map((one) => effect(one.effect, "fiscal", "invoice.issue")),
      effect("c1:9:0", "fiscal", "invoice.cancel"),
    ];
    const shown = toDecide({ notes, effects, more: false }, NOW);
    expect(shown.notes.map(({ id }) => id)).toEqual(["1", "3", "5"]);
    expect(shown.effects.map(({ id }) => id)).toEqual(["c1:9:0"]);
  });

  test("the same effect id in another account is another effect", () => {
    const other = { ...effect("c1:1:0", "fiscal", "invoice.issue"), account: "other" };
    const waiting = { notes: [note("1", "incerta", 0)], effects: [other], more: false };
    expect(toDecide(waiting, NOW).effects).toEqual([other]);
  });
});

test("a note that was issued without its key waits for it as long as one that is processed", () => {
  const notes = [note("1", "autorizada", HOUR - 1), note("2", "autorizada", HOUR)];
  const shown = toDecide({ notes, effects: [], more: false }, NOW);
  expect(shown.notes.map(({ id }) => id)).toEqual(["2"]);
  for (const texts of [ptBR, en]) expect(texts["sends.state.autorizada"]).toBeDefined();
});

describe("what may be decided", () => {
  test("nothing that files taxes and may have left is sent again as an effect", () => {
    expect(effectDeeds(effect("a", "fiscal", "invoice.cancel"))).not.toContain("retry");
    expect(effectDeeds(effect("a", "costly", "x"))).toContain("retry");
  });

  test("a cancellation that was turned away unread may go after all", () => {
    const unread = { ...effect("a", "fiscal", "invoice.cancel"), reason: "rate_limited" };
    expect(effectDeeds(unread)).toEqual(["retry", "done", "failed", "discard"]);
    const left = { ...unread, payload: { ...unread.payload, work: { frozen: { bytes: "{}" } } } };
    expect(effectDeeds(left)).not.toContain("retry");
    expect(effectDeeds({ ...unread, payload: { name: "invoicing.nfseEnvio" } })).not.toContain(
      "retry",
    );
  });

  test("a request for a note without a record is sent after all only where nothing left, and never called done", () => {
    const bare = effect("a", "fiscal", "invoice.issue");
    expect(effectDeeds(bare)).toEqual(["retry", "failed", "discard"]);
    const frozen = { ...bare, payload: { ...bare.payload, work: { frozen: { bytes: "{}" } } } };
    expect(effectDeeds(frozen)).toEqual(["failed", "discard"]);
    expect(effectDeeds(effect("a", "fiscal"))).toEqual(["discard"]);
    expect([bare, effect("a", "fiscal"), effect("a", "fiscal", "x")].map(isUnrecorded)).toEqual([
      ...[true, true, false],
    ]);
  });

  test("a note on its way is not called unsent, one that never left is not called issued", () => {
    expect(noteDeeds(note("1", "enviando", 0))).toEqual(["issued", "abandon"]);
    expect(noteDeeds(note("1", "pendente", 0))).toEqual(["not_issued", "abandon"]);
    expect(noteDeeds(note("1", "autorizada", 0))).toEqual(["issued"]);
    expect(noteDeeds(note("1", "incerta", 0))).toEqual(["issued", "not_issued", "abandon"]);
  });

  test("a key is taken with the blanks it was printed with, and with no digit missing", () => {
    const key = "3".repeat(50);
    expect(accessKey(` ${key.replace(/(.{4})/g, "$1 ")}`)).toBe(key);
    expect(accessKey("3".repeat(49))).toBeUndefined();
  });
});

describe("a refusal", () => {
  const words: Readonly<Record<string, string | undefined>> = ptBR;
  test("is said in the console's language, by its reason or its code; what it has no words for in the server's", () => {
    const problem = { code: "REFUSED", message: "That key is not of this issuer, month or form." };
    const say = (refusal?: Refusal) =>
      sentenceOf((key, fallback) => words[key] ?? fallback, 409, refusal);
    expect(say({ ...problem, why: "key-mismatch" })).toContain("Essa chave não é");
    expect(say({ code: "STALE", message: "It changed." })).toContain("Mudou desde que");
    expect(say({ ...problem, why: "of-tomorrow" })).toBe(problem.message);
    expect(say()).toBe("HTTP 409");
  });

  test.each(["key-missing", "key-mismatch", "key-unknown", "key-other", "key-refused"])(
    "for %s has words in both languages",
    (why) => {
      const key = `problem.${why}` as keyof typeof en;
      expect(en[key]).not.toBe(ptBR[key]);
      expect([en[key], ptBR[key]].every((text) => text.length > 20)).toBe(true);
    },
  );
});

test("every deed says what was seen", () => {
  const costly = effect("c1:9:0", "costly", "group.create");
  const lost = note("1", "incerta", 0);
  const at = "/outbox/demo/c1/c1%3A9%3A0";
  const invoice = "/invoices/demo/1/resolve";
  const deeds = (["retry", "done", "failed", "discard"] as const).map((deed) =>
    effectCall(costly, deed, "visto"),
  );
  expect(deeds).toEqual([
    { path: `${at}/retry`, body: { reason: "visto", rev: 7 } },
    { path: `${at}/resolve`, body: { decision: "done", reason: "visto", rev: 7 } },
    { path: `${at}/resolve`, body: { decision: "failed", reason: "visto", rev: 7 } },
    { path: `${at}/discard`, body: { reason: "visto", rev: 7 } },
  ]);
  expect(noteCall(lost, "not_issued", "não consta")).toEqual({
    path: invoice,
    body: { decision: "not_issued", reason: "não consta", rev: 3 },
  });
  const chave = "3".repeat(50);
  expect(noteCall(lost, "issued", "consta", chave)).toEqual({
    path: invoice,
    body: { decision: "issued", chave, reason: "consta", rev: 3 },
  });
});
