/** What flows are to the runtime, which knows none by its id. A flow declares its role; several of different audiences may have one. */
import type { Draft } from "./draft.ts";
import type { Program } from "./program.ts";

/**
 * `menu`: what a conversation falls back to. `person`: calls somebody of the business. `my-data`, `export`, `erase`: a person's rights,
 * reached by their own words anywhere. The others are the tasks about notes that sentences begin.
 */
export const ROLES = [
  ...(["menu", "person", "my-data", "export", "erase"] as const),
  ...(["ask-note", "issue-note", "known-customer", "repeat-note"] as const),
  ...(["look-up-note", "month-of-notes", "cancel-note", "note-cancelled"] as const),
] as const;
export type Role = (typeof ROLES)[number];

/** Of a flow by its id; undefined where it has none, or is not loaded any more. */
export function roleOf({ env }: Pick<Draft, "env">, flow: string): Role | undefined {
  return env.library.get(flow)?.role;
}

export function isMenu(draft: Pick<Draft, "env">, { flow }: { readonly flow: string }): boolean {
  return roleOf(draft, flow) === "menu";
}

/** The flow of a role that this person may begin, or that only the runtime begins; whether or not the account offers it. */
export function flowOf({ env }: Pick<Draft, "env">, role: Role): Program | undefined {
  return env.library
    .list()
    .find((one) => one.role === role && ["anyone", "nobody", env.role].includes(one.audience));
}
