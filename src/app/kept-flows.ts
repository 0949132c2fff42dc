/** What is kept of flows' files from one start to the next: their texts as they were read, and what lint said. */
import { createHash } from "node:crypto";
import {
  type Catalogues,
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
