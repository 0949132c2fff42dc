/**
 * Something happened outside: a payment, a parcel, a form that was filled in. A step that waits for it takes it; what
 * comes before anybody waits is kept for a while, because the world does not ask how far a conversation is.
 */
import type { JsonObject } from "../base/index.ts";
import type { Draft } from "./draft.ts";
import { reprompt, send } from "./frames.ts";
import type { Mail } from "./mail.ts";
import type { Frame, Invocation } from "./session.ts";

/** How long an event waits for a step that wants it. */
const KEPT_MS = 24 * 3_600_000;
/** Events kept of one contact; the oldest go. */
const KEPT_MAX = 20;

export function happened(draft: Draft, mail: Extract<Mail, { kind: "event" }>): void {
  const { session, env } = draft;
  // The conversation on top has been waiting for the shortest time, and is what the person thinks of.
  for (const frame of [...session.requests, ...session.frames].reverse())
    for (const call of [...frame.invocations]) {
      const { top } = draft;
      if (call.name !== mail.name || !takes(draft, frame, call, mail.data)) continue;
      // What it began on top asks by itself.
      if (top && top !== frame && draft.top === top) reprompt(draft, "resume");
      return;
    }
  const fresh = (session.events ?? []).filter(({ at }) => env.now - at < KEPT_MS);
  session.events = [...fresh, { name: mail.name, data: mail.data, at: env.now }].slice(-KEPT_MAX);
  draft.quiet = "kept";
}

/** A step begins to wait: what it waits for may have happened already. */
export function lookBack(draft: Draft, frame: Frame, call: Invocation): void {
  const { session, env } = draft;
  for (const event of session.events ?? []) {
    const counts = event.name === call.name && env.now - event.at < KEPT_MS;
    if (!counts || !takes(draft, frame, call, event.data)) continue;
    session.events = session.events?.filter((other) => other !== event);
    return;
  }
}

/** Whether the step takes it; which events count is the flow's to say. */
function takes(draft: Draft, frame: Frame, call: Invocation, data: JsonObject): boolean {
  if (call.kind !== "wait" || !frame.invocations.includes(call)) return false;
  // Once taken, the frame has moved on and holds the call no more.
  return send(draft, frame, { type: `${call.step}.got`, for: call.for, out: data });
}
