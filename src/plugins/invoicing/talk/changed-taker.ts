/**
 * Whom a note is for, told anew. A name goes with no document and no address but its own: where the sentence brings none, or a
 * wrong document, what else it says counts, and those are asked for again.
 */
import {
  type Amendment,
  CORRECTION_LEAD,
  documentAndName,
  documentType,
  type Doubt,
  type Expectation,
  type ExpectedSlot,
  foldWords,
  fragmentsOf,
  isSlip,
  type Json,
  type JsonObject,
  KIN,
  phone,
  plainOf,
  type ProgramContext,
  tidy,
} from "../../../plugin.ts";
import { invoice } from "../sentence/invoice.ts";

type Form = Pick<Expectation, "rests" | "slots">;

const DOCUMENTS: ReadonlySet<string> = new Set(["document", "cpf", "cnpj"]);

/** Beside `values` of a sentence: what does not go with them. By itself: that the note is for somebody else. */
export function amendedBy(
  form: Form,
  text: string,
  values: JsonObject | undefined,
  context: ProgramContext,
): Amendment | undefined {
  if (!values) return takerAnew(form, text, context);
  const again = inDoubt(form, text, values, context);
  return again.length === 0
    ? undefined
    : { again, anew: again.map(({ slot }) => slot.name), values: {} };
}

/** What does not go with these values of a sentence, in the order in which it is asked again. */
function inDoubt(
  { slots }: Form,
  text: string,
  values: JsonObject,
  context: ProgramContext,
): readonly Doubt[] {
  const document = documentInDoubt(slots, text, values, context);
  const address = isSomebodyElse(slots, values) ? addressInDoubt(slots, values) : undefined;
  return [document, address].filter((doubt) => doubt !== undefined);
}

function documentInDoubt(
  slots: readonly ExpectedSlot[],
  text: string,
  values: JsonObject,
  context: ProgramContext,
): Doubt | undefined {
  const [slot, second] = slots.filter(({ kind }) => DOCUMENTS.has(kind));
  if (!slot?.filled || second || Object.hasOwn(values, slot.name)) return undefined;
  const offered = offeredDocument(text);
  if (offered !== undefined) return { slot, reading: slot.read(offered, context) };
  return isSomebodyElse(slots, values) ? { slot } : undefined;
}

/** Where the person of before lives, of whom the sentence does not speak. */
function addressInDoubt(slots: readonly ExpectedSlot[], values: JsonObject): Doubt | undefined {
  const [slot, second] = slots.filter(({ kind }) => kind === "address");
  return slot?.filled && !second && !Object.hasOwn(values, slot.name) ? { slot } : undefined;
}

/** The one name there is is known, and these values bring another person's. */
function isSomebodyElse(slots: readonly ExpectedSlot[], values: JsonObject): boolean {
  const [person, another] = slots.filter(({ kind }) => kind === "name");
  if (!person?.filled || another) return false;
  const { value: known } = person;
  const told = values[person.name];
  return typeof known === "string" && typeof told === "string" && !isSameName(told, known);
}

/**
 * "Na verdade é pra outra empresa": who was said before goes whole, document, name and address, and what is said of the other one
 * counts. Undefined where nobody was named yet, or the text says something else.
 */
function takerAnew(form: Form, text: string, context: ProgramContext): Amendment | undefined {
  if (form.rests === "ended") return undefined;
  const other = otherTaker(text);
  if (!other) return undefined;
  // Looked at only now: a plain answer is understood without the other questions.
  const { slots } = form;
  const [number, second] = slots.filter(({ kind }) => DOCUMENTS.has(kind));
  const [person, another] = slots.filter(({ kind }) => kind === "name");
  if (!number?.filled || second || !person?.filled || another) return undefined;
  const told = toldOf(other.rest, number, person, context);
  const whose = [number, person, ...slots.filter(({ kind }) => kind === "address")];
  const again = whose
    .filter(({ name }) => !Object.hasOwn(told, name))
    .map((slot): Doubt => ({ slot }));
  return { again, anew: whose.map(({ name }) => name), values: told };
}

function toldOf(
  text: string,
  number: ExpectedSlot,
  person: ExpectedSlot,
  context: ProgramContext,
): JsonObject {
  if (text === "") return {};
  const told: Record<string, Json> = {};
  const both = documentAndName(text, context.business);
  const document = number.read(both?.document ?? offeredDocument(text) ?? text, context);
  if (document.ok) told[number.name] = document.value;
  const sentence = both ? undefined : invoice(text, context);
  const said = both?.name ?? (sentence?.ok === true ? sentence.value.name : undefined);
  const name = said === undefined ? undefined : person.read(said, context);
  if (name?.ok) told[person.name] = name.value;
  return told;
}

/*
 * Digits that somebody gives for a document, right or wrong: said to be one, or of a document's length and nothing else. A phone, a
 * date and an amount are none.
 */

/** Said to be one: "cpf 529.982.247-2", "o cpf dele \u00e9 111". */
const SAID =
  /\b(?:cpf|cnpj)(?: ?\/ ?(?:cpf|cnpj))?(?: (?:del[ea]|d[aeo]|nov[oa]|cert[oa]|n|no|numero|number))*(?: (?:e|eh|is))?[ .:=\u00ba\u00b0-]*(\d[\d./ -]*)/g;
