import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { TextContext } from "../../../../src/understanding/index.ts";
import { understand } from "../../../support/understand.ts";
import { isHedged } from "../../../../src/plugins/invoicing/sentence/parts/sentence-value.ts";
import { begun, takeSure } from "../../../../src/plugins/invoicing/sentence/sentence-sure.ts";
import {
  BEGINS,
  bestTags,
  COUNT,
  follows,
  lattice,
  likelihood,
  noneLikelihood,
  spanLikelihood,
  STEPS,
} from "../../../../src/plugins/invoicing/sentence/learned/model/chain.ts";
import {
  likelihoodByForest,
  oddsByForest,
  readForest,
} from "../../../../src/plugins/invoicing/sentence/learned/model/forest.ts";
import { forestOf, writeForest, writeWeights } from "../../../corpus/tagger/writing.ts";
import { secondOpinion } from "../../../../src/plugins/invoicing/sentence/learned/opinion.ts";
import { tokensOf } from "../../../../src/plugins/invoicing/sentence/learned/tokens.ts";
import {
  keyOf,
  readWeights,
} from "../../../../src/plugins/invoicing/sentence/learned/model/weights-file.ts";
import { exampleOf } from "../../../corpus/tagger/example.ts";
import { fit } from "../../../corpus/tagger/fit.ts";
import { fitForest } from "../../../corpus/tagger/fit-forest.ts";
import { labels } from "../../../corpus/labels.ts";
import { Dice } from "../../../support/dice.ts";

const TODAY = "2026-11-21";
const context: TextContext = {
  now: Date.parse(`${TODAY}T12:00:00-03:00`),
  zone: "America/Sao_Paulo",
};
/** What a start can bear: it is read once, in tens of milliseconds. */
const MOST_BYTES = 800_000;
const WEIGHTS = path.resolve(
  import.meta.dirname,
  "../../../../src/plugins/invoicing/sentence/learned/model/weights.ts",
);

function read(text: string): unknown {
  const got = understand("invoice", text, context);
  return got.ok ? got.value : got.reason;
}

/** What the tagger alone makes of a text of which the rules read nothing but `found`. */
function opinion(text: string, found: Parameters<typeof secondOpinion>[0], refused = false) {
  const { draft } = begun(text);
  const { line, folded } = draft;
  takeSure(draft, TODAY);
  return secondOpinion(found, {
    draft,
    line,
    text,
    doubtful: isHedged(folded),
    refused,
    today: TODAY,
  });
}

