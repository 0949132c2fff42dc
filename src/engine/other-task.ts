/** A message inside a flow that asks for another task than the one that stands. */
import { foldWords } from "../brazil/index.ts";
import { isOwnTask } from "./anew.ts";
import type { Draft } from "./draft.ts";
import { begins, isIssuing, wantedBy } from "./entrance.ts";
import type { Content } from "./inbound.ts";
import { bad, current, type Meaning } from "./meant.ts";
import { invoiceSentence, type Wanted } from "../plugins/invoicing/talk/note-wanted.ts";
import { leads, startedBy, taskIn } from "./offered.ts";
import type { Expectation } from "./program.ts";
import { roleOf } from "./roles.ts";
import type { Frame } from "./session.ts";

/** "Cadastrar nova empresa" where a name is asked: the words of a task by themselves, and nobody's name. */
export function unlessTask(
  draft: Draft,
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
  draft: Draft,
  frame: Frame,
  { rests }: Expectation,
  text: string,
): Wanted | undefined {
  if (rests === "notify" || rests === "wait") {
    const wanted = begins(draft, text) ? wantedBy(draft, text) : undefined;
    if (wanted && isOwnTask(draft, frame, wanted.flow)) return undefined;
    // "Cadê minha nota?" is about the one that is being waited for, unless it says which.
    return wanted &&
      roleOf(draft, wanted.flow) === "look-up-note" &&
      wanted.input?.["note"] === undefined
      ? undefined
      : wanted;
  }
  if (!frame.caller && !isIssuing(draft, frame.flow) && isWholeNote(draft, text))
    return invoiceSentence(draft, text);
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

/** Whose note and of how much, and one thing more: no question of another task has such an answer. */
function isWholeNote(draft: Draft, text: string): boolean {
  const held = invoiceSentence(draft, text)?.prefill ?? {};
  return "document" in held && "value" in held && ("name" in held || "description" in held);
}

/**
 * While what costs is on its way, perhaps for hours: a person of the business may do what changes nothing about it. "Recarreguei"
 * is what lets the very note go that they wait for. Not another note: whether this one came to be is not known yet.
 */
export function standsBeside(draft: Draft, { flow }: Wanted): boolean {
  if (draft.session.role !== "operator" || isIssuing(draft, flow)) return false;
  // It ends in a note as the others do.
  return roleOf(draft, flow) !== "repeat-note";
}
