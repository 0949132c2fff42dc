/**
 * Reads chat files: a conversation as it should go, one line for each event. `flows/README.md` has the grammar.
 *
 *     [speaker] op rest      op = # @ > < ~ ! * =      "  " begins a continuation of the line above
 */
import { didYouMean } from "../ast/finding.ts";
import type { ChatSent } from "./world.ts";

/** One line, with where it stands. No speaker = the customer. */
export interface ChatLine {
  readonly line: number;
  /** The file it stands in, when that is another one than the chat's: what `@from` names. */
  readonly file?: string;
  readonly op: ">" | "<" | "~" | "!" | "*" | "=";
  readonly speaker: string;
  readonly rest: string;
}

export interface ChatHeader {
  readonly line: number;
  readonly name: string;
  readonly rest: string;
}

export interface ChatFile {
  readonly file: string;
  /** First comment. */
  readonly title: string;
  readonly headers: readonly ChatHeader[];
  readonly lines: readonly ChatLine[];
}

export type ParsedChat =
  | { readonly ok: true; readonly chat: ChatFile }
  | { readonly ok: false; readonly file: string; readonly line: number; readonly message: string };

/** The speaker of lines that name none. */
export const CUSTOMER = "customer";
/** The business's person, known without a header. */
export const OPERATOR = "operator";
const HEADER = /^[a-z][a-z0-9-]{0,39}$/;
/** Lines of one chat file; a longer conversation is several tests. */
const MAX_LINES = 2_000;

const LINE = /^([a-z][a-z0-9-]*)?([><~!*=])(?:[ \t]+(.*))?$/;

export function parseChat(text: string, file = "chat"): ParsedChat {
  const headers: ChatHeader[] = [];
  const lines: { line: number; op: ChatLine["op"]; speaker: string; rest: string }[] = [];
  let title = "";
  const fail = (line: number, message: string): ParsedChat => ({ ok: false, file, line, message });
  const rows = text.split(/\r?\n/);
  if (rows.length > MAX_LINES) return fail(MAX_LINES, `longer than ${MAX_LINES} lines`);
  for (const [index, row] of rows.entries()) {
    const number = index + 1;
    if (row.trim() === "") continue;
    const above = lines.at(-1);
    if (row.startsWith("  ") && above) {
      above.rest += `\n${row.slice(2)}`;
    } else if (row.startsWith("#")) {
      if (title === "") title = row.slice(1).trim();
    } else if (row.startsWith("@")) {
      const [name = "", rest = ""] = splitOnce(row.slice(1));
      if (!HEADER.test(name))
        return fail(number, `"@${name}" is no header: a name in lower case, as in @flow`);
      headers.push({ line: number, name, rest });
    } else {
      const match = LINE.exec(row.trimEnd());
      if (!match) return fail(number, "a line begins with one of # @ > < ~ ! * =");
      const [, speaker = CUSTOMER, op = ">", rest = ""] = match;
      lines.push({ line: number, op: op as ChatLine["op"], speaker, rest });
    }
  }
  // Whom another file names is known once it is read.
  const stranger = headers.some((header) => header.name === "from")
    ? undefined
    : strangerIn(lines, headers);
  if (stranger) return fail(stranger.line, stranger.message);
  return { ok: true, chat: { file, title: title === "" ? file : title, headers, lines } };
}

/** The first line of somebody whom no header names: a slip of the pen must not become a new person. */
function strangerIn(
  lines: readonly ChatLine[],
  headers: readonly ChatHeader[],
): { readonly file?: string; readonly line: number; readonly message: string } | undefined {
  const people = speakersOf(headers);
  const found = lines.find(({ speaker }) => !people.includes(speaker));
  if (!found) return undefined;
  const { speaker, line, file } = found;
  const message = `nobody is called "${speaker}".${didYouMean(speaker, people)} A person is named by @contact ${speaker} NUMBER`;
  return { line, file, message };
}

/** Everybody a file may let speak. */
function speakersOf(headers: readonly ChatHeader[]): readonly string[] {
  const named = headers.flatMap(({ name, rest }) =>
    name === "contact" ? [words(rest)[0] ?? ""] : [],
  );
  return [...new Set([CUSTOMER, OPERATOR, ...named])];
}

