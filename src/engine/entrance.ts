/**
 * How a conversation begins: a phrase of a flow, a whole invoice in one sentence, or the menu.
 */
import type { JsonObject } from "../base/index.ts";
import { fold, foldWords } from "../brazil/index.ts";
import {
  isNamed,
  namedService,
  noteWish,
  personOrCompany,
  understand,
} from "../understanding/index.ts";
import type { Draft } from "./draft.ts";
import { start } from "./frames.ts";
import { remember } from "./given.ts";
import { beginHandoff } from "./handoff.ts";
import type { Content } from "./inbound.ts";
import type { Command } from "./meant.ts";
import { optOut } from "./opt-out.ts";
import type { Program } from "./program.ts";
import { programOf } from "./programs.ts";
import { saidAmount } from "./said-amount.ts";
import type { Frame } from "./session.ts";

/** After the end of a flow, thanks get no menu for this long. */
const THANKS_MS = 12 * 3_600_000;

export function outsideFlow(draft: Draft, content: Content, name: Command): void {
  const { session, env } = draft;
  const recently = session.endedAt !== undefined && env.now - session.endedAt < THANKS_MS;
  if (name === "thanks" && recently) {
    draft.quiet = "thanks";
    return;
  }
  if (content.type === "text" && closes(draft, content.text)) {
    draft.quiet = "thanks";
    return;
  }
  if (name === "stop") {
    // A word that ends a chat must not end the business's requests: only the whole sentence does.
    if (session.role === "operator") draft.word("operator-stays");
    else optOut(draft);
    return;
  }
  if (name === "human") {
    begin(draft, "talk-to-human");
    return;
  }
  if (name === "cancel_invoice") {
    cancelNote(draft, content);
    return;
  }
  if (content.type === "text") {
    const wanted = wantedBy(draft, content.text);
    if (wanted) {
      enter(draft, wanted);
      return;
    }
    const number = loneNumber(content.text);
    if (number !== undefined) draft.word("lone-number", { number });
    if (name === "edit") draft.word("nothing-to-change");
  } else if (content.type === "media" && content.media === "sticker" && justEnded(draft)) {
    draft.quiet = "thanks";
    return;
  } else if (content.type !== "choice") {
    draft.word(content.type === "media" ? `got-${content.media}` : `got-${content.type}`);
  }
  begin(draft, "menu");
}

/** "ok", "blz", 👍: no wish, right after an end. "Sim" and "quero" may be one. */
const CLOSING =
  /^(?:ok+(?:ay)?|blz|beleza|ta(?: (?:bom|ok|certo|joia))?|certo|entendi|combinado|joia|show|got it|great|all ?right|fine)?$/;
const CLOSING_MS = 3_600_000;

export function closes(draft: Draft, text: string): boolean {
  return justEnded(draft) && isClosing(text);
}

/** A smile or an "ok" right after an end is for what ended. */
function justEnded({ session, env }: Draft): boolean {
  return env.now - (session.endedAt ?? -Infinity) < CLOSING_MS;
}

export function isClosing(text: string): boolean {
  const words = foldWords(text);
  if (!CLOSING.test(words) || text.includes("?")) return false;
  // Words of another script fold to nothing, and are no smile.
  return words !== "" || /^[^\p{L}\p{N}]+$/u.test(text);
}

/**
 * A few digits and nothing else: a note's number, a value, a choice of a menu that is over. Nobody knows, so nothing begins by
 * it. Documents and phones are longer, and money says so (`R$ 13`, `13,50`, `1.500`).
 */
const LONE_NUMBER = /^\W*(?:n\W+)?(\d{1,9})\W*$/i;

function loneNumber(text: string): string | undefined {
  return text.includes("$") ? undefined : LONE_NUMBER.exec(text)?.[1];
}

/** Whether a text asks for something, rather than only says something. */
export function begins(draft: Draft, text: string): boolean {
  const sentence = invoiceSentence(draft, text);
  const isWhole = sentence !== undefined && Object.keys(sentence.prefill).length >= 2;
  return isWhole || startedBy(draft, text, "within") !== undefined;
}

function begin(draft: Draft, flow: string): void {
  if (draft.env.library.get(flow)) start(draft, flow);
  else draft.word("not-understood");
}

