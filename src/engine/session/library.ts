/** A bot as the engine sees it: its flows, its common texts, and the readers of its plugins. */
import type { JsonObject } from "../../base/index.ts";
import type { Program, ProgramContext } from "../turn/program.ts";
import type { Reader } from "../turn/reader.ts";

/** All loaded flows. `get` without hash gives the newest. */
export interface Library {
  get(flow: string, hash?: string): Program | undefined;
  list(): readonly Program[];
  /** `flow@hash` of everything loaded, older versions too; without it those of `list`. */
  versions?(): readonly string[];
  /** Common words of the engine itself (notice, menu fallbacks, "voltando a …"), from the shared catalogue. */
  word(key: string, vars: JsonObject, context: ProgramContext): string;
  /** What plugins know of sentences, in the order in which they are asked. One list for as long as the library is in use. */
  readonly readers?: readonly Reader[];
}
