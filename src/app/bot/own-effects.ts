/** A bot's own effects, ready to be called: their settings, their connections, their threads. */
import { createDispatcher } from "../../gateway/index.ts";
import { httpCall, type OwnCall, type OwnEffects, publicLookup } from "../../worker/index.ts";
import type { LoadedBot } from "./loaded-bot.ts";
import { RunCall } from "./run-call.ts";

export interface OpenedEffects {
  readonly effects: OwnEffects;
  /** Effects that cannot be called as things are, each a sentence. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** `secrets`: the settings `PROSA_SECRET_<NAME>`, by NAME. `tell` gets a sentence for the log for each run that failed. */
export function openEffects(
  bot: LoadedBot,
  secrets: Readonly<Record<string, string>>,
  tell: (message: string) => void,
): OpenedEffects {
  const dispatchers = {
    open: createDispatcher(),
    guarded: createDispatcher({ lookup: publicLookup }),
  };
  const threads: RunCall[] = [];
  const effects = new Map(
    bot.effects.map((loaded) => {
      const { effect } = loaded;
      const { http } = effect;
      let call: OwnCall;
      if (http) call = httpCall({ ...effect, http }, (name) => secrets[name], dispatchers);
      else {
        const thread = new RunCall(loaded, secrets, tell);
        threads.push(thread);
        call = thread;
      }
      return [effect.name, { effect, call }] as const;
    }),
  );
  return {
    effects,
    problems: [...effects].flatMap(([name, { call }]) =>
      call.problem === undefined ? [] : [`The effect ${name} cannot be called: ${call.problem}`],
    ),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
      await Promise.all([dispatchers.open.close(), dispatchers.guarded.close()]);
    },
  };
}
