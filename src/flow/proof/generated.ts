/** Generated tests of a flow: every place a conversation can rest at is reached by sample answers, and each is asked everything. */
import type { ProgramContext } from "../../engine/index.ts";
import type { FlowProgram } from "../program.ts";
import { placesOf } from "../versions/index.ts";
import type { Broken } from "./ground.ts";
import { Properties } from "./properties.ts";

/** Places of one step that are asked everything; the others differ from them in what was said before. */
const PLACES_OF_STEP = 12;
/** Broken properties told of one flow at most; one mistake breaks many places. */
const BROKEN_MAX = 20;

export interface Generated {
  readonly flow: string;
  readonly places: number;
  /** False when the flow has more places than are walked. */
  readonly whole: boolean;
  readonly broken: readonly Broken[];
}

class Enough extends Error {}

/** Walks the flow. `most` = broken properties after which it stops. Pure. */
export function generated(
  program: FlowProgram,
  context: ProgramContext,
  most = BROKEN_MAX,
): Generated {
  const broken: Broken[] = [];
  let places = 0;
  const asked = new Map<string, number>();
  const properties = new Properties(program, context, (one) => {
    broken.push(one);
    if (broken.length >= most) throw new Enough();
  });
  try {
    const walked = placesOf(program, context, {
      turned: (step, path) => properties.turned(step, path),
      failed: (error, path) => properties.failed(error, path),
      place: ({ at, state, events }) => {
        places += 1;
        const before = asked.get(at) ?? 0;
        asked.set(at, before + 1);
        if (before >= PLACES_OF_STEP) return;
        properties.place(state, events);
      },
    });
    return { flow: program.flow, places, whole: walked.whole, broken };
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return { flow: program.flow, places, whole: false, broken };
  }
}
