/** The chart as a drawing to pan and zoom: the server placed it, the conversation lights it up. */
import { type JSX, h } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Marks, type Shape, drawing, nodeOf } from "../layout/drawing.ts";
import type { LaidOut } from "../layout/laid-out.ts";
import { Icon, type IconName } from "./icons.tsx";
import { type TextKey, t } from "./texts/index.ts";

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

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

type View = Point & Size;

/** Pixels of screen per pixel of drawing, at most and at least. */
const CLOSEST = 2;
const FARTHEST = 0.2;

/** A drawing is not blown up beyond this when it is fitted, nor made smaller than readable when it follows a step. */
const FIT_SCALE = 1.15;
const READABLE = 0.78;

/** How long the view glides to a step, ms. */
const GLIDE_MS = 260;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function centred(at: Point, pane: Size, scale: number): View {
  const width = pane.width / scale;
  const height = pane.height / scale;
  return { x: at.x - width / 2, y: at.y - height / 2, width, height };
}

/** The view that shows all, or at readable size the part around `focus`. */
function viewFor(drawing: Size, pane: Size, focus: Point | undefined): View {
  const whole = Math.min(pane.width / drawing.width, pane.height / drawing.height, FIT_SCALE);
  if (!focus || whole >= READABLE)
    return centred({ x: drawing.width / 2, y: drawing.height / 2 }, pane, whole);
  const view = centred(focus, pane, clamp(pane.width / drawing.width, READABLE, 1));
  const x =
    view.width >= drawing.width
      ? (drawing.width - view.width) / 2
      : clamp(view.x, 0, drawing.width - view.width);
  const y =
    view.height >= drawing.height
      ? (drawing.height - view.height) / 2
      : clamp(view.y, -16, drawing.height - view.height + 16);
  return { ...view, x, y };
}

/** Moves the view box of one `svg` inside one pane: drag, wheel, pinch, buttons. Writes the attribute itself: sixty times a second is no place for a render. */
class PanZoom {
  #pane: HTMLElement | undefined;
  #svg: SVGSVGElement | undefined;
  #size: Size = { width: 0, height: 0 };
  #drawing: Size = { width: 1, height: 1 };
  #focus: Point | undefined;
  #view: View | undefined;
  #frame = 0;
  readonly #fingers = new Map<number, Point>();

  /** Starts; the answer ends it. */
  attach(pane: HTMLElement, svg: SVGSVGElement): () => void {
    this.#pane = pane;
    this.#svg = svg;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      this.#size = { width: entry.contentRect.width, height: entry.contentRect.height };
      this.#aim(this.#focus, false);
    });
    observer.observe(pane);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(this.#frame);
    };
  }

  /** Shows a drawing, with the step to keep in sight. */
  look(drawing: Size, focus: Point | undefined): void {
    this.#drawing = drawing;
    this.#focus = focus;
    this.#aim(focus, true);
  }

  fit(): void {
    this.#aim(undefined, true);
  }

  /** Zooms by a factor around a point of the pane, its middle by default. */
  zoom(factor: number, around?: Point): void {
    const from = this.#view;
    const size = this.#size;
    if (!from || size.width === 0) return;
    const scale = clamp((size.width / from.width) * factor, FARTHEST, CLOSEST);
    const width = size.width / scale;
    const height = size.height / scale;
    const px = (around?.x ?? size.width / 2) / size.width;
    const py = (around?.y ?? size.height / 2) / size.height;
    const x = from.x + (from.width - width) * px;
    const y = from.y + (from.height - height) * py;
    this.#show({ x, y, width, height });
  }

  readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 300), this.#at(event));
    else this.#shift(event.deltaX, event.deltaY);
  };

  readonly down = (event: PointerEvent): void => {
    cancelAnimationFrame(this.#frame);
    this.#pane?.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, this.#at(event));
  };

  readonly move = (event: PointerEvent): void => {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const here = this.#at(event);
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.#fingers.set(event.pointerId, here);
    if (!other) {
      this.#shift(before.x - here.x, before.y - here.y);
      return;
    }
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    if (was > 0) this.zoom(Math.hypot(here.x - other.x, here.y - other.y) / was, other);
  };

  readonly up = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
  };

  #at(event: MouseEvent): Point {
    const box = this.#pane?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  }

  /** By pixels of the screen. */
  #shift(x: number, y: number): void {
    const from = this.#view;
    if (!from || this.#size.width === 0) return;
    const scale = from.width / this.#size.width;
    this.#show({ ...from, x: from.x + x * scale, y: from.y + y * scale });
  }

  #show(view: View): void {
    this.#view = view;
    const numbers = [view.x, view.y, view.width, view.height].map((one) => one.toFixed(2));
    this.#svg?.setAttribute("viewBox", numbers.join(" "));
  }

  #aim(focus: Point | undefined, glide: boolean): void {
    cancelAnimationFrame(this.#frame);
    if (this.#size.width === 0) return;
    const target = viewFor(this.#drawing, this.#size, focus);
    const from = this.#view;
    if (!from || !glide || calm()) this.#show(target);
    else this.#glide(from, target);
  }

  #glide(from: View, target: View): void {
    const begun = performance.now();
    const step = (now: number): void => {
      const part = clamp((now - begun) / GLIDE_MS, 0, 1);
      const eased = 1 - (1 - part) ** 3;
      const mix = (a: number, b: number) => a + (b - a) * eased;
      this.#show({
        x: mix(from.x, target.x),
        y: mix(from.y, target.y),
        width: mix(from.width, target.width),
        height: mix(from.height, target.height),
      });
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }
}
