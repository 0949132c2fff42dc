/**
 * One part of an address that is known: "o número é 125", "o CEP é 13010-001", "complemento sala 5". The rest of it stands; nobody
 * dictates a whole address again for its door. Pure.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { Address, ADDRESS_LIMITS, ufOfCep } from "../../brazil/index.ts";
import { plainOf, tidy, understand } from "../../understanding/index.ts";
import type { Labelled } from "./meaning-labels.ts";
import type { Expectation } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** Longer is more than a part. */
const LONGEST = 120;
const LEAD = String.raw`(?:(?:sim|ok|e|and|ah|tambem|mas|so que|opa|ops|errei|desculpa|nao|na verdade|actually|but|sorry|no|(?:ta|esta|ficou|saiu|veio) errad[oa]|wrong)[,.!:; ]+)*`;
const VERB = String.raw`(?:(?:quero |pode |please )?(?:corrig\w+|mud\w+|troc\w+|alter\w+|coloca\w*|coloque|poe|bota|inclui\w*|acrescent\w*|faltou|change|fix|add) )?`;
const OF = String.raw`(?: (?:d[ao] (?:casa|rua|endereco|predio|loja)|of the (?:house|street)))?`;
const WRONG = String.raw`(?:,? (?:(?:ta|esta|ficou|saiu|veio|foi|is|was) )?(?:errad[oa]|incorret[oa]|wrong)\b[,.;: ]*)?`;
const SIGN = String.raw`(?:,? ?(?::|=)|,? ?(?:o |a )?(?:(?:certo|certa|correto|correta) )?(?:e|eh|era|seria|is|should be|para|pra|pro|por|to)\b)?`;
const NAMES = {
  numero: "(?:numero|num|n[º°o.]|number)",
  complemento: "(?:complemento|complement)",
  bairro: "(?:bairro|district|neighbou?rhood)",
  cep: "(?:cep|zip(?: code)?|postal code)",
} as const;
type Part = keyof typeof NAMES;

const PATTERNS = (Object.keys(NAMES) as Part[]).map((part) => ({
  part,
  pattern: new RegExp(
    `^${LEAD}${VERB}(?:(?:o|a|the) )?${NAMES[part]}${OF}(${WRONG}${SIGN})[: ]*(?=\\S)`,
  ),
}));
/** "A sala é 5", "apto 12", "bloco B": more of the address, which names itself. */
const UNIT = new RegExp(
  String.raw`^${LEAD}${VERB}(?:(?:o|a|the) )?(sala|apto|ap|apartamento|bloco|loja|conjunto|conj|andar|torre|casa|suite|room|apartment|unit|floor)(${WRONG}${SIGN}) ?(?:n[\u00bao.]? ?)?(\d{1,5}[a-z]?|[a-z])[ .!]*$`,
);
const DOOR = /^(?:\d{1,6}(?: ?-? ?[a-z])?|s ?\/? ?n[º°o]?)$/;
const CEP = /^\d{2}\.?\d{3}-?\d{3}$/;
const VALUE_END = /[ .!]+$/;

/** Between two parts of it. */
const BETWEEN = /\s*[,;\n]\s*(?:e\s+)?|\s+(?:e|and)\s+/i;
/** Parts that a sentence changes at most. */
const MOST = 4;

/** The address with other parts; undefined where the text is about something else, or no address is known. */
export function addressPart(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): Labelled | undefined {
  if (text.length > LONGEST || expectation.rests === "ended") return undefined;
  const asks = expectation.rests === "ask" || expectation.rests === "choose";
  const whole = [told(text, context, asks)];
  const each = text.split(BETWEEN);
  const parts =
    whole[0] || each.length > MOST ? whole : each.map((part) => told(part, context, asks));
  const known = parts.every((part) => part !== undefined) ? knownAddress(expectation) : undefined;
  if (!known) return undefined;
  const { slot, address } = known;
  const changed: Record<string, Json> = { ...(slot.value as Record<string, Json>) };
  for (const part of parts)
    if (part) changed[part.part] = part.unit ? withUnit(complementOf(changed), part) : part.value;
  if (complementOf(changed).length > ADDRESS_LIMITS.complemento) return undefined;
  const cep = parts.findLast((part) => part?.part === "cep")?.value;
  if (cep !== undefined && ufOfCep(cep) !== address.uf) {
    const reading = { ok: false, reason: "invalid", hint: "other-state" } as const;
    return { ok: true, event: { type: "EDIT", slots: [slot.name] }, reading };
  }
  return { ok: true, event: { type: "CORRECT", values: { [slot.name]: changed } } };
}

function knownAddress({ slots, slot: asked }: Expectation) {
  const [slot, second] = slots.filter(({ kind }) => kind === "address");
  if (!slot?.filled || second || slot.name === asked) return undefined;
  const address = Address.safeParse(slot.value).data;
  return address && { slot, address };
}

interface Told {
  readonly part: Part;
  readonly value: string;
  /** What is numbered, of a complement: another number of the same takes its place, anything else stands. */
  readonly unit?: string;
}

/** "Ap 4", "apto 4", "apartamento 4" are one. */
function kindOf(unit: string): string {
  return unit.slice(0, 2) === "ap" ? "ap" : unit.slice(0, 4);
}

function complementOf({ complemento = "" }: JsonObject): string {
  return typeof complemento === "string" ? complemento : "";
}

function withUnit(known: string, { unit, value }: Told): string {
  const others = known
    .split(/,\s*/)
    .filter((one) => one !== "" && kindOf(plainOf(one)) !== kindOf(unit ?? ""));
  return [...others, value].join(", ");
}

/** `asks`: something else is asked. */
function told(text: string, context: ReadingContext, asks: boolean): Told | undefined {
  const tidied = tidy(text);
  const line = plainOf(tidied);
  const [, unit, sign = "", number = ""] = UNIT.exec(line) ?? [];
  // "Sala 5" alone may be what was done, where that is asked.
  if (unit !== undefined && (sign !== "" || !asks))
    return { part: "complemento", value: `${unit} ${number.toUpperCase()}`, unit };
  for (const { part, pattern } of PATTERNS) {
    const found = pattern.exec(line);
    const said = tidied.slice(found?.[0].length ?? 0).replace(VALUE_END, "");
    const value = found ? valueOf(part, said, context, found[1] !== "") : undefined;
    if (value !== undefined) return { part, value };
  }
  return undefined;
}

function valueOf(
  part: Part,
  said: string,
  context: ReadingContext,
  isSigned: boolean,
): string | undefined {
  switch (part) {
    case "numero":
      // Another number than a door's: of a document, of an order.
      if (!DOOR.test(plainOf(said))) return undefined;
      return /^s/i.test(said) ? "S/N" : said.replace(/[\s-]/g, "").toUpperCase();
    case "cep": {
      const cep = CEP.test(said) ? understand("cep", said, context) : undefined;
      return cep?.ok ? cep.value : undefined;
    }
    default: {
      // "Bairro nobre" may be a description.
      const isPart = isSigned || (part === "complemento" && /\d/.test(said));
      return isPart && said !== "" && said.length <= ADDRESS_LIMITS[part] && !BETWEEN.test(said)
        ? said
        : undefined;
    }
  }
}
