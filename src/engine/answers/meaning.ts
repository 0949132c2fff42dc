/**
 * What a message means to the step at which the flow waits. Pure: flows get events, never texts.
 *
 * Values for empty slots and for the current one are answers. A value for a filled slot is a correction. A slot named
 * without a value is to be edited. A message is a command only when it has no other meaning.
 */
import { foldWords } from "../../brazil/index.ts";
import {
  asksForTime,
  asksWhetherNeeded,
  asksWhy,
  beforeWhy,
  beginsWithNo,
  keepsAnswer,
  opened,
  understand,
  type Command as SaidCommand,
} from "../../understanding/index.ts";
import type { Content } from "../session/inbound.ts";
import { addressPart } from "./meaning-address.ts";
import { answered } from "./meaning-answer.ts";
import { confirmed, isWord } from "./meaning-confirm.ts";
import { labelled } from "./meaning-labels.ts";
import { saidAlone, severalLabelled } from "./meaning-several.ts";
import { amendmentIn } from "../turn/readers.ts";
import { STRICT } from "./meaning-values.ts";
import { bad, current, edits, flow, type Meaning, NONE, picked, wrong } from "./meaning-result.ts";
import type { Expectation, ExpectedSlot } from "../turn/program.ts";
import type { Amendment, ReadingContext } from "../turn/reader.ts";

/** Whether the person keeps an earlier answer that is being asked for again. */
function keepsStanding(asked: ExpectedSlot | undefined, said: string): boolean {
  if (!asked?.filled || asked.secret === true || asked.value === undefined) return false;
  return keepsAnswer(said, asked.names);
}

/** What the content means. Never throws on any content. */
export function meaning(
  expectation: Expectation,
  content: Content,
  context: ReadingContext,
): Meaning {
  switch (content.type) {
    case "choice":
      return pressed(expectation, content.picks, context);
    case "text":
      return written(expectation, content.text, context);
    case "media":
      return (
        handed(expectation, content, context) ??
        (content.caption ? captioned(expectation, content.caption, context) : NONE)
      );
    case "contacts": {
      const [only, second] = content.contacts;
      const slot = current(expectation);
      if (second || !only?.phone || slot?.kind !== "phone") return NONE;
      return written(expectation, only.phone, context);
    }
    case "location":
      return handed(expectation, content, context) ?? NONE;
    case "other":
      return NONE;
  }
}

/** What is no text, where a slot takes it: the one that is asked, else the only empty one that does. */
function handed(
  expectation: Expectation,
  content: Content,
  context: ReadingContext,
): Meaning | undefined {
  const asked = current(expectation);
  const reading = asked?.take?.(asked.secret === true ? uncaptioned(content) : content, context);
  if (asked && reading)
    return reading.ok
      ? flow({ type: "ANSWER", values: { [asked.name]: reading.value } })
      : bad(reading);
  const fits = expectation.slots.flatMap((slot) => {
    const other = slot.filled ? undefined : slot.take?.(content, context);
    return other?.ok ? [{ slot, value: other.value }] : [];
  });
  const [only, second] = fits;
  return only && !second
    ? flow({ type: "ANSWER", values: { [only.slot.name]: only.value } })
    : undefined;
}

/** Words under a picture: where they are no answer, the picture was to be one, and cannot be read. */
function captioned(expectation: Expectation, caption: string, context: ReadingContext): Meaning {
  const said = written(expectation, caption, context);
  if (said.kind !== "flow" || said.event.type !== "BAD") return said;
  return said.event.reason === "absent" && !said.event.options ? NONE : said;
}

/** What stands beside a secret file is often its password. */
function uncaptioned(content: Content): Content {
  if (content.type !== "media") return content;
  const { caption: _, ...rest } = content;
  return rest;
}

function pressed(
  expectation: Expectation,
  picks: Extract<Content, { type: "choice" }>["picks"],
  context: ReadingContext,
): Meaning {
  const [first, second] = picks;
  if (!first) return NONE;
  if (second) return bad({ ok: false, reason: "ambiguous" });
  const choice = expectation.choices?.find(
    (one) => one.id === first.id || foldWords(one.label) === foldWords(first.label),
  );
  if (choice) return picked(expectation, choice);
  if (expectation.rests === "confirm" && (first.id === "yes" || isWord(first.label, expectation)))
    return flow({ type: "YES" });
  if (expectation.rests === "confirm" && first.id === "no") return flow({ type: "NO" });
  if (!expectation.choices?.length) {
    const late = pressedLate(expectation, first.label, context);
    if (late) return late;
  }
  return written(expectation, first.label, context);
}

