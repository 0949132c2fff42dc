/** An address in pieces: its CEP, a part said by its name, one told after the rest, or the lines of a form. Pure. */
import { foldWords, formatCep, ufOfCep } from "../../brazil/index.ts";
import type { Business } from "../business.ts";
import { LEAD } from "../corrections/correction-words.ts";
import { namedIn, naming } from "../corrections/correction.ts";
import { plain, plainOf, tidy } from "../plain.ts";
import {
  isDoubtful,
  absent,
  ambiguous,
  clear,
  invalid,
  MAX_ANSWER,
  type Understood,
} from "../understood.ts";

const FORM = /(?<![\dA-Za-z.,/-])(\d{2})\.?(\d{3})(?: ?[-–.] ?| )?(\d{3})(?![\dA-Za-z]|[-.,/]\d)/g;

/** A postal code → 8 digits, when it lies in a range of some state. */
export function cep(text: string): Understood<"cep"> {
  if (text.length > MAX_ANSWER) return absent("cep", "too-long");
  const line = tidy(text).replace(/\bcep(?=\d)/gi, "cep ");
  if (/r\$|\breais\b/i.test(line)) return invalid("cep", "format");
  const found = [
    ...new Set([...line.matchAll(FORM)].map((match) => `${match[1]}${match[2]}${match[3]}`)),
  ];
  const [only, second] = found;
  if (second !== undefined)
    return ambiguous(
      "cep",
      "which",
      found.map((value) => ({ value, echo: formatCep(value) })),
    );
  if (only !== undefined && !ufOfCep(only)) return invalid("cep", "unknown-range");
  if (only !== undefined && isDoubtful(plain(line)))
    return ambiguous("cep", "unsure", [{ value: only, echo: formatCep(only) }]);
  if (only !== undefined) return clear("cep", only, formatCep(only));
  const digits = line.replace(/\D/g, "");
  if (digits === "") return absent("cep");
  // Letters that look like digits; a word of letters only is none.
  const typed = /(?<![\dA-Za-z])[\dOoIlLSs]{5}-?[\dOoIlLSs]{3}(?![\dA-Za-z])/.exec(line)?.[0];
  if (typed !== undefined && /[oils]/i.test(typed) && typed.replace(/\D/g, "").length >= 4) {
    const meant = typed
      .replace(/o/gi, "0")
      .replace(/[il]/gi, "1")
      .replace(/s/gi, "5")
      .replace("-", "");
    return invalid(
      "cep",
      "letter-o",
      ufOfCep(meant) ? [{ value: meant, echo: formatCep(meant) }] : [],
    );
  }
  // Of the state of São Paulo, with the leading zero lost.
  if (/^(?:\D*[^\dA-Za-z])?\d{4}-?\d{3}(?![A-Za-z])\D*$/.test(line)) {
    const padded = `0${digits}`;
    if (ufOfCep(padded))
      return ambiguous("cep", "leading-zero", [{ value: padded, echo: formatCep(padded) }]);
  }
  return invalid("cep", "length");
}

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

/** Letters that answer something else, or nothing. */
const NO_PIECE =
  /^(?:(?:nao|sim|ok|oi|n|e|eu|ja|mas|como|qual|onde|por que|porque|pq|ta|sei|isso|que|o que|no|yes|what|i)\b.*|.*\b(?:nao (?:sei|lembro|tenho|tem)|mandei|falei|disse|don t know)\b.*)$/;

/** Where letters alone may be the missing piece: whether these are none. */
export function isNoPiece(text: string): boolean {
  return NO_PIECE.test(foldWords(text));
}

const DOOR = new RegExp(
  `^${LEAD}(?:o )?(?:(?:numero|num|number|n[\u00ba\u00b0o]?)(?=[ .:=\\d])[ .:=]*)?(?:(?:e|eh|is|it is|it's|fica)[ :]+(?:o )?)?(?=(\\d{1,6}(?: ?-? ?[a-z])?)[ .!]*$)`,
);
const NO_NUMBER =
  /^(?:(?:a casa |la |aqui |o endereco |e |eh )*(?:nao tem(?: numero)?|sem numero|s n|sn)|(?:it has )?no number)$/;

