/** Jumps back that turn for ever, since every question on the way has been answered: told before anybody is in one. */
import { expect, test } from "vitest";
import { z } from "zod";
import { slot, type Ast } from "../../src/flow/index.ts";
import { findingsOf, smallFlow } from "./fixtures/small.ts";

const slots = z.object({ name: slot.name() });
const WORDS = {
  ask: { name: "Nome?" },
  say: { hello: "Oi.", no: "Não." },
  confirm: { sum: "Certo?" },
};
const options = { version: 1, slots } as const;

function told(ast: Ast): string[] {
  return findingsOf(ast, WORDS).filter((line) => line.startsWith("graph/loop-without-rest"));
}

test.each<[string, Ast]>([
  [
    "to what is said",
    smallFlow("turns", options, (f) => [f.ask("name"), f.say("hello"), f.goto("hello")]),
  ],
  [
    "to a question whose answer it leaves",
    smallFlow("turns", options, (f) => [
      f.ask("name"),
      f.say("hello"),
      f.goto("name", { clear: [] }),
    ]),
  ],
  ["to a form", smallFlow("turns", options, (f) => [f.form("all", { name: true }), f.goto("all")])],
  [
    "under a condition",
    smallFlow("turns", options, (f, $) => [
      f.ask("name"),
      f.say("hello"),
      f.when($.name.is("Ana"), [f.say("no"), f.goto("hello")]),
    ]),
  ],
  [
    "behind a yes that stays one",
    smallFlow("turns", options, (f) => [
      f.ask("name"),
      f.confirm("sum", { show: ["name"] }),
      f.say("hello"),
      f.goto("hello"),
    ]),
  ],
])("a jump back %s is one", (_where, ast) => {
  expect(told(ast)).toEqual([
    expect.stringMatching(/"to-\w+" goes back to "\w+", and nothing on the way is asked again\./),
  ]);
});

test.each<[string, Ast]>([
  [
    "to a question asks it anew",
    smallFlow("turns", options, (f) => [f.ask("name"), f.say("hello"), f.goto("name")]),
  ],
  [
    "that clears an answer asks for it",
    smallFlow("turns", options, (f) => [
      f.ask("name"),
      f.say("hello"),
      f.goto("hello", { clear: ["name"] }),
    ]),
  ],
  [
    "over a summary shows it again",
    smallFlow("turns", options, (f) => [
      f.ask("name"),
      f.say("hello"),
      f.confirm("sum", { show: ["name"] }),
      f.goto("hello"),
    ]),
  ],
  [
    "to a summary shows it again",
    smallFlow("turns", options, (f) => [
      f.ask("name"),
      f.confirm("sum", { show: ["name"] }),
      f.say("hello"),
      f.goto("sum"),
    ]),
  ],
  [
    "over a person who took over waits for that person",
    smallFlow("turns", options, (f) => [
      f.ask("name"),
      f.say("hello"),
      f.handoff("asked"),
      f.goto("hello"),
    ]),
  ],
])("a jump %s", (_where, ast) => {
  expect(told(ast)).toEqual([]);
});
