/** What plugins add to the console. A part that throws is told in its place; the others stand. */
import { signal } from "@preact/signals";
import { Component, type ComponentChildren, type JSX } from "preact";
import type {
  ConsoleKit,
  ConsoleParts,
  OpenPanels,
  Panel,
  WaitingPart,
  WaitingRow,
} from "../panels.ts";
import { addTexts, t } from "./texts/index.ts";

/** A plugin's browser module, as the bundle holds it. */
export interface PanelModule {
  readonly plugin: string;
  readonly load: () => Promise<{ readonly default: OpenPanels }>;
}

interface Opened {
  readonly plugin: string;
  readonly parts: ConsoleParts;
}

const opened = signal<readonly Opened[]>([]);

/** Tabs of the runtime. */
const TABS = ["session", "calls", "sends", "log", "dead", "lab"];

/** Opens each module. One that throws has a tab that says so. */
export async function openParts(modules: readonly PanelModule[], kit: ConsoleKit): Promise<void> {
  const owners = new Map(TABS.map((id) => [id, "Prosa"]));
  const all: Opened[] = [];
  for (const { plugin, load } of modules) {
    try {
      const parts = (await load()).default(kit);
      all.push({ plugin, parts: { ...parts, panels: unique(plugin, parts.panels ?? [], owners) } });
    } catch (error) {
      all.push({ plugin, parts: { panels: [broken(plugin, plugin, () => wordsOf(error))] } });
    }
  }
  // The first plugin has a key.
  for (const { parts } of [...all].reverse()) if (parts.texts) addTexts(parts.texts);
  opened.value = all;
}

function unique(
  plugin: string,
  panels: readonly Panel[],
  owners: Map<string, string>,
): readonly Panel[] {
  return panels.map((panel) => {
    const owner = owners.get(panel.id);
    owners.set(panel.id, owner ?? plugin);
    return owner === undefined
      ? panel
      : broken(plugin, `${plugin}-${panel.id}`, () =>
          t("app.plugin.taken", { what: panel.id, owner }),
        );
  });
}

/** A tab with the plugin's name that says what is wrong. */
function broken(plugin: string, id: string, why: () => string): Panel {
  return { id: `plugin-${id}`, title: plugin, View: () => <Broken plugin={plugin} why={why()} /> };
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function Broken({ plugin, why }: { plugin: string; why: string }): JSX.Element {
  return (
    <p class="strip warn" role="alert">
      {t("app.plugin.broken", { plugin, why })}
    </p>
  );
}

interface GuardProps {
  plugin: string;
  children: ComponentChildren;
}

/** Draws a plugin's part, or why it cannot be drawn. */
export class Guard extends Component<GuardProps, { why?: string }> {
  static override getDerivedStateFromError(error: unknown): { why: string } {
    return { why: wordsOf(error) };
  }

  override render({ plugin, children }: GuardProps, { why }: { why?: string }): JSX.Element {
    return why === undefined ? <>{children}</> : <Broken plugin={plugin} why={why} />;
  }
}

/** What each plugin has of one part, where it has it. */
export function partsOf<Name extends keyof ConsoleParts>(
  name: Name,
): readonly { readonly plugin: string; readonly part: NonNullable<ConsoleParts[Name]> }[] {
  return opened.value.flatMap(({ plugin, parts }) => {
    const part = parts[name];
    return part === undefined ? [] : [{ plugin, part }];
  });
}

export interface OwnedPanel extends Panel {
  readonly plugin: string;
}

export const panels = (): readonly OwnedPanel[] =>
  partsOf("panels").flatMap(({ plugin, part }) => part.map((panel) => ({ ...panel, plugin })));

export interface OwnedRow extends WaitingRow {
  readonly plugin: string;
}

/** A plugin's rows of what waits; where it throws, one row that says so. */
export function rowsOf(plugin: string, { rows }: WaitingPart): readonly OwnedRow[] {
  try {
    return (rows?.() ?? []).map((row) => ({ ...row, plugin }));
  } catch (error) {
    const view = <Broken plugin={plugin} why={wordsOf(error)} />;
    return [{ key: `plugin-${plugin}`, view, plugin }];
  }
}

/** Loads of plugins. One that fails is asked again the next time. */
export async function loadAll(
  loads: readonly (undefined | (() => Promise<void>))[],
): Promise<void> {
  await Promise.allSettled(loads.map(async (load) => load?.()));
}

/** What a plugin's function says, or the fallback where it throws; the browser's console is told. */
export function safely<T>(run: () => T, fallback: T): T {
  try {
    return run();
  } catch (error) {
    reportError(error);
    return fallback;
  }
}
