/**
 * A municipality by name, name and state, or IBGE code, and a federative unit by code or name. Homonyms and near misses are proposed
 * as "Cidade/UF".
 */
import {
  type Town,
  townByCode,
  townLabel,
  townsAlike,
  townsByName,
  townsByPrefix,
  type Uf,
  ufOf,
  UFS,
} from "../../brazil/index.ts";
import { withoutCourtesy } from "../commands/closing-words.ts";
import {
  HEDGE,
  absent,
  ambiguous,
  clear,
  invalid,
  MAX_ANSWER,
  MAX_OPTIONS,
  type Option,
  type Understood,
} from "../understood.ts";
import { plainOf } from "../plain.ts";

const LEAD =
  /^(?:(?:eu |nos |a gente |ele |ela |o cliente |a empresa )?(?:moro|mora|moramos|resido|reside|fico|fica|sou|e|eh|somos|estou|to|esta|estamos|vivo|nasci) (?:(?:aqui|la) )?(?:em|no|na|de|do|da) (?:cidade (?:de|do|da) )?|(?:(?:e|eh) )?(?:aqui|la) (?:em|no|na) |(?:minha |a )?cidade(?: e| eh)?(?: de| do)?:? |(?:e|eh) (?:em )?|(?:municipio|cid)\b[.:]? ?(?:de |do |da )?|aqui (?:em|no|na|e|eh) |(?:(?:a|o|minha|meu|nossa|nosso) )?(?:sede|filial|matriz|loja|escritorio|empresa|firma|endereco|clinica|oficina|obra|casa|atelie|salao|consultorio|unidade|fabrica|galpao|restaurante|igreja|sitio|fazenda)(?: da empresa)?(?: (?:fica|e|eh|esta|localizad[oa]|situad[oa])){0,2}:? (?:em |no |na |aqui em )?(?:cidade de )?|(?:pode )?(?:coloca|colocar|coloque|poe|por|bota|botar|anota|registra|escreve|seria|vai ser)(?: ai)?:? (?:em )?(?:cidade de )?|(?:(?:we are|we're|i'm|i am|it's|it is|its|i live|we live|our office is|our company is|the office is|located|based) )+in |in |em |no |na )/;
/** "Cidade: Maringá UF: PR": the state has its label. */
const STATE_LABEL = /[,;]? (?:uf|estado)(?: ?: ?| (?:e|eh) )(?=[a-z])/;
/** "Barueri (Alphaville)", "Londrina PR, sede da empresa", "floripa mano": said beside, and no part of the name. */
const BESIDE =
  / ?\((?![a-z]{2}\))[^()]{3,30}\)$|,? (?:(?:a )?(?:sede|matriz|filial)(?: da empresa)?|mano|cara|meu|(?:meu|minha) (?:filh[oa]|querid[oa]|amig[oa]|linda|lindo|bem|amor)|parceiro|chefe|moc[ao]|querid[oa]|amig[oa]|gente|onde (?:moro|fica|trabalho)|(?:e )?so isso|brasil|brazil)$/;
/** "Maceió é a cidade". */
const IS_THE_TOWN = /(?<=[a-z]{2}),? (?:e|eh) (?:a|o) (?:minha |meu )?(?:cidade|municipio)$/;
const CHATTER =
  /^(?:oi|ola|sim|nao|ok|bom dia|boa tarde|boa noite|nao sei|nao lembro|tanto faz|menu|ajuda)$/;
/** Doubt in front of a name: the name is proposed all the same. */
const DOUBTED =
  /^(?:eu )?(?:acho|acredito|creio|penso|imagino|suponho|parece|talvez|se nao me engano|deve ser)(?: que)? (?:(?:e|eh|seja|fica) )?(?:em |no |na )?/;
const QUESTION = /\?$/;
/** Short names that people use for a larger town, though a smaller one is really called so: IBGE codes, the larger first. */
const SHORT_FOR: Readonly<Record<string, readonly string[]>> = {
  caxias: ["4305108", "3301702", "2103000"],
  "sao caetano": ["3548807", "2613107"],
  "sao bernardo": ["3548708", "2110609"],
  poa: ["4314902", "3539806"],
  ribeirao: ["3543402", "2611804"],
  jaragua: ["4208906", "5211800"],
};

export function city(text: string): Understood<"city"> {
  if (text.length > MAX_ANSWER) return absent("city", "too-long");
  const asked = plainOf(text);
  const line = trimmed(asked);
  const unsure = QUESTION.test(asked) || HEDGE.test(line) || /^nao (?:e|eh) /.test(line);
  const code = /^(?:ibge |codigo )?(\d{7})$/.exec(line)?.[1];
  if (code !== undefined) {
    const town = townByCode(code);
    return town ? found(town) : invalid("city", "unknown-town");
  }
  const state = stateOf(line);
  if (state) return state;
  const name = line.replace(LEAD, "");
  const short = Object.hasOwn(SHORT_FOR, name) ? SHORT_FOR[name] : undefined;
  if (short)
    return ambiguous(
      "city",
      "similar",
      short.flatMap((one) => townByCode(one) ?? []).map(optionOf),
    );
  for (const candidate of new Set([line, line.replace(LEAD, ""), line.replace(DOUBTED, "")]))
    for (const { name, uf } of splits(candidate)) {
      const towns = townsByName(name, uf);
      const [only, second] = towns;
      if (second) return ambiguous("city", "homonym", towns.map(optionOf));
      if (only) return unsure ? ambiguous("city", "similar", [optionOf(only)]) : found(only);
    }
  const bare = line.replace(BESIDE, "").trim();
  if (bare !== line && bare !== "") return city(bare);
  return guess(line.replace(LEAD, ""));
}

/** Without a full stop or politeness around: nothing of a town's name. */
function trimmed(asked: string): string {
  const line = withoutCourtesy(asked.replace(/[.!?;]+$/, ""));
  return line
    .replace(/[.!?;]+$|\p{Extended_Pictographic}/gu, "")
    .replace(IS_THE_TOWN, "")
    .replace(STATE_LABEL, ", ")
    .trim();
}

/**
 * The name of a state and nothing else: "Goiás" and "Paraná" are towns too, but who writes them mostly means the state.
 * São Paulo and Rio de Janeiro are taken for the towns that everybody means.
 */
function stateOf(line: string): Understood<"city"> | null {
  const name = /\bcidade\b|\bmunicipio\b/.test(line) ? line : line.replace(LEAD, "");
  const state = name.length > 2 ? ufOf(name) : null;
  if (!state || state.uf === "SP" || state.uf === "RJ") return null;
  return invalid("city", "only-uf", townsByName(name).map(optionOf));
}

/** "fortaleza ceará": the state in full, without a mark before it. */
const NAMED_STATE = new RegExp(
  `^(.+?) (?:,? ?(?:d[eoa]|n[oa]|em) )?(?:estado d[eoa] |interior d[eoa] )?(${UFS.map(({ name }) => plainOf(name)).join("|")})$`,
);

/** Readings of "campinas sp", "campinas - são paulo", "campinas": the one with a state first. */
function splits(line: string): readonly { name: string; uf?: Uf }[] {
  const readings: { name: string; uf?: Uf }[] = [];
  const marked = /^(.+?) ?[-/,(] ?([a-z ]{2,22})\)?$/.exec(line);
  const state = marked ? ufOf(marked[2] ?? "") : null;
  if (marked && state) readings.push({ name: marked[1] ?? "", uf: state.uf });
  const spaced =
    /^(.+?)(?:,? (?:em|no|na|do|da|de|interior de|estado de|interior do))? ([a-z]{2})$/.exec(line);
  const last = spaced ? ufOf(spaced[2] ?? "") : null;
  if (spaced && last) readings.push({ name: spaced[1] ?? "", uf: last.uf });
  readings.push({ name: line });
  const named = NAMED_STATE.exec(line);
  const full = named ? ufOf(named[2] ?? "") : null;
  if (named && full) readings.push({ name: named[1] ?? "", uf: full.uf });
  return readings;
}

function guess(line: string): Understood<"city"> {
  if (line.length < 2 || CHATTER.test(line) || !/[a-z]/.test(line)) return absent("city");
  if (ufOf(line)) return invalid("city", "only-uf");
  const [first = { name: line }] = splits(line);
  const near = [
    ...townsByPrefix(first.name, MAX_OPTIONS, first.uf),
    ...townsAlike(first.name, MAX_OPTIONS, first.uf),
  ];
  const distinct = [...new Set(near)];
  if (distinct.length > 0) return ambiguous("city", "similar", distinct.map(optionOf));
  return invalid("city", "unknown-town");
}

function found({ code, name, uf }: Town): Understood<"city"> {
  return clear("city", { code, name, uf }, townLabel({ name, uf }));
}

function optionOf({ code, name, uf }: Town): Option {
  return { value: { code, name, uf }, echo: townLabel({ name, uf }) };
}

const UF_LEAD =
  /^(?:(?:o |a )?(?:cidade|empresa|cliente|gente|eu)? ?(?:e|eh|fica|moro|mora|moramos|sou|somos|estou|to) )?(?:(?:aqui|la) )?(?:(?:o |no |na |do |de |em |meu )?(?:estado|uf)(?: e| eh)?(?: de| do| da)?:? |(?:no|na|em|do|da|de|o|a) )?/;

const DENIED = /\b(?:nao|n|naum|num|nem|nunca) (?:e|eh|sou|moro|fica)\b/;

export function uf(text: string): Understood<"uf"> {
  if (text.length > MAX_ANSWER) return absent("uf", "too-long");
  const asked = plainOf(text);
  const line = withoutCourtesy(asked.replace(/[.!?]+$/, ""));
  // "não é SP", "acho que é RJ": named, and not meant or not known.
  if (DENIED.test(line) || HEDGE.test(line)) {
    const said = UFS.filter((row) => line.split(/[^a-z]+/).some((word) => ufOf(word) === row));
    const denied = DENIED.test(line);
    return denied || said.length === 0
      ? absent("uf")
      : ambiguous("uf", "confirm", said.map(ufOption));
  }
  const whole = ufOf(line) ?? ufOf(line.replace(UF_LEAD, ""));
  // "para" without its accent is a preposition, and a word for stopping.
  if (whole && line === "para" && !/á/i.test(text))
    return ambiguous("uf", "confirm", [ufOption(whole)]);
  if (whole && asked.endsWith("?")) return ambiguous("uf", "confirm", [ufOption(whole)]);
  if (whole) return clear("uf", whole.uf, `${whole.name} (${whole.uf})`);
  // "maranhao ma", "brasília df": the code after the state's name or a town of it.
  const coded = /^(.+) ([a-z]{2})$/.exec(line);
  const code = coded ? ufOf(coded[2] ?? "") : null;
  const before = coded?.[1] ?? "";
  if (code && (ufOf(before)?.uf === code.uf || townsByName(before, code.uf).length > 0))
    return clear("uf", code.uf, `${code.name} (${code.uf})`);
  // Several parts ("São Paulo - SP", "Campinas/SP", "SP ou RJ"): codes after a separator, names anywhere.
  const parts = line
    .split(/ ?[-/,()] ?| ou | e /)
    .flatMap((part) => ufOf(part.replace(UF_LEAD, "")) ?? []);
  const named = UFS.filter((row) => parts.includes(row));
  const [only, second] = named;
  if (second) return ambiguous("uf", "which", named.map(ufOption));
  if (only) return clear("uf", only.uf, `${only.name} (${only.uf})`);
  return /^[a-z]{2}$/.test(line) && !/^(?:oi|ok|nn|ss|ta|eh)$/.test(line)
    ? invalid("uf", "format")
    : absent("uf");
}

function ufOption(row: (typeof UFS)[number]): Option {
  return { value: row.uf, echo: `${row.name} (${row.uf})` };
}
