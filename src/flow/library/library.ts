/**
 * All loaded flows: newest versions for new conversations, older ones for those still in them. Pure; reading files is
 * the application's work.
 */
import type { JsonObject } from "../../base/index.ts";
import type { Library, PathValue, ProgramContext, Reader } from "../../engine/index.ts";
import type { Ast } from "../ast/ast.ts";
import type { Finding } from "../ast/finding.ts";
import { located, type Origin } from "../ast/origin.ts";
import { link } from "../authoring/link.ts";
import type {
  EffectInfo,
  EventInfo,
  Pipe,
  SlotKind,
  VersionedRule,
  Vocabulary,
} from "../authoring/vocabulary.ts";
import { KINDS } from "../kinds/kinds.ts";
import { type ChannelLimits, findingOf, type Neighbours } from "../lint/context.ts";
import { lint } from "../lint/lint.ts";
import { FlowIndex } from "../machine/flow-index.ts";
import type { Probe } from "../machine/config.ts";
import { FlowProgram } from "../machine/program.ts";
import { type Locale, type Catalogues, find } from "../texts/catalogue.ts";
import { PIPES, render, scopeOf } from "../texts/template.ts";
import {
  folderFindings,
  languageFindings,
  roleFindings,
  startFindings,
  takenFindings,
} from "./library-checks.ts";
import { type Made, ProgramCache } from "./program-cache.ts";

export interface FlowSource {
  readonly ast: Ast;
  readonly texts: Catalogues;
  /** File it was read from, as people know it; named when something is wrong with it. */
  readonly file?: string;
  /** The files it was read from: findings then have their place. */
  readonly origin?: Origin;
  /** What its folder declares of the world outside. */
  readonly events?: readonly EventInfo[];
}

/** A version as it was stored. Its conversations name its `hash`; without one it is computed again. */
interface OlderSource extends FlowSource {
  readonly hash?: string;
}

export interface LibrarySource {
  /** The flows in use, one version each. */
  readonly flows: readonly FlowSource[];
  /** Flows of earlier versions, as stored with their hash, while conversations are in them. Already linked. */
  readonly older?: readonly OlderSource[];
  /** What every flow may say, of these languages. */
  readonly common: Catalogues;
  /** What the bot speaks. Flows lack nothing of another language, and have texts in each of these. */
  readonly languages?: readonly Locale[];
  readonly effects: readonly EffectInfo[];
  /** Events that are declared for the whole bot. When given, a wait must name one of these or one of its flow's folder. */
  readonly events?: readonly EventInfo[];
  /** Where people write; the messenger. */
  readonly channels?: readonly ChannelLimits[];
  readonly kinds?: readonly SlotKind[];
  readonly pipes?: Readonly<Record<string, Pipe>>;
  readonly rules?: Readonly<Record<string, VersionedRule>>;
  /** What plugins know of sentences, and the roles that flows may have for them: with it, a role must be one of these or the runtime's. */
  readonly readers?: readonly Reader[];
  /** Paths below `account` that plugins add, and what they hold. */
  readonly account?: Readonly<Record<string, PathValue>>;
  /** What was found before anything was loaded: files that could not be read. */
  readonly findings?: readonly Finding[];
  /** Has a flow looked at, or knows what this process found when it looked at these very flows before. */
  readonly verdict?: (flow: Ast, look: () => readonly Finding[]) => readonly Finding[];
  /** What was made for the library before this one; what is made for this one is put there. Not where a probe watches. */
  readonly programs?: ProgramCache;
  /** Watches the machine of a flow in use, or changes it: for coverage and for tests of tests. */
  readonly probe?: (flow: string) => Probe | undefined;
}

export interface FlowLibrary extends Library {
  get(flow: string, hash?: string): FlowProgram | undefined;
  list(): readonly FlowProgram[];
  /** Linked ASTs of the flows in use: what the store keeps by hash. */
  asts(): readonly { readonly hash: string; readonly ast: Ast }[];
  readonly findings: readonly Finding[];
}

export function vocabularyOf(
  source: Pick<LibrarySource, "effects" | "events" | "kinds" | "pipes" | "rules" | "account"> &
    Partial<Pick<LibrarySource, "flows">>,
): Vocabulary {
  const events = source.events && [...source.events, ...(source.flows ?? []).flatMap(declared)];
  return {
    account: source.account,
    events: events && new Map(events.map((event) => [event.name, event])),
    kinds: new Map([...KINDS, ...(source.kinds ?? [])].map((kind) => [kind.name, kind])),
    pipes: new Map([...Object.entries(PIPES), ...Object.entries(source.pipes ?? {})]),
    rules: new Map(Object.entries(source.rules ?? {})),
    effects: new Map(source.effects.map((effect) => [effect.name, effect])),
  };
}

const declared = ({ events }: FlowSource): readonly EventInfo[] => events ?? [];

/**
 * Links, checks and compiles. A flow with errors is left out and its findings tell why: the others, and its older
 * versions, stay in use.
 */