describe("the second opinion on a sentence", () => {
  test("takes the amount and the name that no rule took", () => {
    expect(opinion("corte e escova, Larissa Prado 52998224725, 140", {})).toEqual({
      value: 14_000,
      name: "Larissa Prado",
      description: "Corte e escova",
    });
  });

  test("takes no amount that somebody doubts or asks about, and no number that counts or names something", () => {
    expect(
      opinion("corte e escova, Larissa Prado 52998224725, quase 140 reais", {}),
    ).not.toHaveProperty("value");
    for (const text of [
      "nota 150 Larissa Prado 52998224725",
      "nota da aula 12 pra Nilza Braz 52998224725",
      "nota de 3 aulas de 60 reais pra Ana Prado",
      "vistoria bloco 120 Ana Prado 52998224725",
      "nota pra Ana Prado, 120 salgados",
      "foi 300? Ana Prado 52998224725 corte",
      "Qual CNAE uso pra serviço de frete de R$ 3.800 pra Bahia?",
    ])
      expect(opinion(text, {}) ?? {}, text).not.toHaveProperty("value");
  });

  test("never touches a document or an amount that the rules read", () => {
    const found = { value: 1, document: "52998224725" };
    expect(opinion("nota de 150 reais pra Ana Prado, corte", found)).toMatchObject(found);
  });

  test("takes the day of the work, whatever other days are told", () => {
    const day = (text: string, ruled?: string) =>
      opinion(text, { document: "52998224725", ...(ruled === undefined ? {} : { date: ruled }) });
    const work = "Ana Prado 52998224725, corte e escova, R$ 140";
    for (const text of [
      `${work}, paguei ontem`,
      `${work}, vencimento 10/11`,
      `${work}, nascida em 04/02/1990`,
      `emite a nota hoje: ${work}`,
    ])
      expect(day(text, "2026-11-20"), text).not.toHaveProperty("date");
    expect(day(`${work}, feito ontem`, "2026-11-20")).toHaveProperty("date", "2026-11-20");
    expect(day(`quarta fiz corte e escova da Ana Prado, 52998224725, R$ 140`)).toHaveProperty(
      "date",
      "2026-11-18",
    );
  });

  test("leaves out a description that it holds for something else", () => {
    expect(
      opinion("nota de 150 pra Larissa Prado, corte", {
        name: "Larissa Prado",
        description: "Larissa",
      }),
    ).toEqual(expect.not.objectContaining({ description: "Larissa" }));
  });

  test("takes no description without the number that belongs to it", () => {
    expect(opinion("limpeza do apto 302, Ana Prado 52998224725", {})).toHaveProperty(
      "description",
      "Limpeza do apto 302",
    );
  });

  test("names neither one of two people, nor both, nor whose house it was", () => {
    for (const text of [
      "nota de massagem 160 reais, Gerson Klein e esposa",
      "Vera Campos e Sandra Lima, massagem, 160 reais",
      "pintura na casa do Otto Lemos, 170 reais, cpf 52998224725",
    ])
      expect(opinion(text, {}), text).not.toHaveProperty("name");
  });

  test("holds talk about a note for none, and no plain request for talk", () => {
    expect(opinion("nota de repúdio ao cliente, que calote", { name: "Cliente" })).toBeNull();
    for (const text of ["nota de 90 pra Bia", "preciso de uma nota de 180 reais", "nota pra Ana"])
      expect(read(text), text).not.toBe("absent");
  });
});

describe("what is judged", () => {
  const found = { value: 30_000, document: "11222333000181", description: "Consultoria" };

  test("is a name in small letters beside its document, which no rule dares to read", () => {
    const text = "nota no cnpj 11.222.333/0001-81 padaria estrela ltda, 300 reais consultoria";
    expect(opinion(text, found)).toMatchObject({ ...found, name: "Padaria Estrela LTDA" });
  });

  test("is a request that rules held for talk, and talk that they held for a request", () => {
    const asked = "Emita NF de R$ 300,00 de consultoria para Ana Lima, CNPJ 11.222.333/0001-81";
    expect(opinion(asked, found, true)).toMatchObject({ value: 30_000, name: "Ana Lima" });
    const talk = "por que a nota de 300 reais da consultoria ainda não chegou pra Ana Lima?";
    expect(opinion(talk, { value: 30_000, name: "Ana Lima" })).toBeNull();
  });

  test("is no more of a description than both brackets", () => {
    const read = (text: string) => opinion(text, { document: "52998224725" });
    expect(read("nota de limpeza de ar condicionado (12 máquinas), Ana Lima 52998224725")).toEqual(
      expect.objectContaining({ description: "Limpeza de ar condicionado (12 máquinas)" }),
    );
    expect(read("nota de gestão de tráfego (novembro), Ana Lima 52998224725")).toEqual(
      expect.objectContaining({ description: "Gestão de tráfego" }),
    );
  });
});

describe("tokens", () => {
  test("stand one after another, each part that was read is one, and numbers are whole", () => {
    const text = "Nota de mil e duzentos pra Dra. Ana, 529.982.247-25, ontem; R$ 90,00";
    const { draft } = begun(text);
    takeSure(draft, TODAY);
    const tokens = tokensOf(draft);
    expect(tokens.map(({ kind, text: said }) => (said === "" ? `<${kind}>` : said))).toEqual([
      ...["nota", "de", "mil e duzentos", "pra", "dra.", "ana", ",", "<document>", ","],
      ...["<date>", ";", "r$ 90,00"],
    ]);
    for (const [at, token] of tokens.entries())
      expect(token.start).toBeGreaterThanOrEqual(tokens[at - 1]?.end ?? 0);
  });
});

