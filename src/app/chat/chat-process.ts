/**
 * A process of a chat file: the real worker and the real way in, on a store in memory. Nothing in it runs by itself; it is
 * driven step by step. It may die at any step of the store, and whatever it knew goes with it.
 */
import type { Account, CallResult, Session } from "../../engine/index.ts";
import { createIngest, type Ingest } from "../../server/index.ts";
import { type Commit, type Steps, type Store, withSteps } from "../../store/index.ts";
import {
  createWorker,
  type EffectTable,
  type OwnEffects,
  type Worker,
  type WorkerDeps,
} from "../../worker/index.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import type { Rehearsal } from "../bot/plugin.ts";
import type { Caller, ChatGateway } from "./chat-gateway.ts";

/** Told of each step that a chat file looks at. `die`: the process ends there. */
interface Witness {
  readonly commits: (commit: Commit) => "die" | undefined;
  readonly committed: (commit: Commit) => "die" | undefined;
  /** A message could not be applied, however often. */
  readonly parked: (reason: string) => void;
  /** Something waits until `at`, ms. */
  readonly later: (at: number) => void;
}

/** In the order in which they are served. */
const LOOPS = ["outbox", "turns", "timers"] as const;

export class ChatProcess implements Caller {
  readonly worker: Worker;
  readonly ingest: Ingest;
  isDead = false;
  /** Resolves when it dies. */
  readonly death: Promise<void>;
  /** Loops that may have work, as the store told. */
  readonly #wants = new Set<(typeof LOOPS)[number]>();
  /** Effects of this process's commits that are not begun. */
  #waiting = 0;
  /** A process before this one may have left effects and claims, which are not counted. */
  readonly #isNext: boolean;
  #died: () => void = () => undefined;

