/** Raw XState: each step, answer and way back is written out; the author keeps the snapshot and the calls. */
import { assign, createActor, createMachine, fromPromise } from "xstate";
import { readCpf, readValue, WORDS } from "./world.js";

export function createNote({ issue, reply, snapshot }) {
  const say =
    (text) =>
    ({ context }) =>
      reply(typeof text === "function" ? text(context) : text);
  const machine = createMachine({
    context: { cpf: undefined, cents: undefined },
    initial: "idle",
    states: {
      idle: { on: { TEXT: "cpf" } },
      cpf: {
        entry: say(WORDS.cpf),
        on: {
          TEXT: [
            {
              guard: ({ event }) => readCpf(event.text) !== undefined,
              actions: assign({ cpf: ({ event }) => readCpf(event.text) }),
              target: "filled",
            },
            { actions: say(WORDS.badCpf) },
          ],
        },
      },
      value: {
        entry: say(WORDS.value),
        on: {
          TEXT: [
            {
              guard: ({ event }) => readValue(event.text) !== undefined,
              actions: assign({ cents: ({ event }) => readValue(event.text) }),
              target: "filled",
            },
            { actions: say(WORDS.badValue) },
          ],
        },
      },
      filled: {
        always: [
          { guard: ({ context }) => context.cents === undefined, target: "value" },
          { target: "confirm" },
        ],
      },
      confirm: {
        entry: say(({ cpf, cents }) => WORDS.confirm(cpf, cents)),
        on: {
          TEXT: [
            { guard: ({ event }) => /^sim$/i.test(event.text), target: "issuing" },
            { guard: ({ event }) => /^cpf$/i.test(event.text), target: "cpf" },
            { guard: ({ event }) => /^valor$/i.test(event.text), target: "value" },
            { target: "confirm", reenter: true },
          ],
        },
      },
      issuing: {
        invoke: {
          src: fromPromise(({ input }) => issue(input.cpf, input.cents)),
          input: ({ context }) => context,
          onDone: {
            target: "done",
            actions: ({ event }) => reply(WORDS.issued(event.output.number)),
          },
          onError: "confirm",
        },
      },
      done: { type: "final" },
    },
  });
  const actor = createActor(machine, snapshot ? { snapshot } : {});
  actor.start();
  return actor;
}
