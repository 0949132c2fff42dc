/** Everything a person can send besides typed words: for trying what bots usually forget. */
import type { JSX } from "preact";
import { type Outgoing, send } from "../data/actions.ts";
import type { ChatMessage } from "./chat.ts";
import { Icon, type IconName } from "../icons.tsx";
import { Popover } from "../pieces.tsx";
import { chat } from "../data/store.ts";
import { type TextKey, t } from "../texts/index.ts";

/** The smallest PDF that readers open, and a 1 × 1 picture. */
const PDF =
  "JVBERi0xLjEKMSAwIG9iajw8L1BhZ2VzIDIgMCBSPj5lbmRvYmoKMiAwIG9iajw8L0tpZHNbMyAwIFJdL0NvdW50IDE+PmVuZG9iagozIDAgb2JqPDwvUGFyZW50IDIgMCBSPj5lbmRvYmoKdHJhaWxlcjw8L1Jvb3QgMSAwIFI+Pg==";
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

interface Entry {
  readonly label: TextKey;
  readonly icon: IconName;
  /** What to send, or undefined when there is nothing it could refer to. */
  readonly make: (last: Last) => Outgoing | undefined;
}

interface Last {
  readonly mine: ChatMessage | undefined;
  readonly bot: ChatMessage | undefined;
  readonly choices: ChatMessage | undefined;
}

const ENTRIES: readonly Entry[] = [
  {
    label: "send.image",
    icon: "image",
    make: () => ({ content: { image: { base64: PICTURE } }, text: "", kind: "image" }),
  },
  {
    label: "send.audio",
    icon: "mic",
    make: () => ({ content: { audio: { seconds: 7 } }, text: "0:07", kind: "audio" }),
  },
  {
    label: "send.document",
    icon: "file",
    make: () => ({
      content: {
        document: { fileName: "comprovante.pdf", mimetype: "application/pdf", base64: PDF },
      },
      text: "comprovante.pdf",
      kind: "document",
    }),
  },
  {
    label: "send.location",
    icon: "pin",
    make: () => ({
      content: { location: { latitude: -23.5505, longitude: -46.6333 } },
      text: "São Paulo, SP",
      kind: "location",
    }),
  },
  {
    label: "send.contact",
    icon: "card",
    make: () => ({
      content: { contact: { name: "Bruno Lima", phone: "5511977770002" } },
      text: "Bruno Lima",
      kind: "contact",
    }),
  },
  {
    label: "send.sticker",
    icon: "sticker",
    make: () => ({ content: { sticker: {} }, text: "", kind: "sticker" }),
  },
  {
    label: "send.poll",
    icon: "poll",
    make: ({ choices }) => {
      const option = choices?.options[0];
      return choices && option
        ? {
            content: { poll_vote: { poll: choices.id, options: [option.label] } },
            text: option.label,
            kind: "choice",
          }
        : undefined;
    },
  },
  {
    label: "send.button",
    icon: "button",
    make: ({ choices }) => {
      const option = choices?.options[0];
      return option
        ? {
            content: { button_reply: { id: option.send, text: option.label } },
            text: option.label,
            kind: "choice",
          }
        : undefined;
    },
  },
  {
    label: "send.reaction",
    icon: "smile",
    make: ({ bot }) =>
      bot
        ? {
            content: { reaction: { to: bot.id, emoji: "\u{1F44D}" } },
            text: "\u{1F44D}",
            kind: "reaction",
          }
        : undefined,
  },
  {
    label: "send.edit",
    icon: "edit",
    make: ({ mine }) => {
      if (!mine) return undefined;
      const text = t("send.edit.text", { text: mine.text });
      return { content: { edit: { id: mine.id, text } }, text, kind: "edit" };
    },
  },
  {
    label: "send.delete",
    icon: "trash",
    make: ({ mine }) =>
      mine ? { content: { delete: { id: mine.id } }, text: mine.text, kind: "delete" } : undefined,
  },
  {
    label: "send.human",
    icon: "phone",
    make: () => {
      const text = t("send.human.text");
      return { content: { human: { text } }, text, kind: "human" };
    },
  },
];

export function Attach(): JSX.Element {
  const rows = chat.value;
  const last: Last = {
    mine: rows.findLast((row) => row.side === "me" && row.kind === "text"),
    bot: rows.findLast((row) => row.side === "bot"),
    choices: rows.findLast((row) => row.options.length > 0),
  };
  return (
    <Popover
      label={t("chat.attach")}
      class="icon-button round"
      trigger={<Icon name="plus" size={20} />}
    >
      {(close) => (
        <div class="attach-grid">
          {ENTRIES.map((entry) => {
            const outgoing = entry.make(last);
            return (
              <button
                key={entry.label}
                type="button"
                disabled={!outgoing}
                onClick={() => {
                  close();
                  if (outgoing) void send(outgoing);
                }}
              >
                <Icon name={entry.icon} />
                {t(entry.label)}
              </button>
            );
          })}
        </div>
      )}
    </Popover>
  );
}
