/** A bot without any plugin knows no business but its author's. */
import { describe, expect, test } from "vitest";
import { pizzeria } from "./pizzeria.ts";
import { CUSTOMER, OPERATOR } from "./town.ts";

const ASKED = [
  ...["quanto custa a calabresa?", "fazem entrega?", "que horas abre?", "meus pedidos"],
  ...["manda o recibo no meu email", "troca o valor", "cancela a nota 12", "aprovar"],
  ...["quero cancelar meu pedido", "emite nota", "segunda via"],
];
/** Texts and keys about notes. */
const NOTES = /not(?:a|e)s?(?![a-z])|invoice|fiscal|no-email/i;
const PHRASES = {
  prices: ["quanto custa"],
  delivery: ["fazem entrega"],
  hours: ["que horas abre"],
};

describe("a bot without a reader", () => {
  test.each(ASKED)("answers %j as its author says, and never about notes", (text) => {
    for (const contact of [CUSTOMER, OPERATOR]) {
      const first = pizzeria().says(contact, text).join("\n");
      expect(first).not.toBe("");
      expect(withoutOptions(first)).not.toMatch(NOTES);
      const atMenu = pizzeria();
      atMenu.says(contact, "oi");
      expect(withoutOptions(atMenu.says(contact, text).join("\n"))).not.toMatch(NOTES);
      const inOrder = pizzeria();
      inOrder.says(contact, "quero uma pizza");
      expect(inOrder.step(contact)).toBe("order.pizza");
      expect(withoutOptions(inOrder.says(contact, text).join("\n"))).not.toMatch(NOTES);
    }
  });

  test.each([
    ["quanto custa a calabresa?", "<prices>"],
    ["fazem entrega?", "<delivery>"],
    ["que horas abre?", "<hours>"],
  ])("begins what the start phrase of %j is for", (text, told) => {
    expect(pizzeria(PHRASES).says(CUSTOMER, text).join("\n")).toContain(told);
    const atMenu = pizzeria(PHRASES);
    atMenu.says(CUSTOMER, "oi");
    expect(atMenu.says(CUSTOMER, text).join("\n")).toContain(told);
  });

  test("calls a person by the flow with that role, and falls back to the menu", () => {
    expect(pizzeria().says(CUSTOMER, "quero falar com um atendente").join("\n")).toContain(
      "Chamando o dono.",
    );
    const town = pizzeria();
    town.says(CUSTOMER, "bla bla bla");
    expect(town.step(CUSTOMER)).toBe("welcome.wish");
  });
});

describe("the author's own words", () => {
  const OWN = {
    copy: ["segunda via"],
    drop: ["cancelar pedido"],
    issue: ["emitir nota"],
    mine: ["meus pedidos"],
    hours: ["qual o horario"],
    bye: ["obrigado"],
    someone: ["atendente"],
    leave: ["sair"],
    speak: ["english"],
    approve: ["aprovar"],
    withdraw: ["cancela o pedido da maria"],
  };

  test.each(Object.entries(OWN).map(([id, [phrase = ""]]) => [phrase, id]))(
    "begin by the start phrase %j what it is for, before anything built in",
    (phrase, id) => {
      for (const contact of [CUSTOMER, OPERATOR]) {
        expect(pizzeria(OWN).says(contact, phrase).join("\n")).toContain(`<${id}>`);
        const ended = pizzeria(OWN);
        ended.talks(contact, ["quero uma pizza", "calabresa", "Rua A, 1", "100 reais"]);
        expect(ended.says(contact, phrase).join("\n")).toContain(`<${id}>`);
      }
    },
  );

  test.each([
    ["segunda via", "Segunda via do cardápio."],
    ["cancelar pedido", "Qual pedido?"],
    ["emitir nota", "Nota do mês."],
    ["English", "We speak English."],
  ])("choose by the option %j, before anything built in", (label, told) => {
    for (const contact of [CUSTOMER, OPERATOR]) {
      const town = pizzeria();
      town.says(contact, "oi");
      expect(town.says(contact, label).join("\n")).toContain(told);
    }
  });

  test("go before a command in the middle of a form, which is gone on with afterwards", () => {
    const town = pizzeria(OWN);
    town.talks(CUSTOMER, ["quero uma pizza", "calabresa", "Rua A, 1"]);
    expect(town.step(CUSTOMER)).toBe("order.value");
    expect(town.says(CUSTOMER, "cancelar pedido").join("\n")).toContain("<drop>");
    expect(town.step(CUSTOMER)).toBe("order.value");
    town.says(CUSTOMER, "cancelar");
    expect(town.step(CUSTOMER)).toBe("");
  });
});

/** The author's own options may be called anything. */
function withoutOptions(text: string): string {
  return text.replace(/^\d+\. .*$/gm, "");
}
