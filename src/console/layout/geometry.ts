/** Lines of the drawing: orthogonal routes with round corners, and arrow heads. */
import type { Point } from "./laid-out.ts";

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
