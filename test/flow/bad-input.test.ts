/**
 * Flows that are wrong at run time: what they throw, turn round in, pile up or ask for is refused with a sentence that names
 * file and step, and the state before stays as it was. What the running bot makes of that is test/worker/turns/poison.test.ts.
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Fault } from "../../src/base/index.ts";
import {
  type Ast,
  createLibrary,
  defineKind,
  defineRule,
  type FlowProgram,
  generated,
  machineFlow,
  prosaSetup,
  slot,
} from "../../src/flow/index.ts";
import { account, CUSTOMER, library as shipped, SECOND, Town } from "../engine/town.ts";
import { withFlow } from "../flows/digression.ts";
import { findingsOf, smallFlow, type Texts } from "./fixtures/small.ts";
import { Chat, COMMON, CONTEXT, EFFECTS } from "./fixtures/world.ts";

const texts: Texts = {
  start: ["vamos"],
  say: { bye: "Até." },
  ask: { name: "Nome?", day: "Que dia?" },
  confirm: { sure: { title: "Certo?" } },
};
const KINDS = [
  defineKind("code", {
    version: 1,
    schema: () => z.string(),
    read: (text) => ({ ok: true, value: text, echo: text }),
    echo: () => {
      throw new Error("no echo of this");
    },
  }),
];
const RULES = defineRule("explodes", {
  version: 1,
  run: () => {
    throw new RangeError("cannot tell the day");
  },
});

/** A library of one flow, as read from a file. */
function loaded(ast: Ast) {
  const library = createLibrary({
    flows: [
      { ast, texts: { "pt-BR": { locale: "pt-BR", ...texts } }, file: `flows/${ast.flow}/flow.ts` },
    ],
    ...{ common: COMMON, effects: EFFECTS, rules: RULES, kinds: KINDS },
  });
  const program = library.get(ast.flow);
  if (!program) throw new Error(JSON.stringify(library.findings));
  return { library, program };
}
const programOf = (ast: Ast): FlowProgram => loaded(ast).program;

/** What a turn is refused with. */
function refusal(turn: () => unknown): string {
  try {
    turn();
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return (error as Fault).message;
  }
  return "nothing";
}

