/**
 * One chat out of three sources: what the sandbox delivered, what this page just sent, and the bot's journal. Pure.
 */
import { timeOf, type JournalRecord, type SandboxMessage } from "../data/model.ts";

type Tick = "sending" | "sent" | "delivered" | "read" | "failed";

export interface ChatMessage {
  readonly id: string;
  /** `me` = the person whose phone this is; `bot` = the business. */
  readonly side: "me" | "bot";
  /** Epoch milliseconds of virtual time. */
  readonly at: number;
  readonly text: string;
  /** What it is when it is not plain text: `image`, `audio`, `document`, `location`, `contact`, `sticker`… */
  readonly kind: string;
  readonly options: readonly Option[];
  readonly poll: boolean;
  readonly tick?: Tick;
}

export interface Option {
  /** What a person types to pick it. */
  readonly send: string;
  readonly label: string;
}

export interface Sent {
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly kind: string;
  readonly tick: Tick;
}

/** A journal line counts as the sandbox's message when it is no older than this, ms. */
const SAME_MESSAGE = 10 * 60_000;

const OPTION_LINE = /^\s*\*?(\d{1,2})\*?\s*[.)–-]\s+(.+)$/;

/** Splits the numbered lines at the end of a text from the words before them. One line alone is no list. */
export function splitOptions(text: string): { readonly words: string; readonly options: Option[] } {
  const lines = text.split("\n");
  const options: Option[] = [];
  while (lines.length > 0) {
    const match = OPTION_LINE.exec(lines[lines.length - 1] ?? "");
    if (!match) break;
    options.unshift({ send: match[1] ?? "", label: (match[2] ?? "").replace(/\*/g, "") });
    lines.pop();
  }
  const counted = options.every((option, at) => option.send === String(at + 1));
  if (options.length < 2 || !counted) return { words: text, options: [] };
  return { words: lines.join("\n").trimEnd(), options };
}

/** `[image menu.pdf] words` as the sandbox prints media. */
function mediaOf(text: string): { readonly kind: string; readonly words: string } {
  const match = /^\[(image|video|audio|document|sticker|location|contact)([^\]]*)\] ?(.*)$/s.exec(
    text,
  );
  if (!match) return { kind: "text", words: text };
  const words = [match[2]?.trim(), match[3]?.trim()].filter((part) => part !== "").join("\n");
  return { kind: match[1] ?? "text", words };
}

function botMessage(message: SandboxMessage): ChatMessage {
  const media = mediaOf(message.text);
  const split = splitOptions(media.words);
  return {
    id: message.id,
    side: "bot",
    at: timeOf(message.at),
    text: split.words,
    kind: media.kind,
    options: split.options,
    poll: /poll/i.test(message.route),
  };
}

/** The person's side of a turn, when the turn was a message of theirs. */
function saidByPerson(record: JournalRecord): Sent | undefined {
  const { mail } = record;
  if (mail.kind !== "inbound") return undefined;
  const event = mail.event;
  if (event.kind === "edit")
    return { id: event.id, at: record.at, text: event.text ?? "", kind: "edit", tick: "read" };
  if (event.kind === "reaction")
    return { id: event.id, at: record.at, text: event.emoji, kind: "reaction", tick: "read" };
  if (event.kind !== "message") return undefined;
  const head = { id: event.messageId, at: record.at, tick: "read" } as const;
  const { content } = event;
  if (content.type === "text") return { ...head, text: content.text, kind: "text" };
  if (content.type === "choice")
    return { ...head, text: content.picks.map((pick) => pick.label).join(", "), kind: "choice" };
  if (content.type === "media")
    return { ...head, text: content.caption ?? content.ref.fileName ?? "", kind: content.media };
  if (content.type === "location") return { ...head, text: content.name ?? "", kind: "location" };
  if (content.type === "contacts")
    return { ...head, text: content.contacts.map((one) => one.name).join(", "), kind: "contact" };
  return { ...head, text: content.what, kind: "other" };
}

function ownMessage(sent: Sent): ChatMessage {
  return { ...sent, side: "me", options: [], poll: false };
}

/** What the journal says was said and no message of the sandbox stands for yet. Each stands for one, in order. */
function unheard(
  journal: readonly JournalRecord[],
  messages: readonly SandboxMessage[],
): JournalRecord[] {
  const open = [...messages];
  return journal.filter((record) => {
    const said = (record.said ?? "").trim();
    if (said === "") return false;
    const at = open.findIndex((message) => {
      const shown = timeOf(message.at);
      const near = shown >= record.at - 1_000 && shown <= record.at + SAME_MESSAGE;
      return near && sameWords(message.text, said);
    });
    if (at >= 0) open.splice(at, 1);
    return at < 0;
  });
}

/**
 * Words that survive masking: the journal hides documents, phones and addresses, the sandbox does not. What is left tells
 * two messages apart well enough, because order and time are looked at, too.
 */
function skeleton(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/^\*|\*(?=[.,!?:;]?$)/g, ""))
    .filter((word) => /\p{L}/u.test(word) && !/\*\*|@|(\d.*){4}/.test(word))
    .join(" ");
}

function sameWords(shown: string, said: string): boolean {
  const whole = skeleton(shown);
  return whole === skeleton(said) || whole.startsWith(skeleton(splitOptions(said).words));
}

interface ChatSources {
  readonly messages: readonly SandboxMessage[];
  readonly sent: readonly Sent[];
  /** Oldest first. */
  readonly journal: readonly JournalRecord[];
  /** Without a sandbox the journal is all there is. */
  readonly sandbox: boolean;
}

/** The chat, oldest first. What the bot has said but the sandbox has not shown yet is there with `sending`. */
export function chatMessages(sources: ChatSources): ChatMessage[] {
  const mine = new Map<string, ChatMessage>();
  for (const record of sources.journal) {
    const said = saidByPerson(record);
    if (said) mine.set(said.id, ownMessage(said));
  }
  for (const sent of sources.sent) {
    const known = mine.get(sent.id);
    mine.set(
      sent.id,
      known ? { ...known, at: sent.at, text: sent.text, kind: sent.kind } : ownMessage(sent),
    );
  }
  const said = unheard(sources.journal, sources.messages).map((record): ChatMessage => {
    const split = splitOptions(record.said ?? "");
    const id = `${record.rev}:${record.event}`;
    const pending = sources.sandbox ? ({ tick: "sending" } as const) : {};
    const choices = record.effects.flatMap((effect) =>
      effect.type === "send" ? (effect.message.choices ?? []) : [],
    );
    const options = choices.map((choice, at) => ({ send: String(at + 1), label: choice.label }));
    return {
      id,
      side: "bot",
      at: record.at + 1,
      text: split.words,
      kind: "text",
      options: split.options.length > 0 ? split.options : options,
      poll: false,
      ...pending,
    };
  });
  return [...mine.values(), ...sources.messages.map(botMessage), ...said].sort(
    (a, b) => a.at - b.at,
  );
}
