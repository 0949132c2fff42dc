/**
 * A person's message: whether it is answered at all, and by which part.
 *
 * The rows of the routing table are here and in `conversation.ts`, `inside-flow.ts` and `outside-flow.ts`; `table.ts`
 * lists them in order.
 */
import { decision, languageIn, type SaidLanguage } from "../../understanding/index.ts";
import { joins } from "../arrival/burst.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { begins } from "../stack/entrance.ts";
import { isFlood } from "../policies/flood.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content, WrittenEvent } from "../session/inbound.ts";
import { interrupt } from "../arrival/burst-interruption.ts";
import { current } from "../answers/meaning-result.ts";
import { endHandoff } from "../policies/operator.ts";
import { isOptOut, optOut, reopen } from "../policies/opt-out.ts";
import { carryOut, type Spoken } from "../requests/act.ts";
import { asRefusal } from "../requests/denial.ts";
import { namesRequest } from "../requests/open-requests.ts";
import { shownBy } from "../requests/request-memory.ts";
import { resolveNamed } from "../requests/resolve.ts";
import { expects, isMenu } from "../turn/programs.ts";
import { commandOf } from "../turn/readers.ts";
import { isWaiting } from "../arrival/recent-messages.ts";
import type { Session } from "../session/session.ts";
import { commandIn, converse } from "./conversation.ts";
import { outsideFlow } from "./outside-flow.ts";
import { isOption, phraseIn, type Row, route } from "./row.ts";

interface Message {
  /** Words under a picture that ask for something count as written. */
  readonly content: Content;
  /** Empty for a message without words. */
  readonly text: string;
  readonly event: WrittenEvent;
  /** When it was written, ms. */
  readonly at: number;
  /** The bot's message that it quotes. */
  readonly quoted: string | undefined;
  /** The reply is to messages before it as well. */
  readonly isSameReply: boolean;
}

/** Pictures that follow each other within this time were sent together, ms: an album is uploaded picture by picture. */
const TOGETHER_MS = 6_000;

type Reading = Pick<Message, "at" | "quoted" | "isSameReply">;

export const MESSAGE: readonly Row<Message>[] = [
  {
    name: "vote-taken-back",
    what: "A vote that was taken back: the next one is the answer.",
    takes(draft, { content }) {
      if (content.type !== "choice" || content.picks.length > 0) return false;
      draft.quiet = "ignored";
      return true;
    },
  },
  {
    name: "opt-out",
    what: '"Não quero mais receber mensagens": everything stops.',
    takes(draft, { text }) {
      if (!isOptOut(draft, text)) return false;
      optOut(draft);
      return true;
    },
  },
  {
    name: "album",
    what: "A further picture of an album, or the same one in another size.",
    takes(draft, { event }) {
      if (!isFurther(draft, event.content, event.messageId)) return false;
      draft.quiet = "album";
      return true;
    },
  },
  {
    name: "flood",
    what: "More than a person writes: two machines that answer each other are cut.",
    takes(draft, { text, isSameReply }) {
      if (!isFlood(draft, text, isSameReply)) return false;
      draft.quiet = "loop-cut";
      return true;
    },
  },
  {
    name: "language",
    what: "A language asked for by its name. One that a text is clearly written in is followed without a word.",
    takes(draft, { content, text }) {
      const { session } = draft;
      const language =
        text === "" || session.optOut || session.handoff
          ? undefined
          : languageIn(text, draft.context.business);
      if (!language || !(language.isSentence || isHeardForLanguage(draft))) return false;
      // "English" may be an option or a start phrase of the author's.
      const isAuthored = isOption(draft, content) || phraseIn(draft, content) !== undefined;
      if (!follow(draft, isAuthored ? { ...language, asked: undefined } : language)) return false;
      if (draft.top) reprompt(draft, "language");
      else {
        draft.word("language");
        outsideFlow(draft, content, "menu");
      }
      return true;
    },
  },
  {
    name: "opted-out",
    what: "Who wanted to hear no more is heard again when they ask for something.",
    takes(draft, { content, text }) {
      if (!draft.session.optOut) return false;
      const command = commandIn(draft, content);
      // What follows in the same breath is no wish to hear again.
      const asks =
        command === "none"
          ? begins(draft, text)
          : OPENS.has(command) || commandOf(draft, command) !== undefined;
      if (command === "thanks" || command === "stop" || !asks) {
        draft.quiet = "opt-out";
        return true;
      }
      reopen(draft);
      return false;
    },
  },
  {
    name: "hand-off-back",
    what: "A hand-off whose time is over ends; one that nobody took ends with a wish for the menu.",
    takes(draft, { content }) {
      const { session, env } = draft;
      if (session.handoff && (session.handoff.until ?? Infinity) <= env.now)
        endHandoff(draft, "handoff-over");
      const { handoff } = session;
      if (!handoff || !isUnclaimed(handoff) || commandIn(draft, content) !== "menu") return false;
      endHandoff(draft, "handoff-returned");
      // What had called for a person may be over with it: then there is nothing to go on with but what they asked for.
      if (!draft.top) outsideFlow(draft, content, "menu");
      return true;
    },
  },
  {
    name: "hand-off",
    what: "A person has the conversation: the bot is silent, but for the business's answers to its customers.",
    takes(draft, { content, text, at, quoted }) {
      if (!draft.session.handoff) return false;
      if (answersRequest(draft, { content: asRefusal(draft, content), at, quoted })) return true;
      if (goesOnAlone(draft, text)) return false;
      draft.quiet = "handoff";
      return true;
    },
  },
  {
    name: "unsaid",
    what: "The last reply could not be delivered: its question is asked again.",
    takes(draft) {
      const { session } = draft;
      delete session.amended;
      if (!session.unsaid) return false;
      delete session.unsaid;
      if (draft.top) reprompt(draft);
      return draft.top !== undefined;
    },
  },
  {
    name: "conversation",
    what: "All else is answered; see its own rows. Free text that waits for more is taken before.",
    takes(draft, { content, text, at, quoted }) {
      const { session } = draft;
      const isOther =
        namesRequest(draft, text) || (quoted !== undefined && !!shownBy(session, quoted));
      const goesOn = joins(draft, content) && !isOther;
      const reply = (): void => {
        // What the burst answered may change what a refusal is.
        const answer = asRefusal(draft, content);
        const words = answer.type === "text" ? answer.text : "";
        converse(draft, { content: answer, text: words, at, goesOn, quoted });
      };
      if ((session.burst || isWaiting(session)) && !goesOn) interrupt(draft, reply);
      else reply();
      return true;
    },
  },
];

