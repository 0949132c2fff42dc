/** Results of chat files for other programs: TAP 14 and JUnit XML. */
import { escapeXml } from "../../base/index.ts";

export interface TestResult {
  readonly ok: boolean;
  readonly file: string;
  readonly title: string;
  readonly failure?: string;
  /** It was not played, because where it should be played it cannot be: `failure` says why. */
  readonly refused?: true;
}

export function tap(results: readonly TestResult[]): string {
  const lines = ["TAP version 14", `1..${results.length}`];
  for (const [index, { ok, file, title, failure, refused }] of results.entries()) {
    const name = `${file}: ${title}`.replace(/[\r\n]+/g, " ").replace(/([\\#])/g, "\\$1");
    if (refused) {
      lines.push(`ok ${index + 1} - ${name} # SKIP ${oneLine(failure)}`);
      continue;
    }
    lines.push(`${ok ? "ok" : "not ok"} ${index + 1} - ${name}`);
    if (failure === undefined) continue;
    lines.push("  ---", "  message: |");
    for (const line of failure.split("\n")) lines.push(`    ${line}`);
    lines.push("  ...");
  }
  return `${lines.join("\n")}\n`;
}

export function junit(results: readonly TestResult[]): string {
  const failures = results.filter(({ ok, refused }) => !ok && !refused).length;
  const skipped = results.filter(({ refused }) => refused).length;
  const cases = results.map(({ file, title, failure, refused }) => {
    const head = `  <testcase classname="${escapeXml(file)}" name="${escapeXml(title)}" file="${escapeXml(file)}"`;
    if (failure === undefined) return `${head}/>`;
    if (refused)
      return `${head}>\n    <skipped message="${escapeXml(oneLine(failure))}"/>\n  </testcase>`;
    const [first = ""] = failure.split("\n");
    return `${head}>\n    <failure message="${escapeXml(first)}">${escapeXml(failure)}</failure>\n  </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="flows" tests="${results.length}" failures="${failures}"${skipped === 0 ? "" : ` skipped="${skipped}"`}>`,
    ...cases,
    "</testsuite>",
    "",
  ].join("\n");
}

function oneLine(text = ""): string {
  return text.replace(/[\r\n]+/g, " ");
}
