/** The list of dead letters: why, since when, whose; released, dropped with a reason, or taken out as a file. */
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { dead, type DeadLetter, dropLetter, exportLetters, releaseLetter } from "./dead.ts";
import { dayAndTime, span } from "../format.ts";
import { Icon } from "../icons.tsx";
import { Empty, Entry, SureButton } from "../pieces.tsx";
import { second } from "../data/store.ts";
import { t, told } from "../texts/index.ts";

function Decide({ letter }: { letter: DeadLetter }): JSX.Element {
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const missing = asked && reason.trim() === "";
  return (
    <div class="stack">
      <div class="row">
        <button type="button" class="button" onClick={() => void releaseLetter(letter.id)}>
          <Icon name="reset" size={16} />
          {t("dead.release")}
        </button>
      </div>
      <label>
        {t("dead.reason")}
        <input
          name="reason"
          value={reason}
          maxLength={500}
          aria-invalid={missing}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      {missing && (
        <p class="field-error" role="alert">
          {t("dead.reason.missing")}
        </p>
      )}
      <SureButton
        label={t("dead.drop")}
        sure={t("dead.drop.sure")}
        icon="trash"
        act={() => {
          setAsked(true);
          if (reason.trim() !== "") void dropLetter(letter.id, reason.trim());
        }}
      />
    </div>
  );
}

function Letter({ letter }: { letter: DeadLetter }): JSX.Element {
  const kind = (letter.mail as { kind?: unknown } | null)?.kind;
  const what = typeof kind === "string" ? kind : "other";
  const time = span(Math.max(0, second.value - letter.at));
  return (
    <Entry
      mark={<Icon name="warn" size={16} />}
      title={told(`dead.why.${letter.reason}`, letter.reason)}
      sub={[told(`mail.${what}`, what), t("dead.age", { time }), letter.account].join(" · ")}
    >
      <p class="muted small">{dayAndTime(letter.at)}</p>
      <pre tabIndex={0} aria-label={t("dead.mail")}>
        {JSON.stringify(letter.mail, null, 2)}
      </pre>
      <Decide letter={letter} />
    </Entry>
  );
}

export function DeadPanel(): JSX.Element {
  const { items, next } = dead.value;
  if (items.length === 0)
    return (
      <Empty icon="check" title={t("dead.none.title")}>
        <p>{t("dead.none.body")}</p>
      </Empty>
    );
  return (
    <div class="entries">
      <p class="list-head">
        {t(next === undefined ? "dead.total" : "dead.more", { count: items.length })}
      </p>
      <div class="row">
        <button type="button" class="button" onClick={() => void exportLetters()}>
          <Icon name="file" size={16} />
          {t("dead.export")}
        </button>
      </div>
      {items.map((letter) => (
        <Letter key={letter.id} letter={letter} />
      ))}
    </div>
  );
}
