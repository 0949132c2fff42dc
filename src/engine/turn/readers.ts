/** Calls the readers of plugins for the current message. The first one that answers counts. */
import type { JsonObject } from "../../base/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { isOffered, roleOf } from "./programs.ts";
import type { Expectation } from "./program.ts";
import type {
  About,
  Amendment,
  Opening,
  Passing,
  Reader,
  ReaderCommand,
  ReadingContext,
  RoleTraits,
  Said,
  Told,
} from "./reader.ts";

/** What readers may know of the person. */
function aboutOf(draft: TurnDraft): About {
  const { context, env } = draft;
  const { now, zone, locale, variant, business } = context;
  return {
    now,
    zone,
    locale,
    variant,
    account: env.account,
    role: env.role,
    ...(business ? { business } : {}),
    // Looked up only by a reader that has something to begin.
    get flows() {
      return flowsOf(draft);
    },
  };
}

function flowsOf(draft: TurnDraft): ReadonlyMap<string, string> {
  const flows = new Map<string, string>();
  for (const program of draft.env.library.list()) {
    const { role, flow, audience } = program;
    if (role === undefined || flows.has(role)) continue;
    if (audience === "nobody" || isOffered(draft, program)) flows.set(role, flow);
  }
  return flows;
}

function first<T>(
  readers: readonly Reader[],
  ask: (reader: Reader) => T | undefined,
): T | undefined {
  for (const reader of readers) {
    const answer = ask(reader);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Asked at several places of one turn, and read once. */
export function openingOf(draft: TurnDraft, text: string): Opening | undefined {
  const { context } = draft;
  if (draft.opening?.text !== text || draft.opening.context !== context) {
    const about = aboutOf(draft);
    const found = first(draft.env.library.readers ?? [], (reader) => reader.opens?.(text, about));
    draft.opening = { text, context, found };
  }
  return draft.opening.found;
}

/** What a text says to a flow that it begins by a phrase or a command. */
export function saidTo(draft: TurnDraft, text: string): Said {
  const about = aboutOf(draft);
  const said = (draft.env.library.readers ?? []).flatMap(
    (reader) => reader.input?.(text, about) ?? [],
  );
  return {
    values: Object.assign({}, ...said.map(({ values }) => values)) as JsonObject,
    ...(said.some(({ isNamed }) => isNamed) ? { isNamed: true } : {}),
  };
}

export function goesOnWith(draft: TurnDraft, text: string, role: string): JsonObject | undefined {
  return first(draft.env.library.readers ?? [], (reader) =>
    reader.continues?.(text, role, aboutOf(draft)),
  );
}

export function passingIn(
  draft: TurnDraft,
  text: string,
  asked: () => string | undefined,
): Passing | undefined {
  const { readers = [] } = draft.env.library;
  if (readers.every((reader) => !reader.passing)) return undefined;
  const [about, kind] = [aboutOf(draft), asked()];
  return first(readers, (reader) => reader.passing?.(text, about, kind));
}

export function commandOf(draft: TurnDraft, name: string): ReaderCommand | undefined {
  return first(draft.env.library.readers ?? [], ({ commands }) =>
    commands && Object.hasOwn(commands, name) ? commands[name] : undefined,
  );
}

const NO_TRAITS: RoleTraits = {};

/** What a flow is to the engine beside its role's name. */
export function traitsOf(draft: TurnDraft, flow: string): RoleTraits {
  const role = roleOf(draft, flow);
  if (role === undefined) return NO_TRAITS;
  const traits = first(draft.env.library.readers ?? [], ({ roles }) =>
    roles && Object.hasOwn(roles, role) ? roles[role] : undefined,
  );
  return traits ?? NO_TRAITS;
}

export function sentenceIn(text: string, context: ReadingContext): Told | undefined {
  return first(context.readers ?? [], (reader) => reader.sentence?.(text, context));
}

export function amendmentIn(
  form: Pick<Expectation, "rests" | "slots">,
  text: string,
  values: JsonObject | undefined,
  context: ReadingContext,
): Amendment | undefined {
  return first(context.readers ?? [], (reader) => reader.amends?.(form, text, values, context));
}
