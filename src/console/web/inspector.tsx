/** The right pane: session, calls, invoices and log of what is on the phone, and what waits for a person. */
import type { JSX } from "preact";
import { refreshLists } from "./actions.ts";
import { dead, loadDead } from "./dead.ts";
import { DeadPanel } from "./dead-panel.tsx";
import { CallsPanel, InvoicesPanel, LogPanel } from "./list-panels.tsx";
import { ClockPanel, FaultsPanel, ResetPanel } from "./lab.tsx";
import { type Tab, Tabs } from "./pieces.tsx";
import { type Detail, detail } from "./screen.ts";
import { loadSends } from "./sends.ts";
import { sendsCount, SendsPanel } from "./sends-panel.tsx";
import { SessionPanel } from "./session-panel.tsx";
import { invoices, sandbox } from "./store.ts";
import { t } from "./texts/index.ts";

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
  invoices: InvoicesPanel,
  sends: SendsPanel,
  log: LogPanel,
  dead: DeadPanel,
  lab: Lab,
};

/** `parts` are the tabs on offer; with one, no tabs are drawn. */
export function Inspector(props: { parts: readonly Detail[]; label: string }): JSX.Element {
  const parts = props.parts.filter((part) => part !== "lab" || sandbox.value);
  const current = parts.includes(detail.value) ? detail.value : (parts[0] ?? "session");
  const Panel = PANELS[current];
  const tabs = parts.map((id): Tab<Detail> => {
    const label = t(`tab.${id}`);
    if (id === "invoices") return { id, label, count: invoices.value.length };
    if (id === "sends") return { id, label, count: sendsCount.value };
    return id === "dead" ? { id, label, count: dead.value.items.length } : { id, label };
  });
  return (
    <section class="pane inspector" aria-label={props.label}>
      {parts.length > 1 && (
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
        {...(parts.length > 1
          ? { role: "tabpanel" as const, "aria-labelledby": `tab-${current}` }
          : { role: "region" as const, "aria-label": props.label })}
      >
        <Panel />
      </div>
    </section>
  );
}
