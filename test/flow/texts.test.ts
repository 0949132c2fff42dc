import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { KINDS } from "../../src/flow/kinds/kinds.ts";
import {
  PIPES,
  forms,
  placeholders,
  render,
  scopeOf,
  type Text,
} from "../../src/flow/texts/template.ts";
import { textsOf } from "../../src/flow/texts/catalogue.ts";
import { z } from "zod";
import {
  type Catalogue,
  type Catalogues,
  commonTextsOf,
  createLibrary,
  slot,
} from "../../src/flow/index.ts";
import { findingsOf, smallFlow } from "./fixtures/small.ts";
import { plugins } from "../support/plugins.ts";
import { COMMON, CONTEXT, library } from "./fixtures/world.ts";

const pipes = new Map(Object.entries(PIPES));
const rendered = (text: Text, data: object, variant = 0) =>
  render(text, scopeOf(data as never), { ...CONTEXT, variant, pipes });

describe("a text", () => {
  test("puts in references through pipes, and nothing for what is absent", () => {
    expect(
      rendered("{{ value | brl }} de {{who.name | first}}{{gone}}", {
        value: 123_456,
        who: { name: "Ana Lima" },
      }),
    ).toBe("R$ 1.234,56 de Ana");
    expect(rendered("{{text | short 8}}", { text: "abcdefghijkl" })).toBe("abcdefg…");
  });

  test("never reads what a person wrote as a text of its own", () => {
    expect(rendered("{{name}}", { name: "{{value | brl}}", value: 1 })).toBe("{{value | brl}}");
  });

  test("chooses by plural, by exact value and by variant, the same every time", () => {
    const by = { by: "count", one: "1 nota", other: "{{count}} notas" };
    expect([rendered(by, { count: 1 }), rendered(by, { count: 3 })]).toEqual(["1 nota", "3 notas"]);
    expect(rendered({ by: "type", cpf: "pessoa", other: "?" }, { type: "cpf" })).toBe("pessoa");
    expect([0, 1, 2].map((variant) => rendered(["a", "b"], {}, variant))).toEqual(["a", "b", "a"]);
  });

  test("chooses by what a person wrote only among the forms that stand there", () => {
    const by = { by: "name", Ana: "A", other: "?" };
    for (const name of ["constructor", "toString", "__proto__", "by", "hasOwnProperty", ""])
      expect(rendered(by, { name }), name).toBe("?");
    expect(rendered(by, { name: "Ana" })).toBe("A");
    const plural = { by: "count", one: "1", other: "n" };
    expect([-1, 0.5, 1e21, -0].map((count) => rendered(plural, { count }))).not.toContain("");
  });

  test("reads own data only", () => {
    expect(rendered("{{__proto__.x}}{{constructor.name}}", {})).toBe("");
  });
});

describe("a language that a flow lacks", () => {
  const ast = smallFlow(
    "greeting",
    { version: 1, slots: z.object({ name: slot.name(), tea: slot.yesno() }) },
    (f) => [f.say("hello"), f.ask("name"), f.ask("tea"), f.end("done")],
  );
  const pt: Catalogue = {
    locale: "pt-BR",
    title: "Boas-vindas",
    say: { hello: "Bem-vinda!" },
    ask: { name: { text: "Seu nome?", bad: { default: "Não é um nome." } }, tea: "Chá?" },
  };
  /** What is said to somebody of a language: the greeting and the question, what is wrong, and the title. */
  const spoken = (locale: "pt-BR" | "en", texts: Catalogues): string[] => {
    const source = { flows: [{ ast, texts }], common: COMMON, effects: [] };
    const program = createLibrary(source).get("greeting");
    if (!program) throw new Error("the flow does not load");
    const context = { ...CONTEXT, locale };
    const begun = program.start({ input: {}, account: {}, contact: { role: "customer" } }, context);
    const told = program.step(begun.state, { type: "BAD", reason: "absent" }, context);
    return [...begun.say, ...told.say].map(({ text }) => text).concat(program.titleIn(locale));
  };

  test("is made up for by the other: nobody meets silence or a bare question", () => {
    const whole = ["Bem-vinda!", "Seu nome?", "Não é um nome.", "Boas-vindas"];
    expect(spoken("pt-BR", { "pt-BR": pt })).toEqual(whole);
    expect(spoken("en", { "pt-BR": pt })).toEqual(whole);
    expect(spoken("pt-BR", { en: { ...pt, locale: "en" } })).toEqual(whole);
  });

  test("is made up for text by text, its own words first", () => {
    const en: Catalogue = { locale: "en", say: { hello: "Welcome!" }, ask: { tea: "Tea?" } };
    expect(spoken("en", { "pt-BR": pt, en })).toEqual([
      ...["Welcome!", "Seu nome?", "Não é um nome.", "Boas-vindas"],
    ]);
  });

  test.each([
    ["needs the no as well as the yes", { true: "Com chá." }, 1],
    ["needs the yes as well as the no", { false: "Sem chá." }, 1],
    ["is whole with both", { true: "Com chá.", false: "Sem chá." }, 0],
    ["is whole with one and all others", { true: "Com chá.", other: "Sem chá." }, 0],
  ])("a text by a yes or no %s", (_title, given, count) => {
    const hello = { by: "tea", ...given };
    const found = findingsOf(ast, { ...pt, say: { hello } }).filter((line) =>
      line.startsWith("text/no-other: "),
    );
    expect(found, found.join()).toHaveLength(count);
  });
});

