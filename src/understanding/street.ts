/** Splits "Rua das Flores 123 ap 4" into the parts an address needs. */
import { fiscalText } from "../brazil/index.ts";
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
  /(?:^|[\s,])(?:n\.?[º°o]?\.?\s?|numero\s|num\.?\s|nro?\.?\s)?(\d{1,3}\.\d{3}|\d{1,6}(?:\s?-?\s?[a-z](?![a-z]))?)(?=$|[\s,;.\-–/])/g;
const WITHOUT = /(?:^|[\s,])(?:s\s?\/\s?n[º°o]?\.?|sem numero|s\.n\.|sn)(?=$|[\s,;])/;
/** A street may be called "Rua 7 de Setembro", "Rua 15", "Avenida 9 de Julho", "Quadra 104 Sul". */
const OF_NAME = /^\s?(?:de\s|norte|sul|leste|oeste)/;
const STREET_TYPE =
  /^(?:rua|r\.?|avenida|av\.?|travessa|tv\.?|alameda|al\.?|estrada|rodovia|rod\.?|praca|quadra|qd\.?|q[a-z]{1,2}|sq[a-z]{1,2}|sh[a-z]{2}|cl[ns]|cr[ns]|sgan|sgas|rua projetada|(?:(?:rod\.?|rodovia) )?[a-z]{2}|km|beco|viela|largo|vila|conjunto)$/;

/** What comes before the street in an answer. */
const LEAD =
  /^(?:(?:eu )?moro |(?:e|eh|fica|e aqui) (?=n[oa] |em |rua |r\.|av)|(?:o |meu )?endereco(?: e| eh)? ?:? ?|(?:a |minha |o nome da )?rua (?:e|eh) (?=(?:rua|av|r\.|travessa|alameda)\b))?(?:n[oa] |em )?/;
/** Words whose number is not the door's: "ap 12", "casa 2", "bloco B". */
const PART =
  /(?:^|[\s,.-])(?:km|ap|apt|apto|apartamento|casa|cs|bloco|bl|torre|sala|sl|loja|lj|lote|lt|fundos|andar|conj|conjunto|cj|box)\.?$/;
const THANKS = /,? (?:obrigad[oa]|obg|valeu|vlw|por favor)[.!]*$/i;
/** "Rua 15, 200" and "Av. Dom Pedro 1, 77": the first number is the street's when a bare one follows the comma. */
const DOOR_FOLLOWS = /^,\s*\d{1,6}\s*(?:$|[,;-])/;
/** Talk, not a street. */
const TALK =
  /^(?:nao|sim|ok|oi|ola|depois|sei la|obrigad[oa]|valeu|espera|bom dia|boa tarde|boa noite|vou ver|tanto faz|o mesmo|(?:eu )?(?:vou|posso|quero|preciso|esqueci|mando|passo|envio|te|ja te|ja (?:mando|passo|vou|envio|falo)|depois|amanha)(?= |$)|calma|pera(?:i)?$)\b|(?:^|\s)(?:www\.|[\w-]{2,60}\.com(?:\.br)?\b)/;

/** How to get there, or a question: "fica perto da padaria". */
const DIRECTIONS =
  /^(?:(?:e|eh|fica|moro|mora|la|bem|logo) )*(?:perto|ao lado|do lado|atras|em frente|na frente|proximo|depois|antes|na esquina|esquina|vizinho) (?:d[aeo]s?|ao?s?) |^(?:(?:e|eh|fica|moro|mora|la|bem|muito|meio|um pouco) )*(?:longe|pertinho|perto)\b(?! \d)|\?$|@|https?:|^(?:r\$ ?)?\d[\d.,]* ?(?:reais|contos?|mil)\b|\bnao (?:sei|lembro|tenho)\b/;
