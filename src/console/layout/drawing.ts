/**
 * The drawing of a laid-out chart as a tree of shapes, without colours: the browser turns it into elements, the command
 * line into text, and both look the same.
 */
import {
  type LaidEdge,
  type LaidGroup,
  type LaidNode,
  type LaidOut,
  arrowHead,
  roundedPath,
  CHECK_GLYPH,
  NODE_GLYPHS,
  PILL_GLYPHS,
} from "./laid-out.ts";
import {
  CHIP_ROW,
  ICON_PLACE,
  NODE_HEIGHT,
  PILL_LINE,
  nodeLabel,
  pillIconPlace,
  placeChips,
} from "./sizes.ts";

export interface Shape {
  readonly tag: "g" | "rect" | "circle" | "path" | "text" | "title";
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Shape | string)[];
}

/** What a conversation adds to a chart. */
export interface Marks {
  /** Step the conversation rests at. */
  readonly live?: string;
  /** Steps it was at, in order. */
  readonly visited?: readonly string[];
  /** Steps that were answered on the way without stopping there. */
  readonly passed?: readonly string[];
}

function shape(
  tag: Shape["tag"],
  attributes: Shape["attributes"],
  ...children: readonly (Shape | string)[]
): Shape {
  return { tag, attributes, children };
}

const holds = (node: LaidNode, step: string): boolean =>
  node.id === step || node.states.includes(step);

/** The box of a step, also when the machine rests in a part of it. */
export function nodeOf(laid: LaidOut, step: string | undefined): LaidNode | undefined {
  return step === undefined ? undefined : laid.nodes.find((node) => holds(node, step));
}

function glyph(data: string, x: number, y: number, size = 16): Shape {
  return shape("path", {
    class: "glyph",
    d: data,
    transform: `translate(${x} ${y}) scale(${size / 16})`,
  });
}

function groupShape(group: LaidGroup): Shape {
  const { x, y, width, height } = group;
  return shape(
    "g",
    { class: "group" },
    shape("rect", { x, y, width, height, rx: 14 }),
    shape("text", { x: x + 14, y: y + 21 }, group.label),
  );
}

function edgeShape(edge: LaidEdge, walked: boolean): Shape {
  return shape(
    "g",
    { class: `edge is-${edge.kind}${walked ? " walked" : ""}` },
    shape("path", { class: "line", d: roundedPath(edge.route) }),
    shape("path", { class: "head", d: arrowHead(edge.route) }),
  );
}

function pillShape(edge: LaidEdge, walked: boolean): Shape[] {
  if (!edge.pill) return [];
  const { x, y, width, height, lines } = edge.pill;
  const icon = PILL_GLYPHS[edge.kind];
  const middle = x + (width + pillIconPlace(edge.kind)) / 2;
  return [
    shape(
      "g",
      { class: `pill is-${edge.kind}${walked ? " walked" : ""}` },
      shape("title", {}, edge.words.join("\n")),
      shape("rect", { x, y, width, height, rx: Math.min(11, height / 2) }),
      ...(icon ? [glyph(icon, x + 7, y + height / 2 - 6, 12)] : []),
      ...lines.map((line, at) =>
        shape("text", { class: "centred", x: middle, y: y + 14 + at * PILL_LINE }, line),
      ),
    ),
  ];
}

