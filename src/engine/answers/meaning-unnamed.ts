/**
 * A part of a message that names no answer and can be only one of them: "na verdade é 180", "são 200 reais", "foi pra Joana",
 * "Joana Prado Lima". Pure. Looked at beside parts that name theirs.
 */
import { foldWords } from "../../brazil/index.ts";
import {
  isBareDocument,
  isBareValue,
  isServiceWord,
  isWork,
  plainOf,
  tidy,
} from "../../understanding/index.ts";
import { loneName, otherValue } from "./meaning-values.ts";
import type { Expectation, ExpectedSlot, SlotReading } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** What is said by it, of one slot. */
export interface Unnamed {
  readonly slot: ExpectedSlot;
  readonly reading: SlotReading;
  /** It says by its own words that it is an amount, or whom it is for. */
  readonly isSure: boolean;
}

/** Longer is more than one value. */
const LONGEST = 120;
const LEAD =
  "(?:(?:na verdade|quer dizer|ou melhor|ops|opa|oops|desculpa|desculpe|foi mal|sorry|errei|nao|no|sim|isso|e|and|ah|mas|but|agora|tambem|tb|actually|i mean|o certo|o correto|(?:o )?valor certo)[ ,.:!]+)*";
const VERB =
  "(?:(?:pode |quero |please )?(?:mud\\w+|troc\\w+|alter\\w+|corrig\\w+|coloca\\w*|coloque|poe|ponha|bota\\w*|bote|deixa\\w*|faz|faca|change|make|put|set)(?: (?:it|ai|isso))?(?: (?:pra|para|pro|por|em|de|to))? )";
const IS =
  "(?:(?:e|eh|sao|foi|foram|era|eram|seria|fica|ficou|deu|da|custou|it['\\u2019]?s|it is|it was|is|was|should be|it should be|deveria ser|tem que ser|tinha que ser|por|de|pra|para|to) )";
const SIGN = "(?:r\\$ ?)";
const UNIT = "(?: ?(?:reais|real|conto|contos|pila|pilas|brl))";
const FIGURE = "\\d[\\d.]*(?:,\\d\\d)?";
const IN_WORDS = new RegExp(`^${LEAD}(?:${VERB})?${IS}?`);
const END = "(?: (?:mesmo|msm|viu|ta|ok|por favor|pf|please|certo))?[ .!]*$";
const AMOUNT = new RegExp(
  `^(${LEAD})(${VERB})?(${IS})?(${SIGN})?(${FIGURE})(${UNIT})?(?:[ ,;]+(?:e )?(?:nao|not)(?: (?:e|era|sao|foi|de|os))* ${SIGN}?(${FIGURE})${UNIT}?)?${END}`,
);
/** Of a month, at most. */
const DAYS = 31;
/** Of what opens a correction, that something said before does not hold. */
const TAKES_BACK =
  /\b(?:na verdade|quer dizer|ou melhor|o certo|o correto|valor certo|errei|actually|i mean)\b/;
