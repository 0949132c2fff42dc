/** What is kept of flows' files from one start to the next: their texts as they were read, and what lint said. */
import { createHash } from "node:crypto";
import { isJsonObject } from "../../base/index.ts";
import {
  type Ast,
  type Catalogues,
  type Finding,
  type FlowSource,
  type LibrarySource,
  type Origin,
  parseCatalogue,
  type ParsedCatalogue,
  type ParsedFlow,
  parseFlow,
  Shelf,
} from "../../flow/index.ts";
import type { Kept } from "./kept.ts";

type Places = NonNullable<Origin["places"]>;
type At = Places extends ReadonlyMap<string, infer A> ? A : never;

/** A catalogue as it was read before, or is read now. One with findings is read anew each time. */
export function keptCatalogue(kept: Kept | undefined, text: string, file: string): ParsedCatalogue {
  let read: ParsedCatalogue | undefined;
  const known = kept?.of("catalogue", text, () => {
    read = parseCatalogue(text, file);
    return read.ok
      ? { catalogue: read.catalogue, places: JSON.stringify([...read.places]) }
      : undefined;
  });
  if (read) return read;
  if (!known) return parseCatalogue(text, file);
  const places = late(known.places);
  return {
    ok: true,
    catalogue: known.catalogue,
    get places() {
      return places();
    },
  };
}

/** A `flow.yaml`, likewise. Only what JSON gives back as it was is kept. */
export function keptFlow(kept: Kept | undefined, text: string, file: string): ParsedFlow {
  let read: ParsedFlow | undefined;
  const known = kept?.of("flow", text, () => {
    read = parseFlow(text, file);
    return read.ok && isJsonObject(read.ast)
      ? { ast: read.ast, places: JSON.stringify([...read.places]) }
      : undefined;
  });
  if (read) return read;
  if (!known) return parseFlow(text, file);
  const places = late(known.places);
  return {
    ok: true,
    ast: known.ast,
    get places() {
      return places();
    },
  };
}

/** Where things stand is asked when something is wrong with them, so it is kept as a text until then. */
function late(text: string): () => Places {
  return once(() => new Map(JSON.parse(text) as [string, At][]));
}

/** What lint says of a flow, and its hash, hang on all of them, on their texts, on `shared` (JSON), and on the build. */
export function keptVerdicts(
  kept: Kept,
  flows: readonly FlowSource[],
  shared: readonly unknown[],
): Required<Pick<LibrarySource, "verdict" | "hash">> {
  const all = JSON.stringify([shared, flows.map(({ ast, texts, events }) => [ast, texts, events])]);
  const digest = createHash("sha256").update(all).digest("hex");
  const of = <T>(kind: string, flow: Ast, make: () => T): T => {
    const at = flows.findIndex(({ ast }) => ast === flow);
    return kept.of(kind, `${digest} ${at}`, make) ?? make();
  };
  return {
    verdict: (flow, look) => of("lint", flow, look),
    hash: (flow, make) => of("hash", flow, make),
  };
}

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

  /** `otherwise`: who else may know what a flow is told. */
  of(
    flows: readonly FlowSource[],
    common: Catalogues,
    otherwise: NonNullable<LibrarySource["verdict"]> = (_flow, look) => look(),
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
        return [...[everywhere, common, flow, words.get(flow)], ...others];
      });
      const lately = this.#known.get(flow.flow) ?? [];
      const known = lately.find((one) => isSame(one.on(), on()));
      const said = known?.said ?? otherwise(flow, look);
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
  readonly shelf: Shelf;
}

export function nothingKnown(): Known {
  return { verdicts: new Verdicts(), shelf: new Shelf() };
}