function splitOnce(text: string): [string, string] {
  const at = text.search(/\s/);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at).trim()];
}

/** `a=1 b~"two words" c` as words; quotes hold spaces. */
export function words(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"/g, (_all, inside: string) => inside.replace(/\\(.)/g, "$1")),
  );
}

/** Files that begin with one another; more is a ring. */
const DEPTH_MAX = 5;

/** `read` gives the text of a file named beside `of`; null when there is none. */
export type ReadChat = (
  name: string,
  of: string,
) => { readonly file: string; readonly text: string } | null;

/** The file with what `@from` names before its own lines; headers of its own win. */
export function withFrom(chat: ChatFile, read: ReadChat, depth = 0): ParsedChat {
  let { headers } = chat;
  const before: ChatLine[] = [];
  for (const { name, rest, line } of chat.headers) {
    if (name !== "from") continue;
    const fail = (message: string): ParsedChat => ({ ok: false, file: chat.file, line, message });
    if (depth >= DEPTH_MAX) return fail(`@from goes on for more than ${DEPTH_MAX} files`);
    const found = read(rest.trim(), chat.file);
    if (!found) return fail(`there is no chat file ${rest.trim()} beside this one`);
    const parsed = parseChat(found.text, found.file);
    if (!parsed.ok) return parsed;
    const whole = withFrom(parsed.chat, read, depth + 1);
    if (!whole.ok) return whole;
    headers = [...whole.chat.headers, ...headers];
    before.push(...whole.chat.lines.map((one) => ({ file: found.file, ...one })));
  }
  const lines = [...before, ...chat.lines];
  const stranger = strangerIn(lines, headers);
  return stranger
    ? { ok: false, ...stranger, file: stranger.file ?? chat.file }
    : { ok: true, chat: { ...chat, headers, lines } };
}

/** Names that may stand in brackets, with what follows each. */
export const SENT: Readonly<Record<string, string>> = {
  choice: "2",
  button: "id label",
  list: "id label",
  vote: "label",
  image: "f.jpg",
  video: "f.mp4",
  audio: "12s",
  document: "f.pdf",
  sticker: "",
  location: "-23.5,-46.6",
  contact: '"Ana" 5511988880002',
  reaction: "👍",
  edit: "-1",
  delete: "-1",
  other: "order",
  quote: "-1",
  group: "name",
};

/** Those that name a message, the last one being -1: one of this person's own, or of those they got. */
const OWN = ["edit", "delete"];
const GOT = ["quote"];

/** The content that a `>` line sends, or why it cannot be sent. */
export function sentOf(rest: string): ChatSent | { readonly wrong: string } {
  const match = /^\[([a-z]+)(?: ([^\]]*))?\](?: ([\s\S]*))?$/.exec(rest);
  // A backslash: words that look like one of these.
  if (!match) return { type: "text", text: rest.replace(/^\\(?=\[)/, "") };
  const [, name = "", args = "", text = ""] = match;
  if (!Object.hasOwn(SENT, name))
    return {
      wrong: `a phone sends no [${name}].${didYouMean(name, Object.keys(SENT))} For the words, write \\[${name}]`,
    };
  const given = words(args);
  if (OWN.includes(name) && !/^-[1-9]\d?$/.test(given[0] ?? ""))
    return { wrong: `[${name} -1] is this person's last message, -2 the one before` };
  if (GOT.includes(name) && !/^-[1-9]\d?$/.test(given[0] ?? ""))
    return { wrong: `[${name} -1] is the last message this person got, -2 the one before` };
  if (name === "quote" && text === "") return { wrong: "[quote -1] is followed by the words" };
  if (name === "group" && text === "") return { wrong: "[group name] is followed by the words" };
  if (name === "edit" && text === "") return { wrong: "[edit -1] is followed by the new words" };
  if (SENT[name] !== "" && given.length === 0)
    return { wrong: `[${name} ${SENT[name] ?? ""}] says more` };
  return { type: "action", name, args: given, text };
}
