/**
 * The folded chart as input of ELK's layered algorithm, top-down.
 *
 * Learnt by trying: groups do not inherit the root's options, so every compound gets them; considering model order on a
 * nested group crashes elkjs 0.12, so only the root asks for it; an edge must stand in the container that holds both its
 * ends, else its coordinates are wrong.
 */
import type { ElkExtendedEdge, ElkNode, LayoutOptions } from "elkjs/lib/elk-api.js";
import type { Chart } from "../../flow/chart/chart-model.ts";
import type { Folded, FoldedEdge } from "./fold.ts";
import { GROUP_TITLE, groupTitleWidth, nodeSize, pillLines, pillSize } from "./sizes.ts";

/** `fine` gives the best drawing; `plain` is what is tried when it fails. */
export type Care = "fine" | "plain";

const SPACING: LayoutOptions = {
  "elk.spacing.nodeNode": "22",
  "elk.layered.spacing.nodeNodeBetweenLayers": "24",
  "elk.spacing.edgeNode": "14",
  "elk.layered.spacing.edgeNodeBetweenLayers": "12",
  "elk.spacing.edgeEdge": "12",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "10",
  "elk.spacing.edgeLabel": "4",
  "elk.spacing.labelNode": "6",
};

const CARE: Record<Care, LayoutOptions> = {
  fine: {
    "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST",
    "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
    "elk.layered.thoroughness": "12",
  },
  plain: {
    "elk.layered.cycleBreaking.strategy": "GREEDY",
    "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
  },
};

function common(care: Care): LayoutOptions {
  return {
    "elk.algorithm": "layered",
    "elk.direction": "DOWN",
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.edgeLabels.inline": "true",
    ...SPACING,
    ...CARE[care],
  };
}

function rootOptions(care: Care): LayoutOptions {
  return {
    ...common(care),
    "elk.hierarchyHandling": "INCLUDE_CHILDREN",
    "elk.json.shapeCoords": "ROOT",
    "elk.json.edgeCoords": "ROOT",
    "elk.padding": "[top=16,left=16,bottom=16,right=16]",
    ...(care === "fine" ? { "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES" } : {}),
  };
}

function elkEdge(edge: FoldedEdge, fromStart: boolean): ElkExtendedEdge {
  const lines = pillLines(edge.lines);
  return {
    id: `e:${edge.id}`,
    sources: [`n:${edge.from}`],
    targets: [`n:${edge.to}`],
    ...(fromStart ? { layoutOptions: { "elk.layered.priority.direction": "10" } } : {}),
    ...(lines.length === 0
      ? {}
      : {
          labels: [
            {
              id: `p:${edge.id}`,
              text: lines.join("\n"),
              ...pillSize(lines, edge.kind),
              layoutOptions: {
                "elk.edgeLabels.inline": "true",
                "elk.edgeLabels.placement": "CENTER",
              },
            },
          ],
        }),
  };
}

/** ELK's graph. Ids are `n:` node, `g:` group, `e:` edge, `p:` pill, so that none can meet another. */
export function elkGraph(chart: Chart, folded: Folded, care: Care): ElkNode {
  const groups = new Set(chart.groups.map((group) => group.id));
  const groupOf = new Map<string, string>();
  const boxes = new Map<string, ElkNode>();
  for (const { node, chips } of folded.nodes) {
    if (node.group !== undefined && groups.has(node.group)) groupOf.set(node.id, node.group);
    boxes.set(node.id, { id: `n:${node.id}`, ...nodeSize(node.kind, node.label, chips) });
  }
  const inside = (edge: FoldedEdge): string | undefined => {
    const group = groupOf.get(edge.from);
    return group !== undefined && group === groupOf.get(edge.to) ? group : undefined;
  };
  const starts = new Set(
    folded.nodes.filter(({ node }) => node.kind === "start").map(({ node }) => node.id),
  );
  const edges = folded.edges.map((edge) => ({
    group: inside(edge),
    elk: elkEdge(edge, starts.has(edge.from)),
  }));
  const children: ElkNode[] = [];
  const placed = new Set<string>();
  for (const { node } of folded.nodes) {
    const group = groupOf.get(node.id);
    if (group === undefined) children.push(boxes.get(node.id) as ElkNode);
    else if (!placed.has(group)) {
      placed.add(group);
      const label = chart.groups.find((candidate) => candidate.id === group)?.label ?? group;
      children.push({
        id: `g:${group}`,
        layoutOptions: {
          ...common(care),
          "elk.padding": `[top=${GROUP_TITLE + 10},left=14,bottom=14,right=14]`,
          "elk.nodeSize.constraints": "MINIMUM_SIZE",
          "elk.nodeSize.minimum": `(${groupTitleWidth(label)},0)`,
        },
        children: folded.nodes
          .filter((other) => groupOf.get(other.node.id) === group)
          .map((other) => boxes.get(other.node.id) as ElkNode),
        edges: edges.filter((edge) => edge.group === group).map((edge) => edge.elk),
      });
    }
  }
  return {
    id: "root",
    layoutOptions: rootOptions(care),
    children,
    edges: edges.filter((edge) => edge.group === undefined).map((edge) => edge.elk),
  };
}
