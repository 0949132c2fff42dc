/** What `flows check` found, for people and for machines: text, JSON, and GitHub's annotations. */
import { type Cost, explained, type Finding, findingLine } from "../../flow/index.ts";

export const FINDING_FORMATS = ["text", "json", "github"] as const;
export type FindingFormat = (typeof FINDING_FORMATS)[number];

interface FlowCosts {
  readonly flow: string;
  readonly costs: readonly Cost[];
}
export interface Checked {
  readonly findings: readonly Finding[];
  readonly costs: readonly FlowCosts[];
}

/** The findings as one text, without its last line break; empty when there is nothing to tell. */
export function formatted(checked: Checked, format: FindingFormat): string {
  switch (format) {
    case "text":
      return checked.findings.map(paragraph).join("\n");
    case "json":
      return JSON.stringify(
        { findings: checked.findings.map(explained), costs: checked.costs },
        null,
        2,
      );
    case "github":
      return checked.findings.map(annotation).join("\n");
  }
}

/** `order → ordered: 9 to 14 calls of the plan, R$ 0.50`, one line an outcome. */
export function costLines(costs: readonly FlowCosts[]): string[] {
  const span = ([least, most]: readonly [number, number], show: (n: number) => string): string =>
    least === most ? show(least) : `${show(least)} to ${show(most)}`;
  return costs.flatMap(({ flow, costs: own }) =>
    own.map(
      ({ outcome, calls, brl }) =>
        `${flow} → ${outcome}: ${span(calls, String)} calls of the plan, R$ ${span(brl, (n) => n.toFixed(2))}`,
    ),
  );
}

/**
 * What a start logs of errors: a line for each flow that is not in use, with its first error and how many more there are, and a line
 * for each error of the bot's other files.
 */
export function leftOut(findings: readonly Finding[]): readonly (readonly [object, string])[] {
  const all = new Map<string | Finding, { first: Finding; more: number }>();
  for (const one of findings) {
    if (one.severity !== "error") continue;
    const key = one.rule === "bot/file" || one.flow === undefined ? one : one.flow;
    const same = all.get(key);
    if (same) same.more += 1;
    else all.set(key, { first: one, more: 0 });
  }
  return [...all].map(([key, { first, more }]) => [
    { ...first, where: findingLine(first) },
    `a ${typeof key === "string" ? "flow" : "part of the bot"} is left out${more === 0 ? "" : `, for this and ${more} more: prosa flows check`}`,
  ]);
}

function paragraph(finding: Finding): string {
  const { severity, why, how } = explained(finding);
  return `${severity} ${findingLine(finding)}\n    why: ${why}\n    how: ${how}`;
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function annotation(finding: Finding): string {
  const { severity, file, line, column, rule, message, why, how } = explained(finding);
  const place = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${property(rule)}`,
  ].join(",");
  const words = `${message} ${why} ${how}`;
  return `::${severity} ${place}::${words.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`;
}

function property(text: string): string {
  return text
    .replaceAll("%", "%25")
    .replaceAll(/[\r\n]/g, " ")
    .replaceAll(":", "%3A")
    .replaceAll(",", "%2C");
}
