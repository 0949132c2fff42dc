/** Parts of forms in which a person decides. */
import type { JSX } from "preact";
import type { FieldProps } from "../../panels.ts";
import { Icon, type IconName } from "../icons.tsx";
import { SureButton } from "../pieces.tsx";
import { detail } from "../data/screen.ts";
import { waitingCount } from "./sends.ts";
import { t, told } from "../texts/index.ts";

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