/** A person's message, from whatever conversation. */
export function wrote(draft: TurnDraft, event: WrittenEvent, reading: Reading): void {
  const content = worded(draft, event.content);
  const text = content.type === "text" ? content.text : "";
  draft.writtenAt = reading.at;
  draft.proven = undefined;
  draft.written = text;
  route(MESSAGE, draft, { ...reading, content, text, event });
}

/** Words under a picture or a file that ask for something by themselves count as written, where no question may take the file. */
function worded(draft: TurnDraft, content: Content): Content {
  const caption = content.type === "media" ? content.caption : undefined;
  if (caption === undefined) return content;
  const isFree = !draft.top || draft.top.flow === "menu";
  return isOptOut(draft, caption) || (isFree && begins(draft, caption))
    ? { type: "text", text: caption }
    : content;
}

/** Commands of a person who wants to talk again. */
const OPENS: ReadonlySet<string> = new Set(["greeting", "menu", "help", "human"]);
const FREE: ReadonlySet<string> = new Set(["text", "name", "address"]);

/** Whether a text shows the person's language. At questions that take any text it does not. */
function isHeardForLanguage(draft: TurnDraft): boolean {
  const { top } = draft;
  if (!top || isMenu(draft, top)) return true;
  const kind = current(expects(draft, top))?.kind;
  return kind === undefined || !FREE.has(kind);
}

/** A person has the operator's own conversation, but customers still wait for this operator's answers. */
function answersRequest(draft: TurnDraft, spoken: Spoken): boolean {
  if (draft.session.role !== "operator" || spoken.content.type !== "text") return false;
  const act = resolveNamed(draft, spoken);
  if (!act) return false;
  carryOut(draft, act);
  draft.loudness = "always";
  return true;
}

/**
 * Nobody has taken the conversation of a person of the business, who has work for the bot: a task, an answer to
 * customers. The bot is back without a word, and the message is taken as any other.
 */
function goesOnAlone(draft: TurnDraft, text: string): boolean {
  const { session } = draft;
  if (session.role !== "operator" || !session.handoff || !isUnclaimed(session.handoff))
    return false;
  const decides = session.requests.length > 0 && decision(text, draft.context.business) !== null;
  if (!decides && !begins(draft, text)) return false;
  endHandoff(draft, "handoff-returned");
  draft.paragraphs.length = 0;
  return true;
}

/**
 * Whether a hand-off is unclaimed: a flow or the person asked for it, and no person of the business has taken it or
 * typed.
 */
function isUnclaimed(handoff: NonNullable<Session["handoff"]>): boolean {
  return handoff.by === undefined && handoff.reason !== "typed";
}

/** Switches to the language of a text, if the business offers it. True when the person asked for the language by name. */
function follow(
  { session, env }: TurnDraft,
  { asked, heard }: Pick<SaidLanguage, "asked" | "heard">,
): boolean {
  const speaks = (locale: Session["locale"]) => env.account.languages.includes(locale);
  if (asked && speaks(asked)) {
    session.locale = asked;
    session.localeAsked = true;
    return true;
  }
  if (heard && !session.localeAsked && speaks(heard)) session.locale = heard;
  return false;
}

/**
 * Whether this is a further picture of those that were answered already. `id`: of its message. Pictures that were sent together arrive
 * one by one: in an album that names them, or within seconds. A later one is read only when it has words of its own.
 */
function isFurther({ session, env }: TurnDraft, content: Content, id: string): boolean {
  if (content.type !== "media") return false;
  const { media, album, caption } = content;
  const isPicture = media === "image" || media === "video";
  if (!isPicture && album === undefined) return false;
  const last = session.album;
  session.album = { of: album ?? id, at: env.now };
  if (caption !== undefined || !last) return false;
  return last.of === (album ?? id) || (isPicture && env.now - last.at < TOGETHER_MS);
}
