/**
 * `slot.money({ max })` and friends: the fields of a flow's `slots`, as zod schemas that carry their kind as data.
 */
import { z } from "zod";
import { Fault, present, type Json, type JsonObject } from "../../base/index.ts";
import type { SlotDef } from "../ast/ast.ts";

/** A slot's schema: value type V, facets F. The schema only carries the kind; values are checked by the kind itself. */
export interface SlotSchema<V, F extends object = object> extends z.ZodType<V> {
  readonly "~facets"?: F;
}

interface AddressValue {
  readonly logradouro: string;
  readonly numero: string;
  readonly complemento?: string;
  readonly bairro: string;
  readonly codigo_municipio: string;
  readonly uf: string;
  readonly cep: string;
}
interface CityValue {
  readonly code: string;
  readonly name: string;
  readonly uf: string;
}

/** What the kit knows of a list beside its items: how many, and the sums of its number slots. */
export interface ListFacets {
  readonly count: number;
  readonly sum: { readonly [slot: string]: number };
}
/** What came in as a file: its description. The bytes are with the channel. */
interface MediaValue {
  readonly media: "image" | "video" | "audio" | "document" | "sticker";
  readonly mimetype?: string;
  readonly fileName?: string;
  readonly bytes?: number;
  readonly seconds?: number;
  readonly key?: string;
  readonly caption?: string;
}
interface LocationValue {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

/** A path of the account in place of a number: `account.policy.ceiling`. */
export type Limit = number | `account.${string}` | `input.${string}`;

/** The first and the last day taken: `2026-12-31`, `today`, `today+60d`, `today-18y` (`d`, `w`, `m`, `y`), or a path. */
interface Days {
  readonly from?: string;
  readonly to?: string;
}
/** The first and the last time taken, `08:00`, or a path. */
type Times = Days;

interface Common {
  /** Never shown in summaries, answers to callers or the console. */
  readonly secret?: true;
}

/** A slot of any registered kind. */
export function slotOf<V extends Json, F extends object = object>(
  kind: string,
  params: Readonly<Record<string, Json>> & Common = {},
): SlotSchema<V, F> {
  const { secret, ...rest } = params;
  const given = Object.keys(rest).length > 0 ? (rest as JsonObject) : undefined;
  const prosa: SlotDef = present({ kind, params: given, secret });
  return z.unknown().meta({ prosa }) as unknown as SlotSchema<V, F>;
}

type Params = Readonly<Record<string, Json>>;

export const slot = {
  /** A kind of the bot's own, by its name: `slot.of<string>("plate")`. */
  of: slotOf,
  /**
   * One of the options: given here, of a `choose`, or rows of a list named by the ask. `whole`: the ones after
   * which nothing can be taken back; a sentence that says more ("aprovo, mas o valor é 120") does not choose them.
   */
  choice: <const O extends string = string>(
    options?: readonly O[],
    o: { readonly whole?: readonly NoInfer<O>[] } = {},
  ) => slotOf<O>("choice", present({ options, whole: o.whole }) as Params),
  /** CPF or CNPJ. `not`: where the account names one that is no answer, such as the business's own. */
  document: (o: Common & { readonly not?: `account.${string}` } = {}) =>
    slotOf<string, { readonly type: "cpf" | "cnpj" }>("document", o as Params),
  cpf: (o: Common = {}) => slotOf<string>("cpf", o as Params),
  cnpj: (o: Common = {}) => slotOf<string>("cnpj", o as Params),
  /** Name of a person or company. */
  name: (o: Common & { readonly max?: number } = {}) => slotOf<string>("name", o as Params),
  address: (o: Common = {}) =>
    slotOf<JsonObject & AddressValue, { readonly city: string }>("address", o as Params),
  /** Integer cents. */
  money: (o: Common & { readonly min?: Limit; readonly max?: Limit } = {}) =>
    slotOf<number>("money", o as Params),
  /** `words`: it describes something, so that a number alone, "sim" or "ok" is no answer. */
  text: (
    o: Common & { readonly min?: number; readonly max?: number; readonly words?: true } = {},
  ) => slotOf<string>("text", o as Params),
  /** `YYYY-MM`, not in the future. */
  month: (o: Common = {}) => slotOf<string>("month", o as Params),
  /** `YYYY-MM-DD`. Without `from` and `to` not in the future. */
  date: (o: Common & Days = {}) => slotOf<string>("date", o as Params),
  /** `HH:MM`. */
  time: (o: Common & Times = {}) => slotOf<string>("time", o as Params),
  /** `YYYY-MM-DDTHH:MM` by the clock of the account. `hours`: `08:00-18:00`, or `account.hours` and its days. */
  datetime: (o: Common & Days & { readonly hours?: string } = {}) =>
    slotOf<string, { readonly date: string; readonly time: string }>("datetime", o as Params),
  /** A part of a day, `HH:MM-HH:MM`. */
  period: (o: Common & Times = {}) =>
    slotOf<string, { readonly from: string; readonly to: string }>("period", o as Params),
  email: (o: Common = {}) => slotOf<string>("email", o as Params),
  phone: (o: Common = {}) => slotOf<string>("phone", o as Params),
  cep: (o: Common = {}) => slotOf<string, { readonly uf: string }>("cep", o as Params),
  city: (o: Common = {}) => slotOf<JsonObject & CityValue>("city", o as Params),
  /**
   * A picture, a document, a sound: `of` says which sorts are taken; default all but stickers. `ends`: what its file name ends
   * in, in small letters (".pfx"); one without a name is taken.
   */
  media: (
    o: Common & {
      readonly of?: readonly MediaValue["media"][];
      readonly maxBytes?: Limit;
      readonly ends?: readonly string[];
    } = {},
  ) => slotOf<JsonObject & MediaValue>("media", o as Params),
  /** A place on the map, shared or written as coordinates. */
  location: (o: Common = {}) => slotOf<JsonObject & LocationValue>("location", o as Params),
  /** Main activity of a company: 7 digits. */
  cnae: (o: Common = {}) => slotOf<string>("cnae", o as Params),
  /** Number of a company at its town or state, with its marks, at most 30 characters; “isento” is `ISENTO`. */
  registration: (o: Common = {}) => slotOf<string>("registration", o as Params),
  /** 0 to 99.99, two decimals at most. */
  percent: (o: Common = {}) => slotOf<number>("percent", o as Params),
  /** Taken letter by letter, and always secret: no summary, text, console or journal shows it. */
  password: () => slotOf<string>("password", { secret: true }),
  /** The items of a `repeat`. */
  list: (o: Common = {}) => slotOf<readonly JsonObject[], ListFacets>("list", o as Params),
  yesno: (o: Common = {}) => slotOf<boolean>("yesno", o as Params),
  number: (o: Common & { readonly min?: Limit; readonly max?: Limit } = {}) =>
    slotOf<number>("number", o as Params),
} as const;

/** Definitions of a flow's slots. Refinements and transformations are refused: they would be lost without a word. */
export function slotDefs(shape: Readonly<Record<string, unknown>>): Record<string, SlotDef> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, slotDef(name, schema)]),
  );
}

function slotDef(name: string, schema: unknown): SlotDef {
  const optional = schema instanceof z.ZodOptional;
  const inner: unknown = optional ? schema.unwrap() : schema;
  const meta =
    inner instanceof z.ZodType ? (inner.meta() as { prosa?: SlotDef } | undefined) : undefined;
  if (!meta?.prosa)
    throw new Fault(
      "FLOW_INVALID",
      `Slot "${name}" is no slot kind; write slot.text(), slot.money() or another.`,
    );
  const checks = (inner as { _zod: { def: { checks?: unknown[] } } })._zod.def.checks ?? [];
  if (checks.length > 0)
    throw new Fault(
      "FLOW_INVALID",
      `Slot "${name}" has a custom check, which cannot be data; define a kind for it.`,
    );
  return { ...meta.prosa, ...(optional ? { optional: true } : {}) };
}
