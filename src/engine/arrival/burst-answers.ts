/**
 * Answers from a burst of messages at a question that takes no free text. All are stored at once, and one reply follows.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { remember } from "./recent-messages.ts";
import { loneAmount } from "../answers/meaning-amount.ts";
import { meaning } from "../answers/meaning.ts";
import { current } from "../answers/meaning-result.ts";
import type { Expectation } from "../turn/program.ts";
import { expects } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";
import type { Session } from "../session/session.ts";
import { take } from "../stack/frame-event.ts";

/** Kinds that any text answers: leftover text is not stored in them. */
const FREE: ReadonlySet<string> = new Set(["text", "address"]);

/** Stores the answers of a burst. Returns the text that the current question still has to reply to, or an empty text. */
export function putDown(
  draft: TurnDraft,
  frame: Frame,
  expectation: Expectation,
  { texts, ids = [] }: NonNullable<Session["burst"]>,
): string {
  const values: Record<string, Json> = {};
  const given: { readonly id: string; readonly slots: readonly string[] }[] = [];
  const put = (at: number, said: JsonObject): void => {
    Object.assign(values, said);
    given.push({ id: ids[at] ?? "", slots: Object.keys(said) });
  };
  let left: { readonly at: number; readonly text: string }[] = [];
  let corrects = false;
  for (const [at, text] of texts.entries()) {
    const answers = valuesIn(draft, expectation, text);
    if (answers) put(at, answers.values);
    else left.push({ at, text });
    corrects ||= answers?.corrects === true;
  }
  const asked = current(expectation);
  const amounts = asked && Object.hasOwn(values, asked.name) ? left : [];
  for (const one of amounts) {
    const event = asked && loneAmount(expectation, asked, one.text, draft.context, true);
    if (event?.type !== "ANSWER" || isAnswered(values, event.values)) continue;
    put(one.at, event.values);
    left = left.filter((other) => other !== one);
  }
  if (texts.length === 1 || given.length === 0) return texts.join("\n");
  const said = draft.paragraphs.length;
  take(draft, frame, { type: corrects ? "CORRECT" : "ANSWER", values });
  for (const { id, slots } of given) if (id !== "") remember(draft.session, [id], frame.id, slots);
  if (left.length === 0 || draft.top !== frame) return "";
  const rest = left.map(({ text }) => text).join("\n");
  const now = expects(draft, frame);
  const isSame = now.step === expectation.step;
  const kind = current(now)?.kind ?? "text";
  // Of what the next question knows nothing of, nothing is said: it is being asked.
  if (!isSame && (FREE.has(kind) || !valuesIn(draft, now, rest))) return "";
  // The reply to the rest asks, too.
  const kept = draft.paragraphs.filter(({ key }, at) => at < said || !key?.startsWith("ask."));
  draft.paragraphs.splice(0, Infinity, ...kept);
  return rest;
}

/** Whether one of these is answered by another message of the burst. */
function isAnswered(values: JsonObject, event: JsonObject): boolean {
  return Object.keys(event).some((slot) => Object.hasOwn(values, slot));
}

/** The answers in a text, to any question. */
function valuesIn(
  draft: TurnDraft,
  expectation: Expectation,
  text: string,
): { readonly values: JsonObject; readonly corrects: boolean } | undefined {
  const meant = meaning(expectation, { type: "text", text }, draft.context);
  if (meant.kind !== "flow") return undefined;
  const { event } = meant;
  if (event.type === "ANSWER") return { values: event.values, corrects: false };
  return event.type === "CORRECT" ? { values: event.values, corrects: true } : undefined;
}
