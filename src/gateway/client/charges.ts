/** What an answer says about money and quota, whether the call went well or not. */
import type { Json } from "../../base/index.ts";
import { isRecord } from "../answers/json-text.ts";

/** Usage of a plan or of credits as the gateway counts it. */
export interface PlanLimit {
  readonly max: number;
  readonly used: number;
  /** What is counted: `request`, `day`, `credit`, `homolog`. */
  readonly for: string;
}

/** One additional service and its price in integer thousandths of BRL. */
export interface ExtraCharge {
  readonly name: string;
  readonly price: number;
}

/** Money is integer thousandths of BRL. A field the answer lacks, or that holds no amount, is absent. */
export interface Charges {
  readonly balance?: number;
  /** Charged for this call, without extras. */
  readonly tax?: number;
  /** Charged on top of it. */
  readonly extraCharges?: number;
  readonly extras?: readonly ExtraCharge[];
  readonly limit?: PlanLimit;
  /** Answered from the fixed test base: nothing was charged. */
  readonly homolog?: true;
}

/** An answer lists few extras; more than this are added up but not named. */
const EXTRAS_LIMIT = 20;
const NAME_LIMIT = 80;

/** Reads an envelope. `clean` masks and cuts the names of extras, which are texts of the gateway. */
export function chargesIn(
  envelope: Readonly<Record<string, Json>>,
  clean: (text: string) => string,
): Charges {
  const balance = parseThousandths(envelope["balance"]);
  const tax = parseThousandths(envelope["tax"]) ?? parseThousandths(envelope["valor_consulta"]);
  const items = extrasIn(envelope["extra_charges"]);
  const total = totalOf(envelope["extra_charges"], items);
  const limit = limitIn(envelope, clean);
  const test = envelope["homolog"] === true || envelope["homolog"] === "true";
  return {
    ...(balance === null ? {} : { balance }),
    ...(tax === null ? {} : { tax }),
    ...(total === null ? {} : { extraCharges: total }),
    ...(items.length === 0
      ? {}
      : {
          extras: items.slice(0, EXTRAS_LIMIT).map(({ name, price }) => ({
            name: clean(name).slice(0, NAME_LIMIT),
            price,
          })),
        }),
    ...(limit ? { limit } : {}),
    ...(test || limit?.for === "homolog" ? { homolog: true } : {}),
  };
}

/** Only these fields of a larger value. */
export function chargesOf(told: Charges): Charges {
  const { balance, tax, extraCharges, extras, limit, homolog } = told;
  return {
    ...(balance === undefined ? {} : { balance }),
    ...(tax === undefined ? {} : { tax }),
    ...(extraCharges === undefined ? {} : { extraCharges }),
    ...(extras === undefined ? {} : { extras }),
    ...(limit === undefined ? {} : { limit }),
    ...(homolog === undefined ? {} : { homolog }),
  };
}

/**
 * The additional services. The interface shows that they are listed with prices, not how: `{name: price}`,
 * `{name: {price}}` and lists of `{name, price}` are read, under any key but `total`.
 */
function extrasIn(value: Json | undefined): ExtraCharge[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(itemIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, entry]): ExtraCharge[] => {
    if (name === "total" || entry === undefined) return [];
    const price = parseThousandths(entry);
    if (price !== null) return [{ name, price }];
    if (Array.isArray(entry)) return (entry as readonly Json[]).flatMap(itemIn);
    return itemIn(entry).map((item) => ({ ...item, name: item.name === "" ? name : item.name }));
  });
}

const NAMES = ["name", "nome", "service", "servico", "description", "descricao"];
const PRICES = ["price", "preco", "valor", "value", "total"];

function itemIn(value: Json): ExtraCharge[] {
  if (!isRecord(value)) return [];
  const name = NAMES.map((key) => value[key]).find((text) => typeof text === "string") ?? "";
  const price = PRICES.map((key) => parseThousandths(value[key])).find((one) => one !== null);
  return price === undefined ? [] : [{ name: String(name), price }];
}

/** `total` as told; where it is missing, what the items add up to. */
function totalOf(value: Json | undefined, items: readonly ExtraCharge[]): number | null {
  const told = isRecord(value) ? parseThousandths(value["total"]) : null;
  if (told !== null || items.length === 0) return told;
  return items.reduce((sum, item) => sum + item.price, 0);
}

function limitIn(
  envelope: Readonly<Record<string, Json>>,
  clean: (text: string) => string,
): PlanLimit | undefined {
  const max = countOf(envelope["api_limit"]);
  const used = countOf(envelope["api_limit_used"]);
  const name = envelope["api_limit_for"];
  if (max === undefined || used === undefined) return undefined;
  return { max, used, for: typeof name === "string" ? clean(name).slice(0, NAME_LIMIT) : "" };
}

/** A whole number, also written as text. */
function countOf(value: Json | undefined): number | undefined {
  if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/*
 * Money strings (`balance`, `tax`, `extra_charges.total`): Brazilian style in some operations, a decimal dot in others; two
 * or three decimals. Rule: the only kind of separator present is the decimal one; with both kinds present the last one is.
 */

/** Digits before the decimals that still fit an exact integer of thousandths. */
const MAX_WHOLE_DIGITS = 12;

const PLAIN = /^(\d+)(?:[.,](\d{2,3}))?$/;
const GROUPED = /^(\d{1,3}(?:\.\d{3})+),(\d{2,3})$|^(\d{1,3}(?:,\d{3})+)\.(\d{2,3})$/;

/** Thousandths of BRL, or null for what is no amount. Takes a leading `R$`, a sign, and JSON numbers. */
export function parseThousandths(value: unknown): number | null {
  if (typeof value === "number") {
    const thousandths = Math.round(value * 1_000);
    return Number.isSafeInteger(thousandths) ? thousandths : null;
  }
  if (typeof value !== "string" || value.length > 40) return null;
  const match = /^(-?)\s*(?:R\$)?\s*(-?)([\d.,]+)$/.exec(value.trim());
  if (!match) return null;
  const [, before, after, amount = ""] = match;
  if (before && after) return null;
  const plain = PLAIN.exec(amount);
  const grouped = plain ? null : GROUPED.exec(amount);
  if (!plain && !grouped) return null;
  const whole = (plain?.[1] ?? grouped?.[1] ?? grouped?.[3] ?? "").replaceAll(/[.,]/g, "");
  const decimals = plain?.[2] ?? grouped?.[2] ?? grouped?.[4] ?? "";
  if (whole.length > MAX_WHOLE_DIGITS) return null;
  const thousandths = Number(whole) * 1_000 + Number(decimals.padEnd(3, "0"));
  return (before || after) && thousandths !== 0 ? -thousandths : thousandths;
}