test("a part that was read twice is what it was read as first", () => {
  const line = "\u0001\u0001\u0001";
  const parts = [
    { kind: "document", start: 0, end: 2 },
    { kind: "date", start: 0, end: 3 },
  ] as const;
  expect(tokensOf({ line, parts: [...parts] }).map(({ kind, end }) => [kind, end])).toEqual([
    ["document", 2],
    ["date", 3],
  ]);
});

describe("the sums of the chain", () => {
  /** Every way to tag `length` tokens, one by one: what the sums must be equal to. */
  function ways(length: number): number[][] {
    if (length === 0) return [[]];
    return ways(length - 1).flatMap((before) =>
      Array.from({ length: COUNT }, (_, tag) => tag)
        .filter((tag) => follows(tag, before.at(-1) ?? COUNT))
        .map((tag) => [...before, tag]),
    );
  }

  test("are those of all ways to tag a sentence, counted one by one", () => {
    const dice = new Dice(7);
    const length = 4;
    const scores = Float64Array.from({ length: length * COUNT }, () => dice.unit() * 4 - 2);
    const steps = Float64Array.from({ length: STEPS }, () => dice.unit() * 4 - 2);
    const all = ways(length).map((tags) => ({
      tags,
      score: tags.reduce(
        (sum, tag, at) =>
          sum +
          (scores[at * COUNT + tag] ?? 0) +
          (steps[(at === 0 ? COUNT : (tags[at - 1] ?? 0)) * COUNT + tag] ?? 0),
        0,
      ),
    }));
    const total = all.reduce((sum, { score }) => sum + Math.exp(score), 0);
    const share = (fits: (tags: readonly number[]) => boolean): number =>
      all.filter(({ tags }) => fits(tags)).reduce((sum, { score }) => sum + Math.exp(score), 0) /
      total;
    const of = lattice(scores, steps);
    expect(of.total).toBeCloseTo(Math.log(total), 9);
    for (let tag = 0; tag < COUNT; tag += 1)
      expect(likelihood(of, 2, tag)).toBeCloseTo(
        share((tags) => tags[2] === tag),
        9,
      );
    const { name } = BEGINS;
    expect(spanLikelihood(of, 1, 2, name)).toBeCloseTo(
      share((tags) => tags[1] === name && tags[2] === name + 1 && tags[3] !== name + 1),
      9,
    );
    expect(spanLikelihood(of, 3, 3, name)).toBeCloseTo(
      share((tags) => tags[3] === name),
      9,
    );
    expect(noneLikelihood(of, 1, 2)).toBeCloseTo(
      share((tags) => tags[1] === 0 && tags[2] === 0),
      9,
    );
    const best = all.reduce((most, one) => (one.score > most.score ? one : most));
    expect(bestTags(scores, steps)).toEqual(best.tags);
  });
});

describe("what is learnt of a sentence", () => {
  test("is every way to tag it that its label admits", () => {
    const { tokens, ways } = exampleOf({
      kind: "invoice",
      text: "nota de 90 pra Bia, banho e tosa da Mel",
      now: `${TODAY}T12:00:00-03:00`,
      expect: {
        ok: true,
        value: { value: 9_000, name: "Bia" },
        may: { description: ["Banho e tosa", "Banho e tosa da Mel"] },
      },
    });
    const { name, description } = BEGINS;
    const begun = tokens.findIndex(({ text }) => text === "banho");
    const goesOn = description + 1;
    expect(tokens.map(({ text }) => text).indexOf("bia")).toBe(begun - 2);
    expect(ways.map((tags) => tags.slice(begun - 2))).toEqual([
      [name, 0, description, goesOn, goesOn, 0, 0],
      [name, 0, description, goesOn, goesOn, goesOn, goesOn],
    ]);
  });
});

