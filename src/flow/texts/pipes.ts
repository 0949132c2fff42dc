/** Formatters of texts: `{{document | masked}}`. */
import {
  documentType,
  formatBrl,
  formatDocument,
  formatPhone,
  isDay,
  localDay,
  maskDocument,
} from "../../brazil/index.ts";
import { dayEcho, monthEcho } from "../../understanding/index.ts";
import { plainText } from "./template.ts";
import type { Pipe } from "../authoring/vocabulary.ts";

/** Shortened texts end with this sign. */
const ELLIPSIS = "…";

export const PIPES: { readonly [name: string]: Pipe } = {
  /** Integer cents as `R$ 1.234,56`. */
  brl: (value) => (typeof value === "number" ? formatBrl(value) : plainText(value)),
  masked: (value) => maskDocument(plainText(value)),
  document: (value) => {
    const text = plainText(value);
    return documentType(text) ? formatDocument(text) : text;
  },
  phone: (value) => formatPhone(plainText(value)),
  month: (value, _arg, { locale }) => monthEcho(plainText(value), { locale }),
  /** A day, or an instant in ms, as a day. */
  date: (value, _arg, { locale, zone }) => {
    const day = typeof value === "number" ? localDay(value, zone) : plainText(value);
    return isDay(day) ? dayEcho(day, { locale }) : day;
  },
  upper: (value) => plainText(value).toUpperCase(),
  lower: (value) => plainText(value).toLowerCase(),
  /** First word: "Maria Souza" → "Maria". */
  first: (value) => plainText(value).trim().split(/\s+/)[0] ?? "",
  /** At most so many letters: `{{description | short 40}}`. */
  short: (value, arg) => {
    const text = plainText(value);
    const max = Math.max(2, Number(arg ?? 60) || 60);
    return text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}${ELLIPSIS}`;
  },
  count: (value) => String(Array.isArray(value) ? value.length : plainText(value).length),
};
