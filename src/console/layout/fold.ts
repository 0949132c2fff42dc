/**
 * What is drawn of a chart: edges of one pair become one, self-transitions and time-outs that all end in the same place
 * become chips of their box. Fewer lines to follow, nothing left out.
 */
import type { Chart, ChartEdge, ChartNode } from "../../flow/chart/chart-model.ts";

/** From so many time-outs into one end on, they are chips instead of lines. */
const TIMEOUTS_TO_CHIPS = 3;

/** Pill lines of one drawn edge; the rest is summed up in a last line. */
const PILL_LINES = 4;

interface FoldedNode {
  readonly node: ChartNode;
  readonly chips: readonly string[];
}

export interface FoldedEdge {
  readonly id: string;
  readonly of: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly kind: ChartEdge["kind"];
  readonly lines: readonly string[];
}

export interface Folded {
  readonly nodes: readonly FoldedNode[];
  readonly edges: readonly FoldedEdge[];
}

/** Edges whose ends are not in the chart are dropped: nothing could be drawn for them. */
export function fold(chart: Chart): Folded {
  const labels = new Map(chart.nodes.map((node) => [node.id, node.label]));
  const known = chart.edges.filter((edge) => labels.has(edge.from) && labels.has(edge.to));
  const crowded = crowdedEnds(chart, known);
  const chips = new Map<string, string[]>();
  const drawn: ChartEdge[] = [];
  for (const edge of known) {
    const chip = chipOf(edge, labels, crowded);
    if (chip === undefined) drawn.push(edge);
    else chips.set(edge.from, [...(chips.get(edge.from) ?? []), chip]);
  }
  return {
    nodes: chart.nodes.map((node) => ({
      node,
      chips: [...new Set([...node.chips, ...(chips.get(node.id) ?? [])])],
    })),
    edges: merge(drawn),
  };
}

function crowdedEnds(chart: Chart, edges: readonly ChartEdge[]): ReadonlySet<string> {
  const ends = chart.nodes.filter((node) => node.kind === "end").map((node) => node.id);
  return new Set(
    ends.filter((end) => {
      const incoming = edges.filter((edge) => edge.to === end);
      return (
        incoming.filter((edge) => edge.kind === "timer").length >= TIMEOUTS_TO_CHIPS &&
        incoming.some((edge) => edge.kind !== "timer")
      );
    }),
  );
}

function chipOf(
  edge: ChartEdge,
  labels: ReadonlyMap<string, string>,
  crowded: ReadonlySet<string>,
): string | undefined {
  const words = edge.label.join(" · ");
  if (edge.from === edge.to) return `↻ ${words || edge.kind}`;
  if (edge.kind === "timer" && crowded.has(edge.to))
    return `${words || "timeout"} → ${labels.get(edge.to) ?? edge.to}`;
  return undefined;
}

function merge(edges: readonly ChartEdge[]): FoldedEdge[] {
  const pairs = new Map<string, ChartEdge[]>();
  for (const edge of edges) {
    const pair = JSON.stringify([edge.from, edge.to]);
    pairs.set(pair, [...(pairs.get(pair) ?? []), edge]);
  }
  return [...pairs.values()].map((same) => {
    const first = same[0] as ChartEdge;
    const lines = [
      ...new Set(same.map((edge) => edge.label.join(" · ")).filter((line) => line !== "")),
    ];
    const shown =
      lines.length > PILL_LINES
        ? [...lines.slice(0, PILL_LINES - 1), `+ ${lines.length - PILL_LINES + 1}`]
        : lines;
    return {
      id: first.id,
      of: same.map((edge) => edge.id),
      from: first.from,
      to: first.to,
      kind: first.kind,
      lines: shown,
    };
  });
}
