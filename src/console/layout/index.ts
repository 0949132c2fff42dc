export { createLayouter, layoutChart, type Layouter } from "./layouter.ts";
export { chartSvg } from "./svg.ts";
export { type Theme } from "./chart-style.ts";
export { type Marks } from "./drawing.ts";
export type { Box, LaidEdge, LaidGroup, LaidNode, LaidOut, Point } from "./laid-out.ts";
