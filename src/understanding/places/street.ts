/** Splits "Rua das Flores 123 ap 4" into the parts an address needs. */
import { latinText, townsByName, ufOf } from "../../brazil/index.ts";
import { plain, tidy } from "../plain.ts";

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
const THANKS =
  /,? (?:obrigad[oa]|obg|valeu|vlw|por favor|viu|(?:minha|meu) (?:filh[oa]|querid[oa]|amig[oa]|linda|lindo|amor))[.!]*$/i;
/** "Rua 15, 200" and "Av. Dom Pedro 1, 77": the first number is the street's when a bare one follows the comma. */
const DOOR_FOLLOWS = /^,\s*\d{1,6}\s*(?:$|[,;-])/;
/** Talk, not a street. */
const TALK =
  /^(?:nao|sim|ok|oi|ola|depois|sei la|obrigad[oa]|valeu|espera|bom dia|boa tarde|boa noite|vou ver|tanto faz|o mesmo|(?:eu )?(?:vou|posso|quero|preciso|esqueci|mando|passo|envio|te|ja te|ja (?:mando|passo|vou|envio|falo|mandei|passei|enviei|falei|informei|disse)|depois|amanha)(?= |$)|calma|pera(?:i)?$)\b|(?:^|\s)(?:www\.|[\w-]{2,60}\.com(?:\.br)?\b)/;

/** How to get there, or a question: "fica perto da padaria". */
const DIRECTIONS =
  /^(?:(?:e|eh|fica|moro|mora|la|bem|logo) )*(?:perto|ao lado|do lado|atras|em frente|na frente|proximo|depois|antes|na esquina|esquina|vizinho) (?:d[aeo]s?|ao?s?) |^(?:(?:e|eh|fica|moro|mora|la|bem|muito|meio|um pouco) )*(?:longe|pertinho|perto)\b(?! \d)|\?$|@|https?:|^(?:r\$ ?)?\d[\d.,]* ?(?:reais|contos?|mil)\b|\b(?:nao|n) (?:sei|lembro|tenho|possuo|tem)\b|\b(?:no|do) cadastro\b/;
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
  const whole = unlabelled(
    latinText(tidy(text.replace(/[\r\n]+/g, ", ")).slice(0, LONGEST)),
  ).replace(THANKS, "");
  const led = whole.slice(LEAD.exec(plain(whole))?.[0].length ?? 0);
  const line = led.slice(BEFORE_TYPE.exec(plain(led))?.[0].length ?? 0);
  if (!/[A-Za-z\u00c0-\u00ff]/.test(line)) return null;
  const folded = plain(line);
  if (TALK.test(folded) || DIRECTIONS.test(plain(whole)) || ONLY_TYPE.test(folded)) return null;
  if (TOWN.test(plain(whole)) || isTown(folded)) return null;
  if (ONLY_DOOR.test(folded) || IN_WORDS.test(folded)) return null;
  const without = WITHOUT.exec(folded);
  if (without && trim(line.slice(0, without.index)) === "") return null;
  if (without) {
    // "Linha São Roque, interior, s/n": where it lies is none of its name.
    const whole = trim(line.slice(0, without.index));
    const name = /, ?(?:km|quadra|qd|lote) ?\d/i.test(whole) ? whole : (whole.split(",")[0] ?? "");
    const between = trim(line.slice(0, without.index).slice(line.indexOf(name) + name.length));
    const one = parts(line, without.index, without.index + without[0].length, "S/N");
    const rest = [between, one.complemento ?? ""].filter((part) => part !== "").join(", ");
    return { logradouro: name, numero: "S/N", ...(rest === "" ? {} : { complemento: rest }) };
  }
  // "rua 7": its name; "60 ou 66": two doors.
  if (NUMBER_ALONE.test(folded)) return { logradouro: trim(line) };
  if (TWO_DOORS.test(folded)) return null;
  let unit: number | undefined;
  for (const match of folded.matchAll(NUMBER)) {
    const number = match[1] ?? "";
    const start = match.index;
    const end = start + match[0].length;
    const before = folded.slice(0, start).replace(/[\s,.-]+$/, "");
    // "SCS Quadra 2 Bloco C": the block of a sector is its street.
    if (SECTOR.test(before)) continue;
    // "km 22,5".
    if (/\bkm \d{1,4}$/.test(before) && /^,\d\b/.test(match[0])) continue;
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
  // "Sítio Boa Esperança, zona rural": where it lies is none of its name.
  const logradouro = ofDoorOrName(trim(line.slice(0, unit)), unit);
  if (logradouro === "") return null;
  const rest = unit === undefined ? "" : ofDoor(trim(line.slice(unit)));
  return { logradouro, ...(rest === "" ? {} : { complemento: rest }) };
}

