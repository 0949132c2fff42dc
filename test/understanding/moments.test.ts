import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { understand, type Kind, type Within } from "../../src/understanding/index.ts";

const FOLDER = path.resolve(import.meta.dirname, "../corpus/moments");
/** Share of the texts of each half that must be right. */
const BAR = 0.97;
const FEWEST = 200;

interface Row extends Within {
  readonly kind: Extract<Kind, "date" | "time" | "datetime" | "period">;
  readonly text: string;
  readonly now: string;
  readonly zone?: string;
  readonly expect: {
    readonly ok: boolean;
    readonly value?: string;
    readonly reason?: string;
    readonly hint?: string;
    readonly options?: readonly string[];
  };
}

function rowsOf(name: string): readonly Row[] {
  const lines = readFileSync(path.join(FOLDER, name), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

function read({ kind, text, now, zone = "America/Sao_Paulo", from, to, hours }: Row) {
  return understand(kind, text, { now: Date.parse(now), zone, within: { from, to, hours } });
}

/** "right", "missed" (less than the label demands), or "wrong": a value that the label does not have. */
function verdict(row: Row): "right" | "missed" | "wrong" {
  const got = read(row);
  const { ok, value, reason, hint, options } = row.expect;
  if (got.ok) return ok && got.value === value ? "right" : "wrong";
  if (ok) return "missed";
  const proposed = (got.options ?? []).map(({ value: own }) =>
    typeof own === "string" ? own : "",
  );
  const fits =
    (reason === undefined || reason === got.reason) &&
    (hint === undefined || hint === got.hint) &&
    (options === undefined || [...options].sort().join() === [...proposed].sort().join());
  return fits ? "right" : "missed";
}

const told = (row: Row): string =>
  `${row.kind} ${JSON.stringify(row.text)}: wanted ${JSON.stringify(row.expect)}, got ${JSON.stringify(read(row))}`;

describe("days, times, moments and periods as people write them", () => {
  test.each(["open.jsonl", "held-out.jsonl"])(
    "of %s at least 97 in 100 are right, and no wrong value is taken",
    (name) => {
      const rows = rowsOf(name);
      expect(rows.length).toBeGreaterThanOrEqual(FEWEST);
      const judged = rows.map((row) => ({ row, is: verdict(row) }));
      expect(judged.filter(({ is }) => is === "wrong").map(({ row }) => told(row))).toEqual([]);
      const right = judged.filter(({ is }) => is === "right").length;
      process.stdout.write(`${name}: ${right} of ${rows.length} right\n`);
      expect(right / rows.length).toBeGreaterThanOrEqual(BAR);
    },
  );

  test("what is told back is understood as the same value", () => {
    const rows = [...rowsOf("open.jsonl"), ...rowsOf("held-out.jsonl")];
    const lost = rows.flatMap((row) => {
      const got = read(row);
      const again = got.ok ? read({ ...row, text: got.echo }) : got;
      return got.ok && !(again.ok && again.value === got.value) ? [told(row)] : [];
    });
    expect(lost).toEqual([]);
  });

  test("a time that the clock leaves out when it is put forward is none", () => {
    const now = Date.parse("2026-03-06T12:00:00-05:00");
    const at = { now, zone: "America/New_York", within: { from: "2026-03-06" } };
    expect(understand("datetime", "domingo às 02:30", at)).toMatchObject({ hint: "clock" });
    expect(understand("datetime", "domingo às 03:30", at)).toMatchObject({
      value: "2026-03-08T03:30",
    });
  });
});
