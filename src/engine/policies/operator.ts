/** What an operator does to a conversation from the console: take it over, write in it, give it back. */
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt, send } from "../stack/frames.ts";
import { HANDOFF_MS } from "./handoff.ts";
import type { Mail } from "../session/mail.ts";
import { withdraw } from "../requests/outreach.ts";
import { expects } from "../turn/programs.ts";
import { putBack } from "../requests/open-requests.ts";
import { isRequest, keepTimers } from "../session/frame.ts";

/** Ends a hand-off: its time is over, or a person gave the conversation back. */
export function endHandoff(draft: TurnDraft, key: "handoff-returned" | "handoff-over"): void {
  const { session } = draft;
  if (!session.handoff) {
    draft.quiet = "stale";
    return;
  }
  delete session.handoff;
  keepTimers(session, ({ name }) => name !== "handoff.end");
  const { top } = draft;
  if (!top) {
    if (key === "handoff-returned") draft.word(key);
    else draft.quiet = "waiting";
    return;
  }
  draft.word(key);
  // Every flow that called for a person goes on, also below a digression that is the question now.
  const waiting = session.frames.filter((frame) => expects(draft, frame).rests === "handoff");
  for (const frame of waiting)
    if (session.frames.includes(frame)) send(draft, frame, { type: "RESUME" });
  if (!waiting.includes(top)) reprompt(draft);
}

/** An operator's action from the console or the command line. */
export function operated(draft: TurnDraft, mail: Extract<Mail, { kind: "operator" }>): void {
  const { session, env } = draft;
  switch (mail.action) {
    case "take":
      session.handoff = {
        since: env.now,
        reason: session.handoff?.reason ?? "taken",
        by: mail.actor,
        until: env.now + HANDOFF_MS,
      };
      draft.setTimer(session, "handoff.end", env.now + HANDOFF_MS);
      draft.quiet = "handoff";
      return;
    case "say":
      draft.loudness = "always";
      draft.say({ key: "operator", text: mail.text ?? "" });
      if (session.handoff) {
        delete session.handoff.typed;
        session.handoff.until = env.now + HANDOFF_MS;
        draft.setTimer(session, "handoff.end", session.handoff.until);
      }
      return;
    case "return":
      endHandoff(draft, "handoff-returned");
      return;
    case "release":
    case "restart":
      for (const frame of session.frames) {
        if (isRequest(frame)) putBack(draft, frame);
        for (const call of frame.invocations) withdraw(draft, call, "cancelled");
      }
      session.frames = [];
      session.endedAt = env.now;
      delete session.handoff;
      delete session.burst;
      delete session.pick;
      keepTimers(session, () => false);
      draft.quiet = "released";
      return;
  }
}
