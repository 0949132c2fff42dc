/** Which program a frame runs on. */
import { Fault } from "../../base/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Expectation, Paragraph, Program } from "./program.ts";
import type { Frame } from "../session/frame.ts";

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
