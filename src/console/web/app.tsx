/** The page: three panes side by side, or one at a time with tabs at the bottom. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { FlowPane } from "./flow-pane.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Inspector } from "./operations/inspector.tsx";
import { start } from "./data/live.ts";
import { Phone } from "./chat/phone.tsx";
import { Empty } from "./pieces.tsx";
import {
  type Pane,
  detail,
  narrow,
  pane,
  theme,
  failure,
  meta,
  notices,
  unread,
} from "./data/store.ts";
import { TopBar } from "./top-bar.tsx";
import { language, t } from "./texts/index.ts";

const BOTTOM: readonly (readonly [Pane, IconName])[] = [
  ["chat", "chat"],
  ["flow", "flow"],
  ["session", "session"],
  ["more", "more"],
];

function BottomTabs(): JSX.Element {
  const waiting = Object.values(unread.value).reduce((sum, count) => sum + count, 0);
  return (
    <nav class="bottom-tabs" aria-label={t("app.title")}>
      {BOTTOM.map(([id, icon]) => (
        <button
          key={id}
          type="button"
          aria-current={pane.value === id ? "page" : undefined}
          onClick={() => {
            pane.value = id;
            if (id === "more" && detail.value === "session") detail.value = "lab";
          }}
        >
          <Icon name={icon} size={22} />
          {t(`tab.${id}`)}
          {id === "chat" && waiting > 0 && pane.value !== "chat" && (
            <span class="badge">{waiting}</span>
          )}
        </button>
      ))}
    </nav>
  );
}

function Narrow(): JSX.Element {
  switch (pane.value) {
    case "chat":
      return <Phone />;
    case "flow":
      return <FlowPane />;
    case "session":
      return <Inspector parts={["session"]} label={t("tab.session")} />;
    case "more":
      return <Inspector parts={["lab", "calls", "sends", "log", "dead"]} label={t("tab.more")} />;
  }
}

function Notices(): JSX.Element {
  return (
    <div class="notices" role="status">
      {notices.value.map((notice) => (
        <p key={notice.id} class={`notice ${notice.tone}`}>
          <Icon name={notice.tone === "good" ? "check" : "warn"} size={17} />
          {notice.text}
        </p>
      ))}
    </div>
  );
}

function Panes(): JSX.Element {
  if (narrow.value) return <Narrow />;
  return (
    <>
      <Phone />
      <FlowPane />
      <Inspector parts={["session", "calls", "sends", "log", "dead"]} label={t("tab.session")} />
    </>
  );
}

/** `/` goes to the message field, from wherever no text is being written. */
function useSlash(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
      event.preventDefault();
      document.getElementById("composer")?.focus();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

export function App(): JSX.Element {
  useSlash();
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme.value;
  }, [theme.value]);
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.title = t("app.title");
  }, [language.value]);
  if (failure.value)
    return (
      <main class="whole">
        <Empty icon="warn" title={t("app.failed")}>
          {failure.value === "login" && <p>{t("app.login")}</p>}
          <button type="button" class="button primary" onClick={() => void start()}>
            {t("app.retry")}
          </button>
        </Empty>
      </main>
    );
  if (!meta.value)
    return (
      <main class="whole">
        <p class="muted" role="status">
          {t("app.loading")}
        </p>
      </main>
    );
  return (
    <>
      <a class="skip" href="#composer">
        {t("app.skip")}
      </a>
      <TopBar />
      <main class={narrow.value ? "panes one" : "panes"}>
        <Panes />
      </main>
      {narrow.value && <BottomTabs />}
      <Notices />
    </>
  );
}
