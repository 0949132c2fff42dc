/** Slot kinds that are read by `understanding`: documents, money, months, addresses and others. */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import {
  documentType,
  formatBrl,
  formatCep,
  formatPhone,
  isCnpj,
  isCpf,
  MAX_CENTS,
  maskPhone,
  townLabel,
  ufOfCep,
} from "../../brazil/index.ts";
import type { SlotReading } from "../../engine/index.ts";
import { monthEcho, understand } from "../../understanding/index.ts";
import { addressKind } from "./kind-address.ts";
import {
  documentKind,
  cnaeKind,
  passwordKind,
  percentKind,
  registrationKind,
} from "./kinds-registration.ts";
import { choiceKind, nameKind, numberKind, textKind, yesnoKind } from "./kinds-basic.ts";
import { listKind, locationKind, mediaKind } from "./kinds-things.ts";
import { dateKind, datetimeKind, periodKind, timeKind } from "./kinds-time.ts";
import { defineKind, limit, reading, understood } from "./define-kind.ts";
import { plainText } from "../texts/template.ts";
import { refused, type KindContext, type SlotKind } from "../authoring/vocabulary.ts";

type Refused = Extract<SlotReading, { ok: false }>;

function outOf(cents: number, params: JsonObject): Refused | undefined {
  const hint =
    cents > limit(params, "max", MAX_CENTS)
      ? "over-max"
      : cents < limit(params, "min", 1)
        ? "under-min"
        : undefined;
  return hint === undefined ? undefined : { ok: false, reason: "invalid", hint };
}

/** Amounts that would be refused are not proposed; where none is left, that is what is wrong. */
function withinLimits(read: Refused, params: JsonObject): Refused {
  const { options, ...rest } = read;
  if (!options) return read;
  const isIn = ({ value, kind }: (typeof options)[number]) =>
    kind !== undefined || typeof value !== "number" || outOf(value, params) === undefined;
  const left = options.filter(isIn);
  if (left.length === options.length) return read;
  const [first] = options;
  if (left.length > 0) return { ...rest, options: left };
  return (first && outOf(Number(first.value), params)) ?? rest;
}

const moneyKind = defineKind("money", {
  version: 1,
  schema: (params) =>
    z
      .number()
      .int()
      .min(limit(params, "min", 1))
      .max(limit(params, "max", MAX_CENTS)),
  read: (text, context) => {
    const { params } = context;
    const read = reading(understand("money", text, context));
    if (!read.ok) return withinLimits(read, params);
    return typeof read.value === "number" ? (outOf(read.value, params) ?? read) : read;
  },
  unfit: (value, params) =>
    typeof value === "number" && Number.isSafeInteger(value)
      ? outOf(value, params)?.hint
      : undefined,
  echo: (value) => (typeof value === "number" ? formatBrl(value) : plainText(value)),
  names: ["valor", "preco", "total", "value", "amount", "price"],
  bad: ["absent", "ambiguous", "invalid", "over-max", "under-min", "zero", "negative", "too-large"],
  longest: "R$ 999.999.999,99",
});

const monthKind = defineKind("month", {
  version: 1,
  schema: () => z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
  read: understood("month"),
  echo: (value, context) => monthEcho(plainText(value), context),
  names: ["mes", "month"],
  bad: ["absent", "ambiguous", "invalid", "future", "too-old"],
  longest: "setembro/2026",
});

const emailKind = defineKind("email", {
  version: 1,
  schema: () => z.email(),
  read: understood("email"),
  names: ["email", "e mail"],
  bad: ["absent", "invalid", "typo", "at-sign"],
});

const phoneKind = defineKind("phone", {
  version: 1,
  schema: () => z.string().regex(/^55\d{10,11}$/),
  read: understood("phone"),
  echo: (value) => formatPhone(plainText(value)),
  mask: (value) => maskPhone(plainText(value)),
  names: ["telefone", "celular", "phone"],
  bad: ["absent", "invalid", "ddd", "ninth-digit", "foreign"],
  longest: "+55 (11) 90000-0001",
});

const cepKind = defineKind("cep", {
  version: 1,
  schema: () => z.string().regex(/^\d{8}$/),
  read: (text, context) => {
    const read = reading(understand("cep", text, context));
    return read.ok && !inState(read.value, context.given)
      ? refused("invalid", "other-state")
      : read;
  },
  fits: (value, given) => inState(value, given),
  echo: (value) => formatCep(plainText(value)),
  facets: { uf: (value) => ufOfCep(plainText(value)) ?? undefined },
  names: ["cep"],
  bad: ["absent", "invalid", "unknown-range", "other-state"],
  longest: "01310-100",
});

/** Whether a CEP lies in the state of the town it depends on (`from`), where it depends on one. */
function inState(cep: Json, given: KindContext["given"] = []): boolean {
  return given.every(({ kind, value }) => {
    const uf =
      kind === "city" && typeof value === "object"
        ? (value as { uf?: Json } | null)?.uf
        : undefined;
    return uf === undefined || ufOfCep(plainText(cep)) === uf;
  });
}

const cityKind = defineKind("city", {
  version: 1,
  schema: () => z.object({ code: z.string(), name: z.string(), uf: z.string() }),
  read: understood("city"),
  echo: (value) => townLabel(value as unknown as { name: string; uf: string }),
  names: ["cidade", "municipio", "city"],
  bad: ["absent", "ambiguous", "homonym", "unknown-town", "only-uf"],
  longest: "Vila Bela da Santíssima Trindade/MT",
});

/** Every kind the kit brings. */
export const KINDS: readonly SlotKind[] = [
  choiceKind,
  textKind,
  nameKind,
  numberKind,
  yesnoKind,
  documentKind("document", (value) => documentType(value) !== null),
  documentKind("cpf", isCpf),
  documentKind("cnpj", isCnpj),
  moneyKind,
  monthKind,
  dateKind,
  timeKind,
  datetimeKind,
  periodKind,
  emailKind,
  phoneKind,
  cepKind,
  cityKind,
  addressKind,
  mediaKind,
  locationKind,
  listKind,
  cnaeKind,
  registrationKind,
  percentKind,
  passwordKind,
];
