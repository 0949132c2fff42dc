/**
 * An address among the lines of a form: "Endereço: Rua das Acácias, 45 / Bairro: Centro / Cidade: Campinas - SP / CEP: …". Pure.
 *
 * Only labelled lines count, and the street's must be one of them: what stands in a line of its own without a label may be anything.
 */
import { plain, tidy } from "../plain.ts";

/** Longer texts are no forms. */
const LONGEST = 1500;
const MOST_LINES = 40;

/** Labels by the part they name, in the order in which an address is written. */
const PARTS = [
  ["street", "endereco(?: completo)?|end\\.?|logradouro|rua|avenida|av\\.?|address|street"],
  ["number", "numero|num\\.?|n[o\u00ba\u00b0]\\.?|nro\\.?"],
  ["complement", "complemento|compl\\.?"],
  ["district", "bairro|district|neighbou?rhood"],
  ["town", "cidade(?: ?\\/ ?(?:uf|estado))?|municipio(?: ?\\/ ?uf)?|city|town"],
  ["state", "uf|estado|state"],
  ["cep", "cep|zip(?: code)?"],
] as const;
type Part = (typeof PARTS)[number][0];
const LABELS = PARTS.map(([part, names]) => ({
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
  const found = new Map<Part, string>();
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
