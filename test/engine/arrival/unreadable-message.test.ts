/** Messages that came without their words, and what is said of them. */
import { describe, expect, test } from "vitest";
import type { InboundEvent, Mail } from "../../../src/engine/index.ts";
import { CUSTOMER, OPERATOR, TO_SUMMARY, Town } from "../town.ts";

type InboundMail = Extract<Mail, { kind: "inbound" }>;

const ONE = "Não consegui abrir a sua última mensagem";

function told(town: Town, contact: string, event: Partial<InboundEvent>, more: object = {}): void {
  const { event: message, ...mail } = town.message(contact, { type: "text", text: "" });
  const { content: _, ...head } = message as Extract<InboundEvent, { kind: "message" }>;
  const whole = { ...head, ...event } as InboundMail["event"];
  town.deliver(contact, { ...mail, ...more, event: whole });
}

const wordless = (town: Town, id: string, more: object = {}, contact = CUSTOMER): void =>
  told(town, contact, { kind: "unreadable", messageId: id }, more);

function writes(town: Town, id: string, text: string): void {
  told(town, CUSTOMER, { kind: "message", messageId: id, content: { type: "text", text } });
}

const count = (town: Town, contact = CUSTOMER): number => (town.said.get(contact) ?? []).length;
const timers = (town: Town): readonly string[] =>
  town.sessions.get(CUSTOMER)?.timers.map(({ name }) => name) ?? [];
const recalls = (town: Town) =>
  town.calls.flatMap(({ effect }) => (effect.name === "messages.recall" ? [effect.input] : []));

describe("a message that came without its words", () => {
  test("begins nothing, is asked for after a moment, and is told of when nothing came", () => {
    const town = new Town();
    wordless(town, "X");
    town.after(5_000);
    expect([count(town), town.sessions.get(CUSTOMER)?.frames]).toEqual([0, []]);
    town.after(2_000);
    expect(recalls(town)).toEqual([{ channel: "engine-b", ids: ["X"] }]);
    expect(count(town)).toBe(0);
    town.after(9_000);
    expect(count(town)).toBe(1);
    expect(town.last(CUSTOMER)).toContain(ONE);
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
    town.after(3_600_000);
    expect(count(town)).toBe(1);
  });

  test("is not told of when its words follow under its id", () => {
    const town = new Town();
    wordless(town, "X");
    town.after(1_000);
    writes(town, "X", "preciso da nota");
    expect(count(town)).toBe(1);
    expect(timers(town)).not.toContain("unreadable.tell");
    town.after(60_000);
    expect([count(town), recalls(town)]).toEqual([1, []]);
  });

  test("is not told of when a vote, a reaction or another form follows under its id", () => {
    for (const kind of ["reaction", "delete"] as const) {
      const town = new Town();
      wordless(town, "X");
      told(town, CUSTOMER, { kind, messageId: "X", of: "Y", emoji: "👍" });
      town.after(60_000);
      expect(count(town)).toBe(0);
    }
  });

  test("says nothing when it is told again after its words", () => {
    const town = new Town();
    writes(town, "X", "oi");
    const before = count(town);
    wordless(town, "X", { again: true });
    town.after(60_000);
    expect(count(town)).toBe(before);
  });

  test("is told of once with all others of that time, by their number", () => {
    const town = new Town();
    for (const id of ["X", "Y", "X", "Z"]) {
      wordless(town, id);
      town.after(3_000);
    }
    town.after(10_000);
    town.after(10_000);
    expect(count(town)).toBe(1);
    expect(town.last(CUSTOMER)).toContain("últimas 3 mensagens");
    expect(recalls(town).flatMap(({ ids }) => ids)).toEqual(["X", "Y", "Z"]);
  });

  test("is told of even when others never stop coming, and then at most every five minutes", () => {
    const town = new Town();
    for (let second = 0; second < 1_200; second += 5) {
      wordless(town, `X${second}`);
      town.after(5_000);
    }
    expect(count(town)).toBeGreaterThanOrEqual(3);
    expect(count(town)).toBeLessThanOrEqual(5);
    writes(town, "T", "oi");
    const before = count(town);
    wordless(town, "Y");
    town.after(7_000);
    town.after(10_000);
    expect(count(town)).toBe(before + 1);
  });

  test("leaves the question that is asked, and it is asked again", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1"]);
    const step = town.step(CUSTOMER);
    wordless(town, "X");
    town.after(7_000);
    town.after(10_000);
    expect(town.last(CUSTOMER)).toContain(ONE);
    expect(town.step(CUSTOMER)).toBe(step);
    expect(town.last(CUSTOMER)).toContain("CPF");
  });

  test("may have been a change: no EMITIR passes before what stands was shown again", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_SUMMARY);
    const step = town.step(CUSTOMER);
    wordless(town, "X");
    town.after(2_000);
    town.says(CUSTOMER, "EMITIR");
    expect(town.step(CUSTOMER)).toBe(step);
    expect(town.last(CUSTOMER)).toContain(ONE);
    town.after(10_000);
    const before = count(town);
    town.after(60_000);
    expect(count(town)).toBe(before);
    town.says(CUSTOMER, "EMITIR");
    expect(town.step(CUSTOMER)).not.toBe(step);
  });

  test("leaves EMITIR alone when its words came", () => {
    const town = new Town();
    town.talks(CUSTOMER, TO_SUMMARY);
    const step = town.step(CUSTOMER);
    wordless(town, "X");
    town.after(2_000);
    writes(town, "X", "EMITIR");
    expect(town.step(CUSTOMER)).not.toBe(step);
  });

  test("is told of after a time in which nothing ran, and is asked for before", () => {
    const town = new Town();
    wordless(town, "X");
    town.after(3_600_000);
    expect([recalls(town).length, count(town)]).toEqual([1, 0]);
    town.after(10_000);
    expect(count(town)).toBe(1);
  });

  test("is told to nobody who has a person, wants to hear no more, or wrote it yesterday", () => {
    const person = new Town();
    person.talks(CUSTOMER, ["oi", "atendente"]);
    const out = new Town();
    out.talks(CUSTOMER, ["não quero mais receber mensagens"]);
    for (const town of [person, out]) {
      const before = count(town);
      wordless(town, "X");
      town.after(7_000);
      town.after(10_000);
      expect(count(town)).toBe(before);
      expect(recalls(town)).toHaveLength(1);
    }
    const late = new Town();
    wordless(late, "X", { late: true });
    late.after(60_000);
    expect(count(late)).toBe(0);
  });

  test("of a person of the business is told to them alike", () => {
    const town = new Town();
    wordless(town, "X", {}, OPERATOR);
    town.after(7_000);
    town.after(10_000);
    expect(town.last(OPERATOR)).toContain(ONE);
  });
});
