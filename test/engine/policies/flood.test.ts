/** A machine on the other side whose words change: it is cut by what its replies lead to, and no person is. */
import { describe, expect, test } from "vitest";
import type { FlowLibrary } from "../../../src/flow/index.ts";
import { recording } from "../../chaos/recorder-flow.ts";
import { account, CUSTOMER, library, OPERATOR, TO_SUMMARY, Town } from "../town.ts";
import { model } from "../../support/plugins.ts";

const SECOND_MS = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LAST = "Vou fazer uma pausa";

/** As in the sandbox, where the limit of a minute is out of the way. */
const unlimited = model.schema.parse({
  ...account,
  policy: { ...account.policy, perMinute: 1_000_000 },
});

/** Replies to a machine that writes so often, at this distance. */
function talk(town: Town, count: number, everyMs: number, words: (at: number) => string): number {
  const before = bubbles(town);
  for (let index = 0; index < count; index++) {
    town.says(CUSTOMER, words(index));
    town.now += everyMs - 1_100;
  }
  return bubbles(town) - before;
}

function bubbles(town: Town, contact = CUSTOMER): number {
  return (town.said.get(contact) ?? []).length;
}

function told(town: Town): number {
  return (town.said.get(OPERATOR) ?? []).filter((text) => text.includes("Parei de responder"))
    .length;
}

const clock = (at: number) => `Bom dia! Agora são 12:${String(at % 60).padStart(2, "0")}`;
/** What is answered each time with the menu. */
const greeting = (at: number) => ["oi", "bom dia", "olá", "boa tarde"][at % 4] ?? "";

describe("a machine whose words change", () => {
  test.each<[string, (at: number) => string]>([
    ["a clock", clock],
    ["a counter", (at) => `Mensagem ${at} recebida`],
    ["greetings in turn", greeting],
    ["a reference", (at) => `Seu protocolo é AB${at * 7919}`],
    ["a wish for the menu", (at) => `menu ${at}`],
    ["a beginning, again and again", (at) => `preciso de uma nota ${at}`],
    ["a choice and a greeting", (at) => ["1", "oi", "menu"][at % 3] ?? ""],
  ])("gets few replies, and the business hears of it: %s", (_name, words) => {
    const town = new Town(library, unlimited);
    const said = talk(town, 120, 6 * SECOND_MS, words);
    expect(said).toBeLessThanOrEqual(41);
    // What is not understood three times calls a person, who has the chat from then on.
    const isHanded = town.sessions.get(CUSTOMER)?.handoff !== undefined;
    if (!isHanded) expect(town.last(CUSTOMER)).toContain(LAST);
    expect(isHanded ? bubbles(town, OPERATOR) : told(town)).toBe(1);
  });

  test("is cut before the twenty-fifth message of the same minutes", () => {
    const town = new Town(library, unlimited);
    expect(talk(town, 25, 6 * SECOND_MS, greeting)).toBe(21);
    expect(town.last(CUSTOMER)).toContain(LAST);
  });

  test("is cut in the hour when it writes once a minute, and in the day when it writes every ten", () => {
    const hour = new Town(library, unlimited);
    expect(talk(hour, 60, MINUTE, greeting)).toBeLessThan(45);
    const day = new Town(library, unlimited);
    expect(talk(day, 144, 10 * MINUTE, greeting)).toBeLessThan(125);
    expect(told(day)).toBe(1);
  });

  test("is heard again after an hour, and is cut for longer when the day's are used up", () => {
    const town = new Town(library, unlimited);
    talk(town, 25, 6 * SECOND_MS, greeting);
    town.now += HOUR;
    expect(town.says(CUSTOMER, "oi").join()).toContain("Pedir nota fiscal");
    // It goes on day and night.
    const said = talk(town, 24 * 60, MINUTE, greeting);
    expect(said).toBeLessThan(150);
  });
});

describe("a bot whose whole conversation is its menu", () => {
  test("hears every answer to a question of it", () => {
    const town = new Town(recording(library as FlowLibrary, 1), unlimited);
    town.says(CUSTOMER, "oi");
    for (let number = 1; number <= 60; number++) town.says(CUSTOMER, `#${number}`);
    expect(town.sessions.get(CUSTOMER)?.frames[0]?.state).toMatchObject({
      heard: Array.from({ length: 60 }, (_, index) => index + 1),
    });
  });
});

describe("a person", () => {
  test("who fills in forms as fast as one types is never cut", () => {
    const town = new Town();
    for (let note = 0; note < 5; note++) {
      for (const text of ["preciso da nota", ...TO_SUMMARY.slice(2), "EMITIR"]) {
        town.says(CUSTOMER, text);
        town.now += 10 * SECOND_MS;
      }
    }
    expect(town.sessions.get(CUSTOMER)?.flood?.until).toBeUndefined();
  });

  test("who tells each note in a sentence and confirms it is never cut", () => {
    const direct = { ...account, policy: { ...account.policy, approval: false } };
    const town = new Town(library, model.schema.parse(direct));
    for (let note = 0; note < 30; note++) {
      const value = 150 + note;
      town.says(
        CUSTOMER,
        `nota de ${value} pra Maria Souza cpf 529.982.247-25, corte de cabelo, hoje`,
      );
      town.says(CUSTOMER, "EMITIR");
      town.answers("done", { number: String(note) });
      town.now += 15 * SECOND_MS;
    }
    expect(town.sessions.get(CUSTOMER)?.flood?.until).toBeUndefined();
  });

  test("of the business is never cut", () => {
    const town = new Town(library, unlimited);
    for (let index = 0; index < 60; index++) town.says(OPERATOR, greeting(index));
    expect(town.says(OPERATOR, "oi")).toHaveLength(1);
  });

  test("in a conversation that somebody of the business has taken is not counted", () => {
    const town = new Town(library, unlimited);
    town.says(CUSTOMER, "oi");
    town.deliver(CUSTOMER, { kind: "operator", action: "take", actor: "ana" });
    talk(town, 60, 6 * SECOND_MS, clock);
    town.deliver(CUSTOMER, { kind: "operator", action: "return", actor: "ana" });
    expect(town.says(CUSTOMER, "preciso da nota").join()).toContain("Qual serviço?");
  });
});
