/** The middle pane: which flow, drawn or listed, and where the conversation is in it. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { loadChart } from "./data/actions.ts";
import { ChartView } from "./chart-view.tsx";
import { Icon } from "./icons.tsx";
import { Empty } from "./pieces.tsx";
import {
  charts,
  flows,
  follow,
  pickedFlow,
  position,
  session,
  shownFlow,
  narrow,
} from "./data/store.ts";
import { t, told } from "./texts/index.ts";
import { useEffect } from "preact/hooks";
import { nodeOf, type Marks } from "../layout/drawing.ts";
import { type LaidNode, type LaidOut, NODE_GLYPHS } from "../layout/laid-out.ts";

const asList = signal<boolean | undefined>(undefined);

function Trail(): JSX.Element | null {
  const frames = session.value?.frames ?? [];
  if (frames.length < 2) return null;
  return (
    <p class="trail">
      {frames.map((frame, at) => (
        <span key={frame.id}>
          {at > 0 && <span class="trail-sign"> › </span>}
          {frame.title}
        </span>
      ))}
    </p>
  );
}

function Head({ list }: { list: boolean }): JSX.Element {
  return (
    <header class="pane-head">
      <label class="select">
        <span class="sr-only">{t("flow.pick")}</span>
        <select
          value={shownFlow.value ?? ""}
          onChange={(event) => {
            pickedFlow.value = event.currentTarget.value;
            follow.value = false;
          }}
        >
          {flows.value.map((row) => (
            <option key={row.flow} value={row.flow}>
              {row.title}
            </option>
          ))}
        </select>
        <Icon name="down" size={16} />
      </label>
      <Trail />
      <span class="spring" />
      <button
        type="button"
        class="toggle"
        aria-pressed={follow.value}
        title={t("flow.follow.hint")}
        onClick={() => {
          pickedFlow.value = shownFlow.value;
          follow.value = !follow.value;
        }}
      >
        <Icon name="follow" size={16} />
        {t("flow.follow")}
      </button>
      <div class="segmented" role="group" aria-label={t("flow.view")}>
        <button type="button" aria-pressed={!list} onClick={() => (asList.value = false)}>
          {t("flow.chart")}
        </button>
        <button type="button" aria-pressed={list} onClick={() => (asList.value = true)}>
          {t("flow.outline")}
        </button>
      </div>
    </header>
  );
}

function Body({ flow, list }: { flow: string; list: boolean }): JSX.Element {
  const laid = charts.value[flow];
  if (laid === undefined) return <div class="loading" />;
  if (laid === "failed")
    return (
      <Empty icon="warn" title={t("flow.failed")}>
        <button type="button" class="button" onClick={() => void loadChart(flow)}>
          {t("app.retry")}
        </button>
      </Empty>
    );
  const marks = {
    visited: position.value.visited,
    passed: position.value.passed,
    ...(position.value.live === undefined ? {} : { live: position.value.live }),
  };
  return (
    <>
      {laid.anywhere.length > 0 && (
        <div class="anywhere">
          <span>{t("flow.anywhere")}</span>
          <ul>
            {laid.anywhere
              .filter((event) => !event.startsWith("quiet."))
              .map((event) => (
                <li key={event}>{told(`event.${event}`, event)}</li>
              ))}
          </ul>
        </div>
      )}
      {list || laid.mode === "outline" ? (
        <ChartOutline laid={laid} marks={marks} />
      ) : (
        <ChartView key={laid.flow} laid={laid} marks={marks} follow={follow.value} />
      )}
    </>
  );
}

export function FlowPane(): JSX.Element {
  const flow = shownFlow.value;
  const list = asList.value ?? narrow.value;
  return (
    <section class="pane flow" aria-label={t("tab.flow")}>
      <Head list={list} />
      {flow === undefined ? (
        <Empty icon="flow" title={t("flow.empty.title")}>
          <p>{t("flow.empty.body")}</p>
        </Empty>
      ) : (
        <Body flow={flow} list={list} />
      )}
    </section>
  );
}

function jump(id: string): void {
  document.getElementById(`step-${id}`)?.focus();
}

function Step(props: {
  laid: LaidOut;
  node: LaidNode;
  live: boolean;
  visited: boolean;
}): JSX.Element {
  const { laid, node, live, visited } = props;
  const labels = new Map(laid.nodes.map((one) => [one.id, one.label]));
  const out = laid.edges.filter((edge) => edge.from === node.id);
  return (
    <li
      id={`step-${node.id}`}
      class={`step${live ? " live" : ""}${visited ? " visited" : ""}`}
      tabIndex={-1}
      aria-current={live ? "step" : undefined}
    >
      <div class="step-head">
        <svg class="step-glyph" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d={NODE_GLYPHS[node.kind]} />
        </svg>
        <span class="step-label">{node.label}</span>
        {live && <span class="pill accent">{t("flow.live")}</span>}
        {visited && !live && <span class="pill">{t("flow.visited")}</span>}
        {node.chips.map((chip) => (
          <span key={chip} class="pill">
            {chip}
          </span>
        ))}
      </div>
      {out.length > 0 && (
        <ul class="step-out" aria-label={t("flow.leads")}>
          {out.map((edge) => (
            <li key={edge.id}>
              <button type="button" class="link" onClick={() => jump(edge.to)}>
                {labels.get(edge.to) ?? edge.to}
              </button>
              {edge.words.length > 0 && (
                <span class="step-why" title={edge.words.join(" · ")}>
                  {edge.words.join(" · ")}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The chart as a nested list: the same facts for keyboards, screen readers and small screens. */
function ChartOutline({ laid, marks }: { laid: LaidOut; marks: Marks }): JSX.Element {
  const live = nodeOf(laid, marks.live)?.id;
  const stops = [...(marks.visited ?? []), ...(marks.passed ?? [])];
  const seen = new Set(stops.flatMap((step) => nodeOf(laid, step)?.id ?? []));
  const shown = laid.nodes.filter((node) => node.kind !== "start");
  const step = (node: LaidNode) => (
    <Step
      key={node.id}
      laid={laid}
      node={node}
      live={node.id === live}
      visited={seen.has(node.id)}
    />
  );
  useEffect(() => {
    if (live !== undefined)
      document.getElementById(`step-${live}`)?.scrollIntoView({ block: "nearest" });
  }, [live]);
  const done = new Set<string>();
  return (
    <div class="outline" tabIndex={0} role="region" aria-label={t("flow.outline")}>
      <ol>
        {shown.map((node) => {
          const group = laid.groups.find((one) => one.id === node.group);
          if (!group) return step(node);
          if (done.has(group.id)) return null;
          done.add(group.id);
          return (
            <li key={`group-${group.id}`} class="step-group">
              <p class="step-group-label">{group.label}</p>
              <ol>{shown.filter((one) => one.group === group.id).map(step)}</ol>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
