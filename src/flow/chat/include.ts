/** `@from FILE`: plays another chat file first, as if its lines stood here. */
import { type ChatFile, type ChatLine, parseChat, type ParsedChat, strangerIn } from "./parse.ts";

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
    ? { ok: false, file: chat.file, ...stranger }
    : { ok: true, chat: { ...chat, headers, lines } };
}
