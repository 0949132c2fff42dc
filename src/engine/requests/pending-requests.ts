/**
 * Short descriptions of open requests: the amount, and the person by first name and one letter, or by a masked document.
 * They are enough to tell requests apart, and show little to a bystander.
 */
import { shortName } from "../../understanding/index.ts";
import type { Library } from "../session/library.ts";
import type { ProgramContext } from "../turn/program.ts";
import { type Frame, isRequest } from "../session/frame.ts";
import type { Session } from "../session/session.ts";

/** Longest part, letters. */
const MAX_PART = 40;
/** A turn, as far as this is concerned. */
interface Waiting {
  readonly session: Session;
  readonly env: { readonly library: Library };
  readonly context: ProgramContext;
}

/** Requests that wait for an answer, the oldest first. */
function waitingOf({ session }: Waiting): readonly Frame[] {
  return session.frames.filter(
    (frame) => !isRequest(frame) && frame.invocations.some(({ kind }) => kind === "notify"),
  );
}

/** "R$ 150,00 (Maria S.)", one for each; where a flow knows neither, its title. What is not loaded is on its way out. */
export function waitingRows(draft: Waiting): readonly string[] {
  return waitingOf(draft).flatMap((frame) => {
    const program = draft.env.library.get(frame.flow, frame.hash);
    if (!program) return [];
    const rows = program.summary(frame.state, draft.context);
    const echo = (slot: string) => rows.find((row) => row.slot === slot)?.echo.slice(0, MAX_PART);
    const [value, name] = [echo("value"), echo("name")];
    const whom = name === undefined ? echo("document") : shortName(name);
    if (value === undefined)
      return whom ?? program.titleIn?.(draft.session.locale) ?? program.title;
    return whom === undefined ? value : `${value} (${whom})`;
  });
}
