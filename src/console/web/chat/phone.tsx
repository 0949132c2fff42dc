/** The phone: whose it is, who is writing, the chat, and what to write. Against a real gateway it only shows. */
import type { JSX } from "preact";
import { sendText, addPerson, choosePerson } from "../data/actions.ts";
import { Messages } from "./messages.tsx";
import { Composer } from "./composer.tsx";
import { initials, printNumber, roleOf, sessionOf } from "./contacts.ts";
import { Icon } from "../icons.tsx";
import { partsOf } from "../parts.tsx";
import { Empty, Popover } from "../pieces.tsx";
import {
  person,
  sandbox,
  session,
  typing,
  people,
  selected,
  sessions,
  unread,
} from "../data/store.ts";
import { t, textOf } from "../texts/index.ts";
import { useState } from "preact/hooks";

function isOperator(): boolean {
  return roleOf(person.value, session.value) === "operator";
}

function EmptyChat(): JSX.Element {
  if (!sandbox.value)
    return (
      <Empty icon="chat" title={t("people.none")}>
        <p>{t("chat.empty.readonly")}</p>
      </Empty>
    );
  const ofPlugins = partsOf("suggestions").flatMap(({ part }) => part);
  const suggestions = isOperator()
    ? ["chat.suggest.hello", "chat.suggest.requests"]
    : ["chat.suggest.hello", ...ofPlugins, "chat.suggest.human"];
  return (
    <Empty icon="chat" title={t("chat.empty.title")}>
      <p>
        {isOperator()
          ? t("chat.empty.operator")
          : t("chat.empty.body", { name: person.value.name })}
      </p>
      <div class="suggestions">
        {suggestions.map((key) => (
          <button key={key} type="button" class="button" onClick={() => void sendText(textOf(key))}>
            {textOf(key)}
          </button>
        ))}
      </div>
    </Empty>
  );
}

export function Phone(): JSX.Element {
  const { number, name } = person.value;
  const live = session.value;
  const types = typing.value[number] ?? false;
  return (
    <section class="pane phone" aria-label={t("tab.chat")}>
      <People />
      {number !== "" && (
        <header class="chat-head">
          <span class={`avatar ${isOperator() ? "operator" : ""}`} aria-hidden="true">
            {initials(name)}
          </span>
          <div class="chat-who">
            <h2>{name}</h2>
            <p>{types ? t("chat.typing") : printNumber(number) || live?.address}</p>
          </div>
          {(live?.queued ?? 0) > 0 && (
            <span class="pill warn">{t("chat.queued", { count: live?.queued ?? 0 })}</span>
          )}
          <span class="role">{t(isOperator() ? "people.operator" : "people.customer")}</span>
        </header>
      )}
      {live?.handoff && (
        <p class="strip warn">
          <Icon name="user" size={16} />
          {t("chat.human")}
        </p>
      )}
      <Messages empty={<EmptyChat />} />
      {sandbox.value ? <Composer /> : <p class="strip">{t("chat.readonly")}</p>}
    </section>
  );
}

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

function People(): JSX.Element {
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
