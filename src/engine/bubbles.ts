/** A burst at a question that is not for any text: what its bubbles answer is put down at once, with one reply. */
import type { Json, JsonObject } from "../base/index.ts";
import type { Draft } from "./draft.ts";
import { remember } from "./given.ts";
import { meaning } from "./meaning.ts";
import { current } from "./meant.ts";
import type { Expectation } from "./program.ts";
import { programOf } from "./programs.ts";
import type { Frame, Session } from "./session.ts";
import { take } from "./taking.ts";

/** Kinds that any text answers: what is left over is not put there. */
const FREE: ReadonlySet<string> = new Set(["text", "address"]);

/** Answers where the burst came. The text that the question in progress still has to answer to; empty when it has none. */
export function putDown(
  draft: Draft,
  frame: Frame,
  expectation: Expectation,
  { texts, ids = [] }: NonNullable<Session["burst"]>,
): string {
  const values: Record<string, Json> = {};
  const given: { readonly id: string; readonly slots: readonly string[] }[] = [];
  const left: string[] = [];
  let corrects = false;
  for (const [at, text] of texts.entries()) {
    const answers = valuesIn(draft, expectation, text);
    if (!answers) {
      left.push(text);
      continue;
    }
    Object.assign(values, answers.values);
    corrects ||= answers.corrects;
    given.push({ id: ids[at] ?? "", slots: Object.keys(answers.values) });
  }
  if (texts.length === 1 || given.length === 0) return texts.join("\n");
  const said = draft.paragraphs.length;
  take(draft, frame, { type: corrects ? "CORRECT" : "ANSWER", values });
  for (const { id, slots } of given) if (id !== "") remember(draft.session, [id], frame.id, slots);
  if (left.length === 0 || draft.top !== frame) return "";
  const rest = left.join("\n");
  const now = programOf(draft, frame).expects(frame.state, draft.context);
  const isSame = now.step === expectation.step;
  const kind = current(now)?.kind ?? "text";
  // Of what the next question knows nothing of, nothing is said: it is being asked.
  if (!isSame && (FREE.has(kind) || !valuesIn(draft, now, rest))) return "";
  // The reply to the rest asks, too.
  const kept = draft.paragraphs.filter(({ key }, at) => at < said || !key?.startsWith("ask."));
  draft.paragraphs.splice(0, Infinity, ...kept);
  return rest;
}

/** What a text answers, of whatever question. */
function valuesIn(
  draft: Draft,
  expectation: Expectation,
  text: string,
): { readonly values: JsonObject; readonly corrects: boolean } | undefined {
  const meant = meaning(expectation, { type: "text", text }, draft.context);
  if (meant.kind !== "flow") return undefined;
  const { event } = meant;
  if (event.type === "ANSWER") return { values: event.values, corrects: false };
  return event.type === "CORRECT" ? { values: event.values, corrects: true } : undefined;
}