/** Begins what a message asks for; what it said is remembered as its answers, so that an edit of it finds them. */
export function enter(draft: Draft, { flow, prefill, input }: Wanted): void {
  start(draft, flow, { prefill, ...(input ? { input } : {}) });
  const { top } = draft;
  if (!top) return;
  const known = programOf(draft, top).answers?.(top.state) ?? {};
  const said = Object.keys({ ...prefill, ...input }).filter((slot) => Object.hasOwn(known, slot));
  if (said.length > 0) remember(draft.session, draft.messages, top.id, said);
}

/** The flow an issued note is cancelled by, with what the sentence says of it; where there is none, a person is called. */
export function cancelNote(draft: Draft, content: Content, frame?: Frame): void {
  const program = offered(draft).find(({ flow }) => flow === CANCEL_NOTE);
  if (program && content.type === "text") {
    start(draft, program.flow, { input: said(draft, content.text) });
    return;
  }
  draft.word("cancel-invoice");
  beginHandoff(draft, frame, "cancel-invoice");
}

/** Whether a text says which note it means. */
export function namesNote(draft: Draft, text: string): boolean {
  const wish = noteWish(text, draft.context);
  return wish.number !== undefined || wish.key !== undefined || wish.last === true;
}

/** What a sentence that begins a flow says beside: its input, and answers of slots of these names. */
function said(draft: Draft, text: string): JsonObject {
  const wish = noteWish(text, draft.context);
  const value = saidAmount(text, draft.context, wish.number === undefined);
  return {
    ...(isNamed(wish) ? { note: { ...wish } } : {}),
    ...(wish.month === undefined ? {} : { month: wish.month }),
    ...(wish.name === undefined ? {} : { name: wish.name }),
    ...(value === undefined ? {} : { value }),
  };
}

export interface Wanted {
  readonly flow: string;
  readonly prefill: JsonObject;
  readonly input?: JsonObject;
}

/**
 * What a sentence begins: a flow by its phrase, or an invoice. A phrase somewhere inside a whole invoice is only a word of
 * its description; at the beginning it says what the rest is for.
 */
export function wantedBy(draft: Draft, text: string): Wanted | undefined {
  const program = startedBy(draft, text, "within");
  const isLed = program !== undefined && !ISSUING.has(program.flow) && leads(program, text);
  const sentence = isLed ? undefined : invoiceSentence(draft, text);
  if (sentence) return sentence;
  // What a note is issued from is never guessed from the words around a phrase.
  if (program && ISSUING.has(program.flow)) return { flow: program.flow, prefill: {} };
  const prefill = { ...named(program, text), ...said(draft, text) };
  return program && { flow: program.flow, prefill, input: prefill };
}

/** "Esquece a cliente Maria Souza": what stands behind the phrase, when it can be a name. */
function named(program: Program | undefined, text: string): JsonObject {
  const words = text.trim().split(/\s+/);
  const longest = [...(program?.starts ?? [])].sort((a, b) => b.length - a.length);
  for (const phrase of longest) {
    const count = phrase.split(" ").length;
    if (fold(words.slice(0, count).join(" ")) !== phrase) continue;
    const rest = words.slice(count);
    const name = rest.length <= NAME_WORDS ? personOrCompany(rest.join(" ")) : null;
    return name === null ? {} : { name };
  }
  return {};
}

/** Words of a name behind a phrase. */
const NAME_WORDS = 6;

/** Whether one of a flow's phrases stands at the beginning of a text, polite words aside. */
function leads(program: Program, text: string): boolean {
  const words = ` ${foldWords(fold(text).replace(POLITE, ""))} `;
  return program.starts.some((phrase) => words.startsWith(` ${phrase} `));
}

const CANCEL_NOTE = "cancel-note";
/** Begun when a sentence names somebody and no document: for a person of the business, a customer known from before. */
const KNOWN_CUSTOMER = "known-customer";
const ISSUING: ReadonlySet<string> = new Set(["request-invoice", "issue-invoice", KNOWN_CUSTOMER]);
const POLITE =
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite|por favor|eu|quero|queria|preciso|pode|me|hi|hello|please|i want to)[,.! ]+)+/;

/** Flows this contact may begin by writing. */
export function offered(draft: Draft): readonly Program[] {
  return draft.env.library.list().filter((program) => isOffered(draft, program));
}

