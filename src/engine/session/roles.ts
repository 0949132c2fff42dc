/**
 * Roles of flows. The runtime knows no flow by its id; it finds flows by the role they declare. Several flows may have one
 * role when their audiences differ.
 */
import type { TurnDraft } from "./turn-draft.ts";
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
