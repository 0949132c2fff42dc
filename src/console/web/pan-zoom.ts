/** Pan and zoom of a drawing by its view box: drag, wheel, pinch, buttons. The drawing itself is never touched. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of screen per pixel of drawing, at most and at least. */
const CLOSEST = 2;
const FARTHEST = 0.2;

/** A drawing is not blown up beyond this when it is fitted, nor made smaller than readable when it follows a step. */
const FIT_SCALE = 1.15;
const READABLE = 0.72;

/** How long the view glides to a step, ms. */
const GLIDE_MS = 260;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

function centred(at: { x: number; y: number }, pane: Size, scale: number): View {
  const width = pane.width / scale;
  const height = pane.height / scale;
  return { x: at.x - width / 2, y: at.y - height / 2, width, height };
}

/** The view that shows all, or at readable size the part around `focus`. */
function viewFor(drawing: Size, pane: Size, focus: { x: number; y: number } | undefined): View {
  const whole = Math.min(pane.width / drawing.width, pane.height / drawing.height, FIT_SCALE);
  if (!focus || whole >= READABLE)
    return centred({ x: drawing.width / 2, y: drawing.height / 2 }, pane, whole);
  const scale = clamp(Math.min(pane.width / drawing.width, 1), READABLE, 1);
  const view = centred(focus, pane, scale);
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

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function usePanZoom(drawing: Size, focus: { x: number; y: number } | undefined) {
  const pane = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [view, setView] = useState<View | undefined>(undefined);
  const current = useRef<View | undefined>(undefined);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const frame = useRef(0);

  const show = useCallback((next: View) => {
    current.current = next;
    setView(next);
  }, []);

  const glide = useCallback(
    (target: View) => {
      cancelAnimationFrame(frame.current);
      const from = current.current;
      if (!from || calm()) {
        show(target);
        return;
      }
      const begun = performance.now();
      const step = (now: number) => {
        const part = clamp((now - begun) / GLIDE_MS, 0, 1);
        const eased = 1 - (1 - part) ** 3;
        const mix = (a: number, b: number) => a + (b - a) * eased;
        show({
          x: mix(from.x, target.x),
          y: mix(from.y, target.y),
          width: mix(from.width, target.width),
          height: mix(from.height, target.height),
        });
        if (part < 1) frame.current = requestAnimationFrame(step);
      };
      frame.current = requestAnimationFrame(step);
    },
    [show],
  );

  useEffect(() => {
    const element = pane.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (size.width > 0) glide(viewFor(drawing, size, focus));
    return () => cancelAnimationFrame(frame.current);
  }, [drawing.width, drawing.height, size.width, size.height, focus?.x, focus?.y]);

  const zoom = useCallback(
    (factor: number, at?: { x: number; y: number }) => {
      const from = current.current;
      if (!from || size.width === 0) return;
      const scale = clamp((size.width / from.width) * factor, FARTHEST, CLOSEST);
      const width = size.width / scale;
      const height = size.height / scale;
      const px = (at?.x ?? size.width / 2) / size.width;
      const py = (at?.y ?? size.height / 2) / size.height;
      show({
        x: from.x + (from.width - width) * px,
        y: from.y + (from.height - height) * py,
        width,
        height,
      });
    },
    [size, show],
  );

  const local = (event: MouseEvent) => {
    const box = pane.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };

  const handlers = {
    onWheel: (event: WheelEvent) => {
      event.preventDefault();
      const from = current.current;
      if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 300), local(event));
      else if (from) {
        const scale = from.width / size.width;
        show({ ...from, x: from.x + event.deltaX * scale, y: from.y + event.deltaY * scale });
      }
    },
    onPointerDown: (event: PointerEvent) => {
      cancelAnimationFrame(frame.current);
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, local(event));
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      const from = current.current;
      if (!before || !from) return;
      const here = local(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, here);
      if (other) {
        const was = Math.hypot(before.x - other.x, before.y - other.y);
        const is = Math.hypot(here.x - other.x, here.y - other.y);
        if (was > 0) zoom(is / was, other);
        return;
      }
      const scale = from.width / size.width;
      show({
        ...from,
        x: from.x - (here.x - before.x) * scale,
        y: from.y - (here.y - before.y) * scale,
      });
    },
    onPointerUp: (event: PointerEvent) => pointers.current.delete(event.pointerId),
    onPointerCancel: (event: PointerEvent) => pointers.current.delete(event.pointerId),
  };
  const fit = () => glide(viewFor(drawing, size, undefined));
  return { pane, view, handlers, zoom, fit };
}
