/** Another task that a message inside a flow asks for, and the same one with other values: "e do mês passado?" */
import { foldWords } from "../../brazil/index.ts";
import { bad, current, type Meaning } from "../answers/meaning-result.ts";
import type { Frame } from "../session/frame.ts";
import type { Content } from "../session/inbound.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { begins, wantedBy } from "../stack/entrance.ts";
import { isOwnTask, programOf, isOffered, leads, startedBy, taskIn } from "../turn/programs.ts";
import type { Expectation } from "../turn/program.ts";
import type { Wanted } from "../turn/reader.ts";
import { goesOnWith, openingOf, traitsOf } from "../turn/readers.ts";

/** "Cadastrar nova empresa" where a name is asked: the words of a task, not a name. */
export function unlessTask(
  draft: TurnDraft,
  expectation: Expectation,
  content: Content,
  meant: Meaning,
): Meaning {
  if (content.type !== "text" || current(expectation)?.kind !== "name") return meant;
  if (meant.kind !== "flow" || meant.event.type !== "ANSWER") return meant;
  // One word may be a name as well.
  const isTask = foldWords(content.text).includes(" ") && taskIn(draft, content.text);
  return isTask ? bad({ ok: false, reason: "absent" }) : meant;
}

/**
 * Another flow that a text asks for. Where nothing is asked of the person because somebody else has to answer, that may be
 * the same flow once more, and whatever else a text begins outside any.
 */
export function another(
  draft: TurnDraft,
  frame: Frame,
  { rests }: Expectation,
  text: string,
): Wanted | undefined {
  if (rests === "notify" || rests === "wait") {
    const wanted = begins(draft, text) ? wantedBy(draft, text) : undefined;
    if (wanted && isOwnTask(draft, frame, wanted.flow)) return undefined;
    // "Cadê meu pedido?" is about the one that is being waited for, unless it says which.
    const { looksAt } = wanted ? traitsOf(draft, wanted.flow) : {};
    return looksAt !== undefined && wanted?.input?.[looksAt] === undefined ? undefined : wanted;
  }
  if (!frame.caller && !traitsOf(draft, frame.flow).fills) {
    const wanted = openingOf(draft, text)?.wanted;
    if (wanted?.isWhole) return wanted;
  }
  const other = startedBy(draft, text, "exact");
  if (other) {
    const isOwn = other.flow === frame.flow || isOwnTask(draft, frame, other.flow);
    return isOwn ? undefined : { flow: other.flow, prefill: {} };
  }
  // "Quanto faturei esse mês?" asks for another task by its first words; a sentence that tells something may only hold them.
  const asked = text.trim().endsWith("?") ? startedBy(draft, text, "within") : undefined;
  const isOwn = asked && (asked.flow === frame.flow || isOwnTask(draft, frame, asked.flow));
  return asked && !isOwn && leads(asked, text) ? wantedBy(draft, text) : undefined;
}

/**
 * While what costs is on its way, perhaps for hours: a person of the business may do what changes nothing about it. "Recarreguei"
 * is what lets the very thing go that they wait for. Not what would ask for another one: whether this one came to be is not known yet.
 */
export function standsBeside(draft: TurnDraft, { flow }: Wanted): boolean {
  return draft.session.role === "operator" && !traitsOf(draft, flow).alone;
}

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
