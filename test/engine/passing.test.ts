/** What impatient people write where nothing, or something else, is asked of them. */
import { describe, expect, test } from "vitest";
import type { Mail } from "../../src/engine/index.ts";
import { CUSTOMER, OPERATOR, TO_SUMMARY, Town } from "./town.ts";

const OTHER = "nota de 160 pra Ana Lima cpf 111.444.777-35, barba, ontem";

describe("a customer whose request the business has not answered", () => {
  const asked = () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", ...TO_SUMMARY.slice(2)]);
    town.says(CUSTOMER, "EMITIR");
    expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
    return town;
  };

  test.each(["preciso da nota", "quero outra nota de 160", OTHER])(
    "may ask for another: %j",
    (text) => {
      const town = asked();
      expect(town.says(CUSTOMER, text).at(-1)).toContain("Qual serviço?");
      expect(town.sessions.get(CUSTOMER)?.frames.map(({ flow }) => flow)).toEqual([
        "request-invoice",
        "request-invoice",
      ]);
    },
  );

  test("has both, each with its own answers, and the fourth at once is one too many", () => {
    const town = asked();
    town.says(CUSTOMER, OTHER);
    expect(town.says(CUSTOMER, "1").at(-1)).toContain("R$ 160,00");
    town.says(CUSTOMER, "EMITIR");
    town.says(CUSTOMER, OTHER.replace("160", "170"));
    expect(town.says(CUSTOMER, "1").at(-1)).toContain("R$ 170,00");
    town.says(CUSTOMER, "EMITIR");
    expect(town.says(CUSTOMER, OTHER).at(-1)).toContain("não consigo abrir outro");
    const codes = (town.said.get(OPERATOR) ?? []).flatMap(
      (text) => /aprovar (\w+)\*/.exec(text)?.[1] ?? [],
    );
    expect(new Set(codes).size).toBe(3);
    town.says(OPERATOR, `aprovar ${codes[0]}`);
    town.says(OPERATOR, `recusar ${codes[1]}`);
    town.says(OPERATOR, "pular");
    town.says(OPERATOR, `aprovar ${codes[2]}`);
    expect(town.calls.map(({ effect }) => [effect.name, effect.input["value"]])).toEqual([
      ["invoice.issue", 15000],
      ["invoice.issue", 17000],
    ]);
  });

  test("hears what was decided while the next one is being asked for, and goes on with that", () => {
    const town = asked();
    town.says(CUSTOMER, "preciso da nota");
    town.says(OPERATOR, "recusar");
    town.says(OPERATOR, "já paga");
    expect((town.said.get(CUSTOMER) ?? []).join("\n")).toContain("A empresa não aprovou o pedido");
    expect(town.step(CUSTOMER)).toBe("request-invoice.service");
  });

  test("writes something else and is only told what is waited for", () => {
    expect(asked().says(CUSTOMER, "demora?").at(-1)).toContain("Seu pedido está com a empresa");
  });
});

describe("a decision of the business where nothing waits for one", () => {
  test.each([
    ["aprovar", "Nenhum pedido está esperando resposta."],
    ["recuso", "Nenhum pedido está esperando resposta."],
    ["aprovar 4821", "Não tem pedido 4821 esperando resposta."],
  ])("%j is answered in a sentence, not with the menu", (text, sentence) => {
    const town = new Town();
    expect(town.says(OPERATOR, text)).toEqual([expect.stringContaining(sentence)]);
    expect(town.last(OPERATOR)).not.toContain("1. ");
    expect(town.sessions.get(OPERATOR)?.frames).toEqual([]);
  });

  test("leaves the question in progress, and calls nobody however often it is written", () => {
    const town = new Town();
    town.says(OPERATOR, "oi");
    for (let index = 0; index < 4; index++) {
      const said = town.says(OPERATOR, "aprovar").at(-1) ?? "";
      expect(said).toContain("Nenhum pedido está esperando resposta.");
      expect(said).toContain("O que vamos fazer?");
    }
    expect(town.sessions.get(OPERATOR)?.handoff).toBeUndefined();
  });

  test("is nothing of the kind where a customer writes it", () => {
    expect(new Town().says(CUSTOMER, "aprovar").at(-1)).toContain("1. Pedir nota fiscal");
  });
});

describe("who is not understood", () => {
  test.each([CUSTOMER, OPERATOR])(
    "reads how to go on with the bot when a person is called",
    (person) => {
      const town = new Town();
      town.says(person, "oi");
      const said = ["blá blá", "blá blé", "blá bli"]
        .flatMap((text) => town.says(person, text))
        .at(-1);
      expect(town.sessions.get(person)?.handoff?.reason).toBe("exhausted");
      expect(said).toContain("Vou chamar uma pessoa");
      expect(said).toContain("*menu*");
      expect(town.says(person, "menu").at(-1)).toContain("1. ");
    },
  );
});

