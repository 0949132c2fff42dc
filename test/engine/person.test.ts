import { describe, expect, test } from "vitest";
import type { Account } from "../../src/engine/index.ts";
import { account, CUSTOMER, library, OPERATOR, TO_SUMMARY, Town } from "./town.ts";
import { model } from "../support/plugins.ts";

const DAY = 86_400_000;

function business(policy: object): Account {
  return model.schema.parse({ ...account, policy: { ...account.policy, ...policy } });
}

describe("a customer's requests", () => {
  test("are three at once at most, whatever is stacked on what", () => {
    const town = new Town(library, business({ openRequests: 1 }));
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    expect(town.says(CUSTOMER, "menu").at(-1)).toContain("1. Pedir nota fiscal");
    expect(town.says(CUSTOMER, "1").at(-1)).toContain("não consigo abrir outro");
    town.says(OPERATOR, "aprovar");
    expect(town.calls).toHaveLength(1);
  });

  test("count for a day, also those that were refused", () => {
    const town = new Town(library, business({ requestsPerDay: 1 }));
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.talks(OPERATOR, ["recusar", "não foi aqui"]);
    expect(town.says(CUSTOMER, "preciso da nota").at(-1)).toContain("não consigo abrir outro");
    town.after(DAY);
    expect(town.says(CUSTOMER, "preciso da nota").at(-1)).toContain("Qual serviço?");
  });
});

describe("a number alone, outside any conversation", () => {
  test.each(["13", " 13. ", "nº 13", "150", "2"])(
    "%j begins no note: the menu says what can be done",
    (text) => {
      for (const person of [CUSTOMER, OPERATOR]) {
        const town = new Town();
        const said = town.says(person, text).at(-1) ?? "";
        expect(said).toContain(`Só com o número ${/\d+/.exec(text)?.[0]} não sei o que fazer`);
        expect(said).toContain("1. ");
        expect(said).not.toContain("Qual serviço");
        expect(town.sessions.get(person)?.frames.map(({ flow }) => flow)).toEqual(["menu"]);
      }
    },
  );

  test.each(["R$ 150", "150,00", "150 reais", "529.982.247-25"])("%j does begin one", (text) => {
    expect(new Town().says(CUSTOMER, text).at(-1)).toContain("Qual serviço?");
  });

  test("at the menu is an option, or the menu again", () => {
    const town = new Town();
    town.says(CUSTOMER, "13");
    expect(town.says(CUSTOMER, "13").at(-1)).toContain("Responda com o número da opção");
    expect(town.says(CUSTOMER, "1").at(-1)).toContain("Qual serviço?");
  });
});

describe("two bots", () => {
  test("that answer each other are cut within a minute, and the business is told once", () => {
    const town = new Town(library, business({ perMinute: 10 }));
    for (let index = 0; index < 30; index++) {
      town.now += 500;
      town.deliver(CUSTOMER, town.message(CUSTOMER, { type: "text", text: `protocolo ${index}` }));
    }
    const told = (town.said.get(OPERATOR) ?? []).filter((text) => /Parei de responder/.test(text));
    expect(told).toHaveLength(1);
    expect((town.said.get(CUSTOMER) ?? []).length).toBeLessThanOrEqual(10);
    town.after(3_600_000);
    town.deliver(CUSTOMER, town.message(CUSTOMER, { type: "text", text: "menu" }));
    expect(town.last(CUSTOMER)).not.toBe("");
  });

  test("are never people of the business, who may approve fifty requests in a minute", () => {
    const town = new Town(library, business({ perMinute: 10 }));
    for (let index = 0; index < 20; index++) town.says(OPERATOR, "menu");
    expect(town.sessions.get(OPERATOR)?.flood).toBeUndefined();
  });
});

describe("what ran out half-way", () => {
  test("stands in the session for the account's days and not longer", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1", "529.982.247-25", "Maria Souza"]);
    town.after(DAY + 900_000);
    town.after(DAY);
    expect(town.sessions.get(CUSTOMER)?.kept?.slots).toMatchObject({ document: "52998224725" });
    town.after(7 * DAY);
    expect(JSON.stringify(town.sessions.get(CUSTOMER))).not.toContain("52998224725");
  });

  test("goes with the wish to hear no more", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["oi", "1", "1", "529.982.247-25", "Maria Souza"]);
    town.after(2 * DAY);
    town.says(CUSTOMER, "não quero mais receber mensagens");
    expect(town.sessions.get(CUSTOMER)?.kept).toBeUndefined();
  });
});

describe("the wish to hear no more", () => {
  test("by short message is one word in the middle of a form; what was said before does not open it again", () => {
    const town = new Town();
    const sms = (text: string) => {
      const mail = town.message(CUSTOMER, { type: "text", text });
      if (mail.kind === "inbound") town.deliver(CUSTOMER, { ...mail, channel: "sms" });
    };
    for (const text of ["oi", "1", "1", "SAIR"]) sms(text);
    const said = town.said.get(CUSTOMER)?.length;
    expect(town.last(CUSTOMER)).toContain("não mando mais");
    for (const text of ["529.982.247-25", "150", "ok", "obrigado"]) sms(text);
    expect(town.said.get(CUSTOMER)?.length).toBe(said);
    sms("oi");
    expect(town.last(CUSTOMER)).toContain("volta");
  });
});
