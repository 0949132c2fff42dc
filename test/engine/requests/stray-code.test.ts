/** A code of no request that waits here: a slip of the thumb, one that somebody else decided, one that ran out. */
import { describe, expect, test } from "vitest";
import type { Mail } from "../../../src/engine/index.ts";
import { Dice } from "../../support/dice.ts";
import { OPERATOR, Town } from "../town.ts";

const ASKER = "c3".padEnd(32, "0");
const LETTERS = [..."ABCDEFHJKMNPRSTUVXZ"];
const DIGITS = [..."23456789"];
/** `#` stands for the code. */
const SAYINGS = [
  ...["aprovar #", "# aprovado", "aprovo o pedido #", "oi, aprovar # por favor", "*aprovar #*"],
  ...["#: aprovar", "pode emitir a #", "sim #", "# ok", "👍 #", "libera #", "aprovar código #"],
  ...[
    "recusar #",
    "não #",
    "# não",
    "n #",
    "não aprovo #",
    "# recusado",
    "👎 #",
    "negado #",
    "no #",
  ],
  ...["recusar #, valor errado", "recusar o #: não é meu cliente", "# recusar: valor errado"],
  ...["recusar #\nvalor errado", "recusar # e Y4", "não aprovo o #, valor errado", "#"],
] as const;
/** What the operator is at, and what brought them there. */
const AT: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  menu: ["menu"],
  reason: ["recusar Y4"],
};

function request(code: string, index: number): Mail {
  return {
    kind: "request",
    ...{ request: `r${index}`, code, flow: "approve-invoice", input: {} },
    from: { contact: ASKER, name: "Ana" },
    waiter: { frame: "f1", step: "approval", for: "x", epoch: `1.${index}` },
    within: 86_400_000,
  };
}

function waiting(...codes: readonly string[]): Town {
  const town = new Town();
  for (const [index, code] of codes.entries()) town.deliver(OPERATOR, request(code, index));
  return town;
}

function open(town: Town): string[] {
  return town.open.map(({ caller }) => caller.code).sort();
}

describe("a message about a request that is not open", () => {
  test("decides on no other, is the reason of none, and is told so", () => {
    const dice = new Dice(19);
    for (let run = 0; run < 150; run++) {
      const code = dice.pick(LETTERS) + dice.pick(DIGITS);
      if (code === "Y4" || code === "Z5") continue;
      const codes = dice.pick([["Y4"], ["Y4", "Z5"]]);
      const [at, before] = dice.pick(Object.entries(AT));
      const town = waiting(...codes);
      town.talks(OPERATOR, before);
      const step = town.step(OPERATOR);
      const text = dice.pick(SAYINGS).replace("#", dice.chance(0.5) ? code : code.toLowerCase());
      const said = town.says(OPERATOR, text).join("\n");

      const what = `${text} at ${at} with ${codes.join()}`;
      expect(open(town), what).toEqual(codes);
      expect(town.step(OPERATOR), what).toBe(step);
      expect(said, what).toContain(code);
    }
  });

  test("is told so where nothing waits at all, and begins nothing", () => {
    for (const saying of SAYINGS.filter((one) => !one.includes("Y4"))) {
      const town = waiting();
      const said = town.says(OPERATOR, saying.replace("#", "N3"));
      expect(said, saying).toEqual(["Não tem pedido N3 esperando resposta."]);
    }
  });

  test("is no answer to another question, where it decides in so many words", () => {
    const town = waiting("Y4");
    town.talks(OPERATOR, ["emitir nota", "1", "529.982.247-25", "Maria Souza", "150"]);

    const said = town.says(OPERATOR, "recusar A7, valor errado").at(-1);

    expect(said).toContain("Não tem pedido A7");
    expect(town.step(OPERATOR)).toBe("issue-invoice.description");
  });

  test("hears that what it refuses was approved here a moment ago", () => {
    const town = waiting("Y4", "Z5");
    town.says(OPERATOR, "aprovar Y4");

    expect(town.says(OPERATOR, "recusar Y4, valor errado").at(-1)).toContain(
      "Y4 já foi *aprovado*",
    );
    expect(open(town)).toEqual(["Z5"]);
  });

  test("takes the word of an earlier list away: a row picked after it decides nothing", () => {
    const town = waiting("Y4", "Z5");
    town.talks(OPERATOR, ["aprovar", "recusar B9", "1"]);

    expect(open(town)).toEqual(["Y4", "Z5"]);
  });

  test("stands in a task that is told at the menu, also where a request has it", () => {
    const town = waiting("B2", "Z5");
    town.talks(OPERATOR, [
      "menu",
      "emitir nota de 150 pra Maria Souza cpf 529.982.247-25, instalação no bloco B2",
    ]);

    expect(town.step(OPERATOR)).toBe("issue-invoice.service");
    expect(open(town)).toEqual(["B2", "Z5"]);
  });
});

