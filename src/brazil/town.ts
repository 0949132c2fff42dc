/**
 * Municipalities with their 7-digit IBGE codes, from `municipios-brasil` (5,571 towns).
 *
 * The check digit of the code is deliberately not used: nine real towns break it. The table is the rule.
 */
import { municipios } from "municipios-brasil/dados";
import { foldWords } from "./fold.ts";
import type { Uf } from "./address.ts";

export interface Town {
  /** IBGE code, 7 digits. */
  readonly code: string;
  readonly name: string;
  readonly uf: Uf;
  /** IANA zone. The data set names one zone per offset, so Manaus says America/Porto_Velho: same clock. */
  readonly zone: string;
}

interface Names {
  readonly all: readonly { readonly town: Town; readonly folded: string }[];
  readonly byName: ReadonlyMap<string, readonly Town[]>;
}

/** What people write for a town that its official name does not show. */
const NICKNAMES: Readonly<Record<string, string>> = {
  sampa: "3550308",
  "sao paulo capital": "3550308",
  bh: "3106200",
  floripa: "4205407",
  poa: "4314902",
  bsb: "5300108",
  rio: "3304557",
  cwb: "4106902",
  jampa: "2507507",
  jf: "3136702",
};

let codes: ReadonlyMap<string, Town> | undefined;
let names: Names | undefined;

/** Codes asked for before the whole table was put together; a start asks for the one or two of its accounts. */
const asked = new Map<string, Town | null>();
/** Whoever asks for more needs the whole. */
const FEW = 8;

function townOf(row: (typeof municipios)[number]): Town {
  const code = String(row.codigoIbge);
  return asked.get(code) ?? { code, name: row.nome, uf: row.uf, zone: row.fusoHorario };
}

/** Built when many codes, or names, are asked for: it costs a cold process more than looking a few up. */
function coded(): ReadonlyMap<string, Town> {
  codes ??= new Map(municipios.map(townOf).map((town) => [town.code, town]));
  return codes;
}

/** One of the first few, found row by row. */
function few(code: string): Town | null {
  const known = asked.get(code);
  if (known !== undefined) return known;
  const row = municipios.find(({ codigoIbge }) => codigoIbge === Number(code));
  const town = row ? townOf(row) : null;
  // Written otherwise (with spaces, say), it is none.
  const found = town?.code === code ? town : null;
  asked.set(code, found);
  return found;
}

/** Built at the first name: folding them all costs some 80 ms in a cold process. */
function named(): Names {
  if (names) return names;
  const all: { town: Town; folded: string }[] = [];
  const byName = new Map<string, Town[]>();
  const put = (key: string, town: Town): void => {
    const list = byName.get(key);
    if (!list) byName.set(key, [town]);
    else if (!list.includes(town)) list.push(town);
  };
  for (const town of coded().values()) {
    // Two towns carry a former name in parentheses: both names find them.
    const words = foldWords(town.name);
    // "Sant'Ana" is written "Santana" and "d'Oeste" "doeste" as often as with a space.
    const joined = town.name.replaceAll("'", "");
    for (const part of [words, joined, ...town.name.split("(")]) put(foldWords(part), town);
    all.push({ town, folded: words });
  }
  names = { all, byName };
  return names;
}

/** The town of a 7-digit IBGE code, or null. */
export function townByCode(code: string): Town | null {
  if (codes === undefined && (asked.has(code) || asked.size < FEW)) return few(code);
  return coded().get(code) ?? null;
}

/** All towns of exactly that name, accent-free, sorted by UF; more than one means the name is a homonym. */
export function townsByName(name: string, uf?: Uf): readonly Town[] {
  const { byName } = named();
  const key = foldWords(name);
  const exact = byName.get(key) ?? [];
  const within = exact.filter((town) => uf === undefined || town.uf === uf);
  if (within.length > 0) return [...within].sort((a, b) => a.uf.localeCompare(b.uf));
  const nick = coded().get(NICKNAMES[key] ?? "");
  return nick && (uf === undefined || nick.uf === uf) ? [nick] : [];
}

/** Towns whose name begins with the text, at most `limit`, shortest names first. */
export function townsByPrefix(text: string, limit: number, uf?: Uf): readonly Town[] {
  const key = foldWords(text);
  if (key.length < 3) return [];
  return named()
    .all.filter(
      ({ town, folded }) => folded.startsWith(key) && (uf === undefined || town.uf === uf),
    )
    .sort((a, b) => a.folded.length - b.folded.length || a.town.code.localeCompare(b.town.code))
    .slice(0, limit)
    .map(({ town }) => town);
}

/** Names longer than this are no town's (the longest has 32 letters), so no distance is worked out for them. */
const LONGEST_NAME = 40;

/** Towns whose name differs from the text by one letter (two from 8 letters on), nearest first, at most `limit`. */
export function townsAlike(text: string, limit: number, uf?: Uf): readonly Town[] {
  const key = foldWords(text);
  if (key.length < 4 || key.length > LONGEST_NAME) return [];
  const most = key.length < 8 ? 1 : 2;
  const found: { town: Town; far: number }[] = [];
  for (const { town, folded } of named().all) {
    if (uf !== undefined && town.uf !== uf) continue;
    if (Math.abs(folded.length - key.length) > most) continue;
    const far = distance(key, folded, most);
    if (far <= most) found.push({ town, far });
  }
  found.sort((a, b) => a.far - b.far || a.town.code.localeCompare(b.town.code));
  return found.slice(0, limit).map(({ town }) => town);
}

/** Levenshtein distance, or anything above `most` as soon as it is known to be above. */
function distance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const value = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(value);
      if (value < best) best = value;
    }
    if (best > most) return best;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** `Campinas/SP`: how a town is shown, because 232 names exist in more than one state. */
export function townLabel(town: { readonly name: string; readonly uf: string }): string {
  return `${town.name}/${town.uf}`;
}
