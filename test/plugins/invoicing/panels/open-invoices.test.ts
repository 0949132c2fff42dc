/** Decisions of the console about invoices that rest: said with what was seen, and once for one matter. */
import { describe, expect, test } from "vitest";
import type { HeldEffect } from "../../../../src/console/index.ts";
import { decisionsOf as usual } from "../../../../src/console/web/data/model.ts";
import {
  accessKey,
  adviceOf,
  covers,
  decisionsOf,
  invoiceCall,
  isDue,
  type OpenInvoice,
} from "../../../../src/plugins/invoicing/panels/invoices.ts";
import { PORTUGUESE, ENGLISH } from "../../../../src/plugins/invoicing/panels/texts.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;

const invoice = (id: string, state: string, age: number): OpenInvoice => ({
  ...{ id, account: "demo", contact: "c1", effect: `c1:${id}:0`, rev: 3, state, cents: 100 },
  ...{ taker: { name: "Ana", document: "***" }, createdAt: NOW - age, sentAt: NOW - age },
});
const effect = (id: string, callClass: string, name?: string): HeldEffect => ({
  ...{ id, account: "demo", contact: "c1", class: callClass, rev: 7, createdAt: NOW },
  payload: name === undefined ? {} : { type: "call", name },
});
const decisions = (held: HeldEffect) => adviceOf(held)?.decisions ?? usual(held);
const due = (invoices: readonly OpenInvoice[]) =>
  invoices.filter((one) => isDue(one, NOW)).map(({ id }) => id);

describe("what is shown", () => {
  test("an invoice and its effect are one matter; one that only just left waits for nobody yet", () => {
    const invoices = [
      invoice("1", "incerta", 1_000),
      invoice("2", "processando", HOUR - 1),
      invoice("3", "processando", HOUR),
      invoice("4", "enviando", 1_000),
      invoice("5", "pendente", 1_000),
    ];
    const effects = [
      ...invoices.map((one) => effect(one.effect, "fiscal", "invoice.issue")),
      effect("c1:9:0", "fiscal", "invoice.cancel"),
    ];
    expect(due(invoices)).toEqual(["1", "3", "5"]);
    const left = effects.filter((one) => !covers(invoices, one));
    expect(left.map(({ id }) => id)).toEqual(["c1:9:0"]);
  });

  test("the same effect id in another account is another effect", () => {
    const other = { ...effect("c1:1:0", "fiscal", "invoice.issue"), account: "other" };
    expect(covers([invoice("1", "incerta", 0)], other)).toBe(false);
  });
});

test("an invoice that was issued without its key waits for it as long as one that is processed", () => {
  expect(due([invoice("1", "autorizada", HOUR - 1), invoice("2", "autorizada", HOUR)])).toEqual([
    "2",
  ]);
  for (const texts of [PORTUGUESE, ENGLISH]) expect(texts["sends.state.autorizada"]).toBeDefined();
});

describe("what may be decided", () => {
  test("nothing that files taxes and may have left is sent again as an effect", () => {
    expect(decisions(effect("a", "fiscal", "invoice.cancel"))).not.toContain("retry");
    expect(decisions(effect("a", "costly", "x"))).toContain("retry");
  });

  test("a cancellation that was turned away unread may go after all", () => {
    const unread = { ...effect("a", "fiscal", "invoice.cancel"), reason: "rate_limited" };
    expect(decisions(unread)).toEqual(["retry", "done", "failed", "discard"]);
    const left = { ...unread, payload: { ...unread.payload, work: { frozen: { bytes: "{}" } } } };
    expect(decisions(left)).not.toContain("retry");
    expect(decisions({ ...unread, payload: { name: "invoicing.nfseEnvio" } })).not.toContain(
      "retry",
    );
  });

  test("a request for an invoice without a record is sent after all only where nothing left, and never called done", () => {
    const bare = effect("a", "fiscal", "invoice.issue");
    expect(decisions(bare)).toEqual(["retry", "failed", "discard"]);
    const frozen = { ...bare, payload: { ...bare.payload, work: { frozen: { bytes: "{}" } } } };
    expect(decisions(frozen)).toEqual(["failed", "discard"]);
    expect(decisions(effect("a", "fiscal"))).toEqual(["discard"]);
    const all = [bare, effect("a", "fiscal"), effect("a", "fiscal", "x")];
    expect(all.map((one) => adviceOf(one)?.warning !== undefined)).toEqual([true, true, false]);
  });

  test("an invoice on its way is not called unsent, one that never left is not called issued", () => {
    expect(decisionsOf(invoice("1", "enviando", 0))).toEqual(["issued", "abandon"]);
    expect(decisionsOf(invoice("1", "pendente", 0))).toEqual(["not_issued", "abandon"]);
    expect(decisionsOf(invoice("1", "autorizada", 0))).toEqual(["issued"]);
    expect(decisionsOf(invoice("1", "incerta", 0))).toEqual(["issued", "not_issued", "abandon"]);
  });

  test("a key is taken with the blanks it was printed with, and with no digit missing", () => {
    const key = "3".repeat(50);
    expect(accessKey(` ${key.replace(/(.{4})/g, "$1 ")}`)).toBe(key);
    expect(accessKey("3".repeat(49))).toBeUndefined();
  });
});

test("every decision says what was seen", () => {
  const lost = invoice("1", "incerta", 0);
  const path = "/invoices/demo/1/resolve";
  expect(invoiceCall(lost, "not_issued", "não consta")).toEqual({
    path,
    body: { decision: "not_issued", reason: "não consta", rev: 3 },
  });
  const chave = "3".repeat(50);
  expect(invoiceCall(lost, "issued", "consta", chave)).toEqual({
    path,
    body: { decision: "issued", chave, reason: "consta", rev: 3 },
  });
});

describe("the words", () => {
  test("both languages have the same keys and placeholders, and no text is empty", () => {
    expect(Object.keys(ENGLISH).sort()).toEqual(Object.keys(PORTUGUESE).sort());
    const names = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const key of Object.keys(PORTUGUESE) as (keyof typeof PORTUGUESE)[]) {
      expect([key, names(ENGLISH[key])]).toEqual([key, names(PORTUGUESE[key])]);
      expect(ENGLISH[key].trim() !== "" && PORTUGUESE[key].trim() !== "").toBe(true);
    }
  });

  test.each(["key-missing", "key-mismatch", "key-unknown", "key-other", "key-refused"])(
    "a refusal for %s has words in both languages",
    (why) => {
      const key = `problem.${why}` as keyof typeof ENGLISH;
      expect(ENGLISH[key]).not.toBe(PORTUGUESE[key]);
      expect([ENGLISH[key], PORTUGUESE[key]].every((text) => text.length > 20)).toBe(true);
    },
  );
});
