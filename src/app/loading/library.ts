/** The library of a bot's flows, and what a process remembers from one to the next: what lint said, programs as they were made. */
import { smsCut } from "../../channels/index.ts";
import {
  type Ast,
  type Catalogues,
  type ChannelLimits,
  createLibrary,
  type Finding,
  type FlowLibrary,
  type FlowSource,
  type LibrarySource,
  MESSENGER,
  ProgramCache,
  spoken,
} from "../../flow/index.ts";
import { type LoadedBot, NO_BOT } from "../bot/loaded-bot.ts";
import type { Kept } from "./kept.ts";

/** Verdicts of a flow that are remembered: a save that does not hold up is followed by what was there before it. */
const LATELY = 2;

interface Verdict {
  /** What it hangs on, piece by piece. */
  readonly on: () => readonly unknown[];
  readonly said: readonly Finding[];
}

/** Worked out when it is first asked for; then what it is made of is let go. */
function once<T>(make: () => T): () => T {
  let state: { readonly make: () => T } | { readonly made: T } = { make };
  return () => {
    if ("make" in state) state = { made: state.make() };
    return state.made;
  };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/**
 * What lint said of flows that were looked at before in this process. One that is saved is looked at anew, and with it those
 * that name it, however far around: lint follows names from flow to flow. All others would be told the same again.
 */
export class Verdicts {
  /** By flow, the latest first. */
  readonly #known = new Map<string, readonly Verdict[]>();
  /** What a flow is written in, word by word. */
  readonly #words = new WeakMap<Ast, ReadonlySet<string>>();

  /** `before`: what the last start was told. */
  of(
    flows: readonly FlowSource[],
    common: Catalogues,
    before: NonNullable<LibrarySource["verdict"]> = (_flow, look) => look(),
  ): NonNullable<LibrarySource["verdict"]> {
    const byName = new Map(flows.map(({ ast }) => [ast.flow, ast]));
    // Itself by what it is, and not by its name: two folders may hold a flow of one name.
    const words = new Map(flows.map(({ ast, texts }) => [ast, texts]));
    const names = [...byName.keys()];
    // Names that are none are told with the nearest that is one.
    const everywhere = JSON.stringify([names, flows.map(({ events }) => events)]);
    // Asked for by the library after this one: a start that is followed by no save needs none of it.
    const named = once(
      () => new Map(flows.map(({ ast }) => [ast.flow, this.#namedBy(ast, names)])),
    );
    return (flow, look) => {
      const on = once(() => {
        const around = new Set([flow.flow]);
        for (const one of around) for (const name of named().get(one) ?? []) around.add(name);
        const others = [...around].map((name) => byName.get(name));
        return [everywhere, common, flow, words.get(flow), ...others];
      });
      const lately = this.#known.get(flow.flow) ?? [];
      const known = lately.find((one) => isSame(one.on(), on()));
      const said = known?.said ?? before(flow, look);
      const others = lately.filter((one) => one !== known).slice(0, LATELY - 1);
      this.#known.set(flow.flow, [known ?? { on, said }, ...others]);
      return said;
    };
  }

  /** The flows whose names stand in a flow. */
  #namedBy(ast: Ast, names: readonly string[]): readonly string[] {
    let words = this.#words.get(ast);
    if (!words) {
      // Whatever stands between quotes: names have none in them.
      words = new Set(JSON.stringify(ast).split('"'));
      this.#words.set(ast, words);
    }
    return names.filter((name) => words.has(name));
  }
}

/** What the library before leaves to the next one of the same process. */
export interface Known {
  readonly verdicts: Verdicts;
  readonly programs: ProgramCache;
}

export function nothingKnown(): Known {
  return { verdicts: new Verdicts(), programs: new ProgramCache() };
}

/** Short messages have their own measure, and neither polls nor buttons. */
const SMS: ChannelLimits = {
  name: "SMS",
  maxText: Infinity,
  options: Infinity,
  label: Infinity,
  over: smsCut,
};

/**
 * The library of these flows, with the runtime's effects and common texts and what their bot adds. `known`: from the one
 * before it.
 */
export function libraryOf(
  flows: readonly FlowSource[],
  older: NonNullable<LibrarySource["older"]> = [],
  findings: readonly Finding[] = [],
  more: Pick<LibrarySource, "probe"> & {
    readonly kept?: Kept | undefined;
    readonly known?: Known | undefined;
    readonly bot?: LoadedBot | undefined;
  } = {},
): FlowLibrary {
  const { probe, kept, known, bot = NO_BOT } = more;
  const { languages } = bot;
  const { common } = bot.texts;
  const said = flows.map((one) => {
    const texts = spoken(one.texts, languages);
    return texts === one.texts ? one : { ...one, texts };
  });
  const before = kept?.verdict(said, [common, bot.digest]);
  const verdict = known?.verdicts.of(said, common, before) ?? before;
  return createLibrary({
    flows: said,
    older,
    common,
    effects: bot.infos,
    ...bot.vocabulary,
    findings: [...bot.findings, ...findings],
    languages,
    channels: [MESSENGER, SMS],
    probe,
    verdict,
    programs: known?.programs,
  });
}
