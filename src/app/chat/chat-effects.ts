/**
 * Effects in a chat file. Those that a plugin's rehearsal does are the worker's own, on the documents of the store. Every other one
 * ends as a line of the file says, in the words that its flow reads; its faults are judged by the worker.
 */
import type { CallResult, Session } from "../../engine/index.ts";
import type { EffectTable, OwnEffects } from "../../worker/index.ts";
import type { Rehearsal } from "../authoring/rehearsal.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import type { Caller, ChatGateway } from "./chat-gateway.ts";

type Call = EffectTable["calls"] extends ReadonlyMap<string, infer S> ? S : never;
type Local = EffectTable["locals"] extends ReadonlyMap<string, infer S> ? S : never;

export function rehearsalsOf({ plugins }: Pick<LoadedBot, "plugins">): readonly Rehearsal[] {
  return plugins.flatMap(({ rehearsal }) => (rehearsal ? [rehearsal] : []));
}

interface Scripted {
  readonly effects: EffectTable;
  readonly own: OwnEffects;
}

/** The bot's effects for one process of a chat file. */
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
