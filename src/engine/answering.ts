/**
 * An operator's message and the requests that wait for them: by code, the only one, or "which one?".
 */
import { inFlow } from "./conversation.ts";
import type { Draft } from "./draft.ts";
import { reprompt } from "./frames.ts";
import type { Content } from "./inbound.ts";
import { type Command, meaning } from "./meaning.ts";
import { programOf } from "./programs.ts";
import type { Frame } from "./session.ts";

/** "aprovar" with several open: how long the answer to "which one?" is taken for it. */
const PICK_MS = 10 * 60_000;

/** `aprovar A7`, `A7`, `recusar a7 por favor`: the text names an open request by its code. */
export function toRequest(draft: Draft, text: string): boolean {
  const { session } = draft;
  const words = text.toUpperCase().split(/[^0-9A-Z]+/);
  const frame = [...session.requests, ...session.frames].find(
    (other) => other.caller?.code !== undefined && words.includes(other.caller.code),
  );
  const code = frame?.caller?.code;
  if (!frame || !code) return false;
  const rest = text
    .replace(new RegExp(`(^|[^0-9A-Za-z])${code}(?![0-9A-Za-z])`, "i"), "$1 ")
    .trim();
  const picked = session.pick;
  const kept = picked && draft.env.now - picked.at <= PICK_MS ? picked.text : "";
  delete session.pick;
  engage(draft, frame, rest !== "" ? rest : kept);
  return true;
}

/** The operator turns to a request: it is answered at once, or becomes the question in progress. */
function engage(draft: Draft, frame: Frame, text: string): void {
  const { session } = draft;
  if (!session.frames.includes(frame)) {
    session.requests = session.requests.filter((other) => other !== frame);
    session.frames.push(frame);
  }
  if (text === "") reprompt(draft);
  else inFlow(draft, frame, { type: "text", text });
}

/** No code and no question in progress: the only open request, or "which one?". */
export function toAnyRequest(draft: Draft, content: Content, name: Command): boolean {
  const { session, env } = draft;
  const picked = session.pick;
  if (picked && env.now - picked.at <= PICK_MS && content.type !== "media") {
    const frame = pickedFrame(draft, content);
    if (frame) {
      delete session.pick;
      engage(draft, frame, picked.text);
      return true;
    }
  }
  const fitting = session.requests.filter((frame) => {
    const program = programOf(draft, frame);
    const meant = meaning(program.expects(frame.state, draft.context), content, draft.context);
    return meant.kind === "flow" && meant.event.type !== "BAD";
  });
  if (fitting.length === 0 || name !== "none") {
    if (fitting.length === 0) return false;
    if (name === "greeting" || name === "menu" || name === "thanks" || name === "help")
      return false;
  }
  const only = fitting[0];
  if (session.requests.length === 1 && only) {
    session.requests = [];
    session.frames.push(only);
    inFlow(draft, only, content);
    return true;
  }
  if (content.type !== "text") return false;
  session.pick = {
    text: content.text,
    at: env.now,
    requests: session.requests.map((frame) => frame.id),
  };
  draft.say({
    key: "which-request",
    text: env.library.word("which-request", { count: session.requests.length }, draft.context),
    choices: session.requests.map((frame) => ({
      id: `request:${frame.id}`,
      label: [frame.caller?.code, frame.caller?.from, summaryLine(draft, frame)]
        .filter((part) => part)
        .join(" · "),
    })),
  });
  return true;
}

function pickedFrame(draft: Draft, content: Content): Frame | undefined {
  const { session } = draft;
  const ids = session.pick?.requests ?? [];
  const find = (id: string | undefined) => session.requests.find((frame) => frame.id === id);
  if (content.type === "choice")
    return find(content.picks[0]?.id?.replace(/^request:/, "")) ?? undefined;
  if (content.type !== "text") return undefined;
  const number = /^\s*(\d{1,2})\s*[.)]?\s*$/.exec(content.text);
  return number ? find(ids[Number(number[1]) - 1]) : undefined;
}

function summaryLine(draft: Draft, frame: Frame): string {
  const rows = programOf(draft, frame).summary(frame.state, draft.context);
  const money = rows.find((row) => row.slot === "value") ?? rows[0];
  return money?.echo ?? "";
}
