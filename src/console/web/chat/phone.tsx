/** The phone: who is writing, the chat, and what to write. Against a real gateway it only shows. */
import type { JSX } from "preact";
import { sendText } from "../data/actions.ts";
import { Bubbles } from "./bubbles.tsx";
import { Composer } from "./composer.tsx";
import { initials, printNumber, roleOf } from "./contacts.ts";
import { Icon } from "../icons.tsx";
import { partsOf } from "../parts.tsx";
import { People } from "../people.tsx";
import { Empty } from "../pieces.tsx";
import { person, sandbox, session, typing } from "../data/store.ts";
import { t, textOf } from "../texts/index.ts";

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
      <Bubbles empty={<EmptyChat />} />
      {sandbox.value ? <Composer /> : <p class="strip">{t("chat.readonly")}</p>}
    </section>
  );
}
