/** Where the limits of trust and of language lie: each test is red when its own bound is moved or left out. */
import { describe, expect, test } from "vitest";
import type { Account } from "../../src/engine/index.ts";
import { account, CUSTOMER, library, Town } from "./town.ts";
import { model } from "../support/plugins.ts";

const MACHINE = "Sua mensagem foi recebida. Responderemos em breve.";
const MINUTE = 60_000;

function business(more: object): Account {
  return model.schema.parse({ ...account, ...more });
}

function locale(town: Town): string | undefined {
  return town.sessions.get(CUSTOMER)?.locale;
}

function isCut(town: Town): boolean {
  return town.sessions.get(CUSTOMER)?.flood?.until !== undefined;
}

describe("a machine's sentence", () => {
  test("is one at the sixth time in a row", () => {
    const town = new Town();
    for (let index = 0; index < 5; index++) town.says(CUSTOMER, MACHINE);
    expect(isCut(town)).toBe(false);
    town.says(CUSTOMER, MACHINE);
    expect(isCut(town)).toBe(true);
  });

  test("is none where it is a short answer, which people repeat", () => {
    const town = new Town();
    for (let index = 0; index < 12; index++) {
      town.says(CUSTOMER, "1");
      town.now += MINUTE;
    }
    expect(isCut(town)).toBe(false);
  });

  test("is none where it comes again only every twenty minutes", () => {
    const town = new Town();
    for (let index = 0; index < 8; index++) {
      town.says(CUSTOMER, MACHINE);
      town.now += 20 * MINUTE;
    }
    expect(isCut(town)).toBe(false);
  });

  test("is cut for an hour, and not longer", () => {
    const town = new Town();
    for (let index = 0; index < 6; index++) town.says(CUSTOMER, MACHINE);
    town.now += 59 * MINUTE;
    expect(town.says(CUSTOMER, "quero ajuda")).toEqual([]);
    town.now += 2 * MINUTE;
    town.says(CUSTOMER, "oi");
    expect(isCut(town)).toBe(false);
  });

  test("messages count by the minute: as many over a quarter of an hour are a person's", () => {
    const town = new Town(library, business({ policy: { ...account.policy, perMinute: 5 } }));
    for (let index = 0; index < 20; index++) {
      town.says(CUSTOMER, `oi ${index}`);
      town.now += 45_000;
    }
    expect(isCut(town)).toBe(false);
  });
});

describe("the language", () => {
  test("follows a clear sentence, and one English word is none", () => {
    const town = new Town();
    town.says(CUSTOMER, "preciso da nota please");
    expect(locale(town)).toBe("pt-BR");
    const other = new Town();
    other.says(CUSTOMER, "i need an invoice please");
    expect(locale(other)).toBe("en");
  });

  test("that was asked for by name is kept whatever is written after it", () => {
    const town = new Town();
    expect(town.says(CUSTOMER, "speak english").at(-1)).toContain("in English from now on");
    town.says(CUSTOMER, "eu preciso da minha nota fiscal por favor");
    expect(locale(town)).toBe("en");
    town.says(CUSTOMER, "português");
    expect(locale(town)).toBe("pt-BR");
  });

  test.each([
    ["sorry, can we speak English?", "en"],
    ["I don't speak Portuguese", "en"],
    ["não falo português", "en"],
    ["você não fala inglês?", "en"],
    ["can you please answer in english", "en"],
    ["prefiro português", "pt-BR"],
    ["em português por favor", "pt-BR"],
    ["não falo inglês", "pt-BR"],
  ])("is asked for in the middle by %j: %s", (text, expected) => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", ...(expected === "en" ? [] : ["speak english"])]);
    expect(town.says(CUSTOMER, text).at(-1)).toContain(
      expected === "en" ? "Which service?" : "Qual serviço?",
    );
    expect(locale(town)).toBe(expected);
  });

  test.each(["aula de inglês", "curso em inglês", "tradução inglês português", "1"])(
    "is not asked for by %j",
    (text) => {
      const town = new Town();
      town.talks(CUSTOMER, ["preciso da nota", text]);
      expect(locale(town)).toBe("pt-BR");
    },
  );

  test("asked for in a whole sentence is no name", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", "1", "529.982.247-25"]);
    expect(town.says(CUSTOMER, "can we speak english?").at(-1)).toContain("in English from now on");
    expect(town.step(CUSTOMER)).toBe("request-invoice.name");
  });

  test("is English for who says hi", () => {
    const town = new Town();
    expect(town.says(CUSTOMER, "Hi!").at(-1)).toContain("How can I help?");
  });

  test("is one that the business speaks", () => {
    for (const text of ["i need an invoice please", "speak english"]) {
      const town = new Town(library, business({ languages: ["pt-BR"] }));
      town.says(CUSTOMER, text);
      expect(locale(town), text).toBe("pt-BR");
    }
  });

  test("of a name or a description says nothing of the person's", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", "1", "529.982.247-25", "Maria Souza", "150"]);
    expect(town.step(CUSTOMER)).toBe("request-invoice.description");
    town.says(CUSTOMER, "help with my english invoice");
    expect(locale(town)).toBe("pt-BR");
  });
});

describe("the wish to hear no more", () => {
  function sms(town: Town, text: string): void {
    const mail = town.message(CUSTOMER, { type: "text", text });
    town.deliver(CUSTOMER, { ...mail, channel: "sms" });
  }

  test.each(["SAIR", "Parar", "pare", "stop"])("by short message is %j, in a form, too", (text) => {
    const town = new Town();
    sms(town, "preciso da nota");
    sms(town, text);
    expect(town.sessions.get(CUSTOMER)?.optOut).toBeDefined();
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
  });

  test("in a chat is none in the middle of a form, where it ends the form", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", "sair"]);
    expect(town.sessions.get(CUSTOMER)?.optOut).toBeUndefined();
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
  });

  test("holds against whatever only says something", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "parar"]);
    expect(town.sessions.get(CUSTOMER)?.optOut).toBeDefined();
    for (const text of ["ok", "obrigado", "sim", "150", "parar"])
      expect(town.says(CUSTOMER, text), text).toEqual([]);
    expect(town.says(CUSTOMER, "oi").at(-1)).toContain("1. ");
  });
});
