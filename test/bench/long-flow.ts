/** The flow of `answer.ts`: so many questions in a row. Lint must let each of them through, as it does anybody's flow. */
import { z } from "zod";
import {
  createLibrary,
  flowsOf,
  slot,
  type FlowAccount,
  type FlowLibrary,
} from "../../src/flow/index.ts";

/** Few, the length of the bar, and the longest that lint lets through (`cost/walk-too-long`). */
export const ASKS = [10, 60, 150] as const;

export function namesOf(asks: number): string[] {
  return Array.from({ length: asks }, (_, index) => `q${index}`);
}

/** A library in which the flow `long` asks this often, with what lint found. */
export function longFlow(asks: number): FlowLibrary {
  const names = namesOf(asks);
  const make = flowsOf<{ readonly account: FlowAccount }>();
  const ast = make(
    "long",
    {
      version: 1,
      slots: z.object(Object.fromEntries(names.map((name) => [name, slot.text({ max: 80 })]))),
      budget: { calls: asks },
    },
    (f) => names.map((name) => f.ask(name, { ask: `Pergunta ${name}?` })) as never,
  );
  const bad = { text: { default: "Não entendi." } };
  return createLibrary({
    flows: [{ ast, texts: { "pt-BR": { locale: "pt-BR", bad } } }],
    common: { "pt-BR": { locale: "pt-BR" } },
    effects: [],
  });
}