describe("trees", () => {
  /** Right when exactly one of two numbers is large, which no sum of what each is worth can tell. */
  const examples = Array.from({ length: 400 }, (_, at) => {
    const [one, other] = [at % 7, Math.floor(at / 7) % 5];
    return { numbers: [one, other, 3], right: one > 3 !== other > 2 };
  });

  test("tell what only several numbers together say, the same whenever they are grown", () => {
    const forest = fitForest(examples);
    for (const { numbers, right } of examples)
      expect(likelihoodByForest(forest, numbers) > 0.5, numbers.join()).toBe(right);
    expect(fitForest(examples)).toEqual(forest);
  });

  test("add what their leaves are worth, and are read as they were written", () => {
    const leaves = Array.from({ length: 16 }, (_, leaf) => (leaf === 10 ? -2047 : leaf));
    const tree = { features: [0, 1, 0, 1], bounds: [3, -2, 5, 40], leaves };
    const forest = forestOf(-500, [tree, { ...tree, leaves: [...leaves].reverse() }]);
    expect(readForest(writeForest(forest))).toEqual(forest);
    // 6 > 3, -2 > -2 not, 6 > 5, -2 > 40 not: leaf 10 of one, 5 of the other.
    expect(oddsByForest(forest, [6, -2])).toBeCloseTo((-500 - 2047 + 5) / 1000, 9);
  });
});

describe("the weights", () => {
  test("are the same, byte for byte, whenever they are learnt from the same texts", () => {
    const examples = labels("open")
      .filter(({ kind }) => kind === "invoice")
      .slice(0, 150)
      .map(exampleOf);
    const once = fit(examples);
    const again = fit(examples);
    expect(JSON.stringify(writeWeights(again.chain))).toBe(
      JSON.stringify(writeWeights(once.chain)),
    );
    expect(again.steps).toEqual(once.steps);
    expect(once.chain.size).toBeGreaterThan(100);
    expect(once.asked.size).toBeGreaterThan(100);
  });

  test("are read as they were written, and their file stays small", () => {
    const weights = new Map([
      [keyOf("word=de"), Int8Array.of(-31, 0, 1, 31, -1, 8)],
      [keyOf("word=r$"), Int8Array.of(0, 0, 0, 0, 0, 1)],
      [keyOf("any="), Int8Array.of(1, 2, 3, 4, 5, 6)],
    ]);
    const found = readWeights(writeWeights(weights), 6);
    expect(new Map(found.entries())).toEqual(weights);
    for (const key of [keyOf("word=nota"), keyOf("any=?"), 0])
      expect(found.get(key)).toBe(undefined);
    for (const [key, list] of weights) expect(found.get(key)).toEqual(list);
    expect(writeWeights(new Map([...weights].reverse()))).toBe(writeWeights(weights));
    expect(readFileSync(WEIGHTS).length).toBeLessThan(MOST_BYTES);
  });

  test("are found, each of them and no other, however many there are", () => {
    const dice = new Dice(11);
    for (const many of [1, 40, 3_000, 60_000]) {
      const weights = new Map<number, Int8Array>();
      while (weights.size < many) {
        const most = dice.chance(0.8) ? 3 : 31;
        const list = Int8Array.from({ length: 6 }, () => dice.between(-most, most));
        weights.set(dice.between(0, 2 ** 30 - 1), list);
      }
      const found = readWeights(writeWeights(weights), 6);
      expect(found.size).toBe(many);
      expect(new Map(found.entries())).toEqual(weights);
      for (const [key, list] of [...weights].slice(0, 1_000)) {
        expect(found.get(key)).toEqual(list);
        // Keys that begin or end alike are others.
        for (const other of [key ^ 1, key ^ (1 << 6), key ^ (1 << 12), key ^ (1 << 29)])
          expect(found.get(other)).toEqual(weights.get(other));
      }
    }
  });
});
