/** A message outside any flow: which flow it begins. */
import { beginCommand, closes, enter, justEnded, wantedBy } from "../stack/entrance.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { followUp } from "./other-task.ts";
import { start } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import type { Command } from "../answers/meaning-result.ts";
import { optOut } from "../policies/opt-out.ts";
import { commandOf } from "../turn/readers.ts";
import { flowOf, type Role } from "../turn/programs.ts";
import { type Row, route } from "./row.ts";

interface Outside {
  readonly content: Content;
  /** The command that the text means. */
  readonly command: Command;
}

/** After the end of a flow, thanks get no menu for this long. */
const THANKS_MS = 12 * 3_600_000;

/**
 * A few digits and nothing else: an amount, some number, or a choice of an old menu. It is unknown which, so they begin
 * nothing. Documents and phones are longer, and money is written as such (`R$ 13`, `13,50`, `1.500`).
 */
const LONE_NUMBER = /^\W*(?:n\W+)?(\d{1,9})\W*$/i;

export const OUTSIDE: readonly Row<Outside>[] = [
  {
    name: "thanks",
    what: 'Thanks, "ok" and a smile right after an end get no answer.',
    yields: true,
    takes(draft, { content, command }) {
      const { session, env } = draft;
      const recently = session.endedAt !== undefined && env.now - session.endedAt < THANKS_MS;
      const isOver =
        (command === "thanks" && recently) ||
        (content.type === "text" && closes(draft, content.text));
      if (isOver) draft.quiet = "thanks";
      return isOver;
    },
  },
  {
    name: "stop",
    what: '"Parar" stops all messages to a customer; people of the business stay.',
    yields: true,
    takes(draft, { command }) {
      if (command !== "stop") return false;
      // A word that ends a chat must not end the business's requests: only the whole sentence does.
      if (draft.session.role === "operator") draft.word("operator-stays");
      else optOut(draft);
      return true;
    },
  },
  {
    name: "person",
    what: '"Quero falar com alguém" begins the flow with the role person.',
    yields: true,
    takes(draft, { command }) {
      if (command === "human") begin(draft, "person");
      return command === "human";
    },
  },
  {
    name: "plugin-command",
    what: "A command of a plugin begins the flow with the role that it names.",
    yields: true,
    asks: "commands",
    takes(draft, { content, command }) {
      const by = commandOf(draft, command);
      if (by) beginCommand(draft, content, by);
      return by !== undefined;
    },
  },
  {
    name: "follow-up",
    what: 'What goes on with the flow that ended just now: "e do mês passado?"',
    yields: true,
    asks: "continues",
    takes(draft, { content }) {
      const wanted = content.type === "text" ? followUp(draft, content.text) : undefined;
      if (wanted && content.type === "text") enter(draft, wanted, content.text);
      return wanted !== undefined;
    },
  },
  {
    name: "start-phrase",
    what: "A start phrase at the beginning, else a sentence of a plugin, else a start phrase anywhere in the text.",
    asks: "opens",
    takes(draft, { content }) {
      const wanted = content.type === "text" ? wantedBy(draft, content.text) : undefined;
      if (wanted && content.type === "text") enter(draft, wanted, content.text);
      return wanted !== undefined;
    },
  },
  {
    name: "sticker",
    what: "A sticker right after an end gets no answer.",
    takes(draft, { content }) {
      const isSticker = content.type === "media" && content.media === "sticker";
      if (!isSticker || !justEnded(draft)) return false;
      draft.quiet = "thanks";
      return true;
    },
  },
  {
    name: "menu",
    what: "All else gets the flow with the role menu, and a word for what was no text.",
    takes(draft, { content, command }) {
      if (content.type === "text") {
        const isMoney = content.text.includes("$");
        const number = isMoney ? undefined : LONE_NUMBER.exec(content.text)?.[1];
        if (number !== undefined) draft.word("lone-number", { number });
        if (command === "edit") draft.word("nothing-to-change");
      } else if (content.type === "media") draft.word(`got-${content.media}`);
      else if (content.type !== "choice") draft.word(`got-${content.type}`);
      begin(draft, "menu");
      return true;
    },
  },
];

export function outsideFlow(draft: TurnDraft, content: Content, command: Command): void {
  route(OUTSIDE, draft, { content, command });
}

function begin(draft: TurnDraft, role: Role): void {
  const program = flowOf(draft, role);
  if (program) start(draft, program.flow);
  else draft.word("not-understood");
}