describe("a word in the form of a code", () => {
  test("is a part of the note that is told, at whatever no request is asked about", () => {
    const note = "emitir nota de 150 pra Maria Souza cpf 529.982.247-25, instalação no bloco B2";
    for (const codes of [[], ["Y4"]])
      for (const before of [[], ["menu"]]) {
        const town = waiting(...codes);
        town.talks(OPERATOR, [...before, note]);
        expect(town.step(OPERATOR), `${codes.join()} ${before.join()}`).toBe(
          "issue-invoice.service",
        );
        expect(open(town)).toEqual(codes);
      }
  });

  test.each([
    ["quero emitir com o certificado A1", "certificate-file.way"],
    ["liberar acesso A1", "menu.task"],
    ["aprova a sala B7", "menu.task"],
    ["ok s2", "menu.task"],
  ])("is no request's where nothing waits: %s", (text, step) => {
    const town = waiting();
    expect(town.says(OPERATOR, text).join()).not.toContain("Não tem pedido");
    expect(town.step(OPERATOR)).toBe(step);
  });

  test.each(["liberar acesso A1", "ok s2", "emitir nota A7", "emitir a nota A7"])(
    "decides on none that waits: %s",
    (text) => {
      for (const before of Object.values(AT)) {
        const town = waiting("Y4");
        town.talks(OPERATOR, before);
        const step = town.step(OPERATOR);
        expect(town.says(OPERATOR, text).join()).toContain("Não tem pedido");
        expect(town.step(OPERATOR)).toBe(step);
        expect(open(town)).toEqual(["Y4"]);
      }
    },
  );

  test("says nothing of the open request that is named beside it", () => {
    const town = waiting("Y4");
    const said = town.says(OPERATOR, "aprovar, sala B7, pedido Y4").join();
    expect(said).not.toContain("B7");
    expect(said).toContain("Pedido Y4");
  });

  test("is no reason of another where it begins a note", () => {
    const town = waiting("Y4");
    town.talks(OPERATOR, ["recusar Y4", "emitir nota de 150 pra Ana Lima, sala B7"]);
    expect(open(town)).toEqual(["Y4"]);
  });

  test("is that of a request that is over, also where it looks like a heart", () => {
    const town = waiting("S2");
    town.says(OPERATOR, "aprovar S2");
    expect(town.says(OPERATOR, "ok s2").join()).toContain("S2");
  });
});

describe("a code", () => {
  test("goes with a plain no, whatever its letter and however many wait", () => {
    for (const letter of LETTERS)
      for (const no of ["não #", "# não", "n #", "# n", "no #", "# no", "👎 #", "❌ #"]) {
        const town = waiting("Y4", `${letter}3`);
        town.says(OPERATOR, no.replace("#", `${letter}3`));
        town.says(OPERATOR, "valor errado");
        expect(open(town), `${no} ${letter}`).toEqual(["Y4"]);
      }
  });

  test("inside a sentence about a note of one's own is a part of what was done", () => {
    for (const text of [
      "emite nota de 150 pra Maria Souza cpf 529.982.247-25, impressão A3, ontem",
      "emitir nota de 90 pra Ana Lima 111.444.777-35, papel A4",
      "nota de 150 pra Maria Souza cpf 529.982.247-25, impressão A3, ontem",
    ]) {
      const town = waiting("Y4");
      town.says(OPERATOR, text);
      expect(town.step(OPERATOR), text).toMatch(/^issue-invoice\./);
      expect(open(town), text).toEqual(["Y4"]);
    }
  });

  test("inside a reason is a part of it", () => {
    for (const text of ["recusar, era papel A4", "recusar Y4, já aprovei a A7"]) {
      const town = waiting("Y4");
      town.says(OPERATOR, text);
      expect(open(town), text).toEqual([]);
    }
  });
});
