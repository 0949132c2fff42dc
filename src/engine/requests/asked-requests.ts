/**
 * What a customer asked of the business: short descriptions of the requests that wait, and the limits of how many may. A description is
 * the amount, and the person by first name and one letter, or by a masked document. That is enough to tell requests apart, and shows
 * little to a bystander.
 */
import { shortName } from "../../understanding/index.ts";
import type { JsonObject } from "../../base/index.ts";
import { type Frame, isRequest } from "../session/frame.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { titleOf } from "../turn/programs.ts";

/** Longest part, letters. */
const MAX_PART = 40;
const DAY_MS = 86_400_000;
/** Times that are remembered; the limit of a day is not above it. */
const REMEMBERED = 200;

/** Requests that wait for an answer, the oldest first. */
function waitingOf({ session }: TurnDraft): readonly Frame[] {
  return session.frames.filter(
    (frame) => !isRequest(frame) && frame.invocations.some(({ kind }) => kind === "notify"),
  );
}

/** "R$ 150,00 (Maria S.)", one for each; where a flow knows neither, its title. What is not loaded is on its way out. */
export function waitingRows(draft: TurnDraft): readonly string[] {
  return waitingOf(draft).flatMap((frame) => {
    const program = draft.env.library.get(frame.flow, frame.hash);
    if (!program) return [];
    const rows = program.summary(frame.state, draft.context);
    const echo = (slot: string) => rows.find((row) => row.slot === slot)?.echo.slice(0, MAX_PART);
    const [value, name] = [echo("value"), echo("name")];
    const whom = name === undefined ? echo("document") : shortName(name);
    if (value === undefined) return whom ?? titleOf(draft, program);
    return whom === undefined ? value : `${value} (${whom})`;
  });
}

/** Counts a request. */
export function countRequest({ session, env }: TurnDraft): void {
  const since = env.now - DAY_MS;
  const recent = (session.asked ?? []).filter((at) => at > since);
  session.asked = [...recent, env.now].slice(-REMEMBERED);
}

/** Whether one more request would be within the account's limits. The business's own people have none. */
function mayRequest({ session, env }: TurnDraft): boolean {
  const { openRequests, requestsPerDay } = env.account.policy;
  if (env.role === "operator") return true;
  const open = session.frames.filter(({ invocations }) =>
    invocations.some(({ kind, class: of }) => kind === "notify" || of === "fiscal"),
  ).length;
  const since = env.now - DAY_MS;
  const today = (session.asked ?? []).filter((at) => at > since).length;
  return open < openRequests && today < requestsPerDay;
}

/** `contact.*` as flows see it. */
export function contactView(draft: TurnDraft): JsonObject {
  const { name, role, served } = draft.session;
  const waiting = waitingRows(draft);
  return {
    role,
    mayRequest: mayRequest(draft),
    returning: served !== undefined,
    ...(waiting.length === 0 ? {} : { waiting: waiting.join("; ") }),
    ...(name === undefined ? {} : { name }),
  };
}