/** Form fields, one a line: "Logradouro: …, Número: 12, Complemento: sala 3". */
function unlabelled(line: string): string {
  return line
    .replace(
      /^(?:logradouro|sede|matriz|filial|local|(?:end(?:ereço|ereco)?)(?: completo)?) ?[:.] ?/i,
      "",
    )
    .replace(/^(rua|avenida|av|travessa|alameda|rodovia|estrada|praça) ?: ?/i, "$1 ")
    .replace(/,? (?:n[uú]mero|num|nro|n[º°]) ?: ?(?=[\ds])/i, ", ")
    .replace(/,? (?:(?:complemento|compl?\.?) ?: ?|complemento (?=\S))/i, ", ")
    .replace(/^(?:cep:? ?)?\d{5}-?\d{3}(?!\d)[ ,;-]*/i, "")
    .replace(/^(?:it'?s|it is|(?:my|our|the) address is|i live (?:at|on|in)|we are at) /i, "")
    .replace(/^(\d{1,6}),? ((?:rua|av|avenida|alameda|travessa)\b[^\d]*)$/i, "$2, $1")
    .replace(
      /(\d{1,6}),? (?:na verdade|ou melhor|quer dizer|digo|aliás|alias|ops|não)[, ]+(?:[eé] )?(?=\d)/i,
      "",
    )
    .replace(/,? (?:(?:bairro|cep|cidade|uf) ?: ?|bairro (?=\S)).*$/i, "");
}

/** "Campinas SP", "centro de Caxias": where, and no street. */
function isTown(folded: string): boolean {
  if (/^(?:n[oa] )?centro(?: d[aeo]s? [a-z ]{3,40})?$/.test(folded)) return true;
  const marked = /^([a-z' ]{3,40}?)(?:[,/ -]+([a-z]{2}))$/.exec(folded);
  const state = marked ? ufOf(marked[2] ?? "") : null;
  return state !== null && townsByName(marked?.[1]?.trim() ?? "", state.uf).length > 0;
}

/** "a empresa fica na Rua …", "condomínio Alphaville rua …": what stands before the kind of a street is none of it. */
const BEFORE_TYPE =
  /^(?!(?:rua|r\.?|avenida|av\.?|travessa|tv\.?|alameda|al\.?|estrada|rodovia|rod\.?|praca|viela|beco|largo|quadra|linha|vila|servidao|via|marginal|acesso|esquina|loteamento) )[a-z',:. ]{2,60}?[ ,:](?=(?:rua|avenida|av\.|av|travessa|alameda|rodovia) [a-z\d])/;
/** "bloco B casa 7": which door, and of no street. */
const ONLY_DOOR =
  /^(?:(?:ap|apt|apto|apartamento|bloco|bl|casa|sala|loja|fundos|andar|torre|lote|lt)\.? (?:[a-z]|\d{1,4}[a-z]?)(?:[ ,.-]+|$)){1,4}$/;
/** "Rua Braga duzentos e dez": a door in words, which a street's name may as well end with. */
const IN_WORDS =
  /^[a-z.]+ [a-z' ]+ (?:cento|duzentos|trezentos|quatrocentos|quinhentos|seiscentos|setecentos|oitocentos|novecentos)(?: e [a-z]+){0,2}$|\b(?:numero|n[º°o.]) (?!d[aeo] )[a-z]{3,}(?: e [a-z]+){0,2}$/;
const NUMBER_ALONE = /^(?:rua|r\.|avenida|av\.?|travessa|alameda|quadra) \d{1,4}[a-z]?$/;
const TWO_DOORS = /[ ,]\d{1,5} ou (?:n?[º°o.]? ?)?\d{1,5}$/;
const SECTOR = /^s[a-z]{1,4} (?:quadra|qd|q[a-z]{0,2})\.?$/;

function parts(line: string, start: number, end: number, numero: string): Street {
  const complemento = ofDoor(trim(line.slice(end)));
  const logradouro = trim(line.slice(0, start));
  return { logradouro, numero, ...(complemento === "" ? {} : { complemento }) };
}

/** A part of an address that says which door. */
const DOOR =
  /\d|\b(?:fundos?|frente|terreo|sobrado|casa|cobertura|loja|sala|andar|apto|apartamento|bloco|torre|galpao|portaria|edificio|ed|edf|predio|condominio|cond|conjunto|conj|box|anexo|subsolo|mezanino|sobreloja|esquina|lado|shopping|galeria|floor|suite|interior|quadra|lote|km|proximo|perto|ao|em|na|no|entre|residencial|portao|porta|muro|garagem|chacara|sitio|fazenda|pavilhao|deposito|kitnet|kit|flat|duplex|guarita|hangar|banca|quiosque|stand|estande|vaga|altos|pavimento|pav|piso|ala|entrada|recepcao|studio)\b/;

/** A door told by its number or letter, and words without either behind it. */
const DISTRICT_BEHIND =
  /^((?:.{0,60}[ ,])?(?:ap|apt|apto|apartamento|sala|sl|casa|cs|bloco|bl|torre|loja|lj|lote|lt|conj|conjunto|cj)\.? (?:\d{1,4}[a-z]?|[a-z])|(?:.{0,60}[ ,])?\d{1,3}(?:[ºo°])? andar)((?: (?:d[aeo]s?|[a-z']{3,20})){1,4})$/;
/** Of a building, or going on: no district. */
const NO_DISTRICT =
  /^ (?:d[aeo]s?|e|com|sem|ou) |^ (?:sul|norte|leste|oeste)$|\b(?:center|tower|towers|plaza|mall|office|corporate|business|esquerda|direita|cima|baixo|azul|verde|amarel[oa]|branc[oa]|fds|fd|interfone|tocar|falar)\b|\b(?:fundos?|frente|terreo|sobrado|casa|cobertura|loja|sala|andar|apto|apartamento|bloco|torre|galpao|portaria|edificio|ed|edf|predio|condominio|cond|conjunto|box|anexo|subsolo|quadra|lote|proximo|perto|ao|em|na|no|entre|residencial|portao|lado)\b/;

/** Without the district, the town and the CEP that stand behind the door: "15º andar, Centro" is "15º andar". */
function ofDoor(complemento: string): string {
  const said = complemento
    .replace(/[\s,;-]*(?:cep:? ?)?\d{5}-?\d{3}\b.*$/i, "")
    .replace(/^\(([^()]*)\)$/, "$1");
  const found = said.split(/(, | - | – )/);
  while (found.length > 0 && !DOOR.test(plain(found.at(-1) ?? ""))) found.splice(-2);
  // "Partenon, prédio 50": the district before the door.
  while (found.length > 2 && !DOOR.test(plain(found[0] ?? ""))) found.splice(0, 2);
  const last = found.at(-1) ?? "";
  // "ap 1101 boa vista": the district behind it.
  const behind = DISTRICT_BEHIND.exec(plain(last));
  if (behind && !NO_DISTRICT.test(behind[2] ?? ""))
    found.splice(-1, 1, last.slice(0, behind[1]?.length ?? 0));
  return found.join("");
}

function ofDoorOrName(name: string, unit: number | undefined): string {
  return unit === undefined && !/\d/.test(name) ? (name.split(/, | - | – /)[0] ?? name) : name;
}

function trim(text: string): string {
  return text.replace(/^[\s,;.\-–/]+/, "").replace(/[\s,;:\-–/]+$/, "");
}