const DATE = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/;
/** Fewer digits behind the word are an amount: "sem cpf 150 reais". */
const FEWEST = 7;
/** As long as one and in one piece, or in a CPF's or a CNPJ's own groups. */
const WHOLE =
  /^(?:\d{11}|\d{14}|\d{3}[. ]\d{3}[. ]\d{3}[- ]?\d{2}|\d{2}[. ]\d{3}[. ]\d{3}[/ ]?\d{4}[- ]?\d{2})$/;

/** As it was typed; undefined where none is offered. */
export function offeredDocument(text: string): string | undefined {
  const line = plainOf(tidy(text));
  for (const [, digits = ""] of line.matchAll(SAID)) {
    const raw = digits.replace(/[./ -]+$/, "");
    if (raw.replace(/\D/g, "").length >= FEWEST && !DATE.test(raw)) return raw;
  }
  const failed = fragmentsOf(text).find(
    ({ raw, bare }) => WHOLE.test(raw) && documentType(bare) === null && !phone(raw).ok,
  );
  return failed?.raw;
}

/** Between the names of one person. */
const SMALL: ReadonlySet<string> = new Set(["de", "da", "do", "das", "dos", "e"]);

/**
 * Whether two names can be one person's: longer, shorter or spelt otherwise. They share a word, and each other word of the shorter
 * one stands in the longer one, abbreviated or with a slip: "Mario Souza" for "Maria Sousa". "Maria Lima" is not "Maria Souza".
 */
export function isSameName(one: string, other: string): boolean {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)];
  const mineAlone = mine.filter((word) => !theirs.includes(word));
  const theirsAlone = theirs.filter((word) => !mine.includes(word));
  if (mineAlone.length === mine.length) return false;
  const [few, many] =
    mineAlone.length <= theirsAlone.length ? [mineAlone, theirsAlone] : [theirsAlone, mineAlone];
  return few.every((word) => many.some((fellow) => isLike(word, fellow)));
}

function wordsOf(name: string): string[] {
  return foldWords(name)
    .split(" ")
    .filter((word) => word !== "" && !SMALL.has(word));
}

function isLike(one: string, other: string): boolean {
  if (one.length === 1 || other.length === 1) return one[0] === other[0];
  return isSlip(one, other);
}

/** Longer texts are stories. */
const LONGEST = 200;
const OTHER =
  "(?:(?:o|a|um|uma|an|a) )?(?:outr[oa]s? (?:pessoa|empresa|cliente|firma|tomadora?|pagadora?|nome)|another (?:person|company|client|customer)|someone else|somebody else)";
const MINE = `(?:(?:o|a) )?(?:meu|minha|nosso|nossa|my|our) (?:${KIN}|empresa|firma|loja|company|wife|husband|boss|mother|father|son|daughter|partner|sister|brother)`;
const MAKE =
  "(?:(?:(?:essa |esta |a )?nota|nao|e|eh|era|vai ser|seria|tem que ser|sai|fica|quero|queria|fa[zc]|faca|coloca|poe|bota|muda|troca|passa|it's|it is|it should be|make it|put it) )*";
const NOT_ME = "(?:(?:nao )?(?:e|eh) (?:pra|para) (?:mim|el[ae]|ess[ae]|eu)[ ,]+)?";
const WHO = "(?:cliente|tomadora?|pessoa|empresa|pagadora?|customer|client|person|company)";
const FOR =
  "(?:pra|para|pro|pr[ao] [oa]|n[oa] nome d[aeo]|em nome d[aeo]|for|to|under|in the name of)";
const END = "(?: (?:mesmo|por favor|please|ta|viu|agora|entao))?[ .!]*$";
const PATTERNS = [
  `${NOT_ME}${MAKE}${FOR} (?:${OTHER}|${MINE})`,
  `(?:e|eh|era|it's|it is) ${OTHER}`,
  `(?:[oa] |the )?${WHO} (?:e|eh|era|ta|esta|is) (?:outr[oa]|errad[oa]|another one|wrong)`,
  `(?:quero |queria |preciso |pode |i want to )?(?:mud|troc|alter|corrig|chang)\\w* (?:o|a|de|the) ${WHO}(?: da nota)?`,
  `(?:quero |queria |preciso |pode )?(?:mud|troc|alter|corrig)\\w* quem (?:recebe|vai receber)(?: a nota)?`,
].map((one) => new RegExp(`^${CORRECTION_LEAD}${one}${END}`));
/** What tells who it is instead stands behind one of these. */
const BEHIND = /[,;:\n]|\.(?= )| (?=(?:o |a )?(?:cpf|cnpj|nome)\b)/;

interface OtherTaker {
  /** What is said of the other one; empty where nothing is. */
  readonly rest: string;
}

/** Whether a text says so, and what else it says; undefined where it does not begin with it. */
export function otherTaker(text: string): OtherTaker | undefined {
  if (text.length > LONGEST) return undefined;
  const said = tidy(text);
  let from = 0;
  // "Não, na verdade é pra outra empresa, cnpj …": the lead has its commas, too.
  for (;;) {
    const next = BEHIND.exec(said.slice(from));
    const end = next ? from + next.index : said.length;
    const head = plainOf(said.slice(0, end));
    if (PATTERNS.some((pattern) => pattern.test(head)))
      return { rest: said.slice(end).replace(/^[\s,;:.]+/, "") };
    if (!next) return undefined;
    from = end + Math.max(1, next[0].length);
  }
}
