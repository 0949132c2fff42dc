/**
 * A form that expired half-way is kept for a while. A person who comes back is asked whether to continue, and need not
 * answer everything again.
 */
import type { JsonObject } from "../../base/index.ts";
import { inFlow } from "../routing/inside-flow.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { start } from "./frames.ts";
import type { Content } from "../session/inbound.ts";
import { meaning } from "../answers/meaning.ts";
import { STRICT } from "../answers/meaning-values.ts";
import type { Expectation } from "../turn/program.ts";
import { expects, programOf, titleOf, isMenu } from "../turn/programs.ts";
import { type Frame, isRequest, keepTimers } from "../session/frame.ts";
import type { Session } from "../session/session.ts";

const DAY_MS = 86_400_000;
/** Most answers that the offer names. */
const NAMED = 3;
/** Which answers the offer names first: a name says most to the person, a masked number least. */
const RANK: Readonly<Partial<Record<string, number>>> = {
  name: 0,
  money: 0.5,
  document: 2,
  cpf: 2,
  cnpj: 2,
  address: 2,
};
export const KEPT_TIMER = "kept.end";

/** Before a flow ends for silence: its answers are put by, for as long as the account keeps drafts. */
export function keepDraft(draft: TurnDraft, ending: Frame): void {
  const { session, env } = draft;
  const frame = wholeOf(draft, ending);
  if (session.role !== "customer" || isRequest(frame) || isMenu(draft, frame)) return;
  const program = programOf(draft, frame);
  const slots = program.answers?.(frame.state);
  const rows = program.summary(frame.state, draft.context);
  if (!slots || rows.length === 0) return;
  const until = env.now + env.account.retention.draftDays * DAY_MS;
  const kinds = new Map(
    program.expects(frame.state, draft.context).slots.map(({ name, kind }) => [name, kind]),
  );
  const about = rows
    .map((row) => ({ ...row, rank: RANK[kinds.get(row.slot) ?? ""] ?? 1 }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ echo }) => echo)
    .slice(0, NAMED)
    .join(", ")
    .slice(0, 200);
  session.kept = {
    flow: frame.flow,
    version: frame.version,
    hash: frame.hash,
    about,
    until,
    slots: { ...slots } as Record<string, never>,
  };
  draft.setTimer(session, KEPT_TIMER, until);
}

/** The outermost flow that a frame is a part of: the whole is continued, not the part. */
function wholeOf(draft: TurnDraft, frame: Frame): Frame {
  let whole = frame;
  for (;;) {
    const parent = draft.parentOf(whole);
    if (!parent || isMenu(draft, parent)) return whole;
    whole = parent;
  }
}

export function dropKept(draft: TurnDraft): void {
  const { session } = draft;
  delete session.kept;
  keepTimers(session, ({ name }) => name !== KEPT_TIMER);
}

/** Whether the message is about the kept form. If so, the form has been offered, continued or dropped. */
export function resumes(draft: TurnDraft, content: Content, isPlain: boolean): boolean {
  const { session, env } = draft;
  const { kept } = session;
  if (!kept) return false;
  if (!env.library.get(kept.flow)) {
    dropKept(draft);
    return false;
  }
  if (!kept.offered) {
    if (!isPlain) return false;
    session.kept = { ...kept, offered: env.now, ...late(content) };
    offer(draft);
    return true;
  }
  if (content.type !== "text" && content.type !== "choice") {
    // Neither a yes nor a no, and no other wish: the offer stands.
    draft.word(content.type === "media" ? `got-${content.media}` : `got-${content.type}`);
    offer(draft);
    return true;
  }
  const answer = meaning(CONFIRM, content, draft.context);
  const isThanks = answer.kind === "command" && answer.command === "thanks";
  const said = answer.kind === "flow" ? answer.event.type : isThanks ? "NO" : "";
  if (said !== "YES" && said !== "NO") {
    const { offered: _offered, ...rest } = kept;
    session.kept = rest;
    return false;
  }
  dropKept(draft);
  if (said === "NO") {
    draft.word("resume-no");
    return true;
  }
  const before = draft.paragraphs.length;
  const frame = start(draft, kept.flow, { prefill: answersOf(draft, kept) });
  // How it begins was said the other time; the question, or how it ends, is news.
  const asks = draft.paragraphs.some(
    ({ key }, at) => at >= before && /^(?:ask|confirm)\./.test(key ?? ""),
  );
  const news = draft.paragraphs.filter(
    ({ key }, at) => at < before || !asks || !key?.startsWith("say."),
  );
  draft.paragraphs.splice(0, Infinity, ...news);
  // What they came back with was an answer, if it is one.
  if (kept.text !== undefined && session.frames.includes(frame)) {
    const expectation = expects(draft, frame);
    const words: Content = { type: "text", text: kept.text };
    const asked = expectation.slots.find(({ name }) => name === expectation.slot);
    const meant = meaning(expectation, words, draft.context);
    // A greeting is no answer, also where any text is one.
    if (asked && STRICT.has(asked.kind) && meant.kind === "flow" && meant.event.type !== "BAD") {
      draft.paragraphs.length = 0;
      inFlow(draft, frame, words);
    }
  }
  return true;
}

/** The answers as the flow takes them now: it may have changed meanwhile. */
function answersOf({ env }: TurnDraft, kept: NonNullable<Session["kept"]>): JsonObject {
  const { version, hash, slots } = kept;
  const program = env.library.get(kept.flow);
  if (hash === program?.hash) return slots;
  return program?.answersNow?.({ version, hash }, slots) ?? slots;
}

/** The text of a person who returns with more than a greeting. */
function late(content: Content): { text?: string } {
  return content.type === "text" ? { text: content.text.slice(0, 1_000) } : {};
}

function offer(draft: TurnDraft): void {
  const { env, session } = draft;
  const program = env.library.get(session.kept?.flow ?? "");
  const title = program ? titleOf(draft, program) : "";
  const text = env.library.word(
    "resume-offer",
    { title, about: session.kept?.about ?? "" },
    draft.context,
  );
  const label = (key: "yes" | "no") => env.library.word(key, {}, draft.context);
  draft.say({
    key: "resume-offer",
    text,
    choices: [
      { id: "yes", label: label("yes") },
      { id: "no", label: label("no") },
    ],
  });
}

const CONFIRM: Expectation = {
  step: "resume",
  rests: "confirm",
  slots: [],
  sealed: false,
  optional: false,
  choices: [
    { id: "yes", label: "1" },
    { id: "no", label: "2" },
  ],
};