function nodeShape(node: LaidNode, live: boolean, visited: boolean): Shape {
  const { x, y, width, height } = node;
  const state = `${live ? " live" : ""}${visited ? " visited" : ""}`;
  const attributes = { class: `node is-${node.kind}${state}`, "data-step": node.id };
  if (node.kind === "start") {
    const radius = width / 2;
    return shape(
      "g",
      attributes,
      shape("circle", { cx: x + radius, cy: y + radius, r: radius - 2 }),
    );
  }
  const radius = node.kind === "end" ? NODE_HEIGHT / 2 : 11;
  const outer = { x, y, width, height, rx: radius };
  const inner = { x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: radius - 3 };
  return shape(
    "g",
    attributes,
    shape("title", {}, node.label),
    ...(live
      ? [
          shape("rect", {
            class: "halo",
            x: x - 5,
            y: y - 5,
            width: width + 10,
            height: height + 10,
            rx: radius + 5,
          }),
        ]
      : []),
    shape("rect", { class: "box", ...outer }),
    ...(node.kind === "end" ? [shape("rect", { class: "ring", ...inner })] : []),
    glyph(NODE_GLYPHS[node.kind], x + 12, y + 11),
    shape("text", { class: "label", x: x + ICON_PLACE, y: y + 23.5 }, nodeLabel(node.label)),
    ...placeChips(node.chips, width).map((chip) =>
      shape(
        "g",
        { class: "chip" },
        shape("rect", {
          x: x + chip.x,
          y: y + chip.y,
          width: chip.width,
          height: CHIP_ROW - 3,
          rx: 5,
        }),
        shape(
          "text",
          { class: "centred", x: x + chip.x + chip.width / 2, y: y + chip.y + 11.5 },
          chip.text,
        ),
      ),
    ),
    ...(visited && !live
      ? [
          shape("circle", { class: "tick", cx: x + width - 3, cy: y + 3, r: 7.5 }),
          shape("path", {
            class: "tick-mark",
            d: CHECK_GLYPH,
            transform: `translate(${x + width - 9.4} ${y - 3.4}) scale(0.8)`,
          }),
        ]
      : []),
  );
}

/** Longest way between two stops that is looked for. */
const WAY_LIMIT = 8;

/** The boxes between two stops: the shortest way that leads only through `open` boxes, or nothing. */
function way(laid: LaidOut, from: string, to: string, open: ReadonlySet<string>): string[] {
  let ends: string[][] = [[from]];
  const seen = new Set([from]);
  for (let length = 0; length < WAY_LIMIT && ends.length > 0; length += 1) {
    const next: string[][] = [];
    for (const path of ends)
      for (const edge of laid.edges) {
        if (edge.from !== path[path.length - 1] || seen.has(edge.to)) continue;
        if (edge.to === to) return path.slice(1);
        if (!open.has(edge.to)) continue;
        seen.add(edge.to);
        next.push([...path, edge.to]);
      }
    ends = next;
  }
  return [];
}

/** The pairs of boxes a conversation went through. Its first stop counts as coming from the start. */
function walkedPairs(laid: LaidOut, stops: readonly string[], passed: ReadonlySet<string>) {
  const start = laid.nodes.find((node) => node.kind === "start");
  const all = start && stops.length > 0 && stops[0] !== start.id ? [start.id, ...stops] : stops;
  const pairs = new Set<string>();
  all.slice(1).forEach((to, at) => {
    const from = all[at] as string;
    const path = [from, ...way(laid, from, to, passed), to];
    path.slice(1).forEach((end, step) => pairs.add(JSON.stringify([path[step], end])));
  });
  return pairs;
}

/** All shapes, in drawing order: groups, lines, boxes, pills. */
export function drawing(laid: LaidOut, marks: Marks = {}): Shape[] {
  const boxesOf = (steps: readonly string[]) =>
    steps.flatMap((step) => nodeOf(laid, step)?.id ?? []);
  const stops = boxesOf([
    ...(marks.visited ?? []),
    ...(marks.live === undefined ? [] : [marks.live]),
  ]);
  const seen = new Set([...stops, ...boxesOf(marks.passed ?? [])]);
  const pairs = walkedPairs(laid, stops, seen);
  const walked = (edge: LaidEdge): boolean => pairs.has(JSON.stringify([edge.from, edge.to]));
  const lines = [...laid.edges].sort((a, b) => Number(walked(a)) - Number(walked(b)));
  const live = nodeOf(laid, marks.live)?.id;
  return [
    ...laid.groups.map(groupShape),
    ...lines.map((edge) => edgeShape(edge, walked(edge))),
    ...laid.nodes.map((node) =>
      nodeShape(
        node,
        node.id === live,
        seen.has(node.id) || (node.kind === "start" && stops.length > 0),
      ),
    ),
    ...lines.flatMap((edge) => pillShape(edge, walked(edge))),
  ];
}
