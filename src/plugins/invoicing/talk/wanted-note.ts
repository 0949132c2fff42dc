/** A note wanted in a person's own words: what flow they begin, and with which answers. */
import {
  type About,
  type JsonObject,
  namedService,
  type Opening,
  type ProgramContext,
  understand,
  type Wanted,
  fragmentsOf,
  money,
  plainOf,
  type TextContext,
  tidy,
  withoutNumbered,
} from "../../../plugin.ts";
import { invoice } from "../sentence/invoice.ts";
import { noteAsked } from "./note-asked.ts";
import { otherTaker } from "./changed-taker.ts";
import { invoicingOf } from "../account.ts";
import { NOTE_NOUNS } from "./nouns.ts";

/** A number alone may be anything, and begins no note. */
const LONE_NUMBER = /^\W*(?:n\W+)?\d{1,9}\W*$/i;
/** What tells one note from another. */
const TELLING = ["document", "name", "value"];

/** What a text opens: the flow by which this person has a note made, with what it says. */
export function openedBy(text: string, about: About): Opening | undefined {
  const asked = noteAsked(text);
  const sentence = sentenceOf(text, about);
  const isLater = asked?.how === "later";
  const wanted = sentence ?? (isLater ? undefined : askedFor(text, about)) ?? forOther(text, about);
  const isTold = Object.keys(sentence?.prefill ?? {}).length >= 2;
  if (!wanted && !asked) return undefined;
  return {
    ...(wanted ? { wanted } : {}),
    ...(isTold || asked ? { begins: true } : {}),
    ...(isLater ? { putOff: "note-later" } : {}),
  };
}

/** The flow by which this person has a note made, where it is offered. */
function issuing({ role, flows }: About): string | undefined {
  return flows.get(role === "operator" ? "issue-note" : "ask-note");
}

/** "nota 65 corte", "duas notas, uma de 100 e outra de 200": begun with nothing but the service, and asked. */
function askedFor(text: string, about: About): Wanted | undefined {
  const asked = noteAsked(text);
  const flow = asked ? issuing(about) : undefined;
  if (!asked || flow === undefined || asked.how === "later") return undefined;
  if (asked.how === "several") return { flow, prefill: {}, word: "one-note", isAsked: true };
  const service = asked.work === "" ? null : serviceIn(about, asked.work);
  const prefill = service === null ? {} : { service };
  return { flow, prefill, isAsked: true, ...likelyIn(about, prefill, text) };
}

/** "É pra outra pessoa" where no note is being made: one for somebody who is asked for. */
function forOther(text: string, about: About): Wanted | undefined {
  const other = otherTaker(text);
  const flow = other ? issuing(about) : undefined;
  if (!other || flow === undefined) return undefined;
  const said = other.rest === "" ? undefined : sentenceOf(other.rest, about);
  return said?.flow === flow ? { ...said, isAsked: true } : { flow, prefill: {}, isAsked: true };
}

/** "nota de 150 pra Maria, cpf …": the flow that issues, with what the sentence holds. */
function sentenceOf(text: string, about: About): Wanted | undefined {
  const flow = issuing(about);
  if (flow === undefined) return undefined;
  if (!text.includes("$") && LONE_NUMBER.test(text)) return undefined;
  const understood = invoice(text, about);
  if (!understood.ok) return undefined;
  const { date, ...rest } = understood.value;
  const keys = Object.keys(rest);
  // One word alone is no sentence: "cabelo" must not begin an invoice.
  if (keys.length === 0 || (keys.length === 1 && keys[0] !== "value" && keys[0] !== "document"))
    return undefined;
  const service = serviceIn(about, rest.description);
  const prefill: JsonObject = {
    ...rest,
    ...(service === null ? {} : { service }),
    ...(date === undefined ? {} : { competence: date.slice(0, 7) }),
  };
  const tells = Object.fromEntries(
    TELLING.flatMap((slot) => (prefill[slot] === undefined ? [] : [[slot, prefill[slot]]])),
  );
  const other = { word: "note-not-taken", tells };
  // A person of the business names somebody and no document: a customer known from before.
  const known = about.role === "operator" ? about.flows.get("known-customer") : undefined;
  // The wrapper has no slots of its own for these: it hands them on.
  if (known !== undefined && rest.name !== undefined && !rest.document)
    return { flow: known, prefill: {}, input: prefill, other };
  const isWhole =
    rest.document !== undefined &&
    rest.value !== undefined &&
    (rest.name !== undefined || rest.description !== undefined);
  return {
    flow,
    prefill,
    other,
    ...likelyIn(about, prefill, text),
    ...(isWhole ? { isWhole } : {}),
  };
}

/** The number that is most likely the amount, where the sentence told none. */
function likelyIn(
  about: About,
  prefill: JsonObject,
  text: string,
): { readonly likely?: JsonObject } {
  const value = prefill["value"] === undefined ? likelyAmount(text, about) : undefined;
  return value === undefined ? {} : { likely: { value } };
}