  constructor(
    store: Store,
    witness: Witness,
    /** There was a process before this one. */
    isNext: boolean,
    given: (own: ChatProcess) => Omit<WorkerDeps, "store">,
  ) {
    this.#isNext = isNext;
    store.onWake((what) => this.#wants.add(what));
    this.wake();
    this.death = new Promise((resolve) => (this.#died = resolve));
    const own = this.#mortal(store, witness);
    const deps = given(this);
    const worker = createWorker({ ...deps, store: own });
    this.worker = worker;
    this.ingest = createIngest({
      store: own,
      mail: own.mail,
      clock: deps.clock,
      echoes: worker.echoes,
      automatic: worker.automatic,
      signals: worker.signals,
    });
  }

  /** There may be work for every loop: time went by. */
  wake(): void {
    for (const what of LOOPS) this.#wants.add(what);
  }

  /** Whether some loop may have work. */
  get hasWork(): boolean {
    if (!this.#isNext && this.#waiting === 0) this.#wants.delete("outbox");
    return this.#wants.size > 0;
  }

  /** One round of the first loop that may have work, effects before turns. */
  async step(): Promise<void> {
    const next = this.hasWork && LOOPS.find((what) => this.#wants.delete(what));
    if (!next) return;
    const found = await this.worker.round(next);
    // A round of turns that found one contact found all that were due: mail that came since is a want of its own.
    if (found > (next === "turns" && !this.#isNext ? 1 : 0)) this.#wants.add(next);
  }

  die(): Promise<never> {
    this.isDead = true;
    this.#died();
    return new Promise(() => undefined);
  }

  /** The store as long as this process lives; what it asks for afterwards is never answered. */
  #mortal(store: Store, witness: Witness): Store {
    const steps: Steps = {
      "mail.commit": async (commits) => {
        for (const one of commits) if (witness.commits(one) === "die") return this.die();
        const answers = await store.mail.commit(commits);
        for (const [index, one] of commits.entries()) {
          if (one.againAt !== undefined) witness.later(one.againAt);
          const answer = answers[index];
          if (!answer?.ok) continue;
          this.#waiting += one.effects.length - answer.begun.length;
          if (witness.committed(one) === "die") return this.die();
        }
        return answers;
      },
      "deadLetters.add": (input) => {
        witness.parked(input.reason);
        return store.deadLetters.add(input);
      },
      "effects.begin": async (options) => {
        const begun = await store.effects.begin(options);
        this.#waiting -= begun.length;
        return begun;
      },
      "effects.end": (ends) => {
        for (const { outcome } of ends) {
          if (outcome.kind !== "retry" && outcome.kind !== "not_sent") continue;
          this.#waiting++;
          witness.later(outcome.at);
        }
        return store.effects.end(ends);
      },
    };
    return withSteps(store, (name, own) => {
      const step = (steps[name] ?? own) as (...given: readonly unknown[]) => unknown;
      return (...given: readonly unknown[]) => (this.isDead ? this.die() : step(...given));
    });
  }
}

/** The accounts of a chat file: one. */
export function onlyAccount(account: Account): WorkerDeps["accounts"] {
  return {
    get: async (id) => (id === account.id ? account : null),
    ids: async () => [account.id],
  };
}

type Call = EffectTable["calls"] extends ReadonlyMap<string, infer S> ? S : never;
type Local = EffectTable["locals"] extends ReadonlyMap<string, infer S> ? S : never;

export function rehearsalsOf({ plugins }: Pick<LoadedBot, "plugins">): readonly Rehearsal[] {
  return plugins.flatMap(({ rehearsal }) => (rehearsal ? [rehearsal] : []));
}

interface Scripted {
  readonly effects: EffectTable;
  readonly own: OwnEffects;
}

/**
 * The bot's effects for one process of a chat file. Those that a plugin's rehearsal does are the worker's own, on the documents of
 * the store. Every other one ends as a line of the file says, in the words that its flow reads; its faults are judged by the worker.
 */
export function scripted(
  bot: Pick<LoadedBot, "plugins" | "table" | "effects">,
  locale: Session["locale"],
  of: { readonly gateway: ChatGateway; readonly caller: Caller },
): Scripted {
  const rehearsals = rehearsalsOf(bot);
  const done = new Set(rehearsals.flatMap(({ does = [] }) => does));
  const { gateway, caller } = of;
  const refused = (name: string, no: { readonly code: string; readonly message: string }) => {
    for (const { refused: told } of rehearsals) {
      const result = told?.(name, no, locale);
      if (result) return result;
    }
    return undefined;
  };
  const call = (spec: Call): Call => {
    const { name, route, input, version, result, results, unless, unpaid, prepare } = spec;
    return {
      name,
      class: spec.class,
      route,
      input,
      version,
      result,
      results,
      unless,
      unpaid,
      prepare,
      interpret: (answer) =>
        answer.kind === "done"
          ? (answer.data as unknown as CallResult)
          : (refused(name, { code: answer.code ?? "", message: answer.message }) ??
            spec.interpret(answer)),
      perform: (_context, { begun, entry, send }) =>
        send({ body: gateway.asking({ id: begun.id, name }, entry.input), query: {} }),
    };
  };
  const local = (spec: Local): Local =>
    done.has(spec.name)
      ? spec
      : {
          ...spec,
          perform: async ({ begun }) => {
            const outcome = await gateway.outside(caller, { id: begun.id, name: spec.name });
            const result = (outcome.kind === "ok" ? outcome.data : null) as CallResult;
            return { outcome: { kind: "done" }, result };
          },
        };
  return {
    effects: {
      calls: new Map([...bot.table.calls].map(([name, spec]) => [name, call(spec)])),
      locals: new Map([...bot.table.locals].map(([name, spec]) => [name, local(spec)])),
    },
    own: new Map(
      bot.effects.map(({ effect }) => [
        effect.name,
        {
          effect,
          call: gateway.own(caller, effect.name),
          interpret: (answer) =>
            answer.kind === "done"
              ? (answer.data as unknown as CallResult)
              : { outcome: "rejected", out: { text: answer.message, code: answer.code ?? "" } },
        },
      ]),
    ),
  };
}
