import { describe, expect, test } from "vitest";
import { saidAmount } from "../../../../src/plugins/invoicing/talk/wanted-note.ts";
import { CONTEXT } from "../../../flow/fixtures/world.ts";

const NO_NUMBER = true;

describe("the amount beside a note that exists", () => {
  test.each([
    ["repete a última da Ana, 200 reais", 20_000],
    ["repete a última, 200", 20_000],
    ["quero repetir a última só que 200", 20_000],
    ["igual à última, só que de 200", 20_000],
    ["mesma nota do mês passado, mas 250 reais", 25_000],
    ["repete a última nota com valor de R$ 350,50", 35_050],
    ["repete a última por 350, por favor", 35_000],
    ["igual à anterior mas agora é 1.200", 120_000],
    ["repete a de outubro, porém 1,2 mil", 120_000],
    ["same as last but 350 this time", 35_000],
  ])("%j is %i cents", (text, cents) => {
    expect(saidAmount(text, CONTEXT, NO_NUMBER)).toBe(cents);
  });

  test.each([
    "repete a última",
    "repete a nota 12",
    "repete a nota do dia 12",
    "mesma nota de outubro de 2026",
    "igual à última só que com outra descrição",
    "repete a última por favor",
    "repete a última com 2 cortes",
    "repete a última, mas no dia 12/11",
  ])("is not in %j", (text) => {
    expect(saidAmount(text, CONTEXT, NO_NUMBER)).toBeUndefined();
  });

  test("is told beside the number of the note, and that number is none", () => {
    expect(saidAmount("repete a nota 12 com 350 reais", CONTEXT, false)).toBe(35_000);
    expect(saidAmount("repete a nota 12, 350", CONTEXT, false)).toBeUndefined();
    expect(saidAmount("repete a nota 12", CONTEXT, false)).toBeUndefined();
  });
});
