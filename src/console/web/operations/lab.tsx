/** The laboratory of the sandbox: its clock, its faults, its reset. Nothing fails by itself. */
import type { JSX } from "preact";
import type { FaultPreset } from "../../panels.ts";
import {
  addFault,
  clearFaults,
  moveClock,
  moveClockTo,
  resetSandbox,
  setDelivery,
} from "../data/actions.ts";
import { Icon } from "../icons.tsx";
import { partsOf } from "../parts.tsx";
import { SureButton } from "../pieces.tsx";
import { faults, now, offset, session } from "../data/store.ts";
import { type TextKey, t, textOf, dayAndTime, span } from "../texts/index.ts";

/** An offset smaller than this is only the network's delay, ms. */
const MOVED = 5_000;

const STEPS: readonly (readonly [TextKey, string])[] = [
  ["clock.minute", "1m"],
  ["clock.quarter", "15m"],
  ["clock.day", "1d"],
];

export function ClockPanel(): JSX.Element {
  const due = (session.value?.frames ?? [])
    .flatMap((frame) => frame.timers.map((timer) => timer.due))
    .filter((at) => at > now.value)
    .sort((a, b) => a - b)[0];
  return (
    <section class="lab-part">
      <h3>{t("clock.title")}</h3>
      <p class="clock-now">
        {dayAndTime(now.value)}
        {offset.value > MOVED && (
          <span class="pill warn">{t("clock.ahead", { time: span(offset.value) })}</span>
        )}
      </p>
      <div class="row">
        {STEPS.map(([label, advance]) => (
          <button
            key={advance}
            type="button"
            class="button"
            onClick={() => void moveClock(advance)}
          >
            {t(label)}
          </button>
        ))}
      </div>
      <button
        type="button"
        class="button wide"
        disabled={due === undefined}
        onClick={() => {
          if (due !== undefined) void moveClockTo(due);
        }}
      >
        <Icon name="clock" size={16} />
        {t("clock.next")}
        {due !== undefined && <span class="muted">{span(due - now.value)}</span>}
      </button>
      <p class="muted small">{t("clock.hint")}</p>
    </section>
  );
}

const FAULTS: readonly FaultPreset[] = [
  {
    name: "fault.down",
    hint: "fault.down.hint",
    fault: { effect: { kind: "status", status: 503 }, times: 3 },
  },
  {
    name: "fault.slow",
    hint: "fault.slow.hint",
    fault: { effect: { kind: "slow", ms: 5_000 }, times: 3 },
  },
  { name: "fault.html", hint: "fault.html.hint", fault: { effect: { kind: "html" }, times: 1 } },
  {
    name: "fault.send",
    hint: "fault.send.hint",
    fault: { route: "message.sendText", effect: { kind: "reset" }, times: 1 },
  },
];

function Preset(props: { name: string; hint: string; act: () => void }): JSX.Element {
  return (
    <li>
      <button type="button" onClick={props.act}>
        <span class="preset-name">{textOf(props.name)}</span>
        <span class="muted small">{textOf(props.hint)}</span>
      </button>
    </li>
  );
}

export function FaultsPanel(): JSX.Element {
  const ofPlugins = partsOf("faults").flatMap(({ part }) => part);
  return (
    <section class="lab-part">
      <h3>{t("faults.title")}</h3>
      <p class="muted small">{t("faults.hint")}</p>
      <ul class="presets">
        {[...FAULTS, ...ofPlugins].map(({ name, hint, fault }) => (
          <Preset key={name} {...{ name, hint }} act={() => void addFault(fault)} />
        ))}
        <Preset
          name="fault.twice"
          hint="fault.twice.hint"
          act={() => void setDelivery({ duplicate: 1 })}
        />
      </ul>
      <h4>{t("faults.active")}</h4>
      {faults.value.length === 0 ? (
        <p class="muted small">{t("faults.none")}</p>
      ) : (
        <ul class="active-faults">
          {faults.value.map((fault, at) => (
            <li key={fault.id ?? at}>
              <Icon name="bolt" size={15} />
              <code>
                {fault.effect.kind}
                {fault.effect.status === undefined ? "" : ` ${fault.effect.status}`}
              </code>
              <span>{fault.route ?? "*"}</span>
              <span class="muted">
                {fault.times === undefined
                  ? t("faults.always")
                  : t("faults.left", { count: fault.times - (fault.hits ?? 0) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="button wide" onClick={() => void clearFaults()}>
        {t("faults.clear")}
      </button>
    </section>
  );
}

export function ResetPanel(): JSX.Element {
  return (
    <section class="lab-part">
      <h3>{t("reset.title")}</h3>
      <p class="muted small">{t("reset.hint")}</p>
      <SureButton
        icon="reset"
        label={t("reset.title")}
        sure={t("reset.sure")}
        act={() => void resetSandbox()}
      />
    </section>
  );
}
