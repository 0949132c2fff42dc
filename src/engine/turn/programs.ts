/** Which program a frame runs on. */
import { Fault } from "../../base/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Program } from "./program.ts";
import type { Frame } from "../session/session.ts";

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
