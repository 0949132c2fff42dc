/** Made-up texts from a seed, and what no answer to any of them may be. */
import { isCnpj, isCpf, isDay } from "../../src/brazil/index.ts";
import { type TextContext } from "../../src/understanding/index.ts";
import { KINDS, understand, type Understood } from "../support/understand.ts";

const NOW = Date.parse("2026-11-21T12:00:00-03:00");
const TODAY = "2026-11-21";
const CONTEXT: TextContext = { now: NOW, zone: "America/Sao_Paulo" };
const PIECES =
  "nota de 150 pra Maria Souza cpf 529.982.247-25 529.982.247-24 11.222.333/0001-81 11.222.333/0001-80 12ABC34501DE35 corte cabelo ontem hoje amanhã dia 5 31 05/11 31/02 2026 2027 R$ 1.500,00 1.5 1,5 mil e duzentos trezentos meio reais conto centavos - + x % cada por aula ou não sim pode mas só que muda o valor o nome é errado outubro mês passado segunda Rua das Flores 123 ap 4 s/n 01310-100 CEP Campinas SP bom jesus (11) 98765-4321 11987654321 maria@gmail.com arroba ponto com Ltda ME empresa Ana José d'Oeste cancela volta menu 👍 ✅ 🙏 ? ! , . ; : ( ) / \n \t \u0301 \u200b \u0001 ñ ç ß İ 𝟙 ٣ O0 I1".split(
    " ",
  );
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789 .,-/()@$%éãçÁõ👍\n\u0000\u200d";
/** A text that takes longer than this, on a machine that does other things as well, is one that somebody could stop us with. */
const TOO_LONG_MS = 250;

/** Mulberry32: small, and the same everywhere. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function made(next: () => number): string {
  const below = (end: number): number => Math.floor(next() * end);
  if (next() < 0.7)
    return Array.from({ length: 1 + below(14) }, () => PIECES[below(PIECES.length)] ?? "").join(
      next() < 0.9 ? " " : "",
    );
  const letters = [...LETTERS];
  return Array.from({ length: below(80) }, () => letters[below(letters.length)] ?? "").join("");
}

/** What is wrong with an answer, whatever the text was; null when nothing is. */
export function impossible(got: Understood): string | null {
  if (!got.ok) return null;
  const { kind, value } = got;
  if (got.echo === "") return "no echo";
  if (kind === "money") return isAmount(value) ? null : `money ${value}`;
  if (kind === "cpf") return isCpf(value) ? null : "a CPF whose digits are wrong";
  if (kind === "cnpj") return isCnpj(value) ? null : "a CNPJ whose digits are wrong";
  if (kind === "document")
    return isCpf(value) || isCnpj(value) ? null : "a document whose digits are wrong";
  if (kind === "date") return isDay(value) && value <= TODAY ? null : `day ${value}`;
  if (kind === "month")
    return isDay(`${value}-01`) && value <= TODAY.slice(0, 7) ? null : `month ${value}`;
  if (kind !== "invoice") return null;
  if (value.value !== undefined && !isAmount(value.value)) return `money ${value.value}`;
  if (value.document !== undefined && !isCpf(value.document) && !isCnpj(value.document))
    return "a document whose digits are wrong";
  if (value.date !== undefined && !(isDay(value.date) && value.date <= TODAY))
    return `day ${value.date}`;
  return value.name === "" || value.description === "" ? "an empty text" : null;
}

function isAmount(cents: number): boolean {
  return Number.isSafeInteger(cents) && cents > 0;
}

export function fuzz(
  runs: number,
  seed: number,
): { readonly texts: number; readonly slowestMs: number; readonly problems: readonly string[] } {
  const next = random(seed);
  const problems: string[] = [];
  let slowestMs = 0;
  // Tables and patterns are built at the first question of each kind: not the first text's time.
  for (const kind of KINDS) understand(kind, "Campinas 12,50", CONTEXT);
  for (let run = 0; run < runs; run += 1) {
    const text = made(next);
    const from = process.cpuUsage();
    for (const kind of KINDS)
      try {
        const wrong = impossible(understand(kind, text, CONTEXT));
        if (wrong !== null) problems.push(`${kind} ${JSON.stringify(text)}: ${wrong}`);
      } catch (error) {
        problems.push(`${kind} ${JSON.stringify(text)}: ${String(error)}`);
      }
    const { user, system } = process.cpuUsage(from);
    const ms = (user + system) / 1_000;
    slowestMs = Math.max(slowestMs, ms);
    if (ms > TOO_LONG_MS) problems.push(`${JSON.stringify(text)}: ${ms.toFixed(0)} ms`);
  }
  return { texts: runs, slowestMs, problems };
}
