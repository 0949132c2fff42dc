/**
 * What a conversation sends to the business's people: requests that need an answer, their withdrawal, and notices. And which
 * requests wait, in short descriptions, with the limits of how many may.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Mail } from "../session/mail.ts";
import type { Demand } from "../turn/program.ts";
import { programOf, titleOf } from "../turn/programs.ts";
import { codeOf } from "./request-code.ts";
import { type Frame, type Invocation, isRequest } from "../session/frame.ts";
import { shortName } from "../../understanding/index.ts";
import type { JsonObject } from "../../base/index.ts";

type Withdrawal = Extract<Mail, { kind: "withdrawn" }>["reason"];

/** Longest amount as it is shown. */
const MAX_ABOUT = 40;

/** Sender's side: sends the request to every number of `to`. */
export function announce(
  draft: TurnDraft,
  frame: Frame,
  call: Invocation,
  demand: Extract<Demand, { type: "notify" }>,
): void {
  const { session } = draft;
  countRequest(draft);
  const request = `${session.contact}:${call.epoch}`;
  // What the asker's answers look like, documents masked: the other side shows exactly what the digest stands for.
  const rows = programOf(draft, frame).summary(frame.state, draft.context);
  const summary = rows.map((row) => `${row.label}: ${row.echo}`).join("\n");
  const about = rows.find(({ slot }) => slot === "value")?.echo.slice(0, MAX_ABOUT);
  const heeds = programOf(draft, frame).heeds?.(call.step);
  call.request = request;
  call.to = [...demand.to];
  for (const to of demand.to)
    draft.post(to, {
      kind: "request",
      request,
      code: codeOf(request),
      flow: demand.flow,
      input: { ...demand.input, summary },
      from: { contact: session.contact, ...(session.name ? { name: session.name } : {}) },
      waiter: { frame: frame.id, step: call.step, for: call.for, epoch: call.epoch },
      within: demand.withinMs,
      ...(about ? { about } : {}),
      ...(heeds ? { heeds: [...heeds] } : {}),
    });
}

/** Sender's side: the request needs no answer any more. All recipients but `except` get a notice. */
export function withdraw(
  draft: TurnDraft,
  call: Invocation,
  reason: Withdrawal,
  by?: { contact: string; name?: string | undefined; outcome: string },
): void {
  if (!call.request) return;
  for (const to of call.to ?? [])
    draft.post(to, {
      kind: "withdrawn",
      request: call.request,
      reason,
      ...(by ? { by: by.name ?? by.contact, answered: by.contact, outcome: by.outcome } : {}),
    });
}

/** Sender's side: reminds all recipients. */
export function remind(draft: TurnDraft, call: Invocation): void {
  if (!call.request) return;
  for (const to of call.to ?? []) draft.post(to, { kind: "remind", request: call.request });
}

/** A notice to the business's people, except the one who is writing. */
export function tellOperators(draft: TurnDraft, key: string, vars: Record<string, string>): void {
  for (const { alias } of draft.env.account.operators)
    if (alias !== draft.env.alias) draft.post(alias, { kind: "notice", key, vars });
}

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

/**
 * "R$ 150,00 (Maria S.)", one for each; where a flow knows neither, its title. Amount, first name and one letter, or a masked
 * document: enough to tell requests apart, and little for a bystander. What is not loaded is on its way out.
 */
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

function countRequest({ session, env }: TurnDraft): void {
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