export function isOffered({ env }: Draft, { audience, flow }: Program): boolean {
  const { flows } = env.account;
  if (audience !== "anyone" && audience !== env.role) return false;
  return flows.length === 0 || flows.includes(flow);
}

export function menuOf(draft: Draft): Program | undefined {
  return offered(draft).find((program) => program.flow === "menu");
}

/** The flow a text begins: by one of its phrases, the longest that fits. */
export function startedBy(
  draft: Draft,
  text: string,
  how: "exact" | "within",
): Program | undefined {
  const said = ` ${foldWords(text)} `;
  let best: { program: Program; length: number } | undefined;
  for (const program of offered(draft))
    for (const phrase of program.starts) {
      const fits = how === "exact" ? said === ` ${phrase} ` : said.includes(` ${phrase} `);
      if (fits && phrase.length > (best?.length ?? 0)) best = { program, length: phrase.length };
    }
  return best?.program;
}

/** The flow that a text is the phrase of, polite words aside: a task by its own words, whatever waits for a yes or a no. */
export function taskIn(draft: Draft, text: string): Program | undefined {
  return (
    startedBy(draft, text, "exact") ??
    startedBy(draft, foldWords(text).replace(POLITE, ""), "exact")
  );
}

/** A whole sentence at the menu says more than a choice of it: two things of a note, or more. */
export function sentenceAtMenu(
  draft: Draft,
  frame: Frame,
  content: Content,
  rows: readonly { readonly label: string }[] = [],
): Wanted | undefined {
  if (frame.flow !== "menu" || content.type !== "text") return undefined;
  const wanted = wantedBy(draft, content.text);
  if (!wanted) return undefined;
  // "cadastrar empresa", as the bot itself told them to write; unless a row is called just that.
  const said = foldWords(content.text);
  const isRow = rows.some(({ label }) => foldWords(label) === said);
  const whole = said.includes(" ") && startedBy(draft, content.text, "exact");
  if (whole && whole.flow === wanted.flow && !isRow) return wanted;
  const words = content.text.trim().split(/\s+/).length;
  // Two words of a phrase may as well be the label of a row.
  const fits = ISSUING.has(wanted.flow) ? Object.keys(wanted.prefill).length >= 2 : words >= 3;
  return fits ? wanted : undefined;
}

/** "nota de 150 pra Maria, cpf …": the flow that issues, with what the sentence holds. */
function invoiceSentence(draft: Draft, text: string): Wanted | undefined {
  const flow = draft.session.role === "operator" ? "issue-invoice" : "request-invoice";
  if (!offered(draft).some((program) => program.flow === flow)) return undefined;
  if (loneNumber(text) !== undefined) return undefined;
  const understood = understoodInvoice(draft, text);
  if (!understood) return undefined;
  const { date, ...rest } = understood;
  const keys = Object.keys(rest);
  // One word alone is no sentence: "cabelo" must not begin an invoice.
  if (keys.length === 0 || (keys.length === 1 && keys[0] !== "value" && keys[0] !== "document"))
    return undefined;
  const service = serviceIn(draft, rest["description"]);
  const prefill = {
    ...rest,
    ...(service === null ? {} : { service }),
    ...(typeof date === "string" ? { competence: date.slice(0, 7) } : {}),
  };
  const known = draft.env.library.get(KNOWN_CUSTOMER);
  // The wrapper has no slots of its own for these: it hands them on.
  return known && flow === "issue-invoice" && rest["name"] !== undefined && !rest["document"]
    ? { flow: KNOWN_CUSTOMER, prefill: {}, input: prefill }
    : { flow, prefill };
}

/** The business's service that what was done names, where that is one and no other; else it is asked. */
function serviceIn({ env }: Draft, description: string | number | undefined): string | null {
  if (typeof description !== "string") return null;
  const { services } = env.account;
  return namedService(
    description,
    services.map(({ id, name }) => ({ id, label: name })),
  );
}

function understoodInvoice(
  draft: Draft,
  text: string,
): Record<string, string | number> | undefined {
  const { now, zone, locale } = draft.context;
  const understood = understand("invoice", text, { now, zone, locale });
  if (!understood.ok || typeof understood.value !== "object" || understood.value === null)
    return undefined;
  return understood.value as Record<string, string | number>;
}
