/** The field that messages are written in. Enter sends, the arrow keys bring back what was sent, the focus stays. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { sendText } from "../data/actions.ts";
import { Attach } from "./attach.tsx";
import { Icon } from "../icons.tsx";
import { chat } from "../data/store.ts";
import { t } from "../texts/index.ts";

/** Messages that the arrow keys bring back. */
const RECALL = 20;

/** The field grows with its text up to this, pixels. */
const TALLEST = 132;

/** The `steps`-th last message of this person; nothing for -1. */
function recalled(steps: number): { readonly steps: number; readonly text: string } {
  const mine = chat.value.filter((row) => row.side === "me" && row.kind === "text");
  const bounded = Math.max(-1, Math.min(steps, mine.length - 1, RECALL - 1));
  return { steps: bounded, text: bounded < 0 ? "" : (mine.at(-1 - bounded)?.text ?? "") };
}

export function Composer(): JSX.Element {
  const [text, setText] = useState("");
  const [back, setBack] = useState(-1);
  const input = useRef<HTMLTextAreaElement>(null);
  const change = (next: string, steps = -1) => {
    setText(next);
    setBack(steps);
    requestAnimationFrame(() => {
      const element = input.current;
      if (!element) return;
      element.style.height = "auto";
      element.style.height = `${Math.min(element.scrollHeight, TALLEST)}px`;
    });
  };
  const submit = () => {
    const words = text.trim();
    if (words === "") return;
    change("");
    void sendText(words);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const up = event.key === "ArrowUp" && (text === "" || back >= 0);
    const down = event.key === "ArrowDown" && back >= 0;
    const enter = event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (!up && !down && !enter) return;
    event.preventDefault();
    if (enter) submit();
    else {
      const row = recalled(back + (up ? 1 : -1));
      change(row.text, row.steps);
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
        onInput={(event) => change(event.currentTarget.value)}
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
