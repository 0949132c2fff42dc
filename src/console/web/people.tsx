/** The row of people whose phones can be used, and the form that adds one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { addPerson, choosePerson } from "./data/actions.ts";
import { initials, roleOf, sessionOf } from "./chat/contacts.ts";
import { Icon } from "./icons.tsx";
import { Popover } from "./pieces.tsx";
import { people, sandbox, selected, sessions, unread } from "./data/store.ts";
import { t } from "./texts/index.ts";

function AddForm({ done }: { done: () => void }): JSX.Element {
  const [bad, setBad] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string): string => {
      const value = form.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const number = field("number").replace(/\D/g, "");
    if (number.length < 10 || number.length > 15) {
      setBad(true);
      return;
    }
    addPerson({ number, name: field("name") || number });
    choosePerson(number);
    done();
  };
  return (
    <form class="stack" onSubmit={submit}>
      <h3>{t("people.add")}</h3>
      <label>
        {t("people.number")}
        <input
          name="number"
          inputMode="tel"
          placeholder="5511988880002"
          aria-invalid={bad}
          aria-describedby={bad ? "bad-number" : undefined}
          required
        />
      </label>
      {bad && (
        <p id="bad-number" class="field-error" role="alert">
          {t("people.badNumber")}
        </p>
      )}
      <label>
        {t("people.name")}
        <input name="name" maxLength={60} placeholder="Bruno Lima" />
      </label>
      <button type="submit" class="button primary">
        {t("people.save")}
      </button>
    </form>
  );
}

export function People(): JSX.Element {
  return (
    <nav class="people" aria-label={t("people.title")}>
      <ul>
        {people.value.map((one) => {
          const count = unread.value[one.number] ?? 0;
          const role = roleOf(one, sessionOf(sessions.value.values(), one));
          return (
            <li key={one.number}>
              <button
                type="button"
                class="person"
                aria-current={one.number === selected.value ? "true" : undefined}
                onClick={() => choosePerson(one.number)}
              >
                <span class={`avatar ${role === "operator" ? "operator" : ""}`} aria-hidden="true">
                  {initials(one.name)}
                </span>
                <span class="person-name">{one.name.split(" ")[0]}</span>
                {count > 0 && (
                  <span class="badge">
                    <span aria-hidden="true">{count}</span>
                    <span class="sr-only">{t("people.unread", { count })}</span>
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {sandbox.value && (
        <Popover
          label={t("people.add")}
          class="person add"
          trigger={
            <span class="avatar dashed">
              <Icon name="plus" size={18} />
            </span>
          }
        >
          {(close) => <AddForm done={close} />}
        </Popover>
      )}
    </nav>
  );
}
