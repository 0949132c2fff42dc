/** One row of the routing table: a condition on the message, and what is done when it holds. */
import { foldWords } from "../../brazil/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Content } from "../session/inbound.ts";
import { taskIn, expects } from "../turn/programs.ts";
import type { Program } from "../turn/program.ts";
import type { Reader } from "../turn/reader.ts";

export interface Row<M> {
  /** Stable: tests and `prosa flows routing` name it. */
  readonly name: string;
  /** Purpose of the row, in one line. */
  readonly what: string;
  /** Words that the runtime or a plugin knows: passed over where the message is in the author's own words. */
  readonly yields?: true;
  /** What readers of plugins are asked here. */
  readonly asks?: ReaderPart;
  /** Whether the row handled the message. If so, later rows do not see it. */
  readonly takes: (draft: TurnDraft, message: M) => boolean;
}

/** A part of a reader that a row asks. */
export type ReaderPart = Exclude<keyof Reader, "name" | "roles" | "words">;

/** Gives a message to the first row that takes it. */
export function route<M extends { readonly content: Content }>(
  rows: readonly Row<M>[],
  draft: TurnDraft,
  message: M,
): boolean {
  let authored: boolean | undefined;
  return rows.some((row) => {
    if (row.yields && (authored ??= isAuthored(draft, message.content))) return false;
    return row.takes(draft, message);
  });
}

/** Whether a message is in the author's own words: an option of the question in progress, or a flow's start phrase. */
export function isAuthored(draft: TurnDraft, content: Content): boolean {
  return isOption(draft, content) || phraseIn(draft, content) !== undefined;
}

/** Whether a text is an option of the question in progress, word for word. */
export function isOption(draft: TurnDraft, content: Content): boolean {
  const { top } = draft;
  if (content.type !== "text" || !top) return false;
  const said = foldWords(content.text);
  const { choices = [] } = expects(draft, top);
  return said !== "" && choices.some(({ label }) => foldWords(label) === said);
}

/** The flow that has this text as its start phrase, polite words aside. Built-in words begin the flows with a role. */
export function phraseIn(draft: TurnDraft, content: Content): Program | undefined {
  if (content.type !== "text") return undefined;
  const program = taskIn(draft, content.text);
  return program?.role === undefined ? program : undefined;
}
