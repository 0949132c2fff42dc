/** What a conversation sends to the business's people: requests that need an answer, their withdrawal, and notices. */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Mail } from "../session/mail.ts";
import type { Demand } from "../turn/program.ts";
import { programOf } from "../turn/programs.ts";
import { codeOf } from "./request-code.ts";
import { countRequest } from "./asked-requests.ts";
import type { Frame, Invocation } from "../session/frame.ts";

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
