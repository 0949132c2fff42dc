/**
 * What a text means to a summary or another question that asks for a confirmation: yes or no, a change, or the reason why
 * it is neither.
 */
import { foldWords } from "../../brazil/index.ts";
import {
  pickOption,
  understand,
  withoutLead,
  type Command as SaidCommand,
} from "../../understanding/index.ts";
import { newAmount } from "./meaning-amount.ts";
import { saidAlone } from "./meaning-several.ts";
import { otherValue } from "./meaning-values.ts";
import { saidAnew } from "./meaning-sentence.ts";
import { bad, edits, flow, type Meaning, picked } from "./meaning-result.ts";
import type { Expectation } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** Whether a text is the word that confirms. */
export function isWord(text: string, expectation: Expectation): boolean {
  // "EMITIR?" asks whether it shall be done.
  return !text.includes("?") && wordsOf(expectation).includes(foldWords(text));
}

/** Whether a text is one of those that decline. */
function declines(text: string, { nots = [] }: Expectation): boolean {
  if (nots.length === 0 || text.includes("?")) return false;
  const said = foldWords(text);
  const bare = withoutLead(said);
  return nots.map(foldWords).some((one) => one === said || one === bare);
}

/** Whether it stands among others. */
function holdsWord(text: string, expectation: Expectation): boolean {
  const said = ` ${foldWords(text)} `;
  return wordsOf(expectation).some((word) => said.includes(` ${word} `));
}

function wordsOf({ word, words = [] }: Expectation): readonly string[] {
  return word === undefined ? [] : [word, ...words].map(foldWords);
}

export function confirmed(
  expectation: Expectation,
  text: string,
  command: SaidCommand,
  context: ReadingContext,
): Meaning {
  const { word } = expectation;
  if (isWord(text, expectation)) return flow({ type: "YES" });
  if (declines(text, expectation)) return flow({ type: "NO" });
  const reply = understand("yesno", text, context);
  const yes = reply.ok && reply.value === "yes";
  if (yes && word === undefined) return flow({ type: "YES" });
  if (yes && word !== undefined)
    return holdsWord(text, expectation)
      ? flow({ type: "YES" })
      : bad({ ok: false, reason: "word-needed" });
  const anew = saidAnew(expectation, text, context);
  if (anew) return anew;
  const other = otherValue(expectation, text, context);
  if (other) return flow(other);
  const amount = newAmount(expectation, text, context);
  if (amount) return amount;
  const single = saidAlone(expectation, text, context);
  if (single) return single;
  const amiss = wrongValue(expectation, text, context);
  if (amiss) return amiss;
  if (command === "edit" || (reply.ok && reply.value !== "yes")) return flow({ type: "NO" });
  const choice = word === undefined ? pickOption(text, expectation.choices ?? []) : null;
  if (choice?.type === "match") return picked(expectation, choice.option);
  // "emitr" does not confirm: one letter is wrong, and nothing else.
  if (isNearly(text, expectation)) return bad({ ok: false, reason: "word-needed" });
  return bad({ ok: false, reason: reply.ok || reply.reason === "absent" ? "confirm" : "unsure" });
}

/** Whether a text is the word that confirms but for two letters: added, lost or others. */
function isNearly(text: string, { word = "" }: Expectation): boolean {
  const [said, wanted] = [foldWords(text), foldWords(word)];
  if (text.includes("?") || said.includes(" ") || Math.abs(said.length - wanted.length) > 2)
    return false;
  let head = 0;
  while (head < wanted.length && said[head] === wanted[head]) head++;
  let tail = 0;
  const least = Math.min(said.length, wanted.length);
  while (tail < least - head && said.at(-1 - tail) === wanted.at(-1 - tail)) tail++;
  return head >= 2 && Math.max(said.length, wanted.length) - head - tail <= 2;
}

/** Hints that only a value of the kind itself brings: it is one, and a wrong one. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  address: ["unknown-range", "other-state"],
  document: ["check-digit"],
};

/** A new address or document at a summary. When it is invalid, the reply says what is wrong with it. */
function wrongValue(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): Meaning | undefined {
  for (const slot of expectation.slots) {
    if (!slot.filled || !WRONG[slot.kind]) continue;
    const reading = slot.read(text, context);
    if (!reading.ok && WRONG[slot.kind]?.includes(reading.hint ?? ""))
      return edits([slot.name], { reading });
  }
  return undefined;
}
