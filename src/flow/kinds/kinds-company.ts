/**
 * Slot kinds of a company's registration: its activity, its tax regime, and a password, which is taken exactly as typed.
 */
import { z } from "zod";
import { ufOfCep } from "../../brazil/index.ts";
import { defineKind } from "./define-kind.ts";
import { plainText } from "../texts/template.ts";
import { refused } from "../authoring/vocabulary.ts";

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
