/** Slot kinds of free answers: text, name, number, choice, yes or no. */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import { foldWords } from "../../brazil/index.ts";
import type { SlotReading } from "../../engine/index.ts";
import {
  consent,
  description,
  freeText,
  isWhole,
  personOrCompany,
  pickOption,
  similarOptions,
  understand,
} from "../../understanding/index.ts";
import { defineKind, limit } from "./define-kind.ts";
import { plainText } from "../texts/template.ts";
import { refused, type KindContext } from "../authoring/vocabulary.ts";

/** Longest free text where a slot names no limit. */
const TEXT_MAX = 2_000;
const NAME_MAX = 150;

/** One line that only asks something: it describes nothing, and would be written down as it is. */
const QUESTION = /^[^\n]*\?\s*$/;

export const textKind = defineKind("text", {
  version: 1,
  schema: (params) =>
    z
      .string()
      .min(limit(params, "min", 1))
      .max(limit(params, "max", TEXT_MAX)),
  read: (text, { params, business }) => {
    if (params["words"] === true && QUESTION.test(text)) return refused("absent");
    const tidy = params["words"] === true ? description(text, business) : freeText(text);
    if (tidy === null) return refused("absent");
    if (tidy.length < limit(params, "min", 1)) return refused("invalid", "too-short");
    if (tidy.length > limit(params, "max", TEXT_MAX)) return refused("invalid", "too-long");
    return { ok: true, value: tidy, echo: tidy };
  },
  names: ["texto", "text"],
  bad: ["absent", "too-short", "too-long"],
  longest: "x".repeat(200),
});

export const nameKind = defineKind("name", {
  version: 1,
  schema: (params) =>
    z
      .string()
      .min(2)
      .max(limit(params, "max", NAME_MAX)),
  read: (text, { params, business }) => {
    const max = limit(params, "max", NAME_MAX);
    // "Tá tudo certo, pode emitir" agrees, and is nobody's name.
    const name = consent(text, business) === null ? personOrCompany(text, business) : null;
    if (name === null) return refused("absent");
    return name.length > max
      ? refused("invalid", "too-long")
      : { ok: true, value: name, echo: name };
  },
  names: ["nome", "name", "razao social"],
  bad: ["absent", "invalid", "too-long"],
  longest: "x".repeat(NAME_MAX),
});

export const numberKind = defineKind("number", {
  version: 1,
  schema: (params) =>
    z
      .number()
      .min(limit(params, "min", -1e12))
      .max(limit(params, "max", 1e12)),
  read: (text, { params }) => {
    const match = /^\s*(-?\d{1,12})(?:[.,](\d{1,6}))?\s*$/.exec(text);
    if (!match) return refused("absent");
    const value = Number(`${match[1]}.${match[2] ?? "0"}`);
    if (value < limit(params, "min", -1e12)) return refused("invalid", "too-small");
    if (value > limit(params, "max", 1e12)) return refused("invalid", "too-large");
    return { ok: true, value, echo: String(value) };
  },
  names: ["numero", "quantidade", "number"],
  bad: ["absent", "too-small", "too-large"],
  longest: "-999999999999.999999",
});

export const choiceKind = defineKind("choice", {
  version: 1,
  schema: () => z.string().min(1).max(200),
  read: (text, context) => readChoice(text, context),
  echo: (value, { options }) => {
    const row = options.find((option) => option.id === value);
    return row?.label ?? plainText(value);
  },
  names: ["opcao", "option"],
  bad: ["absent", "ambiguous", "similar"],
});

function readChoice(text: string, { options, params, business }: KindContext): SlotReading {
  const picked = pickOption(text, options);
  switch (picked.type) {
    case "match":
      if (asksWhole(params, picked.option.id) && !isWhole(text, picked.option, business))
        return refused("absent");
      return { ok: true, value: picked.option.id, echo: picked.option.label };
    case "ambiguous":
      return {
        ok: false,
        reason: "ambiguous",
        options: picked.options.map(({ id, label }) => ({ value: id, echo: label })),
      };
    case "none": {
      const similar = similarOptions(text, options, business);
      if (similar.length === 0) return refused("absent");
      const rows = similar.map(({ id, label }) => ({ value: id, echo: label }));
      return { ok: false, reason: "absent", hint: "similar", options: rows };
    }
  }
}

/** Whether the option is chosen only by a text that says nothing more. */
function asksWhole({ whole }: JsonObject, id: string): boolean {
  return Array.isArray(whole) && whole.includes(id);
}

const YES_NO: Record<"pt-BR" | "en", readonly [string, string]> = {
  "pt-BR": ["sim", "não"],
  en: ["yes", "no"],
};

export const yesnoKind = defineKind("yesno", {
  version: 1,
  schema: () => z.boolean(),
  read: (text, context) => {
    const reading = understand("yesno", text, context);
    if (!reading.ok) return refused(reading.reason, reading.hint);
    if (reading.value === "edit") return refused("absent");
    return { ok: true, value: reading.value === "yes", echo: reading.echo };
  },
  echo: (value: Json, { locale }) => YES_NO[locale][value === true ? 0 : 1],
  names: [foldWords("sim ou não")],
  bad: ["absent", "ambiguous"],
  longest: "não",
});
