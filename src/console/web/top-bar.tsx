/** Always in sight: which bot, which gateway, which time, which faults. */
import type { JSX } from "preact";
import { Icon } from "./icons.tsx";
import { ClockPanel, FaultsPanel, ResetPanel } from "./operations/lab.tsx";
import { Popover } from "./pieces.tsx";
import {
  narrow,
  setTheme,
  theme,
  account,
  connected,
  faults,
  meta,
  now,
  offset,
  sandbox,
} from "./data/store.ts";
import { language, setLanguage, t, clockTime, dayAndTime } from "./texts/index.ts";

function Preferences(): JSX.Element {
  const dark = theme.value === "dark";
  const label = t(dark ? "app.theme.light" : "app.theme.dark");
  return (
    <>
      <button
        type="button"
        class="quiet-button"
        onClick={() => setLanguage(language.value === "en" ? "pt-BR" : "en")}
        title={t("app.language")}
      >
        <Icon name="globe" size={17} />
        {language.value === "en" ? "EN" : "PT"}
        <span class="sr-only"> {t("app.language")}</span>
      </button>
      <button
        type="button"
        class="quiet-button"
        onClick={() => setTheme(dark ? "light" : "dark")}
        aria-label={label}
        title={label}
      >
        <Icon name={dark ? "sun" : "moon"} size={17} />
      </button>
    </>
  );
}

function About(): JSX.Element {
  const facts = meta.value;
  const words = t(connected.value ? "app.live" : "app.lost");
  return (
    <Popover
      label={t("app.about")}
      class="quiet-button"
      trigger={
        <>
          <span class={`dot ${connected.value ? "good" : "bad"}`} />
          {narrow.value ? <span class="sr-only">{words}</span> : words}
        </>
      }
    >
      {() => (
        <dl class="about">
          <div>
            <dt>{t("app.version")}</dt>
            <dd>
              {facts?.name} {facts?.version}
            </dd>
          </div>
          <div>
            <dt>{t("app.store")}</dt>
            <dd>{facts?.store.sentence ?? facts?.store.kind}</dd>
          </div>
          <div>
            <dt>{t("app.gateway")}</dt>
            <dd>{facts?.sandbox?.url ?? facts?.gateway?.url}</dd>
          </div>
        </dl>
      )}
    </Popover>
  );
}

function Gateway(): JSX.Element {
  return sandbox.value ? (
    <span class="ribbon" title={t("app.sandbox.hint")}>
      {t("app.sandbox")}
    </span>
  ) : (
    <span class="ribbon real" title={t("app.real.hint")}>
      {t("app.real")}
    </span>
  );
}

export function TopBar(): JSX.Element {
  const count = faults.value.length;
  return (
    <header class="top-bar">
      <h1 class="brand">
        <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
          <path
            class="brand-back"
            d="M5 2h16a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4h-8l-6 5v-5H5a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4Z"
          />
          <path class="brand-line" d="M7 11h3.5l2-3.5 3 6.5 1.700-3H19" />
        </svg>
        Prosa
      </h1>
      {account.value && <span class="account">{account.value.name}</span>}
      <Gateway />
      <span class="spring" />
      <About />
      {!narrow.value && (
        <>
          {sandbox.value && (
            <Popover
              label={t("clock.title")}
              class={offset.value > 60_000 ? "quiet-button moved" : "quiet-button"}
              trigger={
                <>
                  <Icon name="clock" size={17} />
                  {offset.value > 60_000 ? dayAndTime(now.value) : clockTime(now.value)}
                </>
              }
            >
              {() => <ClockPanel />}
            </Popover>
          )}
          {sandbox.value && (
            <Popover
              label={count > 0 ? t("faults.count", { count }) : t("faults.title")}
              class={count > 0 ? "quiet-button moved" : "quiet-button"}
              trigger={
                <>
                  <Icon name="bolt" size={17} />
                  {t("tab.lab")}
                  {count > 0 && <span class="tab-count">{count}</span>}
                </>
              }
            >
              {() => (
                <>
                  <FaultsPanel />
                  <ResetPanel />
                </>
              )}
            </Popover>
          )}
        </>
      )}
      <Preferences />
    </header>
  );
}
