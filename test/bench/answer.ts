/**
 * `npm run bench:answer`: one answer in a long flow, from stored text to stored text, beside bare XState.
 *
 * Prosa: parse the stored state, check it, take the event, say the next question, make the demands, serialise. Bare XState:
 * parse the persisted snapshot, restore it, one `transition()`, serialise; no text, no check, no repair.
 */
import { parseArgs } from "node:util";
import { assign, createActor, createMachine, transition } from "xstate";
import type { ProgramContext, ProgramState } from "../../src/engine/index.ts";
import { ASKS, longFlow, namesOf } from "./long-flow.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "40" }, asks: { type: "string", multiple: true } },
});
const ROUNDS = Number(values.rounds);
const LENGTHS = (values.asks ?? ASKS).map(Number);
/** Answers measured together: far above what the counter can tell apart. */
const BATCH = 1_000;

const CONTEXT: ProgramContext = {
  now: Date.UTC(2026, 10, 21, 13),
  zone: "America/Sao_Paulo",
  locale: "pt-BR",
  variant: 0,
};
const VALUE = "Corte de cabelo e barba";

interface Contestant {
  readonly name: string;
  /** One answer in the middle; gives what would be stored. */
  readonly answer: () => string;
}

function prosa(asks: number): Contestant {
  const library = longFlow(asks);
  const program = library.get("long");
  if (!program) throw new Error(JSON.stringify(library.findings));
  let { state } = program.start({ input: {}, account: {}, contact: {} }, CONTEXT);
  const middle = Math.floor(asks / 2);
  const give = (index: number) => ({ type: "ANSWER", values: { [`q${index}`]: VALUE } }) as const;
  for (let index = 0; index < middle; index++)
    ({ state } = program.step(state, give(index), CONTEXT));
  const stored = JSON.stringify(state);
  return {
    name: "Prosa",
    answer: () => {
      const step = program.step(JSON.parse(stored) as ProgramState, give(middle), CONTEXT);
      if (step.say[0]?.key !== `ask.q${middle + 1}`) throw new Error("not answered");
      return JSON.stringify(step.state);
    },
  };
}

function bare(asks: number): Contestant {
  const names = namesOf(asks);
  const machine = createMachine({
    id: "long",
    initial: "q0",
    context: {},
    states: {
      ...Object.fromEntries(
        names.map((name, index) => [
          name,
          {
            on: {
              ANSWER: {
                target: names[index + 1] ?? "done",
                actions: assign(({ event }) => ({
                  [name]: (event as unknown as { value: string }).value,
                })),
              },
            },
          },
        ]),
      ),
      done: { type: "final" as const },
    },
  });
  const middle = Math.floor(asks / 2);
  let snapshot = createActor(machine).getSnapshot();
  const event = { type: "ANSWER", value: VALUE } as const;
  for (let index = 0; index < middle; index++) [snapshot] = transition(machine, snapshot, event);
  const stored = JSON.stringify(snapshot);
  return {
    name: "bare XState",
    answer: () => {
      const restored = createActor(machine, {
        snapshot: JSON.parse(stored) as typeof snapshot,
      }).getSnapshot();
      const [next] = transition(machine, restored, event);
      if (next.value !== `q${middle + 1}`) throw new Error("not answered");
      return JSON.stringify(next);
    },
  };
}

/** CPU of one answer, all threads, µs: what else runs on the machine does not count. */
function micros({ answer }: Contestant): number {
  const from = process.cpuUsage();
  for (let index = 0; index < BATCH; index++) answer();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / BATCH;
}

function median(of: readonly number[]): number {
  return [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? NaN;
}

process.stdout.write(
  "| asks | Prosa, µs of CPU (lowest–highest) | bare XState | stored, Prosa / bare, bytes |\n",
);
process.stdout.write("| --- | --- | --- | --- |\n");
for (const asks of LENGTHS) {
  const both = [prosa(asks), bare(asks)];
  const [first, second] = both;
  const times = new Map(both.map(({ name }) => [name, [] as number[]]));
  for (const one of both) for (let round = 0; round < 6; round++) micros(one);
  for (let round = 0; round < ROUNDS; round++)
    for (const one of both) times.get(one.name)?.push(micros(one));
  const told = both.map(({ name }) => times.get(name) ?? []);
  const [own = [], other = []] = told;
  const range = `${Math.min(...own).toFixed(1)}–${Math.max(...own).toFixed(1)}`;
  const bytes = [first, second].map((one) => one?.answer().length ?? 0).join(" / ");
  process.stdout.write(
    `| ${asks} | ${median(own).toFixed(1)} (${range}) | ${median(other).toFixed(1)} | ${bytes} |\n`,
  );
}
