/**
 * How a conversation begins: a phrase of a flow, a whole invoice in one sentence, or the menu.
 */
import type { JsonObject } from "../base/index.ts";
import { foldWords } from "../brazil/index.ts";
import { understand } from "../understanding/index.ts";
import type { Draft } from "./draft.ts";
import { start } from "./frames.ts";
import { beginHandoff } from "./handoff.ts";
import type { Content } from "./inbound.ts";
import type { Command } from "./meaning.ts";
import { optOut } from "./opt-out.ts";
import type { Program } from "./program.ts";
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
    draft.word("cancel-invoice");
    beginHandoff(draft, undefined, "cancel-invoice");
    return;
  }
  if (content.type === "text") {
    const sentence = invoiceSentence(draft, content.text);
    if (sentence) {
      start(draft, sentence.flow, { prefill: sentence.prefill });
      return;
    }
    const program = startedBy(draft, content.text, "within");
    if (program) {
      start(draft, program.flow);
      return;
    }
  } else if (content.type !== "choice") {
    draft.word(content.type === "media" ? `got-${content.media}` : `got-${content.type}`);
  }
  begin(draft, "menu");
}

/** Whether a text asks for something, rather than only says something. */
export function begins(draft: Draft, text: string): boolean {
  return (
    startedBy(draft, text, "within") !== undefined || invoiceSentence(draft, text) !== undefined
  );
}

function begin(draft: Draft, flow: string): void {
  if (draft.env.library.get(flow)) start(draft, flow);
  else draft.word("not-understood");
}

/** Flows this contact may begin by writing. */
export function offered(draft: Draft): readonly Program[] {
  const { account, library, role } = draft.env;
  return library
    .list()
    .filter((program) => program.audience === "anyone" || program.audience === role)
    .filter((program) => account.flows.length === 0 || account.flows.includes(program.flow));
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

/** "nota de 150 pra Maria, cpf …": the flow that issues, with what the sentence holds. */
/** A whole sentence at the menu says more than a choice of it: two things of a note, or more. */
export function sentenceAtMenu(
  draft: Draft,
  frame: Frame,
  content: Content,
): { flow: string; prefill: JsonObject } | undefined {
  if (frame.flow !== "menu" || content.type !== "text") return undefined;
  const sentence = invoiceSentence(draft, content.text);
  return sentence && Object.keys(sentence.prefill).length >= 2 ? sentence : undefined;
}

function invoiceSentence(
  draft: Draft,
  text: string,
): { flow: string; prefill: JsonObject } | undefined {
  const flow = draft.session.role === "operator" ? "issue-invoice" : "request-invoice";
  if (!offered(draft).some((program) => program.flow === flow)) return undefined;
  const { now, zone, locale } = draft.context;
  const understood = understand("invoice", text, { now, zone, locale });
  if (!understood.ok || typeof understood.value !== "object" || understood.value === null)
    return undefined;
  const { date, ...rest } = understood.value as Record<string, string | number>;
  const keys = Object.keys(rest);
  // One word alone is no sentence: "cabelo" must not begin an invoice.
  if (keys.length === 0 || (keys.length === 1 && keys[0] !== "value" && keys[0] !== "document"))
    return undefined;
  const prefill = {
    ...rest,
    ...(typeof date === "string" ? { competence: date.slice(0, 7) } : {}),
  };
  return { flow, prefill };
}
