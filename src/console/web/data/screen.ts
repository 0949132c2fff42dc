/** Width and theme of the page. */
import { signal } from "@preact/signals";

/** Below this the panes come one at a time, with tabs at the bottom. */
const small = matchMedia("(max-width: 759px)");

export const narrow = signal(small.matches);
small.addEventListener("change", () => {
  narrow.value = small.matches;
});

export type Pane = "chat" | "flow" | "session" | "more";
export const pane = signal<Pane>("chat");

/** Tabs of the runtime; beside them are those of plugins. */
export type Detail = "session" | "calls" | "sends" | "log" | "dead" | "lab";
/** Id of the tab on show. */
export const detail = signal<string>("session");

export type Theme = "light" | "dark";
const KEY = "prosa.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function firstTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : dark.matches ? "dark" : "light";
}

export const theme = signal<Theme>(firstTheme());

export function setTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.value = next;
}