describe("a word that only closes", () => {
  test.each([
    "ok",
    "Ok.",
    "blz",
    "beleza 👍",
    "tá bom",
    "ta",
    "👍",
    "certo",
    "entendi",
    "combinado!",
  ])("%j right after the end gets no menu", (text) => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", "cancelar"]);
    expect(town.says(CUSTOMER, text)).toEqual([]);
    town.after(3_600_000);
    expect(town.says(CUSTOMER, text).at(-1)).toContain("1. Pedir nota fiscal");
  });

  test.each(["sim", "oi", "quero", "ok, quero uma nota"])("%j is heard", (text) => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", "cancelar"]);
    expect(town.says(CUSTOMER, text).at(-1)).toContain("1. ");
  });
});

describe("while the business, or the tax office, has to answer", () => {
  const waiting = () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", ...TO_SUMMARY.slice(2)]);
    town.says(CUSTOMER, "EMITIR");
    return town;
  };

  test.each(["demora?", "quanto tempo?", "hmm", "tô no aguardo"])(
    "%j is told what is waited for, never that it was not understood",
    (text) => {
      const town = waiting();
      expect(town.says(CUSTOMER, text)).toEqual([
        "Seu pedido está com a empresa; aviso assim que responderem.",
      ]);
      town.says(OPERATOR, "aprovar");
      expect(town.says(CUSTOMER, text)).toEqual([
        "A nota está sendo emitida; aviso aqui assim que sair. Não precisa pedir de novo.",
      ]);
    },
  );

  test.each(["ok", "blz", "👍", "Tá bom!"])(
    "%j is left in peace, and the request waits on",
    (text) => {
      const town = waiting();
      expect(town.says(CUSTOMER, text)).toEqual([]);
      expect(town.step(CUSTOMER)).toBe("request-invoice.approval");
      town.says(OPERATOR, "aprovar");
      expect(town.says(CUSTOMER, text)).toEqual([]);
      expect(town.calls).toHaveLength(1);
    },
  );
});

describe("a person who is called", () => {
  test("by a flow leaves nobody without a way back", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["preciso da nota", ...TO_SUMMARY.slice(2)]);
    town.says(CUSTOMER, "EMITIR");
    town.after(25 * 3_600_000);
    const said = town.last(CUSTOMER);
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("approval-late");
    expect(said).toContain("Vou chamar uma pessoa");
    expect(said).toContain("escreva *menu*");
    expect(town.says(CUSTOMER, "menu").at(-1)).toContain("Confere pra mim?");
  });

  test.each(["quero falar com uma pessoa", "atendente"])("by %j reads it once", (text) => {
    const said = new Town().says(CUSTOMER, text).at(-1) ?? "";
    expect(said.match(/\*menu\*/g)).toHaveLength(1);
  });

  test("for a note that was not accepted leaves a way back, in English too", () => {
    const town = new Town();
    town.talks(CUSTOMER, ["speak english", "1", ...TO_SUMMARY.slice(2), "EMITIR"]);
    town.says(OPERATOR, "aprovar");
    town.answers("rejected", { text: "No.", fixable: "nobody", code: "x", support: "AB12" });
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("rejected");
    expect(town.last(CUSTOMER)).toContain("write *menu*");
  });

  test("does not keep it from the customer that the refused note exists after all", () => {
    const town = new Town();
    town.talks(CUSTOMER, [...TO_SUMMARY, "EMITIR"]);
    town.says(OPERATOR, "aprovar");
    town.answers("rejected", { text: "Não.", fixable: "nobody", code: "x", support: "AB12" });
    const vars = { value: "R$ 150,00", number: "77", link: "", numbered: "yes" };
    const notice: Mail = { kind: "notice", key: "note-exists", vars };
    expect(town.sessions.get(CUSTOMER)?.handoff?.reason).toBe("rejected");

    expect(said(town, notice)).toEqual([]);
    expect(said(town, { ...notice, fiscal: true }).join()).toContain("a nota *77*");
    town.says(CUSTOMER, "não quero mais receber mensagens");
    expect(said(town, { ...notice, fiscal: true })).toEqual([]);
  });
});

function said(town: Town, mail: Mail): string[] {
  return town
    .deliver(CUSTOMER, mail)
    .effects.flatMap((effect) => (effect.type === "send" ? [effect.message.text] : []));
}

describe("a question where the service is to be described", () => {
  test.each(["quanto tempo demora?", "vai imposto nisso?", "how long does it take?"])(
    "%j is not written into the note",
    (text) => {
      const town = new Town();
      town.talks(CUSTOMER, ["preciso da nota", ...TO_SUMMARY.slice(2, 6)]);
      expect(town.step(CUSTOMER)).toBe("request-invoice.description");
      town.says(CUSTOMER, text);
      expect(town.step(CUSTOMER)).toBe("request-invoice.description");
      town.says(CUSTOMER, "corte (com barba?) e sobrancelha");
      expect(town.step(CUSTOMER)).toBe("request-invoice.competence");
    },
  );
});
