/**
 * Flows as a conversation finds them: by the role that they declare, by what a contact may begin, and by the start phrases that a text
 * holds. The runtime knows no flow by its id. Several flows may have one role when their audiences differ.
 */
import { fold, foldWords } from "../../brazil/index.ts";
import { withoutPoliteness } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Program } from "../turn/program.ts";

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
