/** Slot kind `note`: which note that exists is meant, in a person's own words. What it leads to is looked up by an effect. */
import { z } from "zod";
import { defineKind, formatDocument, type Json, maskDocument, monthEcho } from "../../../plugin.ts";
import { isNamed, noteWish, type NoteWish } from "./note-wish.ts";

const wishSchema = z
  .object({
    number: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional(),
    key: z
      .string()
      .regex(/^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/)
      .optional(),
    last: z.literal(true).optional(),
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .optional(),
    document: z.string().max(14).optional(),
    name: z.string().min(2).max(150).optional(),
  })
  .refine((wish) => Object.keys(wish).length > 0);

export const noteKind = defineKind("note", {
  version: 1,
  schema: () => wishSchema,
  read: (text, context) => {
    const wish = noteWish(text, context);
    if (!isNamed(wish)) return { ok: false, reason: "absent" };
    return { ok: true, value: wish as unknown as Json, echo: echoOf(wish, context.locale) };
  },
  echo: (value, { locale }) => echoOf(value as unknown as NoteWish, locale),
  mask: (value) => {
    const { document, ...rest } = value as unknown as NoteWish;
    return document ? maskDocument(document) : echoOf(rest, "pt-BR");
  },
  names: ["nota", "nota fiscal", "invoice", "note"],
  samples: [{ number: "12" }],
});

const WORDS = {
  "pt-BR": { number: "nota", last: "a última", of: "de", key: "chave" },
  en: { number: "note", last: "the last one", of: "of", key: "key" },
} as const;

function echoOf(wish: NoteWish, locale: "pt-BR" | "en"): string {
  const words = WORDS[locale];
  const { number, key, last, month, document, name } = wish;
  if (key !== undefined) return `${words.key} ${key}`;
  if (number !== undefined) return `${words.number} ${number}`;
  const of = document === undefined ? name : formatDocument(document);
  const parts = [
    last ? words.last : "",
    of === undefined ? "" : `${words.of} ${of}`,
    month === undefined ? "" : monthEcho(month, { locale }),
  ];
  return parts.filter((part) => part !== "").join(" ");
}
