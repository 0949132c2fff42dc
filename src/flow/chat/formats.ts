/** Results of chat files for other programs: TAP 14 and JUnit XML. */
import { escapeXml } from "../../base/index.ts";

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
