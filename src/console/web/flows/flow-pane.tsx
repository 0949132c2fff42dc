/** The middle pane: which flow, drawn or listed, and where the conversation is in it. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { loadChart } from "../data/actions.ts";
import { ChartOutline } from "./chart-outline.tsx";
import { ChartView } from "./chart-view.tsx";
import { Icon } from "../icons.tsx";
import { Empty } from "../pieces.tsx";
import { charts, flows, follow, pickedFlow, position, session, shownFlow } from "../data/store.ts";
import { narrow } from "../data/screen.ts";
import { t, told } from "../texts/index.ts";

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
