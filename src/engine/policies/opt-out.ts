/** Opt-out: the person wants no more messages. Everything stops, and only the person can begin again. */
import { stopsMessages } from "../../understanding/index.ts";
import { putBack } from "../requests/open-requests.ts";
import { isMenu, expects } from "../turn/programs.ts";
import { type Frame, isRequest } from "../session/frame.ts";
import type { Session } from "../session/session.ts";
import { newSession, type TurnDraft } from "../session/turn-draft.ts";
import { dropKept } from "../stack/expired-request.ts";
import { send } from "../stack/frames.ts";

/** "não quero mais receber mensagens" always stops; "sair" and "parar" only outside a flow. */
export function isOptOut(draft: TurnDraft, text: string): boolean {
  const said = stopsMessages(text);
  if (said?.by !== "word") return said !== undefined;
  const { session, top } = draft;
  if (session.role !== "customer") return false;
  // On short messages carriers and the law know one word, at any moment.
  if (session.channel === "sms") return true;
  // The notice stands above the menu, which begins nothing: there its word is kept, too.
  return said.isNoticed && top !== undefined && isMenu(draft, top);
}

export function optOut(draft: TurnDraft): void {
  const { session, env } = draft;
  quieten(draft);
  delete session.reopened;
  session.optOut = { since: env.now };
  draft.loudness = "always";
  draft.word("opted-out");
}

/** Ends the opt-out when the person writes again. */
export function reopen(draft: TurnDraft): void {
  delete draft.session.optOut;
  draft.word(WELCOME);
}

const WELCOME = "opted-in";

/**
 * The welcome is part of the first message. When the flow has to look something up first, it is part of the message
 * about that.
 */
export function joinWelcome(draft: TurnDraft): void {
  const { session, paragraphs, top } = draft;
  const [first, second] = paragraphs;
  if (!first) return;
  if (session.reopened) {
    delete session.reopened;
    const said = paragraphs.splice(0);
    draft.word(WELCOME);
    draft.say(...said);
  } else if (first.key === WELCOME && !second && top && isLookingUp(top)) {
    paragraphs.length = 0;
    session.reopened = true;
    draft.quiet = "reopened";
  }
}

/** Its answer comes at once, and is said. */
function isLookingUp({ invocations }: Frame): boolean {
  return invocations.some(({ kind, class: of }) => kind === "effect" && of === "read");
}

/** Ends every open question without a message. Calls in progress stay. */
export function quieten(draft: TurnDraft): void {
  const { session } = draft;
  for (const frame of [...session.frames].reverse()) {
    if (!session.frames.includes(frame)) continue;
    const { sealed } = expects(draft, frame);
    // Somebody else waits for a request: it stays open and answerable, it is not answered by this.
    if (isRequest(frame)) putBack(draft, frame);
    else if (!sealed) send(draft, frame, { type: "CANCEL" });
  }
  draft.paragraphs.length = 0;
  dropKept(draft);
}

/** What is on its way, and whoever wrote meanwhile, keeps everything as it is. */
export function retire(draft: TurnDraft): void {
  const { session, env } = draft;
  draft.quiet = "retired";
  if (!session.optOut || session.frames.length > 0 || session.requests.length > 0) return;
  const { rev, count, locale, optOut, joined } = session;
  for (const key of Object.keys(session) as (keyof Session)[]) delete session[key];
  Object.assign(session, newSession(env), { rev, count, locale, optOut });
  // Their journals and effects are this person's still.
  if (joined) session.joined = joined;
}
