/** The folded chart as text: an indented tree for terminals, Mermaid for documents. */
import type { Chart, ChartEdge, ChartNode } from "./chart-model.ts";

const SIGN: Readonly<Record<ChartNode["kind"], string>> = {
  start: "●",
  ask: "?",
  choose: "≡",
  confirm: "✓",
  effect: "▶",
  notify: "✉",
  subflow: "↳",
  wait: "…",
  handoff: "☎",
  end: "■",
};

/** One line per node in the order of the flow, its ways out below it. */
export function chartTree(chart: Chart): string {
  const lines = [`${chart.title} (${chart.flow})`];
  const names = new Map(chart.nodes.map((node) => [node.id, node]));
  for (const node of chart.nodes) {
    if (node.kind === "end") continue;
    const chips = node.chips.length > 0 ? `  [${node.chips.join(", ")}]` : "";
    const group = node.group === undefined ? "" : `${node.group} / `;
    const label = node.label === node.id ? "" : `  ${node.label}`;
    lines.push(`${SIGN[node.kind]} ${group}${node.id}${label}${chips}`);
    const out = chart.edges.filter((edge) => edge.from === node.id);
    for (const [index, edge] of out.entries()) {
      const branch = index === out.length - 1 ? "└" : "├";
      const to = names.get(edge.to);
      const end = to?.kind === "end" ? `${SIGN.end} ${to.label}` : edge.to;
      lines.push(
        `  ${branch}─ ${edge.label.length > 0 ? `${edge.label.join(" · ")} → ` : "→ "}${end}`,
      );
    }
  }
  lines.push(`anywhere: ${chart.anywhere.join(", ")}`);
  return `${lines.join("\n")}\n`;
}

const SHAPE: Readonly<Record<ChartNode["kind"], readonly [string, string]>> = {
  start: ["((", "))"],
  ask: ["[", "]"],
  choose: ["{", "}"],
  confirm: ["{{", "}}"],
  effect: ["[[", "]]"],
  notify: ["[/", "/]"],
  subflow: ["[[", "]]"],
  wait: ["([", "])"],
  handoff: ["[(", ")]"],
  end: ["(((", ")))"],
};

/** A Mermaid flowchart. Labels are quoted, so that no text can break out of its place. */
export function chartMermaid(chart: Chart): string {
  const ids = new Map(chart.nodes.map((node, index) => [node.id, `n${index}`]));
  const box = (node: ChartNode): string => {
    const [open, close] = SHAPE[node.kind];
    return `${ids.get(node.id) ?? ""}${open}"${clean([node.label, ...node.chips].join(" · "))}"${close}`;
  };
  const lines = ["flowchart TD"];
  for (const group of chart.groups) {
    lines.push(`  subgraph ${clean(group.id)}`);
    for (const node of chart.nodes) if (node.group === group.id) lines.push(`    ${box(node)}`);
    lines.push("  end");
  }
  for (const node of chart.nodes) if (node.group === undefined) lines.push(`  ${box(node)}`);
  for (const edge of chart.edges) lines.push(`  ${arrow(edge, ids)}`);
  return `${lines.join("\n")}\n`;
}

function arrow(edge: ChartEdge, ids: ReadonlyMap<string, string>): string {
  const sign = edge.kind === "goto" || edge.kind === "timer" ? "-.->" : "-->";
  const label = edge.label.length > 0 ? `|"${clean(edge.label.join(" · "))}"|` : "";
  return `${ids.get(edge.from) ?? ""} ${sign}${label} ${ids.get(edge.to) ?? ""}`;
}

function clean(text: string): string {
  return text.replaceAll('"', "'").replaceAll("\n", " ");
}
