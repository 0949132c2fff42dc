/** The phone: who is writing, the chat, and what to write. Against a real gateway it only shows. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { sendText } from "./actions.ts";
import { Attach } from "./attach.tsx";
import { Bubbles } from "./bubbles.tsx";
import { initials, printNumber } from "./contacts.ts";
import { Icon } from "./icons.tsx";
import { People } from "./people.tsx";
import { Empty } from "./pieces.tsx";
import { chat, person, sandbox, session, typing } from "./store.ts";
import { type TextKey, t } from "./texts/index.ts";

/** Messages that the arrow keys bring back. */
const RECALL = 20;

/** The number that approves in the demo account; until it wrote there is no session that tells its role. */
const DEMO_OPERATOR = "5511900000001";

function isOperator(): boolean {
  return (
    (session.value?.role ?? (person.value.number === DEMO_OPERATOR ? "operator" : "")) ===
    "operator"
  );
}

function EmptyChat(): JSX.Element {
  if (!sandbox.value)
    return (
      <Empty icon="chat" title={t("people.none")}>
        <p>{t("chat.empty.readonly")}</p>
      </Empty>
    );
  const suggestions: readonly TextKey[] = isOperator()
    ? ["chat.suggest.hello", "chat.suggest.requests"]
    : ["chat.suggest.hello", "chat.suggest.invoice", "chat.suggest.human"];
  return (
    <Empty icon="chat" title={t("chat.empty.title")}>
      <p>
        {isOperator()
          ? t("chat.empty.operator")
          : t("chat.empty.body", { name: person.value.name })}
      </p>
      <div class="suggestions">
        {suggestions.map((key) => (
          <button key={key} type="button" class="button" onClick={() => void sendText(t(key))}>
            {t(key)}
          </button>
        ))}
      </div>
    </Empty>
  );
}

function Composer(): JSX.Element {
  const [text, setText] = useState("");
  const [back, setBack] = useState(-1);
  const input = useRef<HTMLTextAreaElement>(null);
  const grow = () => {
    const element = input.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 132)}px`;
  };
  const submit = () => {
    const words = text.trim();
    if (words === "") return;
    setText("");
    setBack(-1);
    requestAnimationFrame(grow);
    void sendText(words);
    input.current?.focus();
  };
  const recall = (step: number) => {
    const mine = chat.value.filter((row) => row.side === "me" && row.kind === "text");
    const next = Math.max(-1, Math.min(back + step, mine.length - 1, RECALL - 1));
    setBack(next);
    setText(next < 0 ? "" : (mine[mine.length - 1 - next]?.text ?? ""));
    requestAnimationFrame(grow);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    }
    if (event.key === "ArrowUp" && (text === "" || back >= 0)) {
      event.preventDefault();
      recall(1);
    }
    if (event.key === "ArrowDown" && back >= 0) {
      event.preventDefault();
      recall(-1);
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Attach />
      <textarea
        id="composer"
        ref={input}
        rows={1}
        value={text}
        aria-label={t("chat.input")}
        placeholder={t("chat.placeholder")}
        autocomplete="off"
        onInput={(event) => {
          setText(event.currentTarget.value);
          setBack(-1);
          grow();
        }}
        onKeyDown={onKeyDown}
      />
      <button
        type="submit"
        class="send-button"
        disabled={text.trim() === ""}
        aria-label={t("chat.send")}
      >
        <Icon name="send" size={19} />
      </button>
    </form>
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
