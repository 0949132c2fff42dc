/** Small parts that several panes share. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";
import { t } from "./texts/index.ts";

export function Empty(props: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={props.icon} size={26} />
      </span>
      <p class="empty-title">{props.title}</p>
      {props.children}
    </div>
  );
}

/** A row of a list that opens: what is the matter, under it how it stands, and inside all there is to it. */
export function Entry(props: {
  mark: ComponentChildren;
  isGood?: boolean;
  title: ComponentChildren;
  sub: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <details class="entry">
      <summary>
        <span class={`status ${props.isGood === true ? "good" : "bad"}`}>{props.mark}</span>
        <span class="entry-main">
          <span class="entry-title">{props.title}</span>
          <span class="entry-sub">{props.sub}</span>
        </span>
        <Icon name="down" size={16} />
      </summary>
      <div class="entry-body">{props.children}</div>
    </details>
  );
}

/** A button with a panel under it. Escape and a click outside close it, and the button gets the focus back. */
export function Popover(props: {
  label: string;
  class?: string;
  trigger: ComponentChildren;
  children: (close: () => void) => ComponentChildren;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => setOpen(false);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      close();
      button.current?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("keydown", escape);
    };
  }, [open]);
  return (
    <div class="popover" ref={root}>
      <button
        ref={button}
        type="button"
        class={props.class ?? "quiet-button"}
        aria-expanded={open}
        aria-controls={id}
        title={props.label}
        onClick={() => setOpen(!open)}
      >
        {props.trigger}
        <span class="sr-only"> {props.label}</span>
      </button>
      {open && (
        <div id={id} class="popover-panel" role="dialog" aria-label={props.label}>
          {props.children(close)}
        </div>
      )}
    </div>
  );
}

/** A button that asks once more before it acts. */
export function SureButton(props: {
  label: string;
  sure: string;
  icon: IconName;
  act: () => void;
}): JSX.Element {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) return undefined;
    const timer = setTimeout(() => setAsked(false), 4_000);
    return () => clearTimeout(timer);
  }, [asked]);
  return (
    <button
      type="button"
      class={asked ? "button danger sure" : "button danger"}
      onClick={() => {
        if (asked) props.act();
        setAsked(!asked);
      }}
    >
      <Icon name={props.icon} size={16} />
      {asked ? props.sure : props.label}
    </button>
  );
}

export function CopyButton({ text }: { text: string }): JSX.Element {
  const [done, setDone] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), 1_500);
    });
  };
  return (
    <button type="button" class="icon-button small" onClick={copy} aria-label={t("app.copy")}>
      <Icon name={done ? "check" : "copy"} size={15} />
      <span class="sr-only" role="status">
        {done ? t("app.copied") : ""}
      </span>
    </button>
  );
}

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number;
}

/** A row of tabs; arrow keys move between them. */
export function Tabs<Id extends string>(props: {
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  panel: string;
  pick: (id: Id) => void;
}): JSX.Element {
  const move = (event: KeyboardEvent, at: number) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = props.tabs[(at + step + props.tabs.length) % props.tabs.length];
    if (!next) return;
    props.pick(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.label}>
      {props.tabs.map((tab, at) => (
        <button
          key={tab.id}
          id={`tab-${tab.id}`}
          type="button"
          role="tab"
          aria-selected={tab.id === props.current}
          aria-controls={props.panel}
          tabIndex={tab.id === props.current ? 0 : -1}
          onClick={() => props.pick(tab.id)}
          onKeyDown={(event) => move(event, at)}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span class="tab-count">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
