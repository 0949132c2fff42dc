/** Inputs that stand in for one another: where the one is given, the other is neither asked for nor taken by its name. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Ast, createLibrary, type EffectInfo, slot } from "../../src/flow/index.ts";
import { programOf, smallFlow } from "./fixtures/small.ts";
import { Chat, COMMON } from "./fixtures/world.ts";

/** Found by its number; by the name only where there is none. */
const FIND: EffectInfo = {
  ...{ name: "sample.find", version: 1, class: "read", result: ["address"] },
  input: [
    { name: "name", unless: "number" },
    { name: "number", optional: true },
  ],
};
const all = z.object({ name: slot.name(), number: slot.number() });
const prompts = { name: "Quem?", number: "Que número?" };

/** A flow that asks for these and looks up whoever it is. */
function looking(asked: readonly ("name" | "number")[], input: object = {}): Ast {
  const mask = Object.fromEntries(asked.map((name) => [name, true]));
  return smallFlow("looking", { version: 1, slots: all.pick(mask as { name: true }) }, (f) => [
    ...asked.map((name) => f.ask(name as "name", { ask: prompts[name] })),
    f.call("sample.find", { id: "find", ...input, rejected: () => [], failed: () => [] } as never),
    f.end("done"),
  ]);
}

const findings = (ast: Ast): string[] =>
  createLibrary({
    ...{ flows: [{ ast, texts: {} }], common: COMMON, effects: [FIND] },
  }).findings.map(({ rule, message }) => `${rule}: ${message}`);

/** What the call is made with once everything was answered. */
function sent(ast: Ast, ...answers: string[]): unknown {
  const chat = new Chat(programOf(ast, {}, { effects: [FIND] }));
  for (const text of answers) chat.says(text);
  return chat.last.demands.flatMap((demand) => (demand.type === "effect" ? [demand.input] : []));
}

describe("an input that another one stands in for", () => {
  test("is left out of the call where the other has a slot of its name", () => {
    expect(sent(looking(["name", "number"]), "Maria Souza", "12")).toEqual([{ number: 12 }]);
  });

  test("is left out where the other is written into the call, and taken where it is not", () => {
    const written = looking(["name"], { input: { number: 7 } });
    expect(sent(written, "Maria Souza")).toEqual([{ number: 7 }]);
    expect(sent(looking(["name"]), "Maria Souza")).toEqual([{ name: "Maria Souza" }]);
  });

  test("is missed by lint only where neither is given", () => {
    expect(findings(looking(["number"]))).toEqual([]);
    expect(findings(looking([]))).toEqual([
      expect.stringContaining('effect/input-missing: "sample.find" needs "name"'),
    ]);
  });
});
