/** Which conversation a message belongs to, once it is known that the message is answered. */
import { tellsAside, tellsHours, tellsLater } from "./small-talk.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Content } from "../session/inbound.ts";
import { resumes } from "../stack/expired-request.ts";
import { meaning } from "../answers/meaning.ts";
import type { Command } from "../answers/meaning-result.ts";
import { carryOut } from "../requests/act.ts";
import { resolve, resolveRest } from "../requests/resolve.ts";
import { picksOwn, toOwn } from "../requests/own-requests.ts";
import type { Expectation } from "../turn/program.ts";
import { inFlow } from "./inside-flow.ts";
import { outsideFlow } from "./outside-flow.ts";
import { type Row, route } from "./row.ts";

interface Said {
  readonly content: Content;
  /** Empty for a message without words. */
  readonly text: string;
  /** When it was written, ms. */
  readonly at: number;
  /** Whether the message continues the free text that waits. */
  readonly goesOn: boolean;
  /** The bot's message that it quotes. */
  readonly quoted: string | undefined;
}

/** A row for what was written in words. */
const inWords =
  (takes: (draft: TurnDraft, text: string) => boolean): Row<Said>["takes"] =>
  (draft, { content }) =>
    content.type === "text" && takes(draft, content.text);

/** The command in a message, read where it is asked for. */
const commandOf =
  (draft: TurnDraft, { content }: Said): (() => Command) =>
  () =>
    commandIn(draft, content);

export const CONVERSATION: readonly Row<Said>[] = [
  {
    name: "own-pick",
    what: "The answer to which of a customer's own requests is meant.",
    takes: (draft, { content }) => picksOwn(draft, content),
  },
  {
    name: "own-requests",
    what: '"Meus pedidos", "cancela o primeiro": a customer\'s own requests that wait.',
    yields: true,
    takes: (draft, { content }) => toOwn(draft, content),
  },
  {
    name: "named-request",
    what: 'What is said of requests that wait for this person: "aprovar A7", a reply or press, "recusa a outra", "cancela o pedido da Maria".',
    takes: (draft, said) => carryOut(draft, resolve(draft, said, commandOf(draft, said))),
  },
  {
    name: "hours",
    what: '"Vocês estão abertos?": answered from the hours of the account.',
    yields: true,
    takes: (draft, { text, goesOn }) => text !== "" && !goesOn && tellsHours(draft, text),
  },
  {
    name: "put-off",
    what: "What a plugin says is wanted for another day: nothing begins, and that is said.",
    yields: true,
    asks: "opens",
    takes: inWords(tellsLater),
  },
  {
    name: "passing",
    what: "A question that a plugin answers in passing.",
    yields: true,
    asks: "passing",
    takes: (draft, { text, goesOn }) => text !== "" && !goesOn && tellsAside(draft, text),
  },
  {
    name: "open-request",
    what: "The request in hand: its decision and the reason for it. Outside any flow the only one that the message answers, or which one.",
    takes: (draft, said) =>
      carryOut(draft, resolveRest(draft, said.content, commandOf(draft, said))),
  },
  {
    name: "form",
    what: "The flow in progress; see its own rows.",
    takes(draft, { content }) {
      if (!draft.top) return false;
      inFlow(draft, draft.top, content);
      return true;
    },
  },
  {
    name: "kept-draft",
    what: "Whoever comes back to a form that ran out is asked whether to go on with it.",
    takes(draft, { content }) {
      const command = commandIn(draft, content);
      const isPlain = ["none", "greeting", "menu", "thanks"].includes(command);
      return resumes(draft, content, isPlain && !(command === "thanks" && isFresh(draft)));
    },
  },
  {
    name: "outside",
    what: "What begins a conversation; see its own rows.",
    takes(draft, { content }) {
      outsideFlow(draft, content, commandIn(draft, content));
      return true;
    },
  },
];

export function converse(draft: TurnDraft, said: Said): void {
  route(CONVERSATION, draft, said);
}

/** Whether a flow has just ended: "obrigado" right after it does not ask for more. */
function isFresh({ session, env }: TurnDraft): boolean {
  return session.endedAt !== undefined && env.now - session.endedAt < 3_600_000;
}

const NOTHING: Expectation = {
  step: "",
  rests: "ended",
  slots: [],
  sealed: false,
  optional: false,
};

/** The command in a message while no question is open. */
export function commandIn(draft: TurnDraft, content: Content): Command {
  const meant = meaning(NOTHING, content, draft.context);
  return meant.kind === "command" ? meant.command : "none";
}
