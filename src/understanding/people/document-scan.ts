/** Finds documents in a text: fragments that could be one, cleaned, and what a failed one probably was. */
import {
  bareDocument,
  CNPJ_LENGTH,
  CPF_LENGTH,
  documentType,
  isCnpj,
  isCpf,
} from "../../brazil/index.ts";
import { tidy } from "../plain.ts";

export interface Fragment {
  /** Letters and digits only, upper case. */
  readonly bare: string;
  /** As typed, between spaces. */
  readonly raw: string;
  /** Place in the tidied text. */
  readonly start: number;
  readonly end: number;
}

const LABEL = /^(?:cpf|cnpj)(?:\/(?:cpf|cnpj))?[/:.\-=nº°]*(?=[0-9A-Za-z])/i;
/** Fewer characters than this are no attempt at a document. */
const SHORTEST = 8;
const LONGEST = 16;
const MAX_FRAGMENTS = 400;
/** "275.949.549 39", "275949549 39": a space where the dash belongs. */
const SPACED_CPF = /^\d{3}\.?\d{3}\.?\d{3} \d{2}$/;

/** Single words first, then neighbouring groups of digits ("529 982 247 25"); in order of place. */
export function fragmentsOf(text: string): readonly Fragment[] {
  const parts: Fragment[] = [];
  for (const match of tidy(text).matchAll(/[^\s,;:=()[\]{}"'*!?]+/g)) {
    if (parts.length >= MAX_FRAGMENTS) break;
    const cut = LABEL.exec(match[0])?.[0].length ?? 0;
    const raw = match[0].slice(cut);
    const start = match.index + cut;
    parts.push({ raw, bare: bareDocument(raw), start, end: start + raw.length });
  }
  // "45120987 0002 05": groups that make a whole company number are one, though the first is long by itself.
  const valid = parts.filter(({ bare }) => documentType(bare));
  const whole = [...groupsOf(parts), ...spelledOut(parts)].filter(
    (group) =>
      (isCnpj(group.bare) || (SPACED_CPF.test(group.raw) && isCpf(group.bare))) &&
      !valid.some(({ start }) => start >= group.start && start < group.end),
  );
  const within = ({ start }: Fragment): boolean =>
    whole.some((group) => start >= group.start && start < group.end);
  const rest = parts.filter((part) => !within(part));
  const singles = rest.filter(isAttempt);
  return [...whole, ...singles, ...groupsOf(rest.filter((part) => !singles.includes(part)))].sort(
    (a, b) => a.start - b.start,
  );
}

/** Mostly digits, or a company number whose letters outnumber them: valid, or with its slash. */
function isAttempt({ bare, raw }: Fragment): boolean {
  if (bare.length < SHORTEST || bare.length > LONGEST || raw.includes("@") || raw.startsWith("+"))
    return false;
  const digits = bare.replace(/\D/g, "").length;
  return (
    digits >= 5 || isCnpj(bare) || (bare.length === CNPJ_LENGTH && raw.includes("/") && digits > 0)
  );
}

/** Joins runs of small fragments of digits and marks. */
function groupsOf(parts: readonly Fragment[]): readonly Fragment[] {
  const groups: Fragment[] = [];
  let run: Fragment[] = [];
  const flush = (): void => {
    const [first] = run;
    const last = run.at(-1);
    if (first && last && run.length > 1) {
      const raw = run.map((part) => part.raw).join(" ");
      const joined = { raw, bare: bareDocument(raw), start: first.start, end: last.end };
      if (isAttempt(joined)) groups.push(joined);
    }
    run = [];
  };
  let end = -1;
  for (const part of parts) {
    const isPiece = /^[\d./\-–]+$/.test(part.raw) || /^(?=.*\d)[0-9A-Za-z./-]{2,6}$/.test(part.raw);
    if (!isPiece || part.start > end + 1) flush();
    if (isPiece) run.push(part);
    end = part.end;
  }
  flush();
  return groups;
}

/** How a company number falls into groups: `12 ABC 345 01DE 35`. */
const CNPJ_GROUPS = [2, 3, 3, 4, 2];

/** A company number in its groups with spaces between, letters and all: too much form for chance. */
function spelledOut(parts: readonly Fragment[]): readonly Fragment[] {
  const found: Fragment[] = [];
  for (let at = 0; at + CNPJ_GROUPS.length <= parts.length; at += 1) {
    const group = parts.slice(at, at + CNPJ_GROUPS.length);
    const [first] = group;
    const last = group.at(-1);
    const fits = group.every(
      ({ raw, start }, place) =>
        raw.length === CNPJ_GROUPS[place] &&
        (place === 0 || start === (group[place - 1]?.end ?? 0) + 1),
    );
    if (!first || !last || !fits) continue;
    const raw = group.map((part) => part.raw).join(" ");
    if (/[a-z]/i.test(raw))
      found.push({ raw, bare: bareDocument(raw), start: first.start, end: last.end });
  }
  return found;
}

type Swaps = Readonly<Record<string, string>>;
/** What hands and recognisers mix up, the commonest first; each row is tried by itself before the next. */
const LOOKALIKES: readonly Swaps[] = [
  { O: "0" },
  { O: "0", I: "1", L: "1" },
  { "0": "O" },
  { "1": "I" },
];
const TO_DIGITS: Swaps = { O: "0", I: "1", L: "1", S: "5", B: "8", Z: "2", G: "6" };
/** A number with no more letters than this was rather meant as digits than the other way round. */
const FEW_LETTERS = 3;
/** 2^6 tries at most in each row. */
const MAX_SWAPS = 6;

/** The valid document that `bare` becomes when look-alike characters change places, or null when none or several do. */
export function lookalike(bare: string): string | null {
  if (bare.length !== CPF_LENGTH && bare.length !== CNPJ_LENGTH) return null;
  const few = bare.replace(/\d/g, "").length <= FEW_LETTERS;
  const [first = {}, second = {}, ...others] = LOOKALIKES;
  const rows = few ? [first, second, TO_DIGITS, ...others] : [...LOOKALIKES, TO_DIGITS];
  for (const swaps of rows) {
    // A number of digits only was meant as digits.
    if (/^\d+$/.test(bare) && /\d/.test(Object.keys(swaps).join(""))) continue;
    const found = swapped(bare, swaps);
    if (found.length > 0) return found.length === 1 ? (found[0] ?? null) : null;
  }
  return null;
}

function swapped(bare: string, swaps: Swaps): readonly string[] {
  const spots = [...bare].flatMap((char, at) => (Object.hasOwn(swaps, char) ? [at] : []));
  if (spots.length > MAX_SWAPS) return [];
  const found: string[] = [];
  for (let mask = 1; mask < 1 << spots.length; mask += 1) {
    const chars = [...bare];
    spots.forEach((at, bit) => {
      if (mask & (1 << bit)) chars[at] = swaps[chars[at] ?? ""] ?? "";
    });
    const other = chars.join("");
    if (documentType(other)) found.push(other);
  }
  return found;
}

/** A number that lost its leading zeros in a spreadsheet: `191` of Banco do Brasil comes as 12 or 13 digits. */
export function zeroPadded(bare: string): string | null {
  if (!/^\d+$/.test(bare)) return null;
  if (bare.length === CPF_LENGTH - 1 && isCpf(`0${bare}`)) return `0${bare}`;
  if (bare.length === CNPJ_LENGTH - 1 && isCnpj(`0${bare}`)) return `0${bare}`;
  return bare.length === CNPJ_LENGTH - 2 && isCnpj(`00${bare}`) ? `00${bare}` : null;
}
