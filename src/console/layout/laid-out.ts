/**
 * A chart with coordinates: what the layouter makes, and what the browser and `flows graph --format svg` draw.
 * All positions are absolute pixels from the top left corner of the drawing. Plain JSON. Below it the path data of the drawing and its icons.
 */
import type { ChartEdge, ChartNode } from "../../flow/chart/chart-model.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface LaidNode extends Box {
  readonly id: string;
  readonly label: string;
  readonly kind: ChartNode["kind"];
  readonly group?: string;
  readonly states: readonly string[];
  /** Chips in the box: those of the chart, self-transitions and folded time-outs. */
  readonly chips: readonly string[];
}

export interface LaidGroup extends Box {
  readonly id: string;
  readonly label: string;
}

/** One drawn edge; several edges of one pair and direction are drawn as one. */
export interface LaidEdge {
  readonly id: string;
  /** Ids of the chart's edges that this one stands for. */
  readonly of: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly kind: ChartEdge["kind"];
  /** Label in full; the pill shows what fits. */
  readonly words: readonly string[];
  /** At least a start and an end; orthogonal in between. */
  readonly route: readonly Point[];
  readonly pill?: Box & { readonly lines: readonly string[] };
}

export interface LaidOut {
  readonly flow: string;
  readonly title: string;
  readonly hash: string;
  /** `chart` = placed with routed edges. `outline` = the layouter gave up: boxes in reading order, no edges drawn. */
  readonly mode: "chart" | "outline";
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly LaidNode[];
  readonly groups: readonly LaidGroup[];
  readonly edges: readonly LaidEdge[];
  readonly anywhere: readonly string[];
}

/*
 * Path data of the drawing: orthogonal routes with round corners, arrow heads, and icons. No icon is a character.
 */

/** Radius of a corner, pixels. */
const CORNER = 8;

const ARROW_LENGTH = 7;
const ARROW_HALF = 3.6;

const round = (value: number): number => Math.round(value * 10) / 10;
const at = (point: Point): string => `${round(point.x)} ${round(point.y)}`;

function toward(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const share = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** SVG path data of a route, its corners rounded. */
export function roundedPath(route: readonly Point[]): string {
  const first = route[0];
  const last = route[route.length - 1];
  if (!first || !last) return "";
  let data = `M${at(first)}`;
  for (let index = 1; index < route.length - 1; index += 1) {
    const [before, corner, after] = route.slice(index - 1, index + 2) as [Point, Point, Point];
    data += `L${at(toward(corner, before, CORNER))}Q${at(corner)} ${at(toward(corner, after, CORNER))}`;
  }
  return `${data}L${at(last)}`;
}

/** SVG path data of the head at the end of a route. */
export function arrowHead(route: readonly Point[]): string {
  const tip = route[route.length - 1];
  const before = route[route.length - 2];
  if (!tip || !before) return "";
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const along = { x: (tip.x - before.x) / length, y: (tip.y - before.y) / length };
  const foot = { x: tip.x - along.x * ARROW_LENGTH, y: tip.y - along.y * ARROW_LENGTH };
  const side = { x: -along.y * ARROW_HALF, y: along.x * ARROW_HALF };
  const left = { x: foot.x + side.x, y: foot.y + side.y };
  const right = { x: foot.x - side.x, y: foot.y - side.y };
  return `M${at(tip)}L${at(left)}L${at(right)}Z`;
}

/** Icons stand on a 16 × 16 field and are drawn with a stroke of 1.5. */
export const NODE_GLYPHS: Record<ChartNode["kind"], string> = {
  start: "",
  ask: "M3 3.5h10a1 1 0 0 1 1 1v5.5a1 1 0 0 1-1 1H8l-3 2.5V11H3a1 1 0 0 1-1-1V4.5a1 1 0 0 1 1-1Z",
  choose: "M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  confirm: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM5.4 8.2l1.8 1.8 3.4-3.8",
  effect: "M9 2 4 9h3.6L7 14l5-7H8.4L9 2Z",
  notify: "M4 11V7.4a4 4 0 0 1 8 0V11l1 1.2H3L4 11ZM6.8 13.8h2.4",
  subflow: "M3 3h5v4H3V3ZM8.5 9.5h5v4h-5v-4ZM5.5 7v4.5h3",
  wait: "M5 2.5h6M5 13.5h6M5.5 2.5c0 3 5 3.5 5 5.5s-5 2.5-5 5.5M10.5 2.5c0 3-5 3.5-5 5.5s5 2.5 5 5.5",
  handoff: "M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8ZM3 13.5c.6-2.4 2.6-3.6 5-3.6s4.4 1.2 5 3.6",
  end: "M4 14V3M4 3.5h8l-1.6 2.7L12 9H4",
};

export const PILL_GLYPHS: Partial<Record<ChartEdge["kind"], string>> = {
  timer: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5v3.2l2 1.3",
  condition: "M8 2.5 13.5 8 8 13.5 2.5 8 8 2.5Z",
  goto: "M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7",
};

export const CHECK_GLYPH = "M4 8.4 6.8 11 12 5.4";
