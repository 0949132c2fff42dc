/** Splits "Rua das Flores 123 ap 4" into the parts an address needs. */
import { plain, tidy } from "./plain.ts";

export interface Street {
  readonly logradouro: string;
  /** `S/N` when the text says that there is none; absent when it says nothing. */
  readonly numero?: string;
  readonly complemento?: string;
}

/** Longer than any street line; what follows is not read. */
const LONGEST = 300;
const NUMBER =
  /(?:^|[\s,])(?:n\.?[º°o]?\.?\s?|numero\s|num\.?\s)?(\d{1,6}(?:\s?-?\s?[a-z](?![a-z]))?)(?=$|[\s,;.\-–/])/g;
const WITHOUT = /(?:^|[\s,])(?:s\s?\/\s?n[º°o]?\.?|sem numero|s\.n\.)(?=$|[\s,;])/;
/** A street may be called "Rua 7 de Setembro", "Rua 15", "Avenida 9 de Julho", "Quadra 104 Sul". */
const OF_NAME = /^\s?(?:de\s|norte|sul|leste|oeste)/;
const STREET_TYPE =
  /^(?:rua|r\.?|avenida|av\.?|travessa|tv\.?|alameda|al\.?|estrada|rodovia|rod\.?|praca|quadra|qd\.?|qs|qn|sqs|sqn|rua projetada|br|km|beco|viela|largo|vila|conjunto)$/;

/** The last number that can be the door's divides the line; a number that belongs to the street's name does not. */
export function splitStreet(text: string): Street | null {
  const line = tidy(text)
    .slice(0, LONGEST)
    .replace(/^endere[cç]o:? /i, "");
  if (!/[A-Za-z\u00c0-\u00ff]/.test(line)) return null;
  const folded = plain(line);
  const without = WITHOUT.exec(folded);
  if (without) return parts(line, without.index, without.index + without[0].length, "S/N");
  for (const match of folded.matchAll(NUMBER)) {
    const number = match[1] ?? "";
    const start = match.index;
    const end = start + match[0].length;
    const before = folded.slice(0, start).replace(/[\s,.-]+$/, "");
    if (before === "" || OF_NAME.test(folded.slice(end))) continue;
    // "Rua 15, 200": a number right after the type names the street, when another follows.
    if (STREET_TYPE.test(before) && /\d/.test(folded.slice(end))) continue;
    return parts(line, start, end, number.replace(/[\s-]/g, "").toUpperCase());
  }
  return { logradouro: trim(line) };
}

function parts(line: string, start: number, end: number, numero: string): Street {
  const complemento = trim(line.slice(end));
  const logradouro = trim(line.slice(0, start));
  return { logradouro, numero, ...(complemento === "" ? {} : { complemento }) };
}

function trim(text: string): string {
  return text.replace(/^[\s,;.\-–/]+/, "").replace(/[\s,;\-–/]+$/, "");
}
