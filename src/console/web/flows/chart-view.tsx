/** The chart as a drawing: the server placed it, the conversation lights it up. */
import { type JSX, h } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Marks, type Shape, drawing, nodeOf } from "../../layout/drawing.ts";
import type { LaidOut } from "../../layout/laid-out.ts";
import { Icon, type IconName } from "../icons.tsx";
import { PanZoom } from "./pan-zoom.ts";
import { type TextKey, t } from "../texts/index.ts";

function element(shape: Shape, key: number): JSX.Element {
  return h(
    shape.tag,
    { key, ...shape.attributes },
    shape.children.map((child, at) => (typeof child === "string" ? child : element(child, at))),
  );
}

function Tool(props: { label: TextKey; icon: IconName; act: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t(props.label)}
      title={t(props.label)}
      onClick={props.act}
    >
      <Icon name={props.icon} size={18} />
    </button>
  );
}

export function ChartView(props: { laid: LaidOut; marks: Marks; follow: boolean }): JSX.Element {
  const { laid, marks, follow } = props;
  const pane = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const view = useMemo(() => new PanZoom(), []);
  const shapes = useMemo(
    () => drawing(laid, marks).map(element),
    [laid, marks.live, marks.visited?.join(" "), marks.passed?.join(" ")],
  );
  const last = marks.live ?? marks.visited?.[marks.visited.length - 1];
  const node = follow ? nodeOf(laid, last) : undefined;
  useLayoutEffect(
    () => (pane.current && svg.current ? view.attach(pane.current, svg.current) : undefined),
    [view],
  );
  useEffect(() => {
    view.look(laid, node && { x: node.x + node.width / 2, y: node.y + node.height / 2 });
  }, [view, laid, node?.id]);
  return (
    <div class="chart-pane">
      <div
        class="chart-surface"
        ref={pane}
        onWheel={view.wheel}
        onPointerDown={view.down}
        onPointerMove={view.move}
        onPointerUp={view.up}
        onPointerCancel={view.up}
      >
        <svg
          class="chart"
          ref={svg}
          role="img"
          aria-label={t("flow.aria", { title: laid.title })}
          preserveAspectRatio="xMidYMid meet"
        >
          {shapes}
        </svg>
      </div>
      <div class="chart-tools">
        <Tool label="flow.zoomIn" icon="zoomIn" act={() => view.zoom(1.25)} />
        <Tool label="flow.zoomOut" icon="zoomOut" act={() => view.zoom(0.8)} />
        <Tool label="flow.fit" icon="fit" act={() => view.fit()} />
      </div>
    </div>
  );
}
