/** Portuguese (and digit) cardinal numbers: `["dois","mil","e","quinhentos"]` → 2500. Whole lists only, no guesses. */

const UNITS: Readonly<Record<string, number>> = {
  um: 1,
  uma: 1,
  dois: 2,
  duas: 2,
  tres: 3,
  quatro: 4,
  cinco: 5,
  seis: 6,
  sete: 7,
  oito: 8,
  nove: 9,
};
const TEENS: Readonly<Record<string, number>> = {
  dez: 10,
  onze: 11,
  doze: 12,
  treze: 13,
  catorze: 14,
  quatorze: 14,
  quinze: 15,
  dezesseis: 16,
  dezasseis: 16,
  dezessete: 17,
  dezoito: 18,
  dezenove: 19,
};
const TENS: Readonly<Record<string, number>> = {
  vinte: 20,
  trinta: 30,
  quarenta: 40,
  cinquenta: 50,
  sessenta: 60,
  setenta: 70,
  oitenta: 80,
  noventa: 90,
};
const HUNDREDS: Readonly<Record<string, number>> = {
  cento: 100,
  duzentos: 200,
  duzentas: 200,
  trezentos: 300,
  trezentas: 300,
  quatrocentos: 400,
  quatrocentas: 400,
  quinhentos: 500,
  quinhentas: 500,
  seiscentos: 600,
  seiscentas: 600,
  setecentos: 700,
  setecentas: 700,
  oitocentos: 800,
  oitocentas: 800,
  novecentos: 900,
  novecentas: 900,
};

/** Misspelt, and plain enough to propose what was meant; never sure. */
const MISSPELT: Readonly<Record<string, string>> = {
  cincoenta: "cinquenta",
  sinquenta: "cinquenta",
  cinguenta: "cinquenta",
  secenta: "sessenta",
  sesenta: "sessenta",
  dusentos: "duzentos",
  duzento: "duzentos",
  tresentos: "trezentos",
  trezento: "trezentos",
  quatrosentos: "quatrocentos",
  quatrossentos: "quatrocentos",
  quinhento: "quinhentos",
  quinhetos: "quinhentos",
  seicentos: "seiscentos",
  seissentos: "seiscentos",
  setesentos: "setecentos",
  setessentos: "setecentos",
  oitosentos: "oitocentos",
  oitossentos: "oitocentos",
  novesentos: "novecentos",
  novessentos: "novecentos",
};

/** The word as it is spelt, when it is a number misspelt. */
export function respelt(word: string): string | null {
  return Object.hasOwn(MISSPELT, word) ? (MISSPELT[word] ?? null) : null;
}

const THOUSAND = new Set(["mil", "k"]);
const MILLION = new Set(["milhao", "milhoes"]);

/** Whether a folded word belongs to a number (not `e`, which joins them). */
export function isNumberWord(word: string): boolean {
  return (
    Object.hasOwn(UNITS, word) ||
    Object.hasOwn(TEENS, word) ||
    Object.hasOwn(TENS, word) ||
    Object.hasOwn(HUNDREDS, word) ||
    word === "cem" ||
    respelt(word) !== null ||
    THOUSAND.has(word) ||
    MILLION.has(word)
  );
}

export function isThousand(word: string | undefined): boolean {
  return word !== undefined && THOUSAND.has(word);
}

/** The integer that the whole list says, or null. Digits may stand for a group of three: `["2","mil","e","500"]`. */
export function cardinal(words: readonly string[]): number | null {
  const million = words.findIndex((word) => MILLION.has(word));
  const millions = million < 0 ? 0 : group(words.slice(0, million));
  if (millions === null) return null;
  let rest = million < 0 ? words : words.slice(million + 1);
  if (million >= 0 && rest[0] === "de") rest = rest.slice(1);
  if (million >= 0 && rest[0] === "e") rest = rest.slice(1);
  const thousand = rest.findIndex((word) => THOUSAND.has(word));
  const below = thousand < 0 ? rest : rest.slice(thousand + 1);
  const thousands = thousand < 0 ? 0 : thousand === 0 ? 1 : group(rest.slice(0, thousand));
  if (thousands === null) return null;
  const high = millions * 1_000_000 + thousands * 1_000;
  if (below.length === 0) return high > 0 ? high : null;
  const low = group(high > 0 && below[0] === "e" ? below.slice(1) : below);
  return low === null ? null : high + low;
}

/** 0–999: digits, or hundreds, tens and units in falling order with or without "e" between. */
function group(words: readonly string[]): number | null {
  const [first] = words;
  if (first === undefined) return null;
  if (words.length === 1 && /^(?:0|[1-9]\d{0,2})$/.test(first)) return Number(first);
  if (words.length === 1 && first === "cem") return 100;
  let value = 0;
  let ceiling = 1000;
  let joined = true;
  for (const word of words) {
    if (word === "e") {
      if (joined) return null;
      joined = true;
      continue;
    }
    const step = simple(word);
    if (step === null || step.size >= ceiling) return null;
    value += step.value;
    ceiling = step.closes ? 0 : step.size;
    joined = false;
  }
  return joined ? null : value;
}

/** `size` is the decimal class; teens close the group because nothing may follow them. */
function simple(word: string): { value: number; size: number; closes: boolean } | null {
  const hundred = own(HUNDREDS, word);
  if (hundred !== null) return { value: hundred, size: 100, closes: false };
  const ten = own(TENS, word);
  if (ten !== null) return { value: ten, size: 10, closes: false };
  const teen = own(TEENS, word);
  if (teen !== null) return { value: teen, size: 10, closes: true };
  const unit = own(UNITS, word);
  return unit === null ? null : { value: unit, size: 1, closes: true };
}

function own(table: Readonly<Record<string, number>>, word: string): number | null {
  return Object.hasOwn(table, word) ? (table[word] ?? null) : null;
}
