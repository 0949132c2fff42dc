/**
 * Slot kinds of who a person or a company is to the authorities: CPF and CNPJ, the activity, the tax regime, percentages, and a
 * password, which is taken exactly as typed.
 */
import { z } from "zod";
import {
  ufOfCep,
  documentType,
  foldWords,
  formatDocument,
  maskDocument,
} from "../../brazil/index.ts";
import { defineKind, reading } from "./define-kind.ts";
import { plainText } from "../texts/template.ts";
import { refused, type SlotKind } from "../authoring/vocabulary.ts";
import type { JsonObject } from "../../base/index.ts";
import { understand } from "../../understanding/index.ts";

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

/**
 * CPF and CNPJ. People also answer what they have instead ("é pra um americano, não tem cpf", "it's for my company"). Such a
 * text is not a wrong number: the hint says what it is, so that the bot can answer it.
 */
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

const CNAE = /(?<![0-9])(\d{2})\.?(\d{2})-?(\d)[/-]?(\d{2})(?![0-9])/;

/** Main activity: 7 digits, however they are marked. Only the form is known; the table is the authority's. */
export const cnaeKind = defineKind("cnae", {
  version: 1,
  schema: () => z.string().regex(/^\d{7}$/),
  read: (text) => {
    const match = CNAE.exec(text);
    if (!match) return refused(/\d/.test(text) ? "invalid" : "absent");
    const value = match.slice(1).join("");
    return { ok: true, value, echo: formatCnae(value) };
  },
  echo: (value) => formatCnae(plainText(value)),
  names: ["cnae", "atividade", "activity"],
  bad: ["absent", "invalid"],
  longest: "6209-1/00",
});

function formatCnae(value: string): string {
  return value.replace(/^(\d{4})(\d)(\d{2})$/, "$1-$2/$3");
}

/** Longest registration of a company at a town or state, characters with its marks. */
const REGISTRATION_MAX = 30;
/** A run of digits with letters and marks among them; words before it are not part of it. */
const REGISTRATION = /(?<![0-9A-Za-z])(?=[A-Za-z./-]*\d)[0-9A-Za-z](?:[0-9A-Za-z./-]*[0-9A-Za-z])?/;
/** A postal code: nearly always the address, sent too early. */
const CEP_SHAPED = /^\d{5}-\d{3}$/;
const EXEMPT = /(?<![\p{L}])(?:isent[oa]|exempt)(?![\p{L}])/iu;

/** Number of a company at its town or state, as it is written there: “98.765-4”; “isento” is `ISENTO`. */
export const registrationKind = defineKind("registration", {
  version: 1,
  schema: () => z.string().min(1).max(REGISTRATION_MAX),
  read: (text) => {
    const value = REGISTRATION.exec(text)?.[0] ?? (EXEMPT.test(text) ? "ISENTO" : undefined);
    if (value === undefined) return refused("absent");
    // Of a town that numbers so, it is taken when it is said once more.
    if (CEP_SHAPED.test(value) && ufOfCep(value.replace("-", "")))
      return { ok: false, reason: "invalid", hint: "cep", options: [{ value, echo: value }] };
    return value.length > REGISTRATION_MAX
      ? refused("invalid", "too-long")
      : { ok: true, value: value.toUpperCase(), echo: value.toUpperCase() };
  },
  echo: (value) => plainText(value),
  names: ["inscricao", "registration"],
  bad: ["absent", "cep", "too-long"],
  longest: "9".repeat(REGISTRATION_MAX),
});

const PERCENT = /^\D{0,40}?(\d{1,3})(?:[.,](\d{1,2}))?\s*(?:%|por ?cento|percent)?\D{0,20}$/i;

/** 0 to 99.99 with at most two decimals: “6”, “6,5%”, “6 por cento”. */
export const percentKind = defineKind("percent", {
  version: 1,
  schema: () => z.number().min(0).max(99.99),
  read: (text, { locale }) => {
    const match = PERCENT.exec(text.trim());
    if (!match || /[-\u2212]\s*\d/.test(text))
      return refused(/\d/.test(text) ? "invalid" : "absent");
    const value = Number(`${match[1]}.${match[2] ?? "0"}`);
    return value > 99.99
      ? refused("invalid")
      : { ok: true, value, echo: percentText(value, locale) };
  },
  echo: (value, { locale }) =>
    typeof value === "number" ? percentText(value, locale) : plainText(value),
  names: ["aliquota", "percentual", "porcentagem", "rate", "percent"],
  bad: ["absent", "invalid"],
  longest: "99,99%",
});

function percentText(value: number, locale: string): string {
  const text = String(Math.round(value * 100) / 100);
  return `${locale === "en" ? text : text.replace(".", ",")}%`;
}

/** Longest password that is taken, characters; real ones end far before. */
const PASSWORD_MAX = 128;

/** As it was written, every letter. Always with `secret: true`: it is shown nowhere. */
export const passwordKind = defineKind("password", {
  version: 1,
  schema: () => z.string().min(1).max(PASSWORD_MAX),
  read: (text) => {
    if (text === "") return refused("absent");
    return text.length > PASSWORD_MAX
      ? refused("invalid", "too-long")
      : { ok: true, value: text, echo: "••••" };
  },
  echo: () => "••••",
  mask: () => "••••",
  names: ["senha", "password"],
  bad: ["absent", "too-long"],
  longest: "••••",
});
