/** Which conversation a message belongs to, once it is known that the message is answered. */
import {
  nothingWaits,
  toAnswer,
  toAnyRequest,
  toConsent,
  toDecision,
  toList,
  toRequest,
  toTask,
} from "../decisions/operator-answer.ts";
import { tellsAside, tellsHours, tellsLater } from "./small-talk.ts";
import { crosses } from "../decisions/late-answer.ts";
import { takesBack } from "../decisions/recent-decision.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { resumes } from "../stack/expired-request.ts";
import { meaning } from "../answers/meaning.ts";
import type { Command } from "../answers/meaning-result.ts";
import { toOther } from "../decisions/other-request.ts";
import { picksOwn, toOwn } from "../requests/own-requests.ts";
import { toPressed } from "../decisions/pressed-button.ts";
import type { Expectation } from "../turn/program.ts";
import { missesQuoted, toQuoted } from "../decisions/quoted-request.ts";
import { toStray } from "../decisions/stray-code.ts";
import { wouldWithdraw } from "../requests/withdrawal.ts";
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

export const CONVERSATION: readonly Row<Said>[] = [
  {
    name: "unknown-code",
    what: "The code of a request that is not open here: that is said, and what waits is shown.",
    takes: (draft, { content }) => toStray(draft, content),
  },
  {
    name: "quoted-request",
    what: "A reply to the message that showed a request is for that request.",
    takes: (draft, { content, quoted }) => toQuoted(draft, content, quoted),
  },
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
    name: "request-pick",
    what: "The answer to which of several requests is meant.",
    takes: (draft, { content }) => toList(draft, content),
  },
  {
    name: "pressed",
    what: "A press on what was shown before: it is for what it stood under.",
    takes: (draft, { content }) => toPressed(draft, content),
  },
  {
    name: "task",
    what: "A start phrase while a request waits for a decision: a task, and no decision.",
    takes: (draft, { content }) => toTask(draft, content),
  },
  {
    name: "other-quoted",
    what: "A decision as a reply to a message that did not show the request: what waits is shown first.",
    takes: (draft, { content, quoted }) => missesQuoted(draft, content, quoted),
  },
  {
    name: "crossed",
    what: "A decision that was written before its request was shown.",
    takes: (draft, { content, at }) => crosses(draft, content, at),
  },
  {
    name: "other-request",
    what: "A request named by whom it is from or for.",
    takes: (draft, { content }) => toOther(draft, content),
  },
  {
    name: "withdrawal-named",
    what: '"Cancela o pedido da Maria" from the business: only Maria takes it back, and that is said.',
    yields: true,
    takes: (draft, { content }) => wouldWithdraw(draft, content, "named"),
  },
  {
    name: "coded-request",
    what: '"Aprovar A7": the request with that code.',
    takes: inWords(toRequest),
  },
  {
    name: "decision",
    what: '"Aprovar", "recusar" while requests wait: one of them, whatever is asked meanwhile.',
    takes: inWords(toDecision),
  },
  {
    name: "no-request",
    what: "The same while none waits: that is said.",
    yields: true,
    takes: inWords(nothingWaits),
  },
  {
    name: "consent",
    what: '"Pode fazer" where no question takes a yes: the request that waits is shown.',
    yields: true,
    takes: inWords(toConsent),
  },
  {
    name: "decided-lately",
    what: '"Cancela" right after a decision: what was decided stands, and that is said.',
    yields: true,
    takes(draft, { content, text }) {
      const isBack = takesBack(draft, text, () => commandIn(draft, content));
      if (isBack && draft.top) reprompt(draft);
      return isBack;
    },
  },
  {
    name: "withdrawal",
    what: "The same as withdrawal-named of a request that is not named.",
    yields: true,
    takes: (draft, { content }) => wouldWithdraw(draft, content, "any"),
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
    name: "request",
    what: "The request in progress: its decision and the reason for it.",
    takes(draft, { content }) {
      const { top } = draft;
      if (top?.caller?.kind !== "request") return false;
      toAnswer(draft, top, content);
      return true;
    },
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
    name: "open-request",
    what: "No flow is in progress: the only request that the message answers, or which one.",
    takes(draft, { content }) {
      if (draft.session.requests.length === 0) return false;
      return toAnyRequest(draft, content, commandIn(draft, content));
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
