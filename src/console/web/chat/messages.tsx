/** The messages of one chat, oldest first, with the options of the newest as buttons. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { sendText } from "../data/actions.ts";
import type { ChatMessage, Option } from "./chat.ts";
import { Icon, type IconName, TickIcon } from "../icons.tsx";
import { chat, person, sandbox, typing } from "../data/store.ts";
import { t, told, clockTime, dayOf } from "../texts/index.ts";

const KIND_ICONS: Readonly<Record<string, IconName>> = {
  image: "image",
  video: "image",
  audio: "mic",
  document: "file",
  location: "pin",
  contact: "card",
  sticker: "sticker",
  choice: "button",
  reaction: "smile",
  edit: "edit",
  delete: "trash",
  human: "phone",
};

/** Messages of one side within this time stand close together, ms. */
const CLOSE = 60_000;

function Kind({ kind }: { kind: string }): JSX.Element | null {
  if (kind === "text") return null;
  return (
    <span class="message-kind">
      <Icon name={KIND_ICONS[kind] ?? "chat"} size={16} />
      {told(`kind.${kind}`, kind)}
    </span>
  );
}

function Options({ options, live }: { options: readonly Option[]; live: boolean }): JSX.Element {
  return (
    <ul class={live ? "options" : "options past"} aria-label={t("chat.options")}>
      {options.map((option) => (
        <li key={option.send}>
          {live ? (
            <button type="button" onClick={() => void sendText(option.send)}>
              <span class="option-number">{option.send}</span>
              {option.label}
            </button>
          ) : (
            <>
              <span class="option-number">{option.send}</span>
              {option.label}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function Message(props: { message: ChatMessage; close: boolean; newest: boolean }): JSX.Element {
  const { message } = props;
  const waits = message.side === "bot" && message.tick === "sending";
  return (
    <div class={`message-row ${message.side}${props.close ? " close" : ""}`}>
      <div class={`message ${message.side}${waits ? " waits" : ""}`}>
        <Kind kind={message.kind} />
        {message.text !== "" && (
          <p class="message-text">
            <RichText text={message.text} />
          </p>
        )}
        {message.options.length > 0 && (
          <Options options={message.options} live={props.newest && sandbox.value} />
        )}
        <span class="message-meta">
          <time dateTime={new Date(message.at).toISOString()}>{clockTime(message.at)}</time>
          {message.tick && (
            <>
              <TickIcon tick={message.tick} />
              <span class="sr-only">{told(`tick.${message.tick}`, message.tick)}</span>
            </>
          )}
        </span>
      </div>
    </div>
  );
}

/** The list itself. Stays at the bottom unless the person scrolled up. */
export function Messages({ empty }: { empty: JSX.Element }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const top = useRef(0);
  const rows = chat.value;
  const types = typing.value[person.value.number] ?? false;
  const lastBot = rows.findLastIndex((row) => row.side === "bot");
  const number = person.value.number;
  useEffect(() => {
    atEnd.current = true;
  }, [number]);
  useEffect(() => {
    const element = box.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [rows, types, number]);
  let day = "";
  return (
    <div
      class="messages"
      ref={box}
      role="log"
      aria-label={t("chat.log", { name: person.value.name })}
      tabIndex={0}
      onScroll={(event) => {
        const element = event.currentTarget;
        const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
        if (element.scrollTop < top.current - 2) atEnd.current = false;
        if (rest < 60) atEnd.current = true;
        top.current = element.scrollTop;
      }}
    >
      {rows.length === 0 && !types && empty}
      {rows.map((message, at) => {
        const before = rows[at - 1];
        const today = dayOf(message.at);
        const newDay = today !== day;
        day = today;
        const close = !newDay && before?.side === message.side && message.at - before.at < CLOSE;
        return (
          <div key={message.id} class="message-slot">
            {newDay && <p class="day">{today}</p>}
            <Message message={message} close={close} newest={at === lastBot} />
          </div>
        );
      })}
      {types && (
        <div class="message-row bot">
          <div class="message bot typing-message">
            <span class="sr-only">{t("chat.typing")}</span>
            <i />
            <i />
            <i />
          </div>
        </div>
      )}
    </div>
  );
}

/* Words of a message: `*bold*` is bold, addresses are links, lines stay lines. No HTML is ever taken from a message. */

/** A star next to another star or inside a word is a star: masked documents are no bold text. */
const PARTS = /((?<![*\w])\*(?=[^\s*])[^*\n]*[^\s*]\*(?![*\w])|https?:\/\/[^\s<>"]+)/g;

/** Characters of an address that are shown. */
const SHOWN = 46;

function shortened(address: string): string {
  const bare = address.replace(/^https?:\/\//, "");
  return bare.length <= SHOWN ? bare : `${bare.slice(0, SHOWN - 9)}…${bare.slice(-8)}`;
}

function RichText({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split(PARTS).map((part, at) => {
        // An amount stays on one line.
        if (at % 2 === 0) return part.replace(/R\$ (?=\d)/g, "R$\u00a0");
        if (part.startsWith("*")) return <strong key={at}>{part.slice(1, -1)}</strong>;
        return (
          <a key={at} href={part} target="_blank" rel="noreferrer noopener">
            {shortened(part)}
          </a>
        );
      })}
    </>
  );
}
