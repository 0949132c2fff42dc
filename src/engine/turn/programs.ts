/**
 * Programs of flows: the one that a frame runs on, and those that a contact may begin, by role and by the start phrases in a text.
 * The runtime knows no flow by its id. Several flows may have one role when their audiences differ.
 */
import { Fault } from "../../base/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Expectation, Paragraph, Program } from "./program.ts";
import type { Frame } from "../session/frame.ts";
import { fold, foldWords } from "../../brazil/index.ts";
import { withoutPoliteness } from "../../understanding/index.ts";
import { current } from "../answers/meaning-result.ts";

/** The program a frame runs on: its own version while it is loadable. */
export function programOf(draft: TurnDraft, frame: Frame): Program {
  const program = draft.env.library.get(frame.flow, frame.hash);
  if (!program)
    throw new Fault(
      "FLOW_UNKNOWN",
      `Flow ${frame.flow} in version ${frame.hash.slice(0, 8)} is not loaded.`,
    );
  return program;
}

/** What a frame waits for. */
export function expects(draft: TurnDraft, frame: Frame): Expectation {
  return programOf(draft, frame).expects(frame.state, draft.context);
}

/** What a frame says again. */
export function promptOf(draft: TurnDraft, frame: Frame): readonly Paragraph[] {
  return programOf(draft, frame).prompt(frame.state, draft.context);
}

export function titleOf({ session }: TurnDraft, program: Program): string {
  return program.titleIn?.(session.locale) ?? program.title;
}

/**
 * `menu`: what a conversation falls back to. `person`: calls somebody of the business. `my-data`, `export`, `erase`: a person's rights,
 * reached by their own words anywhere. Plugins' readers declare further roles, see `reader.ts`.
 */
export const ROLES = ["menu", "person", "my-data", "export", "erase"] as const;
export type Role = (typeof ROLES)[number];

/** Of a flow by its id; undefined where it has none, or is not loaded any more. */
export function roleOf({ env }: Pick<TurnDraft, "env">, flow: string): string | undefined {
  return env.library.get(flow)?.role;
}

export function isMenu(
  draft: Pick<TurnDraft, "env">,
  { flow }: { readonly flow: string },
): boolean {
  return roleOf(draft, flow) === "menu";
}

/** The flow of a role that this person may begin, or that only the runtime begins; whether or not the account offers it. */
export function flowOf({ env }: Pick<TurnDraft, "env">, role: Role): Program | undefined {
  return env.library
    .list()
    .find((one) => one.role === role && ["anyone", "nobody", env.role].includes(one.audience));
}

/** Flows this contact may begin by writing. */
export function offered(draft: TurnDraft): readonly Program[] {
  return draft.env.library.list().filter((program) => isOffered(draft, program));
}

export function isOffered({ env }: TurnDraft, { audience, flow }: Program): boolean {
  const { flows } = env.account;
  if (audience !== "anyone" && audience !== env.role) return false;
  return flows.length === 0 || flows.includes(flow);
}

export function menuOf(draft: TurnDraft): Program | undefined {
  return offered(draft).find((program) => program.role === "menu");
}

/** The flow a text begins: by one of its phrases, the longest that fits. */
export function startedBy(
  draft: TurnDraft,
  text: string,
  how: "exact" | "within",
): Program | undefined {
  const said = foldWords(text);
  const words = ` ${said} `;
  let best: { program: Program; length: number } | undefined;
  for (const program of offered(draft))
    for (const phrase of program.starts) {
      const fits = how === "exact" ? said === phrase : words.includes(` ${phrase} `);
      if (fits && phrase.length > (best?.length ?? 0)) best = { program, length: phrase.length };
    }
  return best?.program;
}

/** The flow whose start phrase is the whole text, polite words aside. It counts even while a yes or no is waited for. */
export function taskIn(draft: TurnDraft, text: string): Program | undefined {
  const said = foldWords(text);
  const bare = withoutPoliteness(said);
  const task = startedBy(draft, text, "exact");
  return task ?? (bare === said ? undefined : startedBy(draft, bare, "exact"));
}

/** Whether one of a flow's phrases stands at the beginning of a text, polite words aside. */
export function leads(program: Program, text: string): boolean {
  const words = ` ${foldWords(withoutPoliteness(fold(text)))} `;
  return program.starts.some((phrase) => words.startsWith(` ${phrase} `));
}

/**
 * The task that a text restarts while it runs: the text is its start phrase and nothing else. The former state is dropped
 * without a message, so that nothing waits for its former offers.
 */
export function begunAnew(draft: TurnDraft, frame: Frame, text: string): string | undefined {
  const flow = taskIn(draft, text)?.flow;
  return flow !== undefined && isOwnTask(draft, frame, flow) && mayGo(draft, frame)
    ? flow
    : undefined;
}

/** Whether a frame stands in such a flow. A sentence that only holds its words begins nothing there: what is open stays good. */
export function isOwnTask(draft: TurnDraft, frame: Frame, flow: string): boolean {
  return restarts(draft, flow) && chainOf(draft, frame).some((one) => one.flow === flow);
}

/** The older frame of such a flow, which is removed when the flow begins again. */
export function olderOf(draft: TurnDraft, flow: string): Frame | undefined {
  if (!restarts(draft, flow)) return undefined;
  const older = draft.session.frames.findLast((frame) => isOwnTask(draft, frame, flow));
  return older && mayGo(draft, older) ? older : undefined;
}

function restarts({ env }: TurnDraft, flow: string): boolean {
  return env.library.get(flow)?.restarts === true;
}

/** Whether a frame may be removed: not at a password, which may be any word, and not while a call of it is in progress. */
function mayGo(draft: TurnDraft, frame: Frame): boolean {
  const expectation = expects(draft, frame);
  const { rests, sealed } = expectation;
  return !sealed && rests !== "effect" && current(expectation)?.kind !== "password";
}

/** A frame and its callers in this conversation. */
function chainOf(draft: TurnDraft, frame: Frame): readonly Frame[] {
  const chain: Frame[] = [];
  for (let one: Frame | undefined = frame; one;) {
    chain.push(one);
    one = draft.parentOf(one);
  }
  return chain;
}