describe("the common catalogue", () => {
  const [pt, en] = [COMMON["pt-BR"], COMMON.en];
  if (!pt || !en) throw new Error("the common texts are missing");
  const added = plugins.map(({ name, texts = {} }) => ({ from: name, texts }));
  const { common } = commonTextsOf({ runtime: COMMON, added, own: {}, places: {} });
  const whole = common["pt-BR"];

  test("has the same texts with the same variables in both languages", () => {
    const table = (catalogue: typeof pt) =>
      Object.fromEntries(
        textsOf(catalogue).map(({ key, text }) => [
          key,
          placeholders(text)
            .map(({ ref }) => ref)
            .sort(),
        ]),
      );
    expect(table(en)).toEqual(table(pt));
    for (const { text } of textsOf(pt)) for (const form of forms(text)) expect(form).not.toBe("");
  });

  test("has, with the plugins' texts, every word that the engine and the kit say", () => {
    const missing = ["engine", "flow"].flatMap((room) => {
      const folder = new URL(`../../src/${room}/`, import.meta.url);
      return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !/expression-text|^versions/.test(name))
        .flatMap((name) => {
          const source = readFileSync(new URL(name, folder), "utf8");
          const said = [
            ...source.matchAll(/\b(?:draft|library|env\.library)\.word\(\s*"([a-z-]+)"/g),
            ...source.matchAll(/\breprompt\(\s*draft,\s*"([a-z-]+)"/g),
            ...source.matchAll(/\btellOperators\(\s*draft,\s*"([a-z-]+)"/g),
            ...source.matchAll(/\bword: "([a-z-]+)"/g),
            ...source.matchAll(/\bword\(next, "([a-z-]+)"/g),
          ];
          return said.map(([, key = ""]) => key).filter((key) => whole?.say?.[key] === undefined);
        });
    });
    expect(missing).toEqual([]);
  });

  test("has, with the plugins' texts, a sentence for every kind that has reasons of its own, and one for any", () => {
    expect(pt.bad?.any?.default).toBeDefined();
    for (const kind of KINDS) expect(whole?.bad?.[kind.name]?.default, kind.name).toBeDefined();
  });

  test("gives the engine its words in the person's language", () => {
    const loaded = library();
    expect(loaded.word("resume", { title: "nota" }, CONTEXT)).toBe("Voltando a nota:");
    expect(loaded.word("resume", { title: "note" }, { ...CONTEXT, locale: "en" })).toBe(
      "Back to note:",
    );
    expect(loaded.word("no-such-word", {}, CONTEXT)).toBe("");
  });
});

describe("a slot kind", () => {
  test.each([
    ["Rua das Flores, 123, ap 4, Centro, São Paulo/SP, 01310-100", null],
    ["Rua das Flores 123, Centro, São Paulo - SP, CEP 01310-100", null],
    ["Rua das Flores, 123, Centro, São Paulo/SP", "no-cep"],
    ["Rua das Flores, 123, Centro, 01310-100", "no-city"],
    ["Rua das Flores, Centro, São Paulo/SP, 01310-100", "no-number"],
    ["Rua das Flores, 123, São Paulo/SP, 01310-100", "no-district"],
    ["Rua das Flores, 123, Centro, São Paulo/SP, 20040-002", "other-state"],
    ["Rua das Flores, 123, Centro, Brasília/DF, 72910-000", "other-state"],
    ["Rua das Flores, 123, Centro, São Paulo/SP, 00310-100", "unknown-range"],
  ])("address reads %j, or names what lacks (%s)", (text, hint) => {
    const kind = KINDS.find(({ name }) => name === "address");
    const reading = kind?.read(text, { ...CONTEXT, params: {}, options: [] });
    if (hint !== null) expect(reading).toMatchObject({ ok: false, hint });
    else {
      expect(reading).toMatchObject({
        ok: true,
        value: {
          logradouro: "Rua das Flores",
          numero: "123",
          bairro: "Centro",
          codigo_municipio: "3550308",
          uf: "SP",
          cep: "01310100",
        },
      });
      if (reading?.ok) expect(kind?.schema({}).safeParse(reading.value).success).toBe(true);
    }
  });

  // From a note of before, or from a session that is older than the question's own check.
  test.each([
    ["01310100", "pt-BR", "01310-100"],
    ["20040002", "pt-BR", "20040-002 (CEP não conferido)"],
    ["00310100", "pt-BR", "00310-100 (CEP não conferido)"],
    ["20040002", "en", "20040-002 (CEP not confirmed)"],
  ] as const)("address shows the CEP %s of São Paulo/SP (%s) as %s", (cep, locale, shown) => {
    const kind = KINDS.find(({ name }) => name === "address");
    const street = { logradouro: "Rua das Flores", numero: "123", bairro: "Centro" };
    const value = { ...street, codigo_municipio: "3550308", uf: "SP", cep };
    expect(kind?.echo(value, { ...CONTEXT, locale, params: {}, options: [] })).toBe(
      `Rua das Flores, 123, Centro, São Paulo/SP, ${shown}`,
    );
  });

  test("accepts what it reads, for every kind that has a plain example", () => {
    const examples: Record<string, string> = {
      text: "corte",
      name: "Maria Souza",
      number: "3",
      yesno: "sim",
      document: "529.982.247-25",
      cpf: "529.982.247-25",
      cnpj: "12.ABC.345/01DE-35",
      money: "150,00",
      month: "10/2026",
      date: "05/11/2026",
      email: "ana@example.com",
      phone: "(11) 91234-5678",
      cep: "01310-100",
      city: "Santos/SP",
    };
    for (const [name, text] of Object.entries(examples)) {
      const kind = KINDS.find((one) => one.name === name);
      const context = { ...CONTEXT, params: {}, options: [] };
      const reading = kind?.read(text, context);
      expect(reading, name).toMatchObject({ ok: true });
      if (!reading?.ok) continue;
      expect(kind?.schema({}).safeParse(reading.value).success, name).toBe(true);
      expect(kind?.echo(reading.value, context), name).not.toBe("");
    }
  });
});