/** A press where nothing is offered: a vote on an older list corrects it, and is no answer to a question for any text. */
function pressedLate(
  expectation: Expectation,
  label: string,
  context: ReadingContext,
): Meaning | undefined {
  const asked = current(expectation);
  const fits = expectation.slots.flatMap((slot) => {
    if (slot.kind !== "choice" || !slot.filled) return [];
    const reading = slot.read(label, context);
    return reading.ok ? [{ slot, value: reading.value }] : [];
  });
  const [only, second] = fits;
  if (only && !second)
    return only.value === only.slot.value
      ? NONE
      : flow({ type: "CORRECT", values: { [only.slot.name]: only.value } });
  return asked && !STRICT.has(asked.kind) ? NONE : undefined;
}

function written(expectation: Expectation, raw: string, context: ReadingContext): Meaning {
  const text = raw.trim();
  if (text === "") return NONE;
  const said = foldWords(text);
  // "Aprovar?" asks; whether it chooses, too, the slot says.
  const exact = text.includes("?")
    ? undefined
    : expectation.choices?.find((choice) => said !== "" && foldWords(choice.label) === said);
  if (exact) return picked(expectation, exact);
  const asked = current(expectation);
  if (asked && keepsStanding(asked, said))
    return flow({ type: "ANSWER", values: { [asked.name]: asked.value ?? null } });
  const { value: command } = understand("command", text, context) as { value: SaidCommand };
  if (command !== "none" && command !== "edit" && !isThankfulNo(expectation, command, said))
    return { kind: "command", command };
  if (asksWhy(text)) return { kind: "command", command: "why" };
  const needed = whyOf(expectation, text, context);
  if (needed) return needed;
  if (asksForTime(text)) return { kind: "command", command: "moment" };
  const before = beforeWhy(text);
  if (before !== undefined) {
    const first = written(expectation, before, context);
    if (first.kind === "flow" && first.event.type !== "BAD") return { ...first, asks: "why" };
  }
  const amended = amendmentIn(expectation, text, undefined, context);
  if (amended) return askedAnew(amended);
  const several = severalLabelled(expectation, text, context);
  if (several) return several;
  const told = opened(text);
  const label =
    addressPart(expectation, told, context) ??
    labelled(expectation, text, context) ??
    labelled(expectation, told, context);
  if (label)
    return label.ok ? { ...flow(label.event), ...wrong(label.reading) } : bad(label.reading);
  switch (expectation.rests) {
    case "confirm":
      return confirmed(expectation, text, command, context);
    case "ask":
    case "choose":
      return answered(expectation, text, command, context);
    case "notify":
      // Somebody else decides on what stands meanwhile.
      return command === "edit"
        ? { kind: "command", command }
        : (saidAlone(expectation, text, context) ?? NONE);
    case "effect":
    case "subflow":
    case "wait":
    case "handoff":
    case "ended":
      return command === "edit" ? { kind: "command", command } : NONE;
  }
}

/** "Não, obrigada" thanks, and answers. */
function isThankfulNo(expectation: Expectation, name: string, said: string): boolean {
  if (name !== "thanks" || !beginsWithNo(said)) return false;
  return expectation.rests === "confirm" || current(expectation)?.kind === "yesno";
}

/** "Precisa do CPF?", "do I need a CPF?": whether what is asked, or something else, is needed at all. */
function whyOf(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): Meaning | undefined {
  const need = asksWhetherNeeded(text, context.business);
  if (!need) return undefined;
  const { words, isDatum } = need;
  if (words.length === 0) return { kind: "command", command: "why" };
  const line = ` ${words.join(" ")} `;
  const asked = current(expectation);
  const names = (slot: ExpectedSlot): boolean =>
    slot.names.some((one) => line.includes(` ${one} `));
  if (asked && names(asked)) return { kind: "command", command: "why" };
  const other = expectation.slots.find(names);
  if (other) return flow({ type: "WHY", slots: [other.name] });
  return isDatum ? { kind: "command", command: "needed" } : undefined;
}

/** What was said before holds no more: asked again, beside what the text says instead. */
function askedAnew({ again, anew, values }: Amendment): Meaning {
  const slots = again.map(({ slot }) => slot.name);
  return edits(slots, { anew, reading: again[0]?.reading, beside: values });
}
