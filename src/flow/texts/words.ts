/** The words of a turn: the machine's outputs as paragraphs. A person's message always gets at least one. */
import type { Paragraph, ProgramContext } from "../../engine/index.ts";
import type { Turned } from "../machine/machine.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { Out } from "../moves/move.ts";
import type { Speaker } from "./speaker.ts";

/** Events a person caused: they never end in silence. */
const PERSONAL = /^[A-Z]+$/;

interface Voice {
  readonly model: FlowIndex;
  readonly speaker: Speaker;
}

export function wordsOf(
  turned: Turned,
  event: string,
  voice: Voice,
  context: ProgramContext,
): Paragraph[] {
  const { model, speaker } = voice;
  const summarised = turned.outs.some(
    (out) => out.type === "out.ask" && model.steps.get(out.step)?.t === "confirm",
  );
  const said = turned.outs
    .filter((out) => !(summarised && isNews(out)))
    .flatMap((out) => paragraph(out, voice, context));
  const step = model.steps.get(turned.facts.at);
  if (said.length > 0 || turned.ended || !PERSONAL.test(event) || !step) return said;
  // The flow that begins has the word.
  const began = turned.outs.some((out) => out.type === "out.begin");
  if (step.t === "subflow" && began) return said;
  if (step.t === "effect" && began && isLookUp(step.effect, model)) return said;
  return speaker.prompt(step, turned.facts, true, context);
}

/** What a summary tells as well. */
function isNews(out: Out): boolean {
  return out.type === "out.word" && out.word !== "why" && out.slots.length > 0;
}

/**
 * A look-up, or an effect of the runtime itself. It is answered in a moment, so no message says "one moment" before its
 * result.
 */
function isLookUp(effect: string, model: FlowIndex): boolean {
  const info = model.words.effects.get(effect);
  return info?.class === "read" || info?.local === true;
}

function paragraph(out: Out, { model, speaker }: Voice, context: ProgramContext): Paragraph[] {
  switch (out.type) {
    case "out.say":
      return speaker.say(out, context);
    case "out.ask": {
      const step = model.steps.get(out.step);
      return step ? speaker.prompt(step, out.facts, out.again, context) : [];
    }
    case "out.word":
      return speaker.commonWord(out, context);
    case "out.bad":
      return speaker.bad(out, context);
    case "out.begin":
    case "out.handoff":
    case "out.quiet":
      return [];
  }
}
