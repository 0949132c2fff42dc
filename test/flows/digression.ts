/** A flow that knows something, beside the shipped ones: what people ask in the middle of another. */
import { z } from "zod";
import type { Library } from "../../src/engine/index.ts";
import { slot, type FlowLibrary, type FlowProgram } from "../../src/flow/index.ts";
import { programOf, smallFlow } from "../flow/fixtures/small.ts";

export function knowledge(): FlowProgram {
  const ast = smallFlow(
    "opening-hours",
    { version: 1, audience: "anyone", slots: z.object({ day: slot.text() }) },
    (f) => [f.ask("day"), f.say("hours"), f.end()],
  );
  return programOf(ast, {
    start: ["horário de funcionamento"],
    ask: { day: "De que dia?" },
    say: { hours: "Abrimos das 9 às 18." },
  });
}

/** The library with one flow more. */
export function withFlow(library: FlowLibrary, more: FlowProgram): Library {
  return {
    get: (flow, hash) => (flow === more.flow ? more : library.get(flow, hash)),
    list: () => [...library.list(), more],
    word: (key, vars, context) => library.word(key, vars, context),
  };
}
