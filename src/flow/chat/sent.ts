/** What a person sends in a `>` line: words, or in brackets anything else that a phone can send. */
import { didYouMean } from "../ast/finding.ts";
import { words } from "./parse.ts";
import type { ChatSent } from "./world.ts";

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
