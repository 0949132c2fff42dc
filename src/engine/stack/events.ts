/** Outside events: a payment, a parcel, a form that was filled in. The step that waits for one takes it. */
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt, takes } from "./frames.ts";
import { keepEvent } from "./early-events.ts";
import type { Mail } from "../session/mail.ts";

export function happened(draft: TurnDraft, mail: Extract<Mail, { kind: "event" }>): void {
  const { session } = draft;
  // The conversation on top has been waiting for the shortest time, and is what the person thinks of.
  for (const frame of [...session.requests, ...session.frames].reverse())
    for (const call of [...frame.invocations]) {
      const { top } = draft;
      if (call.name !== mail.name || !takes(draft, frame, call, mail.data)) continue;
      // What it began on top asks by itself.
      if (top && top !== frame && draft.top === top) reprompt(draft, "resume");
      return;
    }
  keepEvent(draft, mail);
  draft.quiet = "kept";
}
