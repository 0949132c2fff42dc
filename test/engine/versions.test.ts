import { describe, expect, test } from "vitest";
import type { Library } from "../../src/engine/index.ts";
import { type Ast, type FlowSource, createLibrary, parseCatalogue } from "../../src/flow/index.ts";
import { flow, slot, z } from "../../src/index.ts";
import { CUSTOMER, library as shipped, Town } from "./town.ts";

function texts(lines: string): FlowSource["texts"] {
  const parsed = parseCatalogue(`locale: pt-BR\n${lines}`, "texts.pt-BR.yaml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return { "pt-BR": parsed.catalogue };
}

const WORDS = texts(`title: Visita
start: [visita]
say: { bye: "Até lá." }
ask: { day: "Que dia?", name: "Seu nome?", place: "Onde?", date: "Quando?" }
`);

const first: Ast = flow(
  "visit",
  {
    ...{ version: 1, title: "Visita", audience: "anyone" },
    slots: z.object({ name: slot.name(), day: slot.text() }),
  },
  (f) => [f.ask("name"), f.ask("day"), f.say("bye"), f.end()],
);
/** The question people rest at is gone in this version. */
const second: Ast = flow(
  "visit",
  {
    ...{ version: 2, title: "Visita", audience: "anyone" },
    slots: z.object({ name: slot.name(), place: slot.text() }),
  },
  (f) => [f.ask("name"), f.ask("place"), f.say("bye"), f.end()],
);

function loaded(flows: readonly Ast[], older: readonly Ast[] = []): Library {
  const source = (ast: Ast) => ({ ast, texts: WORDS });
  const own = createLibrary({
    ...{ flows: flows.map(source), older: older.map(source) },
    ...{ common: {}, effects: [] },
  });
  return { ...own, word: (key, vars, context) => shipped.word(key, vars, context) };
}

describe("a conversation in a flow that has a newer version", () => {
  test("goes on in it although the question it rested at is gone", () => {
    const town = new Town(loaded([first]));
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.library = loaded([second], [first]);
    town.says(CUSTOMER, "sexta");

    expect(town.journal.at(-1)?.said ?? town.last(CUSTOMER)).toBeDefined();
    expect(town.said.get(CUSTOMER)?.join("\n")).toContain("Atualizei este atendimento");
    expect(town.sessions.get(CUSTOMER)?.frames.at(-1)?.version ?? 2).toBe(2);
  });

  test("is not stuck for ever when no version of it is loaded any more", () => {
    const town = new Town(loaded([first]));
    town.talks(CUSTOMER, ["visita"]);
    town.library = loaded([]);
    const message = town.message(CUSTOMER, { type: "text", text: "Ana Lima" });

    expect(town.deliver(CUSTOMER, message).failed).toBeUndefined();
    expect(town.last(CUSTOMER)).toContain("Atualizei este atendimento");
    expect(town.sessions.get(CUSTOMER)?.frames).toEqual([]);
  });
});

/** A question that was put before the one people rest at; and the last of the first renamed. */
const third: Ast = flow(
  "visit",
  {
    ...{ version: 3, title: "Visita", audience: "anyone" },
    slots: z.object({ name: slot.name(), place: slot.text(), date: slot.text() }),
    migrate: [{ from: 1, rename: { day: "date" } }],
  },
  (f) => [f.ask("name"), f.ask("place"), f.ask("date"), f.say("bye"), f.end()],
);
const answers = (town: Town) =>
  (town.sessions.get(CUSTOMER)?.frames.at(-1)?.state["facts"] as { slots: object } | undefined)
    ?.slots;

describe("what somebody wrote to the question before the deploy", () => {
  test("is the answer to that question, under its new name, and to no other", () => {
    const town = new Town(loaded([first]));
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.library = loaded([third], [first]);
    expect(town.talks(CUSTOMER, ["sexta"])).toContain("Onde?");
    expect(answers(town)).toEqual({ name: "Ana Lima", date: "Sexta" });
    expect(town.talks(CUSTOMER, ["No salão"])).toContain("Até lá.");
  });

  test("counts also when it still waited for more, and is not lost when its question is gone", () => {
    const town = new Town(loaded([first]));
    town.talks(CUSTOMER, ["visita", "Ana Lima"]);
    town.deliver(CUSTOMER, town.message(CUSTOMER, { type: "text", text: "sexta" }));
    town.library = loaded([third], [first]);
    town.deliver(CUSTOMER, town.message(CUSTOMER, { type: "text", text: "de manhã" }));
    town.after(2_000);
    expect(answers(town)).toEqual({ name: "Ana Lima", date: "Sexta de manhã" });

    const other = new Town(loaded([first]));
    other.talks(CUSTOMER, ["visita", "Ana Lima"]);
    other.library = loaded([second], [first]);
    expect(other.talks(CUSTOMER, ["sexta"])).toContain("Onde?");
    expect(answers(other)).toEqual({ name: "Ana Lima" });
    expect(other.talks(CUSTOMER, ["cancelar"])).not.toContain("Onde?");
    expect(other.sessions.get(CUSTOMER)?.frames).toEqual([]);
  });
});

describe("a sub-flow that ends at once", () => {
  test("leaves the timers of the question that follows it", () => {
    const outer: Ast = flow(
      "visit",
      {
        ...{ version: 1, title: "Visita", audience: "anyone" },
        slots: z.object({ name: slot.name() }),
      },
      (f) => [
        f.subflow(
          "greet" as never,
          {
            id: "greeting",
            on: { done: () => [], cancelled: () => [], expired: () => [] },
          } as never,
        ),
        f.ask("name"),
        f.say("bye"),
        f.end(),
      ],
    );
    const inner: Ast = flow(
      "greet",
      { version: 1, title: "Oi", audience: "nobody", slots: z.object({}) },
      (f) => [f.say("bye"), f.end()],
    );
    const town = new Town(loaded([outer, inner]));
    town.says(CUSTOMER, "visita");

    expect(town.step(CUSTOMER)).toBe("visit.name");
    const names = town.sessions
      .get(CUSTOMER)
      ?.frames.at(-1)
      ?.timers.map((timer) => timer.name);
    expect(names).toEqual(["quiet.nudge", "quiet.expire"]);
  });
});