/** "Não é 150, é 180". */
const NOT_BUT = new RegExp(
  `^${LEAD}(?:nao|not)(?: (?:e|eh|era|sao|foi|foram))* ${SIGN}?(${FIGURE})${UNIT}?[ ,;]+(?:(?:mas|sim|e|but) )?${IS}?(${SIGN})?(${FIGURE})(${UNIT})?${END}`,
);
/** Whom it is for, in so many words; what stands behind has to begin like a name. */
const FOR = new RegExp(
  `^${LEAD}(?:(?:e|eh|foi|era|vai|seria|fica|sai|it['\\u2019]?s|it is|it was) )?(?:pra|para|pro|p/|for|em nome d[aeo]|no nome d[aeo]|in the name of) (?:[oa] )?(?=[a-z])`,
);
/** "É a Joana Prado Lima", "na verdade Joana Prado Lima". */
const WHO = new RegExp(
  `^${LEAD}(?:(?:e|eh|foi|era|seria|it['\\u2019]?s|it is|it was) )?(?:[oa] (?=[a-z]{3}))?`,
);
/** What was done, in so many words. */
const DONE = new RegExp(
  `^${LEAD}(?:(?:o )?servico )?(?:foi|foram|fiz|fizemos|era|eram|it was|we did|i did) (?:(?:so|apenas|um|uma|o|a|a|an|the) )*`,
);
const INSTEAD = new RegExp(
  `^(${LEAD}(?:(?:pode |quero |please )?(?:mud|troc|alter|corrig|chang|replac)\\w* (?:de |from |[oa] )?))(.{2,60}?) (?:por|pra|para|pro|to|with|for) (?:[oa] (?=[a-z]{3}))?`,
);
/** "Não é Maria, é Joana". */
const NOT_THIS = new RegExp(
  `^(${LEAD}(?:(?:nao|not) (?:(?:e|eh|era|foi) )?(?:[oa] )?))(.{2,60}?)[ ,;]+(?:(?:mas|sim|but) )?(?:e|eh|era|foi|sim|it['\\u2019]?s) (?:[oa] (?=[a-z]{3}))?`,
);
const NO_NAME =
  /^(?:mim|el[ae]s?|eu|mes|amanha|hoje|ontem|ess[ea]|est[ea]|isso|outr[oa]|min?ha|meu|my|me|him|her|them|today|tomorrow|another|someone|somebody)\b/;
const CAPITAL = /^\p{Lu}/u;

/** What a part says; undefined where it may be anything. */
export function unnamed(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  if (part.length > LONGEST || part.includes("?")) return undefined;
  return (
    insteadIn(expectation, part, context) ??
    amountIn(expectation, part, context) ??
    whoIn(expectation, part, context) ??
    strictIn(expectation, part, context) ??
    workIn(expectation, part, context)
  );
}

/** "Troca Maria por Joana", "muda de 150 para 180": what is known, and what it should be. */
function insteadIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const text = tidy(part);
  const line = plainOf(part);
  const found = INSTEAD.exec(line) ?? NOT_THIS.exec(line);
  if (!found) return undefined;
  const [, lead = "", old = ""] = found;
  const known = text.slice(lead.length, lead.length + old.length);
  const value = text.slice(found[0].length);
  for (const slot of [only(expectation, "money"), only(expectation, "name")]) {
    if (!slot?.filled) continue;
    const before = slot.read(known, context);
    if (!before.ok || before.value !== slot.value) continue;
    const reading = slot.read(value, context);
    if (reading.ok) return { slot, reading, isSure: true };
  }
  return undefined;
}

/** "Foi corte e barba": what was done, where nothing is asked. */
function workIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const slot = only(expectation, "text");
  if (!slot?.filled || (expectation.rests !== "confirm" && expectation.rests !== "notify"))
    return undefined;
  const text = tidy(part);
  const lead = DONE.exec(plainOf(part))?.[0].length ?? 0;
  const work = text.slice(lead).replace(/[ .!]+$/, "");
  if (lead === 0 || !isWork(work, context.business)) return undefined;
  const reading = slot.read(work, context);
  return reading.ok ? { slot, reading, isSure: true } : undefined;
}

/** "Foi mês passado", "111.444.777-35": no text, and no answer but one. */
function strictIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const { slot: _, asked: __, ...rest } = expectation;
  const text = tidy(part).slice(WHO.exec(plainOf(part))?.[0].length ?? 0);
  if (!isBareDocument(text) && !isBareValue(text)) return undefined;
  const event = otherValue(rest, text, context);
  const [name] = event && "values" in event ? Object.keys(event.values) : [];
  const slot = expectation.slots.find((one) => one.name === name);
  if (!slot || !event || !("values" in event)) return undefined;
  const value = event.values[slot.name] ?? null;
  return { slot, reading: { ok: true, value, echo: "" }, isSure: true };
}

function amountIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const slot = only(expectation, "money");
  if (!slot || isBareDocument(part)) return undefined;
  const line = plainOf(part);
  const [, notThis, butSign, butThis, butUnit] = NOT_BUT.exec(line) ?? [];
  const [, lead = "", verb, is, sign, isThis, unit, notThat] = AMOUNT.exec(line) ?? [];
  const figure = butThis ?? isThis;
  if (figure === undefined) return inWords(slot, part, context);
  const denied = notThis ?? notThat;
  // Another amount than the one that is known is denied: that may be about something else.
  if (denied !== undefined && slot.filled && !isSame(slot, denied, context)) return undefined;
  const isMoney = Boolean(sign ?? unit ?? butSign ?? butUnit) || /,\d\d$/.test(figure);
  const isSure = isMoney || denied !== undefined || Boolean(verb ?? is) || lead !== "";
  const reading = slot.read(isMoney ? `${figure} reais` : figure, context);
  if (!isMoney && denied === undefined && mayBeDay(figure))
    return askedWhether(expectation, slot, { figure, lead, reading });
  return reading.ok || reading.reason !== "absent" ? { slot, reading, isSure } : undefined;
}

/** "Foi 10": one or two figures, and no more than a month has days. */
function mayBeDay(figure: string): boolean {
  return /^\d\d?$/.test(figure) && Number(figure) <= DAYS;
}

/** "Na verdade é 25" takes back an amount more likely than a day: it is proposed. What is a row of a list is none. */
function askedWhether(
  { choices = [] }: Expectation,
  slot: ExpectedSlot,
  said: { readonly figure: string; readonly lead: string; readonly reading: SlotReading },
): Unnamed | undefined {
  const { figure, lead, reading } = said;
  if (!slot.filled || !TAKES_BACK.test(lead) || Number(figure) <= choices.length) return undefined;
  if (!reading.ok) return undefined;
  const { value, echo } = reading;
  return {
    slot,
    reading: { ok: false, reason: "ambiguous", options: [{ value, echo }] },
    isSure: true,
  };
}

/** "É cento e noventa": an amount in letters, and nothing else. */
function inWords(slot: ExpectedSlot, part: string, context: ReadingContext): Unnamed | undefined {
  const rest = tidy(part).slice(IN_WORDS.exec(plainOf(part))?.[0].length ?? 0);
  if (/\d/.test(rest) || !isBareValue(rest)) return undefined;
  const reading = slot.read(rest, context);
  return reading.ok ? { slot, reading, isSure: true } : undefined;
}

function isSame(slot: ExpectedSlot, text: string, context: ReadingContext): boolean {
  const old = slot.read(text, context);
  return old.ok && old.value === slot.value;
}

function whoIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const slot = only(expectation, "name");
  if (!slot) return undefined;
  const text = tidy(part);
  const line = plainOf(part);
  const lead = FOR.exec(line)?.[0].length ?? 0;
  if (lead > 0) {
    const name = text.slice(lead);
    // In small letters it may be anything: "pra ontem".
    if (!CAPITAL.test(name) && loneName(name, context) === undefined) return undefined;
    return NO_NAME.test(line.slice(lead)) ? undefined : named(slot, name, context, true);
  }
  const rest = text.slice(WHO.exec(line)?.[0].length ?? 0);
  const name = loneName(rest, context);
  // Only the name: "é cento e noventa e o nome é Joana" says more. "Consultoria Empresarial" is what was done.
  if (name === undefined || foldWords(name) !== foldWords(rest)) return undefined;
  return isServiceWord(plainOf(name)) ? undefined : named(slot, name, context, false);
}

function named(
  slot: ExpectedSlot,
  name: string,
  context: ReadingContext,
  isSure: boolean,
): Unnamed | undefined {
  const reading = slot.read(name, context);
  return reading.ok ? { slot, reading, isSure } : undefined;
}

function only({ slots }: Expectation, kind: string): ExpectedSlot | undefined {
  const [slot, second] = slots.filter((one) => one.kind === kind);
  return second ? undefined : slot;
}
