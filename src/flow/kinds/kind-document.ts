/**
 * Slot kind of CPF and CNPJ. People also answer what they have instead ("é pra um americano, não tem cpf", "it's for my
 * company"). Such a text is not a wrong number: the hint says what it is, so that the bot can answer it.
 */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import { documentType, foldWords, formatDocument, maskDocument } from "../../brazil/index.ts";
import { understand } from "../../understanding/index.ts";
import { defineKind, reading } from "./define-kind.ts";
import { plainText } from "../texts/template.ts";
import { refused, type SlotKind } from "../authoring/vocabulary.ts";

const BAD = [
  "absent",
  "invalid",
  "check-digit",
  "letter-o",
  "length",
  "repeated",
  "cpf-or-phone",
  "foreign",
  "none",
  "company",
  "person",
  "own",
];

/** Somebody from abroad. */
const FOREIGN =
  /\b(?:estrangeir[oa]s?|gring[oa]s?|american[oa]s?|passaporte|passport|foreign(?:er)?|do exterior|no exterior|(?:fora|de fora) do (?:brasil|pais)|(?:de |em )?outro pais|abroad|another country|(?:not|isn t) (?:a )?brazilian|rne|rnm|crnm|dni|cedula de identidad|nao (?:e|eh|sou) brasileir[oa])\b/;
/** The person has no document to give. */
const NONE =
  /\b(?:(?:nao|n|nem) (?:tenho|tem|tinha|possuo|possui)|sem|(?:don t|doesn t|do not|does not|dont|doesnt) have|ha(?:s|ve) no|without|no) (?:(?:o|um|nenhum|a|an|any|either|brazilian) )*(?:cpf|cnpj|documento|document|tax (?:id|number)|nenhum(?: dos dois)?|either|neither)\b/;
/** A company gets it. */
const COMPANY = /\b(?:empresa|firma|loja|mei|pj|pessoa juridica|company|business|cnpj)\b/;
/** A person does. */
const PERSON =
  /^(?:(?:nao|sim|oi|e|eh|it s|its|is|pra|para|por|no|na|for|o|a|meu|minha|my|um|uma) )*(?:mim|eu|me|myself|nome|mae|pai|filh[oa]|marido|mulher|espos[oa]|irma|irmao|amig[oa]|namorad[oa]|cliente|pessoa(?: fisica)?|pf|mother|father|wife|husband|friend|person)(?: (?:mesm[oa]|mesm|aqui|dele|dela))?$/;
/** More digits than this are a number that somebody wants to tell. */
const MAX_DIGITS = 4;
/** Longer is a story. */
const LONGEST = 120;

/** What somebody has to tell in place of a number; undefined when they tell nothing of the sort. */
function insteadOf(text: string): "foreign" | "none" | "company" | "person" | undefined {
  if (text.length > LONGEST || (text.match(/\d/g)?.length ?? 0) > MAX_DIGITS) return undefined;
  const said = foldWords(text);
  if (FOREIGN.test(said)) return "foreign";
  if (NONE.test(said)) return "none";
  if (COMPANY.test(said)) return "company";
  return PERSON.test(said) ? "person" : undefined;
}

function isForeign(text: string): boolean {
  return text.length <= LONGEST && FOREIGN.test(foldWords(text));
}

/** Whose document is not taken: `not`, one that the account names. */
function isExcluded(value: unknown, { not }: JsonObject): boolean {
  return typeof not === "string" && value === not;
}

export function documentKind(
  name: "document" | "cpf" | "cnpj",
  fits: (value: string) => boolean,
): SlotKind {
  return defineKind(name, {
    version: 1,
    schema: (params) => z.string().refine((value) => fits(value) && !isExcluded(value, params)),
    read: (text, context) => {
      const read = reading(understand(name, text, context));
      if (read.ok) return isExcluded(read.value, context.params) ? refused("invalid", "own") : read;
      // "Meu documento é passaporte FZ123456": the digits are no CPF with some missing.
      if (name === "document" && read.hint === "length" && isForeign(text))
        return refused("absent", "foreign");
      if (read.reason !== "absent" || name !== "document") return read;
      const instead = insteadOf(text);
      return instead === undefined ? read : refused("absent", instead);
    },
    unfit: (value, params) => (isExcluded(value, params) ? "own" : undefined),
    // As others see it, too: a chat is read over shoulders, and its first and last digits tell nobody who it is. A slot
    // that takes companies only shows the whole number: it is public, and whoever registers one has to check each digit.
    echo: (value) =>
      name === "cnpj" ? formatDocument(plainText(value)) : maskDocument(plainText(value)),
    mask: (value) => maskDocument(plainText(value)),
    facets: {
      type: (value) => (typeof value === "string" ? (documentType(value) ?? undefined) : undefined),
    },
    names: ["cpf", "cnpj", "documento", "cpf cnpj", "document"],
    bad: BAD,
    longest: "11.222.333/0001-81",
  });
}
