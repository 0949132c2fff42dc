/**
 * An address that comes in pieces: told that the CEP is missing, people send the CEP, not everything again. What was said
 * is kept until it is whole together, or the question is another.
 */
import { placeOf } from "./burst.ts";
import type { Draft } from "./draft.ts";
import type { Content } from "./inbound.ts";
import { meaning } from "./meaning.ts";
import { current, type Meaning } from "./meant.ts";
import type { Expectation } from "./program.ts";
import type { Frame } from "./session.ts";

/** What lacks of a piece. */
const LACKS: ReadonlySet<string | undefined> = new Set([
  "no-cep",
  "no-city",
  "no-number",
  "no-district",
]);
/** Parts of something, or a number. */
const PARTS = /[,\d]/;
/** Pieces together that are longer are no address. */
const LONGEST = 300;

/** What a message means to the step that rests; to the question for an address, also together with the pieces before it. */
export function meant(
  draft: Draft,
  frame: Frame,
  expectation: Expectation,
  content: Content,
): Meaning {
  const { session, context } = draft;
  const alone = meaning(expectation, content, context);
  if (content.type !== "text" || current(expectation)?.kind !== "address") return alone;
  if (alone.kind !== "flow") return alone;
  const of = placeOf(frame, expectation);
  const before = session.pieces?.of === of ? session.pieces.text : undefined;
  if (alone.event.type !== "BAD") {
    delete session.pieces;
    return alone;
  }
  const { reason, hint } = alone.event;
  // "não sei" is no piece; "Centro, São Paulo SP" is one, though nothing of an address by itself.
  const isPiece = reason === "invalid" || (before !== undefined && PARTS.test(content.text));
  if (!isPiece || !LACKS.has(hint)) return alone;
  const text = before === undefined ? content.text : `${before}\n${content.text}`;
  if (text.length > LONGEST) {
    delete session.pieces;
    return alone;
  }
  session.pieces = { of, text };
  if (before === undefined) return alone;
  const together = meaning(expectation, { type: "text", text }, context);
  if (together.kind === "flow" && together.event.type !== "BAD") delete session.pieces;
  return together.kind === "flow" ? together : alone;
}
