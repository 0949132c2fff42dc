/** What another flow comes back with for this flow's slots is their answer: as far as it fits, and no further. */
import { describe, expect, test } from "vitest";
import type { Library } from "../../src/engine/index.ts";
import { type Ast, createLibrary, findingLine, parseCatalogue } from "../../src/flow/index.ts";
import { parseFlow } from "../../src/flow/yaml/index.ts";
import { flow, result, slot, z } from "../../src/index.ts";
import { CUSTOMER, library as shipped, Town } from "../engine/town.ts";

function textsOf(lines: string) {
  const parsed = parseCatalogue(`locale: pt-BR\n${lines}`, "texts.pt-BR.yaml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return { "pt-BR": parsed.catalogue };
}
const TEXTS: Readonly<Record<string, ReturnType<typeof textsOf>>> = {
  visit: textsOf(`start: [visita]
say: { bye: "Até lá, {{name}}." }
ask: { name: "Seu nome?", value: "Quanto?" }
`),
  known: textsOf(`ask: { right: "É você mesmo?" }\n`),
};
const source = (ast: Ast) => ({ ast, texts: TEXTS[ast.flow] ?? {} });

const outer = (fills: readonly string[] = ["name", "value"]): Ast =>
  flow(
    "visit",
    {
      ...{ version: 1, title: "Visita", audience: "anyone" },
      slots: z.object({ name: slot.name(), value: slot.money({ max: 1_000 }) }),
    },
    (f, $) => [
      f.when($.name.known().not(), [f.subflow("known" as never, { id: "who", fills } as never)]),
      f.ask("name"),
      f.ask("value"),
      f.say("bye", { with: { from: result("who", "from") } }),
      f.end(),
    ],
  );
const inner = (value: number): Ast =>
  flow(
    "known",
    {
      ...{ version: 1, title: "Quem", audience: "nobody" },
      slots: z.object({ right: slot.yesno() }),
    },
    (f, $) => [
      f.ask("right"),
      f.when($.right.is(false), [f.end("done", { id: "no", output: {} })]),
      f.end("done", { output: { name: "Ana Lima", value, from: "books" } }),
    ],
  );

function town(...flows: Ast[]): Town {
  const library = createLibrary({
    ...{ flows: flows.map(source), common: {}, effects: [] },
  });
  expect(library.findings.filter(({ severity }) => severity === "error").map(findingLine)).toEqual(
    [],
  );
  const own: Library = {
    ...library,
    word: (key, vars, context) => shipped.word(key, vars, context),
  };
  return new Town(own);
}

const answers = (it: Town) =>
  (it.sessions.get(CUSTOMER)?.frames[0]?.state["facts"] as { slots?: object } | undefined)?.slots;

describe("a sub-flow that fills slots", () => {
  test("answers them, and nothing of that is asked", () => {
    const it = town(outer(), inner(900));
    expect(it.says(CUSTOMER, "visita").join()).toContain("É você mesmo?");
    expect(it.says(CUSTOMER, "sim").join()).toContain("Até lá, Ana Lima.");
  });

  test("leaves to be asked what does not fit its slot, what is not named, and what is not brought", () => {
    const over = town(outer(), inner(1_001));
    over.talks(CUSTOMER, ["visita", "sim"]);
    expect([over.step(CUSTOMER), answers(over)]).toEqual(["visit.value", { name: "Ana Lima" }]);

    const named = town(outer(["name"]), inner(900));
    named.talks(CUSTOMER, ["visita", "sim"]);
    expect([named.step(CUSTOMER), answers(named)]).toEqual(["visit.value", { name: "Ana Lima" }]);

    const nothing = town(outer(), inner(900));
    nothing.talks(CUSTOMER, ["visita", "não"]);
    expect([nothing.step(CUSTOMER), answers(nothing)]).toEqual(["visit.name", {}]);
  });

  test("is asked no second time when its answer is corrected", () => {
    const it = town(outer(["name"]), inner(900));
    it.talks(CUSTOMER, ["visita", "sim", "o nome é Bia Reis"]);
    expect([it.step(CUSTOMER), answers(it)]).toEqual(["visit.value", { name: "Bia Reis" }]);
  });

  test("ends the flow that waits for it when it is cancelled", () => {
    const it = town(outer(), inner(900));
    it.talks(CUSTOMER, ["visita", "cancelar"]);
    expect(it.sessions.get(CUSTOMER)?.frames).toEqual([]);
    expect(it.said.get(CUSTOMER)?.join()).not.toContain("Seu nome?");
  });

  test("is refused where it names no slot of the flow", () => {
    const { findings } = createLibrary({
      ...{ flows: [outer(["nome"]), inner(900)].map(source) },
      ...{ common: {}, effects: [] },
    });
    expect(findings.map(findingLine).join("\n")).toMatch(/slot\/unknown.*No slot "nome"/);
  });
});

test("YAML has it, too", () => {
  const read = parseFlow(
    `flow: visit
version: 1
title: Visita
audience: anyone
slots: { name: name, value: { kind: money, max: 1000 } }
steps:
  - when: not has(name)
    then:
      - subflow: known
        id: who
        fills: [name, value]
  - ask: name
  - ask: value
  - say: bye
    with: { from: who.from }
  - end: done
`,
    "flow.yaml",
  );
  expect(read.ok && read.ast).toEqual(outer());
});
