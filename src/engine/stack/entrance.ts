/** How a conversation begins: by a start phrase of a flow, or by a sentence that a plugin's reader understands. */
import type { JsonObject } from "../../base/index.ts";
import { fold, foldWords } from "../../brazil/index.ts";
import { isClosing, personOrCompany } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { takeFormAddress } from "../answers/address-pieces.ts";
import { start } from "./frames.ts";
import { remember } from "../arrival/recent-messages.ts";
import { beginHandoff } from "../policies/handoff.ts";
import type { Content } from "../session/inbound.ts";
import { isMenu, leads, offered, startedBy, programOf } from "../turn/programs.ts";
import type { Program } from "../turn/program.ts";
import type { ReaderCommand, Wanted } from "../turn/reader.ts";
import { openingOf, saidTo, traitsOf } from "../turn/readers.ts";
import type { Frame } from "../session/frame.ts";

const CLOSING_MS = 3_600_000;

export function closes(draft: TurnDraft, text: string): boolean {
  return justEnded(draft) && isClosing(text);
}

/** Whether a flow has just ended: a smile or an "ok" right after it is about that flow. */
export function justEnded({ session, env }: TurnDraft): boolean {
  return env.now - (session.endedAt ?? -Infinity) < CLOSING_MS;
}

/** Whether a text asks for a task, rather than makes a remark. */
export function begins(draft: TurnDraft, text: string): boolean {
  const opening = openingOf(draft, text);
  if (opening?.putOff !== undefined) return false;
  return opening?.begins === true || startedBy(draft, text, "within") !== undefined;
}

/** Begins what a message asks for; what it said is remembered as its answers, so that an edit of it finds them. */
export function enter(draft: TurnDraft, wanted: Wanted, text = ""): void {
  const { flow, prefill, input, likely, word } = wanted;
  const before = draft.paragraphs.length;
  if (word !== undefined) draft.word(word);
  start(draft, flow, { prefill, ...(input ? { input } : {}), ...(likely ? { likely } : {}) });
  const { top } = draft;
  if (!top) return;
  const known = programOf(draft, top).answers?.(top.state) ?? {};
  const said = Object.keys({ ...prefill, ...input }).filter((slot) => Object.hasOwn(known, slot));
  if (said.length > 0) remember(draft.session, draft.messages, top.id, said);
  takeFormAddress(draft, top, text, before);
}

/** Begins what a command of a plugin is for, with what the sentence says of it; where that is not offered, a person is called. */
export function beginCommand(
  draft: TurnDraft,
  content: Content,
  { role, otherwise }: ReaderCommand,
  frame?: Frame,
): void {
  const program = offered(draft).find((one) => one.role === role);
  if (program && content.type === "text") {
    start(draft, program.flow, { input: saidTo(draft, content.text).values });
    return;
  }
  draft.word(otherwise);
  beginHandoff(draft, frame, otherwise);
}

/**
 * What a sentence begins: a flow by its phrase, or what a reader makes of it. A phrase somewhere inside a whole sentence of a
 * reader is only a word of it; at the beginning it says what the rest is for.
 */
export function wantedBy(draft: TurnDraft, text: string): Wanted | undefined {
  const program = startedBy(draft, text, "within");
  const isFilled = program !== undefined && traitsOf(draft, program.flow).fills === true;
  const isLed = program !== undefined && !isFilled && leads(program, text);
  const wanted = isLed ? undefined : openingOf(draft, text)?.wanted;
  if (wanted) return wanted;
  // What a reader's sentence would fill is never guessed from the words around a phrase.
  if (isFilled) return { flow: program.flow, prefill: {} };
  const prefill = program && { ...named(draft, program, text), ...saidTo(draft, text).values };
  return program && prefill && { flow: program.flow, prefill, input: prefill };
}

/** "Esquece a cliente Maria Souza": what stands behind the phrase, when it can be a name. */
function named(draft: TurnDraft, program: Program, text: string): JsonObject {
  const words = text.trim().split(/\s+/);
  const longest = [...program.starts].sort((a, b) => b.length - a.length);
  for (const phrase of longest) {
    const count = phrase.split(" ").length;
    if (fold(words.slice(0, count).join(" ")) !== phrase) continue;
    const rest = words.slice(count);
    const name =
      rest.length <= NAME_WORDS ? personOrCompany(rest.join(" "), draft.context.business) : null;
    return name === null ? {} : { name };
  }
  return {};
}

/** Words of a name behind a phrase. */
const NAME_WORDS = 6;

/** A whole sentence at the menu says more than a choice of it: two answers, or more. */
export function sentenceAtMenu(
  draft: TurnDraft,
  frame: Frame,
  content: Content,
  rows: readonly { readonly label: string }[] = [],
): Wanted | undefined {
  if (!isMenu(draft, frame) || content.type !== "text") return undefined;
  // A row is called just that: it is chosen.
  const said = foldWords(content.text);
  if (rows.some(({ label }) => foldWords(label) === said)) return undefined;
  const wanted = wantedBy(draft, content.text);
  if (!wanted) return undefined;
  // "cadastrar empresa", as the bot itself told them to write.
  const whole = said.includes(" ") && startedBy(draft, content.text, "exact");
  if (whole && whole.flow === wanted.flow) return wanted;
  if (wanted.isAsked) return wanted;
  const words = content.text.trim().split(/\s+/).length;
  // Two words of a phrase may as well be the label of a row.
  const isFilled = traitsOf(draft, wanted.flow).fills;
  const fits = isFilled ? Object.keys(wanted.prefill).length >= 2 : words >= 3;
  return fits ? wanted : undefined;
}
