/**
 * A chart with coordinates: what the layouter makes, and what the browser and `flows graph --format svg` draw.
 * All positions are absolute pixels from the top left corner of the drawing. Plain JSON.
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