export function createLibrary(source: LibrarySource): FlowLibrary {
  const words = vocabularyOf(source);
  const { common } = source;
  const { channels } = source;
  const neighbours: Neighbours = new Map(source.flows.map(({ ast }) => [ast.flow, ast]));
  const findings: Finding[] = [...(source.findings ?? [])];
  const byHash = new Map<string, Made>();
  const newest = new Map<string, FlowProgram>();
  const programs = (source.probe ? undefined : source.programs) ?? new ProgramCache();
  programs.open([
    source.effects,
    source.kinds,
    source.pipes,
    source.rules,
    source.account,
    common,
    inputs(source.flows),
  ]);
  // Of the library that was made last: a program may be in use in several, one after the other.
  const older =
    (flow: string) =>
    (hash: string): FlowIndex | undefined =>
      programs.get(key(flow, hash))?.model;
  for (const one of source.flows) {
    const { ast: raw, texts, origin, file = origin?.file } = one;
    const found = checked(raw, file, () => {
      const known = programs.newest(raw, texts, file);
      const ast = known?.ast ?? link(raw, words, neighbours);
      const probe = source.probe?.(ast.flow);
      const parts = { ast, words, texts, common, file, probe, older: older(ast.flow) };
      let made = known;
      const program = (): FlowProgram => (made ??= new FlowProgram(parts));
      const look = (): readonly Finding[] => {
        const all = lint({ ast, texts, common, words, flows: neighbours, channels });
        if (!all.some(isError)) program().compile();
        return all;
      };
      const alone = source.verdict?.(raw, look) ?? look();
      const bare = [
        ...alone,
        ...folderFindings(one),
        ...(source.readers ? roleFindings(one, source.readers) : []),
        ...takenFindings(one, source.flows, source.readers),
        ...startFindings(one, source.flows),
        ...languageFindings(one, source.languages ?? []),
      ];
      const own = origin ? bare.map((finding) => located(finding, raw, origin)) : [...bare];
      if (own.some(isError)) return own;
      byHash.set(key(ast.flow, program().hash), { program: program(), raw, texts, file });
      newest.set(ast.flow, program());
      return own;
    });
    findings.push(...found);
  }
  for (const { ast, texts, hash: given } of source.older ?? []) {
    // One that this build cannot load is left to what can go on without it; it must not keep the others from loading.
    const found = checked(ast, undefined, () => {
      const hash = given ?? new FlowIndex(ast, words).hash;
      const id = key(ast.flow, hash);
      if (byHash.has(id)) return [];
      const known = programs.older(id, ast, texts);
      const parts = { ast, words, texts, common, hash, older: older(ast.flow) };
      const program = known?.program ?? new FlowProgram(parts);
      program.compile();
      byHash.set(id, { program, texts });
      return [];
    });
    findings.push(...found);
  }
  programs.use(byHash);
  const programOf = (flow: string, hash: string): FlowProgram | undefined =>
    byHash.get(key(flow, hash))?.program;
  return {
    findings,
    get: (flow, hash) => (hash === undefined ? newest.get(flow) : programOf(flow, hash)),
    list: () => [...newest.values()],
    versions: () => [...byHash.keys()],
    asts: () => [...newest.values()].map(({ hash, ast }) => ({ hash, ast })),
    word: (name, vars, context) => word(common, words, name, vars, context),
    readers: source.readers,
  };
}

/** The values that a flow's callers give it depend on the inputs that these callers name. */
function inputs(flows: readonly FlowSource[]): string {
  return JSON.stringify(flows.map(({ ast }) => [ast.flow, Object.keys(ast.input ?? {})]));
}

function isError({ severity }: Finding): boolean {
  return severity === "error";
}

function key(flow: string, hash: string): string {
  return `${flow}@${hash}`;
}

/** What a flow throws while it is looked at is a finding of its own: the others must load all the same. */
function checked(ast: Ast, file: string | undefined, run: () => Finding[]): Finding[] {
  try {
    return run();
  } catch (error) {
    const message = error instanceof Error ? error.message : "the flow cannot be read";
    return [findingOf("flow/unreadable", { flow: ast.flow, message, file })];
  }
}

/** A common word of the engine itself, from the shared catalogue's `say` group; empty when there is none. */
function word(
  common: Catalogues,
  words: Vocabulary,
  name: string,
  vars: JsonObject,
  context: ProgramContext,
): string {
  const text = find(common, context.locale, ({ say }) => say?.[name]);
  if (text === undefined) return "";
  return render(text, scopeOf(vars), {
    locale: context.locale,
    zone: context.zone,
    now: context.now,
    variant: context.variant,
    pipes: words.pipes,
  });
}

export class CurrentLibrary implements FlowLibrary {
  #now: FlowLibrary;
  readonly get: FlowLibrary["get"];
  readonly list: FlowLibrary["list"];
  readonly asts: FlowLibrary["asts"];
  readonly word: FlowLibrary["word"];
  readonly versions: NonNullable<FlowLibrary["versions"]>;
  /** Code of the bot, which is loaded once, at the start. */
  readonly readers: NonNullable<FlowLibrary["readers"]>;

  constructor(library: FlowLibrary) {
    this.#now = library;
    this.get = (flow, hash) => this.#now.get(flow, hash);
    this.list = () => this.#now.list();
    this.asts = () => this.#now.asts();
    this.word = (...of) => this.#now.word(...of);
    this.readers = library.readers ?? [];
    this.versions = () => this.#now.versions?.() ?? [];
  }

  get findings(): FlowLibrary["findings"] {
    return this.#now.findings;
  }

  use(library: FlowLibrary): void {
    this.#now = library;
  }
}
