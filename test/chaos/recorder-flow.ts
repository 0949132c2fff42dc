/**
 * The oracle's flow: a session that lists every number it heard, so that a lost, doubled or swapped event is to be seen
 * from the list alone. Every second number is answered, and a timer notes how long the list was when all went quiet.
 */
import type { FlowLibrary, FlowProgram } from "../../src/flow/index.ts";
import type {
  Demand,
  Expectation,
  ProgramContext,
  ProgramState,
  ProgramStep,
} from "../../src/engine/index.ts";

export interface Recording {
  readonly heard: readonly number[];
  /** Length of the list when the quiet timer fired last. */
  readonly quietAt: number;
  /** When the list grew last, ms; each time the quiet timer is set anew. */
  readonly lastAt?: number;
  /** How often the timer fired although a newer one had been set. */
  readonly early?: number;
  /** Firings since the list last grew; more than one is counted in `again`. */
  readonly fired?: number;
  readonly again?: number;
}

const QUIET_MS = 400;
const NUMBER = /^#(\d{1,9})$/;
/** Said to a message that came after one of ours was given up. */
export const ASKED_AGAIN = "#?";
/** A text that no turn survives: the event goes to dead letters and the conversation on. */
export const POISON = "poison";

const expectation: Expectation = {
  ...{ step: "hear", rests: "ask", slot: "number", sealed: false, optional: false },
  slots: [
    {
      ...{ name: "number", kind: "number", filled: false, names: [] },
      read(text) {
        if (text === POISON) throw new Error("a poisoned event");
        const found = NUMBER.exec(text.trim());
        return found
          ? { ok: true, value: Number(found[1]), echo: text }
          : { ok: false, reason: "absent" };
      },
    },
  ],
};

const recordingOf = (state: ProgramState): Recording => state as unknown as Recording;

function step(recording: Recording, text: string, demands: readonly Demand[]): ProgramStep {
  return {
    state: { ...recording, heard: [...recording.heard] },
    handled: true,
    say: text === "" ? [] : [{ text }],
    demands,
    trace: [],
  };
}

const recorder = {
  ...{ flow: "menu", role: "menu" as const, title: "Recorder", starts: [], outcomes: [] },
  audience: "anyone",
  start: () => step({ heard: [], quietAt: 0 }, "#0", []),
  step(
    state: ProgramState,
    event: { type: string; values?: { number?: number } },
    { now }: ProgramContext,
  ) {
    const old = recordingOf(state);
    const { heard, early = 0, lastAt = 0, fired = 0, again = 0 } = old;
    const number = event.values?.number;
    if (event.type === "quiet.nudge") {
      const soon = now - lastAt < QUIET_MS ? 1 : 0;
      const times = { fired: fired + 1, again: again + (fired > 0 ? 1 : 0) };
      return step({ ...old, ...times, quietAt: heard.length, early: early + soon }, "", []);
    }
    if (event.type !== "ANSWER" || number === undefined) return step(old, "", []);
    const quiet: Demand = { type: "quiet", nudgeMs: QUIET_MS };
    const said = number % 2 === 0 ? `#${number}` : "";
    return step({ ...old, heard: [...heard, number], lastAt: now, fired: 0 }, said, [quiet]);
  },
  expects: () => expectation,
  prompt: () => [{ text: ASKED_AGAIN }],
  summary: () => [],
  adopt: ({ state }: { state: ProgramState }) => ({
    ok: true,
    step: step(recordingOf(state), "", []),
  }),
};

/**
 * The library with the recorder in the place of the menu, and nothing else. Each build has a version of its own, and takes
 * over conversations that the other one left.
 */
export function recording(library: FlowLibrary, build: number): FlowLibrary {
  const program = {
    ...recorder,
    ...{ version: build, hash: `recorder-${build}` },
  } as unknown as FlowProgram;
  return {
    ...library,
    findings: [],
    get: (flow) => (flow === "menu" ? program : undefined),
    list: () => [program],
    asts: () => [],
    word: (key, vars, context) => (key === "privacy" ? "" : library.word(key, vars, context)),
  };
}
