/** Results of chat files: the report of a failed one for people, and TAP 14 and JUnit XML for other programs. */
import { escapeXml } from "../../base/index.ts";
import { maskText } from "../../brazil/index.ts";
import type { ChatFailure } from "./run.ts";

/** Lines of the conversation that are shown. */
const LAST = 5;
/** Widest column; what is longer goes on in the next row. */
const COLUMN = 56;

/** Colours of a terminal; absent = none. */
export interface ChatPaint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
}

const PLAIN: ChatPaint = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  green: (text) => text,
};

/** Documents and phones are hidden but for their last digits: reports end in logs of other machines. */
export function chatReport(failure: ChatFailure, paint: ChatPaint = PLAIN): string {
  const { file, line, rows, transcript, state } = failure;
  const width = Math.min(
    COLUMN,
    Math.max(8, ...rows.map(({ expected = "" }) => maskText(expected).length)),
  );
  const table = rows.flatMap(({ expected, got, same }) => {
    const left = wrapped(expected, width);
    const right = wrapped(got, COLUMN);
    return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
      const one = (left[row] ?? "").padEnd(width);
      const other = right[row] ?? "";
      return same
        ? `    ${one} │ ${other}`.trimEnd()
        : `  ${paint.red("≠")} ${paint.green(one)} ${paint.dim("│")} ${paint.red(other)}`.trimEnd();
    });
  });
  const before = transcript
    .slice(-LAST)
    .flatMap((said) => said.split("\n").filter((row) => row.trim() !== ""))
    .map((row) => paint.dim(`    ${maskText(row)}`));
  return [
    paint.bold(`${file}:${line}`),
    paint.dim(`    ${"expected".padEnd(width)} │ got`),
    ...table,
    ...(before.length > 0 ? ["  before that", ...before] : []),
    `  at ${maskText(state.step === "" ? "no flow" : state.step)}`,
    ...Object.entries(state.slots).map(
      ([name, value]) => `    ${name} = ${maskText(JSON.stringify(value))}`,
    ),
  ].join("\n");
}

/** A cell's rows, broken at spaces. */
function wrapped(text: string | undefined, width: number): readonly string[] {
  if (text === undefined) return [];
  const rows: string[] = [];
  for (const line of maskText(text).split("\n")) {
    let rest = line;
    while (rest.length > width) {
      const space = rest.lastIndexOf(" ", width);
      const at = space > width / 2 ? space : width;
      rows.push(rest.slice(0, at));
      rest = rest.slice(at).trimStart();
    }
    rows.push(rest);
  }
  return rows;
}

export interface TestResult {
  readonly ok: boolean;
  readonly file: string;
  readonly title: string;
  readonly failure?: string;
}

export function tap(results: readonly TestResult[]): string {
  const lines = ["TAP version 14", `1..${results.length}`];
  for (const [index, { ok, file, title, failure }] of results.entries()) {
    const name = `${file}: ${title}`.replace(/[\r\n]+/g, " ").replace(/([\\#])/g, "\\$1");
    lines.push(`${ok ? "ok" : "not ok"} ${index + 1} - ${name}`);
    if (failure === undefined) continue;
    lines.push("  ---", "  message: |");
    for (const line of failure.split("\n")) lines.push(`    ${line}`);
    lines.push("  ...");
  }
  return `${lines.join("\n")}\n`;
}

export function junit(results: readonly TestResult[]): string {
  const failures = results.filter(({ ok }) => !ok).length;
  const cases = results.map(({ file, title, failure }) => {
    const head = `  <testcase classname="${escapeXml(file)}" name="${escapeXml(title)}" file="${escapeXml(file)}"`;
    if (failure === undefined) return `${head}/>`;
    const [first = ""] = failure.split("\n");
    return `${head}>\n    <failure message="${escapeXml(first)}">${escapeXml(failure)}</failure>\n  </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="flows" tests="${results.length}" failures="${failures}">`,
    ...cases,
    "</testsuite>",
    "",
  ].join("\n");
}
