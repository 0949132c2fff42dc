/** The right pane: session, calls and log of what is on the phone, what waits for a person, and tabs of plugins. */
import type { JSX } from "preact";
import { refreshLists } from "../data/actions.ts";
import { dead, loadDead, DeadPanel } from "./dead-panel.tsx";
import { CallsPanel, LogPanel } from "./list-panels.tsx";
import { ClockPanel, FaultsPanel, ResetPanel } from "./lab.tsx";
import { Guard, type OwnedPanel, panels, safely } from "../parts.tsx";
import { type Tab, Tabs } from "../pieces.tsx";
import { type Detail, detail, sandbox } from "../data/store.ts";
import { loadSends, waitingCount } from "./sends.ts";
import { SendsPanel } from "./sends-panel.tsx";
import { SessionPanel } from "./session-panel.tsx";
import { t, textOf } from "../texts/index.ts";

function Lab(): JSX.Element {
  return (
    <div class="stack">
      <ClockPanel />
      <FaultsPanel />
      <ResetPanel />
    </div>
  );
}

const PANELS: Readonly<Record<Detail, () => JSX.Element>> = {
  session: SessionPanel,
  calls: CallsPanel,
  sends: SendsPanel,
  log: LogPanel,
  dead: DeadPanel,
  lab: Lab,
};

function tabOf(id: Detail): Tab<string> {
  const label = t(`tab.${id}`);
  if (id === "sends") return { id, label, count: waitingCount.value };
  return id === "dead" ? { id, label, count: dead.value.items.length } : { id, label };
}

function tabOfPlugin({ id, title, count }: OwnedPanel): Tab<string> {
  return { id, label: textOf(title), count: count ? safely(count, 0) : 0 };
}

function PluginPanel({ panel }: { panel: OwnedPanel }): JSX.Element {
  return (
    <Guard plugin={panel.plugin}>
      <panel.View />
    </Guard>
  );
}

/** `parts` are the runtime's tabs on offer, those of plugins follow theirs; with one, no tabs are drawn. */
export function Inspector(props: { parts: readonly Detail[]; label: string }): JSX.Element {
  const added = panels();
  const tabs = props.parts
    .filter((part) => part !== "lab" || sandbox.value)
    .flatMap((part) => [
      tabOf(part),
      ...added.filter(({ after = "calls" }) => after === part).map(tabOfPlugin),
    ]);
  const current = tabs.find(({ id }) => id === detail.value)?.id ?? tabs[0]?.id ?? "session";
  const ofPlugin = added.find(({ id }) => id === current);
  const Panel = PANELS[current as Detail];
  return (
    <section class="pane inspector" aria-label={props.label}>
      {tabs.length > 1 && (
        <Tabs
          label={props.label}
          tabs={tabs}
          current={current}
          panel="inspector-panel"
          pick={(id) => {
            detail.value = id;
            void refreshLists();
            void loadDead();
            void loadSends();
          }}
        />
      )}
      <div
        class="inspector-body"
        id="inspector-panel"
        tabIndex={0}
        {...(tabs.length > 1
          ? { role: "tabpanel" as const, "aria-labelledby": `tab-${current}` }
          : { role: "region" as const, "aria-label": props.label })}
      >
        {ofPlugin ? <PluginPanel key={current} panel={ofPlugin} /> : <Panel />}
      </div>
    </section>
  );
}
