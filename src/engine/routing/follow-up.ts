/**
 * "E do mês passado?" inside a flow or just after its end: the same task with other values, although the words alone name
 * no task.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { isOffered } from "./offered-flows.ts";
import { programOf } from "../turn/programs.ts";
import type { Wanted } from "../turn/reader.ts";
import { goesOnWith } from "../turn/readers.ts";
import type { Frame } from "../session/frame.ts";

/** How long after the end of a flow a question may still continue it, ms. */
const FOLLOW_MS = 600_000;

/** The task that the text continues; undefined when no such flow is running or has just ended. */
export function followUp(draft: TurnDraft, text: string, frame?: Frame): Wanted | undefined {
  const { session, env } = draft;
  const isFresh = env.now - (session.endedAt ?? -Infinity) < FOLLOW_MS;
  const flow = frame?.flow ?? (isFresh ? session.endedFlow : undefined);
  const program = flow === undefined ? undefined : env.library.get(flow);
  if (program?.role === undefined) return undefined;
  const input = goesOnWith(draft, text, program.role);
  if (!input || !isOffered(draft, program)) return undefined;
  // Answers that were given to it belong to what was asked before.
  if (frame && Object.keys(programOf(draft, frame).answers?.(frame.state) ?? {}).length > 0)
    return undefined;
  return { flow: program.flow, prefill: {}, input };
}
