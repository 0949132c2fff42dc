/** Icons of steps and pills as path data on a 16 × 16 field, drawn with a stroke of 1.5. No icon is a character. */
import type { ChartEdge, ChartNode } from "../../flow/chart/chart-model.ts";

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
