/** What rests until a person decides: notes without an end first, then held effects. Each deed says what it will do, and is asked twice. */
import { computed } from "@preact/signals";
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { dayAndTime, money, span } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Empty, Entry, SureButton } from "./pieces.tsx";
import { decide, waiting } from "./sends.ts";
import {
  accessKey,
  effectCall,
  type EffectDeed,
  effectDeeds,
  type HeldEffect,
  isUnrecorded,
  noteCall,
  noteDeeds,
  type OpenNote,
  sinceOf,
  toDecide,
} from "./sends-model.ts";
import { now, second, sessions } from "./store.ts";
import { t, told } from "./texts/index.ts";

/** Rows drawn of each of the two lists. */
const SHOWN = 100;
/** Characters drawn of what an effect holds. */
const BODY_SHOWN = 4_000;

const decidable = computed(() => toDecide(waiting.value, now.value));

export const sendsCount = computed(
  () => decidable.value.notes.length + decidable.value.effects.length,
);

const ICONS: Readonly<Record<string, IconName>> = {
  retry: "reset",
  not_issued: "reset",
  done: "check",
  issued: "check",
  failed: "close",
  discard: "trash",
  abandon: "trash",
};

function Field(props: {
  label: string;
  name: string;
  value: string;
  most: number;
  error: string | undefined;
  put: (value: string) => void;
}): JSX.Element {
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

function Deed(props: { deed: string; hint: string; act: () => void }): JSX.Element {
  const { deed } = props;
  return (
    <div class="deed">
      <p class="muted small">{props.hint}</p>
      <SureButton
        label={told(`sends.do.${deed}`, deed)}
        sure={told(`sends.sure.${deed}`, deed)}
        icon={ICONS[deed] ?? "check"}
        act={props.act}
      />
    </div>
  );
}

function NoteForm({ note }: { note: OpenNote }): JSX.Element {
  const [reason, setReason] = useState("");
  const [chave, setChave] = useState("");
  const [missing, setMissing] = useState<"reason" | "key" | undefined>(undefined);
  const deeds = noteDeeds(note);
  return (
    <div class="stack">
      <Field
        {...{ name: "reason", value: reason, most: 500, put: setReason }}
        label={t("sends.reason")}
        error={missing === "reason" && reason.trim() === "" ? t("sends.reason.missing") : undefined}
      />
      {deeds.includes("issued") && (
        <Field
          {...{ name: "chave", value: chave, most: 80, put: setChave }}
          label={t("sends.key")}
          error={
            missing === "key" && accessKey(chave) === undefined ? t("sends.key.missing") : undefined
          }
        />
      )}
      {deeds.map((deed) => (
        <Deed
          key={deed}
          deed={deed}
          hint={t(`sends.hint.${deed}`)}
          act={() => {
            const key = deed === "issued" ? accessKey(chave) : undefined;
            if (reason.trim() === "") setMissing("reason");
            else if (deed === "issued" && key === undefined) setMissing("key");
            else void decide(noteCall(note, deed, reason.trim(), key));
          }}
        />
      ))}
    </div>
  );
}

function Note({ note }: { note: OpenNote }): JSX.Element {
  const since = sinceOf(note);
  const time = span(Math.max(0, now.value - since));
  return (
    <Entry
      mark={<Icon name="invoice" size={16} />}
      title={t("sends.note", { value: money(note.cents / 100), name: note.taker.name })}
      sub={[told(`status.${note.state}`, note.state), t("dead.age", { time }), note.account].join(
        " · ",
      )}
    >
      <p>{told(`sends.state.${note.state}`, note.state)}</p>
      <p class="muted small">
        {note.taker.document} · {dayAndTime(since)}
      </p>
      <NoteForm note={note} />
    </Entry>
  );
}

function EffectForm({ effect }: { effect: HeldEffect }): JSX.Element {
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const deeds = effectDeeds(effect);
  return (
    <div class="stack">
      {isUnrecorded(effect) && <p class="field-error">{t("sends.unrecorded")}</p>}
      <Field
        {...{ name: "reason", value: reason, most: 500, put: setReason }}
        label={t("sends.reason")}
        error={asked && reason.trim() === "" ? t("sends.reason.missing") : undefined}
      />
      {deeds.map((deed) => (
        <Deed
          key={deed}
          deed={deed}
          hint={hintOf(effect, deed)}
          act={() => {
            if (deed !== "retry" && reason.trim() === "") setAsked(true);
            else void decide(effectCall(effect, deed, reason.trim()));
          }}
        />
      ))}
    </div>
  );
}

/** What a deed will do, in the words of what it is done to where there are some. */
function hintOf(
  { class: callClass, payload: { name = "" } }: HeldEffect,
  deed: EffectDeed,
): string {
  const usual = told(`sends.hint.${deed}.${callClass}`, t(`sends.hint.${deed}`));
  return told(`sends.hint.${deed}.${name}`, usual);
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
        ...[t("dead.age", { time }), effect.account],
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
  const { notes, effects, more } = decidable.value;
  const total = notes.length + effects.length;
  if (total === 0 && !more)
    return (
      <Empty icon="check" title={t("sends.none.title")}>
        <p>{t("sends.none.body")}</p>
      </Empty>
    );
  return (
    <div class="entries">
      <p class="list-head">{t(more ? "sends.more" : "sends.total", { count: total })}</p>
      {notes.slice(0, SHOWN).map((note) => (
        <Note key={`${note.account} ${note.id} ${note.rev}`} note={note} />
      ))}
      {effects.slice(0, SHOWN).map((effect) => (
        <Effect key={`${effect.account} ${effect.id} ${effect.rev}`} effect={effect} />
      ))}
    </div>
  );
}