/** The number of a door without the words around it; the text as it is where it tells none. */
export function doorIn(text: string): string {
  if (NO_NUMBER.test(foldWords(text))) return "s/n";
  return DOOR.exec(plainOf(text))?.[1] ?? text.trim();
}

const NUMBER_ALONE =
  /^[^\p{L}\d]*(?:(?:e|\u00e9|eh|o|a|is|it['\u2019]?s)\s+)*\d{1,4}[^\p{L}\d]*$/iu;

/** "É 97", "97": a number alone, too short for a CEP. */
export function isNumberAlone(text: string): boolean {
  return NUMBER_ALONE.test(text);
}

const HEAD =
  /^(?:jardim|jd\.?|vila|vl\.?|parque|pq\.?|bairro|alto|nova|novo|santa|santo|sao|s\u00e3o|d[aeo]s?)$/i;

/** Whether a district's name begins with a word, so that no door stands right behind it. */
export function beginsName(word: string): boolean {
  return HEAD.test(word);
}

/** Longer texts are no forms. */
const LONGEST = 1500;
const MOST_LINES = 40;

/** Labels by the part they name, in the order in which an address is written. */
const LABELLED = [
  ["street", "endereco(?: completo)?|end\\.?|logradouro|rua|avenida|av\\.?|address|street"],
  ["number", "numero|num\\.?|n[o\u00ba\u00b0]\\.?|nro\\.?"],
  ["complement", "complemento|compl\\.?"],
  ["district", "bairro|district|neighbou?rhood"],
  ["town", "cidade(?: ?\\/ ?(?:uf|estado))?|municipio(?: ?\\/ ?uf)?|city|town"],
  ["state", "uf|estado|state"],
  ["cep", "cep|zip(?: code)?"],
] as const;
type LabelledPart = (typeof LABELLED)[number][0];
const LABELS = LABELLED.map(([part, names]) => ({
  part,
  label: new RegExp(`^[-*\u2022 ]*(?:${names}) ?[:=-] ?`),
}));
/** In one line after another: "Bairro: Centro - Cidade: Campinas". */
const INSIDE = /[,;|-]? +(?=(?:bairro|cidade|munic[i\u00ed]pio|uf|cep|complemento) ?:)/gi;

/** The address as one would write it in a line; undefined where street or town, or all marks of a form, lack. */
export function addressBlock(text: string): string | undefined {
  if (text.length > LONGEST || !/[:=]/.test(text)) return undefined;
  const lines = text.split(/\r?\n/).flatMap((line) => tidy(line).split(INSIDE));
  if (lines.length < 2 || lines.length > MOST_LINES) return undefined;
  const found = new Map<LabelledPart, string>();
  for (const line of lines) {
    const folded = plain(line);
    for (const { part, label } of LABELS) {
      const length = label.exec(folded)?.[0].length;
      if (length === undefined) continue;
      const value = line.slice(length).replace(/[\s,;.]+$/, "");
      // Said twice, nobody knows which.
      if (value !== "" && found.has(part)) return undefined;
      // "Rua: das Flores" without its word is no street.
      const kind = /^[-*\u2022 ]*(rua|avenida)\b/.exec(folded)?.[1];
      const isBare = kind !== undefined && !/^(?:r|rua|av|avenida)\b/.test(plain(value));
      if (value !== "") found.set(part, isBare ? `${capital(kind)} ${value}` : value);
      break;
    }
  }
  if (!found.has("street") || found.size < 2) return undefined;
  const town = [found.get("town"), found.get("state")].filter((one) => one !== undefined);
  return [
    ...(["street", "number", "complement", "district"] as const).map((part) => found.get(part)),
    town.length > 0 ? town.join("/") : undefined,
    found.get("cep"),
  ]
    .filter((one) => one !== undefined)
    .join(", ");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
