/** One part of an address, said by its name: "o número é 125", "complemento: sala 5", "apto 12". */
import type { Business } from "../business.ts";
import { namedIn, naming } from "../corrections/named-correction.ts";
import { plainOf, tidy } from "../plain.ts";

const NAMES = {
  numero: naming("(?:numero|number|num|n[\u00ba\u00b0o.])(?![a-z])"),
  complemento: naming("complemento|complement"),
  bairro: naming("bairro|district|neighbou?rhood"),
  cep: naming("cep|zip(?: code)?|postal code"),
} as const;
type Part = keyof typeof NAMES;
const PARTS = Object.keys(NAMES) as Part[];

const UNITS = naming(
  "(?:sala|apto|ap|apartamento|bloco|loja|conjunto|conj|andar|torre|casa|suite|room|apartment|unit|floor)(?![a-z])",
);
const UNIT_NUMBER = /^ ?(?:n[\u00bao.]? ?)?(\d{1,5}[a-z]?|[a-z])[ .!]*$/;
const VALUE_END = /[ .!]+$/;
const BETWEEN = /\s*[,;\n]\s*(?:e\s+)?|\s+(?:e|and)\s+/i;

export interface SaidPart {
  readonly part: Part;
  readonly value: string;
  /** What is numbered, of a complement: "sala". */
  readonly unit?: string;
  /** A word or a mark leads from the name to the value. */
  readonly isSigned: boolean;
}

export function addressPartIn(text: string, business?: Business): SaidPart | undefined {
  const tidied = tidy(text);
  const line = plainOf(tidied);
  const unit = namedIn(line, UNITS, business);
  const [, number] = unit ? (UNIT_NUMBER.exec(line.slice(unit.at)) ?? []) : [];
  if (unit && number !== undefined)
    return {
      part: "complemento",
      value: `${unit.name} ${number.toUpperCase()}`,
      unit: unit.name,
      isSigned: unit.isSigned || unit.isWrong,
    };
  for (const part of PARTS) {
    const named = namedIn(line, NAMES[part], business);
    const value =
      named &&
      tidied
        .slice(named.at)
        .replace(/^[: ]+/, "")
        .replace(VALUE_END, "");
    if (named && value) return { part, value, isSigned: named.isSigned || named.isWrong };
  }
  return undefined;
}

/** Parts of an address in one line: "número 125, apto 4". */
export function partsOf(text: string): readonly string[] {
  return text.split(BETWEEN);
}
