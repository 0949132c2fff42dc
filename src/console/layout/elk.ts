/**
 * The folded chart as input of ELK's layered algorithm, top-down; its answer as our drawing; and the drawing that needs no
 * layouter, for when there is no answer.
 *
 * Learnt by trying: groups do not inherit the root's options, so every compound gets them; considering model order on a
 * nested group crashes elkjs 0.12, so only the root asks for it; an edge must stand in the container that holds both its
 * ends, else its coordinates are wrong.
 */
import type {
  ElkExtendedEdge,
  ElkNode,
  LayoutOptions,
  ElkEdgeSection,
  ElkShape,
} from "elkjs/lib/elk-api.js";
import type { Chart } from "../../flow/chart/chart-model.ts";
import type { Folded, FoldedEdge } from "./fold.ts";
import { GROUP_TITLE, groupTitleWidth, nodeSize, pillLines, pillSize } from "./sizes.ts";
import type { Box, LaidEdge, LaidGroup, LaidNode, LaidOut, Point } from "./laid-out.ts";

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

const MARGIN = 16;
const ROW_GAP = 14;

function box(shape: ElkShape | undefined): Box | undefined {
  if (shape?.x === undefined || shape.y === undefined) return undefined;
  return { x: shape.x, y: shape.y, width: shape.width ?? 0, height: shape.height ?? 0 };
}

function route(sections: readonly ElkEdgeSection[] | undefined): Point[] {
  const points: Point[] = [];
  for (const section of sections ?? [])
    points.push(section.startPoint, ...(section.bendPoints ?? []), section.endPoint);
  return points
    .map(({ x, y }) => ({ x, y }))
    .filter((point, at) => {
      const before = points[at - 1];
      return before?.x !== point.x || before.y !== point.y;
    });
}

function laidEdge(edge: FoldedEdge, elk: ElkExtendedEdge | undefined): LaidEdge | undefined {
  const points = route(elk?.sections);
  if (points.length < 2) return undefined;
  const pill = box(elk?.labels?.[0]);
  if (edge.lines.length > 0 && !pill) return undefined;
  return {
    id: edge.id,
    of: edge.of,
    from: edge.from,
    to: edge.to,
    kind: edge.kind,
    words: edge.lines,
    route: points,
    ...(pill ? { pill: { ...pill, lines: pillLines(edge.lines) } } : {}),
  };
}

function head(chart: Chart): Pick<LaidOut, "flow" | "title" | "hash" | "anywhere"> {
  return { flow: chart.flow, title: chart.title, hash: chart.hash, anywhere: chart.anywhere };
}

function laidNode({ node, chips }: Folded["nodes"][number], place: Box): LaidNode {
  return {
    id: node.id,
    label: node.label,
    kind: node.kind,
    ...(node.group === undefined ? {} : { group: node.group }),
    states: node.states,
    chips,
    ...place,
  };
}

/** The drawing of an ELK answer, or undefined when any box or edge has no place: then the answer is not to be used. */
export function readBack(chart: Chart, folded: Folded, answer: ElkNode): LaidOut | undefined {
  const shapes = new Map<string, ElkNode>();
  const routed = new Map<string, ElkExtendedEdge>();
  const collect = (node: ElkNode): void => {
    for (const child of node.children ?? []) {
      shapes.set(child.id, child);
      collect(child);
    }
    for (const edge of node.edges ?? []) routed.set(edge.id, edge);
  };
  collect(answer);
  const nodes: LaidNode[] = [];
  for (const folds of folded.nodes) {
    const place = box(shapes.get(`n:${folds.node.id}`));
    if (!place) return undefined;
    nodes.push(laidNode(folds, place));
  }
  const edges: LaidEdge[] = [];
  for (const edge of folded.edges) {
    const laid = laidEdge(edge, routed.get(`e:${edge.id}`));
    if (!laid) return undefined;
    edges.push(laid);
  }
  const groups: LaidGroup[] = chart.groups.flatMap((group) => {
    const place = box(shapes.get(`g:${group.id}`));
    return place ? [{ id: group.id, label: group.label, ...place }] : [];
  });
  return {
    ...head(chart),
    mode: "chart",
    width: answer.width ?? 0,
    height: answer.height ?? 0,
    nodes,
    groups,
    edges,
  };
}

/** Boxes under each other in reading order, without edges: always possible. */
export function outline(chart: Chart, folded: Folded): LaidOut {
  let y = MARGIN;
  const nodes = folded.nodes.map((folds) => {
    const { node, chips } = folds;
    const size = nodeSize(node.kind, node.label, chips);
    const place = { x: node.group === undefined ? MARGIN : 3 * MARGIN, y, ...size };
    y += size.height + ROW_GAP;
    return laidNode(folds, place);
  });
  const right = Math.max(0, ...nodes.map((node) => node.x + node.width));
  return {
    ...head(chart),
    mode: "outline",
    width: right + MARGIN,
    height: y + MARGIN - ROW_GAP,
    nodes,
    groups: [],
    edges: [],
  };
}
