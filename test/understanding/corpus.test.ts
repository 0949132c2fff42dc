import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/base/index.ts";
import { isDay } from "../../src/brazil/index.ts";
import { type Kind, KINDS, understand, type Understood } from "../../src/understanding/index.ts";

interface Labelled {
  kind: Kind;
  text: string;
  now: string;
  expect:
    | { ok: true; value: unknown }
    | { ok: false; reason: string; hint?: string; options?: unknown[] };
}

const FOLDER = path.resolve(import.meta.dirname, "../corpus");
/** Fewer labels than this say little about a kind. */
const FEWEST = 25;

const corpus = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".jsonl"))
  .flatMap((name) => readFileSync(path.join(FOLDER, name), "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line) as Labelled);

function answer({ kind, text, now }: Labelled): Understood {
  return understand(kind, text, { now: Date.parse(now), zone: "America/Sao_Paulo" });
}

/** Null when the answer is the labelled one. Options are compared only where the label names them. */
function error(row: Labelled): string | null {
  const got = answer(row);
  const wanted = row.expect;
  const fits = wanted.ok
    ? got.ok && canonicalJson(got.value) === canonicalJson(wanted.value)
    : !got.ok &&
      got.reason === wanted.reason &&
      (wanted.hint === undefined || got.hint === wanted.hint) &&
      (wanted.options === undefined ||
        canonicalJson((got.options ?? []).map((one) => one.value)) ===
          canonicalJson(wanted.options));
  return fits
    ? null
    : `${row.kind} ${JSON.stringify(row.text)}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`;
}

/** A value that was accepted although the label says another or none. */
function isSilentlyWrong(row: Labelled): boolean {
  const got = answer(row);
  if (!got.ok) return false;
  return !row.expect.ok || canonicalJson(got.value) !== canonicalJson(row.expect.value);
}

describe("the labelled corpus", () => {
  test("every kind has enough labels, each a different text", () => {
    for (const kind of KINDS) {
      const rows = corpus.filter((row) => row.kind === kind);
      expect(rows.length, kind).toBeGreaterThanOrEqual(FEWEST);
      expect(new Set(rows.map((row) => `${row.text} ${row.now}`)).size, kind).toBe(rows.length);
    }
    expect(corpus.every((row) => isDay(row.now.slice(0, 10)))).toBe(true);
  });

  test("every text is understood as labelled", () => {
    const errors = corpus.flatMap((row) => error(row) ?? []);
    const table = KINDS.map((kind) => {
      const rows = corpus.filter((row) => row.kind === kind);
      const right = rows.filter((row) => error(row) === null).length;
      return `${kind.padEnd(11)} ${right}/${rows.length}`;
    });
    process.stdout.write(`${table.join("\n")}\n${errors.join("\n")}\n`);
    expect(errors).toEqual([]);
  });

  test("no wrong amount and no wrong document is ever taken silently", () => {
    const kinds: readonly Kind[] = ["money", "cpf", "cnpj", "document", "invoice"];
    const wrong = corpus.filter((row) => kinds.includes(row.kind) && isSilentlyWrong(row));
    expect(wrong.map((row) => row.text)).toEqual([]);
  });

  test("whatever is understood is told back, and every proposal too", () => {
    for (const row of corpus) {
      const got = answer(row);
      const echoes = got.ok ? [got.echo] : (got.options ?? []).map((one) => one.echo);
      for (const echo of echoes) expect(echo, row.text).not.toBe("");
    }
  });
});
