/**
 * Hand-off of a conversation to a person, and the opening hours in which somebody is there. The bot records why, tells the
 * business's people, and is silent until the conversation is given back or the time is over.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { tellOperators } from "../requests/outreach.ts";
import { programOf } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";
import { momentEcho } from "../../understanding/index.ts";
import type { Account } from "../session/account.ts";
import { opensAt } from "../session/business-clock.ts";

/** The opening time, for a customer who waits for the business; nothing while it is open. */
export function tellClosed(draft: TurnDraft): void {
  const { account, now } = draft.env;
  const opens = opensAt(account, now);
  if (opens === undefined || draft.session.role !== "customer") return;
  draft.word("closed", { when: opening(account, now, opens, draft.context.locale) });
}

/** "hoje às 09:00": when it opens. */
export function opening(
  { hours, zone }: Account,
  now: number,
  opens: number,
  locale: "pt-BR" | "en",
): string {
  return momentEcho({ at: opens, time: hours?.from ?? "", now, zone }, locale);
}

/** When the person who took over writes nothing, the bot returns after this time, ms. */
export const HANDOFF_MS = 12 * 3_600_000;

/** Begins a hand-off asked for by a flow or by the person. */
export function beginHandoff(draft: TurnDraft, frame: Frame | undefined, reason: string): void {
  const { session, env } = draft;
  const opens = opensAt(env.account, env.now);
  // Nobody is there before it opens: the time for an answer begins then.
  const until = (opens ?? env.now) + HANDOFF_MS;
  session.handoff = { since: env.now, reason, until };
  draft.loudness = "always"; // The sentence that announces it must still leave.
  draft.setTimer(session, "handoff.end", until);
  // However a person came to be called, somebody who would rather go on with the bot knows how.
  if (!draft.paragraphs.some(({ text }) => text.includes("*menu*"))) draft.word("handoff-how");
  tellClosed(draft);
  const summary = frame
    ? programOf(draft, frame)
        .summary(frame.state, draft.context)
        .map((row) => `${row.label}: ${row.echo}`)
        .join("\n")
    : "";
  tellOperators(draft, "handoff-notice", { name: session.name ?? "", reason, summary });
}