/** The kind of a street and no name. */
const ONLY_TYPE =
  /^(?:(?:a |o |na |no |minha |meu )?(?:rua|avenida|av|travessa|alameda|estrada|rodovia|praca|endereco|casa|numero|bairro|cep|complemento))[.:, ]*$/;
/** After the street's own name, a block and a lot are no door: "Rua 14 quadra 3 lote 9". */
const BLOCK = /(?<=\w[\s,.-]{1,3})(?:quadra|qd|q)\.?$/;

const LETTERED = /(?<=\w)[\s,.-]+(?:bloco|bl|torre|conj|conjunto|cj)\.? [a-z0-9]{1,2}(?=[\s,.-]|$)/;
/** "moro em Campinas": where, and no street. */
const TOWN =
  /^(?:(?:eu )?moro |(?:e|eh|fica) )(?:em|n[oa]) (?!(?:rua|r\.|av|travessa|alameda|estrada|rodovia|praca)\b)[^\d]*$/;

/** The last number that can be the door's divides the line; a number that belongs to the street's name does not. */
export function splitStreet(text: string): Street | null {
  const whole = fiscalText(tidy(text).slice(0, LONGEST)).replace(THANKS, "");
  const line = whole.slice(LEAD.exec(plain(whole))?.[0].length ?? 0);
  if (!/[A-Za-z\u00c0-\u00ff]/.test(line)) return null;
  const folded = plain(line);
  if (TALK.test(folded) || DIRECTIONS.test(plain(whole)) || ONLY_TYPE.test(folded)) return null;
  if (TOWN.test(plain(whole))) return null;
  const without = WITHOUT.exec(folded);
  if (without && trim(line.slice(0, without.index)) === "") return null;
  if (without) return parts(line, without.index, without.index + without[0].length, "S/N");
  let unit: number | undefined;
  for (const match of folded.matchAll(NUMBER)) {
    const number = match[1] ?? "";
    const start = match.index;
    const end = start + match[0].length;
    const before = folded.slice(0, start).replace(/[\s,.-]+$/, "");
    if (before === "" || OF_NAME.test(folded.slice(end))) continue;
    const part = PART.exec(before) ?? BLOCK.exec(before);
    // "Quadra 5 Lote 4, 12": a later number may still be the door's.
    if (part) {
      unit ??= part.index;
      continue;
    }
    // "Rua 15, 200": a number right after the type names the street, when another follows.
    if (STREET_TYPE.test(before) && /\d/.test(folded.slice(end))) continue;
    if (DOOR_FOLLOWS.test(folded.slice(end)) && !folded.slice(0, start + 1).includes(",")) continue;
    // "Rua das Flores qd 5 lt 10 nº 3": what stands between goes after the door.
    const own = unit !== undefined && /^[\s,]+n/.test(match[0]) ? trim(line.slice(0, unit)) : "";
    if (unit !== undefined && own !== "") {
      const rest = [line.slice(unit, start), line.slice(end)].map(trim).filter((one) => one !== "");
      return { ...parts(line, unit, start, number.toUpperCase()), complemento: rest.join(", ") };
    }
    return parts(line, start, end, number.replace(/[\s.-]/g, "").toUpperCase());
  }
  // "SQN 210 bloco C ap 304": the block is no part of the street either.
  const block = unit === undefined ? null : LETTERED.exec(folded.slice(0, unit));
  if (block) unit = block.index;
  const logradouro = trim(line.slice(0, unit));
  if (logradouro === "") return null;
  return { logradouro, ...(unit === undefined ? {} : { complemento: trim(line.slice(unit)) }) };
}

function parts(line: string, start: number, end: number, numero: string): Street {
  const complemento = trim(line.slice(end));
  const logradouro = trim(line.slice(0, start));
  return { logradouro, numero, ...(complemento === "" ? {} : { complemento }) };
}

function trim(text: string): string {
  return text.replace(/^[\s,;.\-–/]+/, "").replace(/[\s,;:\-–/]+$/, "");
}