/** The business's service that what was done names, where that is one and no other; else it is asked. */
function serviceIn({ account }: About, description: string | undefined): string | null {
  if (description === undefined) return null;
  return namedService(
    description,
    invoicingOf(account).services.map(({ id, name }) => ({ id, label: name })),
  );
}

/*
 * The amount in a sentence about a note that exists: "repete a última, 200 reais", "igual à anterior, só que 250".
 */

/** In so many words; a bare number may be anything, but at the very end behind a comma. */
const AMOUNT = /r\$|\b(?:reais|real|contos?|pilas?|mil)\b/i;
const AT_THE_END = /,\s*(\d[\d.]*(?:,\d\d)?)\s*$/;
/** "Só que 200", "valor de 350", "mas por 1.200 dessa vez": what it shall be, whatever else stands before. */
const NEW_AMOUNT = new RegExp(
  String.raw`(?:^|[\s,])(?:valor|s[o\u00f3] que|mas|por[e\u00e9]m|agora|dessa vez|desta vez|por|com|but|now|for|with)` +
    String.raw`(?:,|\s)+(?:(?:agora|o|no|valor|de|por|com|\u00e9|e|s\u00e3o|the|value|of|for|at|is)\s+){0,3}` +
    String.raw`((?:r\$\s*)?\d[\d.]*(?:,\d{1,2})?(?:\s*(?:mil|k))?)(?:\s*(?:reais|real|contos?|pilas?))?` +
    String.raw`(?:,?\s*(?:agora|dessa vez|desta vez|now|this time|por favor|pf|please))?\s*[.!?]*$`,
  "iu",
);
/** Longer than any such sentence. */
const LONGEST = 300;

/** Integer cents. `alone`: no number in the text tells which note is meant, so that one in so many words can be nothing else. */
export function saidAmount(
  text: string,
  { now, zone, locale }: ProgramContext,
  alone: boolean,
): number | undefined {
  if (text.length > LONGEST) return undefined;
  const read = (said: string): number | undefined => {
    const money = understand("money", said, { now, zone, locale });
    return money.ok && typeof money.value === "number" ? money.value : undefined;
  };
  const all = alone && AMOUNT.test(text) ? read(text) : undefined;
  if (all !== undefined) return all;
  const figure = NEW_AMOUNT.exec(text)?.[1] ?? (alone ? AT_THE_END.exec(text)?.[1] : undefined);
  return figure === undefined ? undefined : read(`${figure} reais`);
}

/** Longer texts tell of more than a note. */
const LONGEST_WITH_AMOUNT = 160;
const NUMBER = /(?<![\w.,/:@-])(?:\d{2,6}|\d{1,3}(?:\.\d{3})+)(?:,\d\d)?(?![\w/:@-]|[.,]\d)/g;
/** Before a number that is none of money. */
const OTHER =
  /\b(?:dia|dias|numero|n[o\u00ba\u00b0.]|rua|av|avenida|ap|apto|apartamento|sala|casa|lote|quadra|km|cep|tel|fone|celular|as|das|ate|item|pedido|os|contrato|placa|turma|serie|nivel|rg|day|number|room|order)\.? ?$/;
/** Behind a number that counts something. */
const COUNTED =
  /^ ?(?:%|x\b|h\b|hs\b|min\b|kg\b|m2\b|km\b|un\b|vez\b|hora\b|aula\b|mes\b|ano\b|dia\b|de (?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b|[a-z]{3,}(?:oes|as|es|os|ns|is)\b)/;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * The number of a terse sentence that is most likely its amount: "nota 150 maria souza 52998224725 corte ontem". Nobody said that
 * it is one, so it is never taken: whoever asks for the amount may propose it. Integer cents; undefined where none or more than
 * one number may be it.
 */
export function likelyAmount(text: string, context: TextContext): number | undefined {
  if (text.length > LONGEST_WITH_AMOUNT) return undefined;
  const said = tidy(text);
  const cut = fragmentsOf(said)
    .filter(({ bare }) => bare.replace(/\D/g, "").length >= 7)
    .reduceRight(
      (line, { start, end }) =>
        `${line.slice(0, start)}${"_".repeat(end - start)}${line.slice(end)}`,
      said,
    );
  const line = withoutNumbered(plainOf(cut), NOTE_NOUNS);
  const found = [...line.matchAll(NUMBER)].filter(
    ({ index, 0: figure }) =>
      !YEAR.test(figure) &&
      !OTHER.test(line.slice(0, index)) &&
      !COUNTED.test(line.slice(index + figure.length)),
  );
  const [only, second] = found;
  if (!only || second) return undefined;
  const amount = money(`R$ ${only[0]}`, context);
  return amount.ok ? amount.value : undefined;
}
