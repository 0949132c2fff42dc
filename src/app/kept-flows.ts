/** What is kept of flows' files from one start to the next: their texts as they were read, and what lint said. */
import { createHash } from "node:crypto";
import {
  type Catalogues,
  type Finding,
  type FlowSource,
  type LibrarySource,
  parseCatalogue,
  type ParsedCatalogue,
} from "../flow/index.ts";
import type { Kept } from "./kept.ts";

/** A catalogue as it was read before, or is read now. One with findings is read anew each time. */
export function keptCatalogue(kept: Kept | undefined, text: string, file: string): ParsedCatalogue {
  let read: ParsedCatalogue | undefined;
  const known = kept?.of("catalogue", text, () => {
    read = parseCatalogue(text, file);
    return read.ok ? { catalogue: read.catalogue, places: [...read.places] } : undefined;
  });
  if (known) return { ok: true, catalogue: known.catalogue, places: new Map(known.places) };
  return read ?? parseCatalogue(text, file);
}

/** What lint says of a flow hangs on all of them, on all their texts, and on the build. */
export function keptVerdicts(
  kept: Kept,
  flows: readonly FlowSource[],
  common: Catalogues,
): NonNullable<LibrarySource["verdict"]> {
  const all = JSON.stringify([common, flows.map(({ ast, texts, events }) => [ast, texts, events])]);
  const digest = createHash("sha256").update(all).digest("hex");
  return (flow, look) => {
    const at = flows.findIndex(({ ast }) => ast === flow);
    return kept.of("lint", `${digest} ${at}`, look) ?? look();
  };
}

/**
 * What lint said of flows that were looked at before in this process. One that is saved is looked at anew, and with it those
 * that name it, however far around: lint follows names from flow to flow. All others would be told the same again.
 */
export class Verdicts {
  /** By flow: what its verdict hangs on, piece by piece, and the verdict. */
  readonly #known = new Map<
    string,
    { readonly on: readonly unknown[]; readonly said: readonly Finding[] }
  >();

  of(flows: readonly FlowSource[], common: Catalogues): NonNullable<LibrarySource["verdict"]> {
    const byName = new Map(flows.map((source) => [source.ast.flow, source]));
    // Names that are none are told with the nearest that is one.
    const everywhere = JSON.stringify([common, [...byName.keys()]]);
    const named = new Map(
      flows.map(({ ast }) => {
        const text = JSON.stringify(ast);
        return [ast.flow, [...byName.keys()].filter((name) => text.includes(`"${name}"`))];
      }),
    );
    return (flow, look) => {
      const around = new Set([flow.flow]);
      for (const one of around) for (const name of named.get(one) ?? []) around.add(name);
      const on = [
        everywhere,
        // Itself, too: two folders may hold a flow of one name.
        ...[flow, byName.get(flow.flow)?.texts],
        ...[...around].map((name) => byName.get(name)?.ast),
      ];
      const known = this.#known.get(flow.flow);
      if (known?.on.length === on.length && known.on.every((part, index) => part === on[index]))
        return known.said;
      const said = look();
      this.#known.set(flow.flow, { on, said });
      return said;
    };
  }
}