describe("a flow that errs while somebody is in it", () => {
  const slots = z.object({ name: slot.text(), day: slot.text() });

  test("because a condition throws is refused with file, step and reason; the state before is whole", () => {
    const chat = new Chat(
      programOf(
        smallFlow("throws", { version: 1, slots }, (f) => [
          f.ask("name"),
          {
            t: "when",
            id: "if-day",
            if: { rule: "explodes", of: [{ ref: "name" }] },
            then: [],
          } as never,
          f.ask("day"),
        ]),
      ),
    );
    const before = chat.state;
    const said = refusal(() => chat.event({ type: "ANSWER", values: { name: "Ana" } }));
    expect(said).toContain('flows/throws/flow.ts, step "name": cannot tell the day');
    expect(chat.state).toEqual(before);
    // Nobody else notices: the same program takes what does not come there.
    expect(chat.event({ type: "REPEAT" })).toEqual(["Nome?"]);
  });

  test("because a kind of its own throws is refused with file, step and reason", () => {
    const ast = smallFlow("echoes", { version: 1, slots: z.object({ name: slot.text() }) }, (f) => [
      f.ask("name"),
      f.confirm("sure", { show: ["name"] }),
    ]);
    const odd = { ...ast, slots: { name: { kind: "code" } } } as Ast;
    const chat = new Chat(programOf(odd));
    expect(refusal(() => chat.event({ type: "ANSWER", values: { name: "x" } }))).toContain(
      'flows/echoes/flow.ts, step "name": no echo of this',
    );
  });

  test.each(["read", "schema", "pipe", "mask"])(
    "because its own %s throws is refused with file, step and reason, whatever was being done",
    (what) => {
      const fails = (name: string) => {
        if (name === what) throw new TypeError("cannot do this");
      };
      const kind = defineKind("odd", {
        version: 1,
        schema: () => z.string().transform((text) => (fails("schema"), text)),
        read: (text) => (fails("read"), { ok: true, value: text, echo: text }),
        echo: (value) => value as string,
        mask: (value) => (fails("mask"), value as string),
      });
      const ast = smallFlow("odd", { version: 1, audience: "anyone", slots }, (f) => [
        f.ask("name"),
        f.ask("day"),
      ]);
      const odd = { ...ast, slots: { ...ast.slots, name: { kind: "odd" } } } as Ast;
      const library = createLibrary({
        flows: [
          {
            ast: odd,
            texts: {
              "pt-BR": {
                ...{ locale: "pt-BR", start: ["vamos"] },
                ask: { name: "Nome?", day: { text: "Que dia?", again: "Dia {{name | shout}}?" } },
              },
            },
            file: "flows/odd/flow.ts",
          },
        ],
        ...{ common: COMMON, effects: EFFECTS, kinds: [kind] },
        pipes: { shout: (value) => (fails("pipe"), value as string) },
      });
      const program = library.get("odd");
      if (!program) throw new Error(JSON.stringify(library.findings));
      const town = new Town(withFlow(shipped as never, program));
      const say = (contact: string, text: string) => {
        town.now += 2_000;
        return town.deliver(contact, town.message(contact, { type: "text", text })).failed?.reason;
      };
      const ticks = () => {
        town.now += 2_000;
        return town.deliver(CUSTOMER, { kind: "tick", due: town.now }).failed?.reason;
      };
      const reasons = [say(CUSTOMER, "vamos"), ticks(), say(CUSTOMER, "Ana"), ticks()];
      reasons.push(say(CUSTOMER, "repete"), ticks(), say(CUSTOMER, "atendente"), ticks());
      const told = reasons.filter((reason) => reason !== undefined);
      expect(told.length).toBeGreaterThan(0);
      for (const reason of told)
        expect(reason).toMatch(/flows\/odd\/flow\.ts, step "(name|day)": cannot do this/);
      expect(town.talks(SECOND, ["vamos"])).toContain("Nome?");
    },
  );

  test("because its steps turn for ever is refused with file and step", () => {
    // Lint refuses circles that it can see; on the way of this one somebody may rest, and of Ana nobody does.
    const program = programOf(
      smallFlow("turns", { version: 1, slots }, (f, $) => [
        f.ask("name"),
        f.when($.name.is("Caio"), [f.handoff("asked")]),
        f.when($.name.is("Ana"), [f.goto("name", { clear: [] })]),
        f.ask("day"),
      ]),
    );
    const chat = new Chat(program);
    const before = chat.state;
    expect(refusal(() => chat.event({ type: "ANSWER", values: { name: "Ana" } }))).toContain(
      'flows/turns/flow.ts, step "name": it goes on from step to step without end',
    );
    expect(chat.state).toEqual(before);
    chat.event({ type: "ANSWER", values: { name: "Bia" } });
    expect(chat.at).toBe("day");
    // Nobody has to be in it to know.
    const { broken } = generated(program, CONTEXT);
    expect(broken.map(({ property }) => property)).toContain("never throws");
  });

  test("because a machine made by hand has nothing but open edges is no flow at all", () => {
    const machine = prosaSetup().createMachine({
      initial: "one",
      states: { one: { always: "two" }, two: { always: "one" } },
    });
    const ast = machineFlow("circle", { version: 1, slots: z.object({}), asks: {} }, machine);
    expect(findingsOf(ast)).toContainEqual(expect.stringContaining("graph/loop-without-rest"));
  });

  test("because it remembers more than 64 kB is refused with file, step and both sizes", () => {
    const chat = new Chat(
      programOf(
        smallFlow("hoards", { version: 1, slots }, (f) => [
          f.ask("name"),
          f.wait("paid", { id: "paid", within: "1d", on: { got: [], late: [] } }),
          f.ask("day"),
        ]),
      ),
    );
    chat.event({ type: "ANSWER", values: { name: "Ana" } });
    const before = chat.state;
    const said = refusal(() => chat.reports("paid", "got", { text: "x".repeat(70_000) }));
    expect(said).toMatch(
      /flows\/hoards\/flow\.ts, step "day": .*would take 7\d{4} letters; 65536 are the most/,
    );
    expect(chat.state).toEqual(before);
    chat.reports("paid", "got", { text: "x" });
    expect(chat.at).toBe("day");
  });

  test("because it asks ten thousand people is refused with flow and step; a neighbour goes on", () => {
    const own = z.object({ name: slot.text() });
    const crowd = smallFlow("crowd", { version: 1, audience: "anyone", slots: own }, (f, $) => [
      f.ask("name"),
      f.notify("other", {
        ...{ id: "all", to: $.account.operators, within: "1h" },
        on: { done: () => [], late: () => [f.end()] },
      }),
      f.say("bye"),
      f.end(),
    ]);
    const other = smallFlow(
      "other",
      { version: 1, audience: "operator", slots: z.object({}) },
      (f) => [f.say("bye"), f.end()],
    );
    const flows = [crowd, other].map((ast) => ({
      ast,
      texts: {
        "pt-BR": { locale: "pt-BR" as const, ...texts, start: ast === crowd ? ["vamos"] : [] },
      },
    }));
    const library = createLibrary({ flows, common: COMMON, effects: EFFECTS });
    expect(library.findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const program = library.get("crowd");
    if (!program) throw new Error("the crowd does not load");
    const [one] = account.operators;
    if (!one) throw new Error("nobody to ask");
    const asking = (people: number): Town => {
      const operators = Array.from({ length: people }, (_, n) => ({
        ...one,
        alias: `phone:${5_511_900_000_000 + n}`,
      }));
      return new Town(withFlow(shipped as never, program), { ...account, operators });
    };
    const write = (town: Town, contact: string, text: string) =>
      town.deliver(contact, town.message(contact, { type: "text", text })).failed?.reason;

    // Ten thousand do not even fit into what it remembers.
    expect(write(asking(10_000), CUSTOMER, "vamos")).toMatch(
      /crowd, step "name": .*letters; 65536 are the most/,
    );
    const town = asking(2_000);
    expect(town.talks(CUSTOMER, ["vamos"])).toContain("Nome?");
    write(town, CUSTOMER, "Ana");
    town.now += 2_000;
    expect(town.deliver(CUSTOMER, { kind: "tick", due: town.now }).failed?.reason).toMatch(
      /crowd.*step "all": More than 64 effects were asked for by one event/,
    );
    expect(town.talks(SECOND, ["vamos"])).toContain("Nome?");
  });
});
