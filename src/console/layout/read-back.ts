/** ELK's answer as our drawing; and the drawing that needs no layouter, for when there is no answer. */
import type { ElkEdgeSection, ElkExtendedEdge, ElkNode, ElkShape } from "elkjs/lib/elk-api.js";
import type { Chart } from "../../flow/chart/chart-model.ts";
import type { Folded, FoldedEdge } from "./fold.ts";
import type { Box, LaidEdge, LaidGroup, LaidNode, LaidOut, Point } from "./laid-out.ts";
import { nodeSize, pillLines } from "./sizes.ts";

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
