/** The form as a plain XState machine, for the contestants that have no flow kit: one state per question. */
import { assign, createActor, setup, transition, type SnapshotFrom } from "xstate";
import { AGAIN, opening, questions, read, summary } from "./form.ts";

interface Context {
  readonly values: readonly string[];
  readonly again: boolean;
}
interface Said {
  readonly type: "SAID";
  readonly text: string;
}

const TYPES: { readonly context?: Context; readonly events?: Said } = {};

function machineOf(length: number) {
  const asked = questions(length);
  const { createMachine } = setup({
    types: TYPES,
    guards: {
      opens: ({ event }) => event.text === opening(length),
      fits: ({ event }, params: { kind: (typeof asked)[number]["kind"] }) =>
        read(params.kind, event.text) !== undefined,
    },
    actions: {
      begin: assign({ values: [], again: false }),
      keep: assign({
        values: ({ context, event }) => [...context.values, event.text],
        again: false,
      }),
      repeat: assign({ again: true }),
    },
  });
  const states = asked.map(({ name, kind }, index) => [
    name,
    {
      on: {
        SAID: [
          {
            guard: { type: "fits", params: { kind } } as const,
            actions: "keep" as const,
            target: asked[index + 1]?.name ?? "done",
          },
          { actions: "repeat" as const },
        ],
      },
    },
  ]);
  const begin = { guard: "opens", actions: "begin", target: asked[0]?.name ?? "done" } as const;
  return createMachine({
    id: "form",
    initial: "idle",
    context: { values: [], again: false },
    states: {
      idle: { on: { SAID: begin } },
      ...(Object.fromEntries(states) as Record<string, { on: { SAID: never[] } }>),
      done: { on: { SAID: begin } },
    },
  });
}

type Machine = ReturnType<typeof machineOf>;

/** A form that can be moved by one text from a stored state. */
export interface Form {
  /** One transition from the stored text (null: a new contact) to the next one, and the reply. */
  move(stored: string | null, text: string): { readonly stored: string; readonly reply: string };
}

/**
 * `restore`: `plain` keeps only position and context and puts them back with `resolveState`, the least XState can do;
 * `documented` keeps the persisted snapshot and restores it by an actor, as XState's documentation says.
 */
export function createForm(length: number, restore: "plain" | "documented"): Form {
  const machine = machineOf(length);
  const prompts = new Map(questions(length).map(({ name, prompt }) => [name, prompt]));
  const names = questions(length).map(({ name }) => name);
  const initial = createActor(machine).getSnapshot();

  const opened = (stored: string): SnapshotFrom<Machine> => {
    const parsed: unknown = JSON.parse(stored);
    if (restore === "plain")
      return machine.resolveState(parsed as Parameters<typeof machine.resolveState>[0]);
    return createActor(machine, { snapshot: parsed as SnapshotFrom<Machine> }).getSnapshot();
  };
  const closed = (snapshot: SnapshotFrom<Machine>): string =>
    JSON.stringify(
      restore === "plain"
        ? { value: snapshot.value, context: snapshot.context }
        : machine.getPersistedSnapshot(snapshot),
    );
  const replyOf = ({ value, context }: SnapshotFrom<Machine>): string => {
    if (context.again) return AGAIN;
    const place = value as string;
    return (
      prompts.get(place) ??
      summary(context.values.map((shown, index) => [names[index] ?? "", shown]))
    );
  };
  return {
    move(stored, text) {
      const before = stored === null ? initial : opened(stored);
      const [after] = transition(machine, before, { type: "SAID", text });
      return { stored: closed(after), reply: replyOf(after) };
    },
  };
}
