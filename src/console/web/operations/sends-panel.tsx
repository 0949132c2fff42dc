/** What rests until a person decides: rows of plugins first, then held effects. Each decision says what it will do, and is asked twice. */
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import type { EffectDecision, HeldEffect, FieldProps } from "../../panels.ts";
import { Icon, type IconName } from "../icons.tsx";
import { Guard } from "../parts.tsx";
import { Empty, Entry, SureButton } from "../pieces.tsx";
import { adviceOf, decide, waiting, waitingCount } from "./sends.ts";
import { effectCall } from "../data/model.ts";
import { second, sessions, detail } from "../data/store.ts";
import { t, textOf, told, dayAndTime, span } from "../texts/index.ts";

/** Rows drawn of each of the two lists. */
const SHOWN = 100;
/** Characters drawn of what an effect holds. */
const BODY_SHOWN = 4_000;

const ICONS: Readonly<Record<EffectDecision, IconName>> = {
  retry: "reset",
  done: "check",
  failed: "close",
  discard: "trash",
};

function EffectForm({ effect }: { effect: HeldEffect }): JSX.Element {
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const { decisions, warning } = adviceOf(effect);
  return (
    <div class="stack">
      {warning !== undefined && <p class="field-error">{textOf(warning)}</p>}
      <Field
        {...{ name: "reason", value: reason, most: 500, put: setReason }}
        label={t("sends.reason")}
        error={asked && reason.trim() === "" ? t("sends.reason.missing") : undefined}
      />
      {decisions.map((decision) => (
        <Decision
          key={decision}
          name={decision}
          hint={hintOf(effect, decision)}
          icon={ICONS[decision]}
          act={() => {
            if (decision !== "retry" && reason.trim() === "") setAsked(true);
            else void decide(effectCall(effect, decision, reason.trim()));
          }}
        />
      ))}
    </div>
  );
}

/** What a decision will do, in the words of what it is done to where there are some. */
function hintOf(
  { class: callClass, payload: { name = "" } }: HeldEffect,
  decision: EffectDecision,
): string {
  const usual = told(`sends.hint.${decision}.${callClass}`, t(`sends.hint.${decision}`));
  return told(`sends.hint.${decision}.${name}`, usual);
}

/** In words where there are some; every status of the gateway has the same. */
function whyOf({ reason = "" }: HeldEffect): string {
  return told(`sends.why.${reason}`, t("sends.why", { reason: reason === "" ? "?" : reason }));
}

function whatOf({ payload, class: callClass }: HeldEffect): string {
  const { type = "", name = type } = payload;
  if (name === "") return told(`sends.class.${callClass}`, callClass);
  return told(`sends.what.${name}`, name);
}

function Effect({ effect }: { effect: HeldEffect }): JSX.Element {
  const { payload } = effect;
  const whom = sessions.value.get(effect.contact)?.name ?? payload.address;
  const time = span(Math.max(0, second.value - effect.createdAt));
  const body = payload.message?.text ?? JSON.stringify(payload.input, null, 2);
  return (
    <Entry
      mark={<Icon name="warn" size={16} />}
      title={whom === undefined ? whatOf(effect) : `${whatOf(effect)} · ${whom}`}
      sub={[
        told(`sends.class.${effect.class}`, effect.class),
        t("dead.age", { time }),
        effect.account,
      ].join(" · ")}
    >
      <p>{whyOf(effect)}</p>
      <p class="muted small">{dayAndTime(effect.createdAt)}</p>
      {typeof body === "string" && (
        <pre tabIndex={0} aria-label={t("sends.body")}>
          {body.slice(0, BODY_SHOWN)}
        </pre>
      )}
      <EffectForm effect={effect} />
    </Entry>
  );
}

/** A row is made anew with its `rev`: what was typed about another state of it is no decision about this one. */
export function SendsPanel(): JSX.Element {
  const { rows, effects, more } = waiting.value;
  const total = waitingCount.value;
  if (total === 0 && !more)
    return (
      <Empty icon="check" title={t("sends.none.title")}>
        <p>{t("sends.none.body")}</p>
      </Empty>
    );
  return (
    <div class="entries">
      <p class="list-head">{t(more ? "sends.more" : "sends.total", { count: total })}</p>
      {rows.slice(0, SHOWN).map(({ plugin, key, view }) => (
        <Guard key={`${plugin} ${key}`} plugin={plugin}>
          {view}
        </Guard>
      ))}
      {effects.slice(0, SHOWN).map((effect) => (
        <Effect key={`${effect.account} ${effect.id} ${effect.rev}`} effect={effect} />
      ))}
    </div>
  );
}

/** A field of a form with the error under it. */
export function Field(props: FieldProps): JSX.Element {
  return (
    <>
      <label>
        {props.label}
        <input
          name={props.name}
          value={props.value}
          maxLength={props.most}
          autocomplete="off"
          aria-invalid={props.error !== undefined}
          onInput={(event) => props.put(event.currentTarget.value)}
        />
      </label>
      {props.error !== undefined && (
        <p class="field-error" role="alert">
          {props.error}
        </p>
      )}
    </>
  );
}

/** A decision that says what it will do and is asked twice. */
export function Decision(props: {
  name: string;
  hint: string;
  icon: IconName;
  act: () => void;
}): JSX.Element {
  const { name } = props;
  return (
    <div class="decision">
      <p class="muted small">{props.hint}</p>
      <SureButton
        label={told(`sends.do.${name}`, name)}
        sure={told(`sends.sure.${name}`, name)}
        icon={props.icon}
        act={props.act}
      />
    </div>
  );
}

/** Leads to the list of what waits: an alarm may have sent its reader to another tab. */
export function ToWaiting(): JSX.Element | null {
  const count = waitingCount.value;
  if (count === 0) return null;
  return (
    <button type="button" class="button wide" onClick={() => (detail.value = "sends")}>
      <Icon name="warn" size={16} />
      {t("sends.link", { count })}
    </button>
  );
}
