/**
 * What the last start made of the bot's files (flows and texts as they were read, what lint said), by their content, in the
 * folder of the program that made it. The next start of this program with this bot takes what has the same content. Whoever may
 * write there may change the program itself.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  type Ast,
  type Catalogue,
  type FlowSource,
  type LibrarySource,
  parseCatalogue,
  type ParsedCatalogue,
} from "../../flow/index.ts";
import { program } from "./program.js";

type Good = Extract<ParsedCatalogue, { readonly ok: true }>;
type At = Good["places"] extends ReadonlyMap<string, infer Value> ? Value : never;

/** Larger ones are not written. Characters. */
const LARGEST = 8_000_000;

export class Kept {
  readonly #file: string;
  #before: Readonly<Record<string, unknown>>;
  /** What this start used. */
  #now: Record<string, unknown> = {};
  #isNew = false;
  #isSaved = false;

  constructor(file: string) {
    this.#file = file;
    this.#before = read(file);
  }

  /** An earlier start kept something. */
  get isThere(): boolean {
    return Object.keys(this.#before).length > 0;
  }

  /** `flows`: the folder of the bot; each has its own. `home`: the folder of the program. */
  static async of(flows: string, home?: string): Promise<Kept> {
    const name = `kept-${digest(path.resolve(flows)).slice(0, 16)}.json`;
    return new Kept(path.join(home ?? (await program()), name));
  }

  find<T>(kind: string, content: string): T | undefined {
    const key = `${kind} ${digest(content)}`;
    const known = this.#now[key] ?? this.#before[key];
    if (known !== undefined) this.#now[key] = known;
    return known as T | undefined;
  }

  /** `value`: JSON. */
  put(kind: string, content: string, value: unknown): void {
    if (this.#isSaved) return;
    this.#isNew = true;
    this.#now[`${kind} ${digest(content)}`] = value;
  }

  /**
   * Once, when all is loaded; what is read later is not kept. Whole or not at all, also when two start at once. Failing to keep
   * is no failure.
   */
  save(): void {
    const text = this.#isNew ? JSON.stringify(this.#now) : "";
    this.#isSaved = true;
    this.#isNew = false;
    this.#before = {};
    this.#now = {};
    if (text === "" || text.length > LARGEST) return;
    try {
      const part = `${this.#file}.${randomUUID()}`;
      writeFileSync(part, `${digest(text)}\n${text}`);
      renameSync(part, this.#file);
    } catch {
      // A program nobody may write to: made again at each start.
    }
  }

  /** What is wrong is not kept: it is told where it stands now. */
  catalogue(text: string, file: string): ParsedCatalogue {
    const known = this.find<{ catalogue: Catalogue; places: [string, At][] }>("catalogue", text);
    if (known) return { ok: true, catalogue: known.catalogue, places: new Map(known.places) };
    const parsed = parseCatalogue(text, file);
    if (parsed.ok)
      this.put("catalogue", text, { catalogue: parsed.catalogue, places: [...parsed.places] });
    return parsed;
  }

  /** What lint says of a flow hangs on all flows and their texts, and on `shared`. */
  verdict(
    flows: readonly FlowSource[],
    shared: readonly unknown[],
  ): NonNullable<LibrarySource["verdict"]> {
    const all = JSON.stringify([
      shared,
      flows.map(({ ast, texts, events }) => [ast, texts, events]),
    ]);
    const together = digest(all);
    const of = (flow: Ast) => `${flows.findIndex(({ ast }) => ast === flow)} ${together}`;
    return (flow, look) => {
      const known = this.find<ReturnType<typeof look>>("lint", of(flow));
      if (known) return known;
      const said = look();
      this.put("lint", of(flow), said);
      return said;
    };
  }
}

function digest(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

function read(file: string): Readonly<Record<string, unknown>> {
  try {
    const text = readFileSync(file, "utf8");
    const at = text.indexOf("\n");
    const made = text.slice(at + 1);
    // Behind its digest: what a disk or a hand changed in it is made again.
    if (text.slice(0, Math.max(at, 0)) !== digest(made)) return {};
    return (JSON.parse(made) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
