/** `understand` for the command line: the demo zone, pt-BR words, and what the plugins of the bot know. */
import { businessOf } from "../../engine/index.ts";
import { isKind, KINDS, understand } from "../../understanding/index.ts";
import { loadBot } from "../bot/load-bot.ts";

export interface Understanding {
  /** The runtime's kinds, and those of plugins. */
  readonly kinds: readonly string[];
  /** Understands one text at a moment (ms). Throws a `RangeError` for a kind that there is not. */
  readonly read: (kind: string, text: string, now: number) => unknown;
}

/** Of the bot in this folder. */
export async function understandingOf(folder: string): Promise<Understanding> {
  const { readers = [] } = (await loadBot(folder)).vocabulary;
  const own = new Map(readers.flatMap(({ understands = {} }) => Object.entries(understands)));
  const context = {
    ...({ zone: "America/Sao_Paulo", locale: "pt-BR", variant: 0 } as const),
    business: businessOf(readers),
  };
  return {
    kinds: [...KINDS, ...own.keys()],
    read(kind, text, now) {
      const reader = own.get(kind);
      if (reader) return reader(text, { ...context, now });
      if (!isKind(kind)) throw new RangeError(`There is no kind ${kind}.`);
      return understand(kind, text, { ...context, now });
    },
  };
}
