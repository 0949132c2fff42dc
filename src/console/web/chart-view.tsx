/** The chart as a drawing: the server placed it, the conversation lights it up. */
import { type JSX, h } from "preact";
import { useMemo } from "preact/hooks";
import { type Marks, type Shape, drawing, nodeOf } from "../layout/drawing.ts";
import type { LaidOut } from "../layout/laid-out.ts";
import { Icon } from "./icons.tsx";
import { usePanZoom } from "./pan-zoom.ts";
import { t } from "./texts/index.ts";

function element(shape: Shape, key: number): JSX.Element {
  return h(
    shape.tag,
    { key, ...shape.attributes },
    shape.children.map((child, at) => (typeof child === "string" ? child : element(child, at))),
  );
}

export function ChartView(props: { laid: LaidOut; marks: Marks; follow: boolean }): JSX.Element {
  const { laid, marks, follow } = props;
  const shapes = useMemo(
    () => drawing(laid, marks),
    [laid, marks.live, marks.visited?.join(" "), marks.passed?.join(" ")],
  );
  const last = marks.live ?? marks.visited?.[marks.visited.length - 1];
  const node = follow ? nodeOf(laid, last) : undefined;
  const focus = node && { x: node.x + node.width / 2, y: node.y + node.height / 2 };
  const { pane, view, handlers, zoom, fit } = usePanZoom(laid, focus);
  return (
    <div class="chart-pane">
      <div class="chart-surface" ref={pane} {...handlers}>
        {view && (
          <svg
            class="chart"
            role="img"
            aria-label={t("flow.aria", { title: laid.title })}
            viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
          >
            {shapes.map(element)}
          </svg>
        )}
      </div>
      <div class="chart-tools">
        <button
          type="button"
          class="icon-button"
          aria-label={t("flow.zoomIn")}
          onClick={() => zoom(1.25)}
        >
          <Icon name="zoomIn" size={18} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t("flow.zoomOut")}
          onClick={() => zoom(0.8)}
        >
          <Icon name="zoomOut" size={18} />
        </button>
        <button type="button" class="icon-button" aria-label={t("flow.fit")} onClick={fit}>
          <Icon name="fit" size={18} />
        </button>
      </div>
    </div>
  );
}
