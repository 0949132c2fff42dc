/** After an opt-out, only the wish for no more messages is kept of a conversation. */
import { newSession, type TurnDraft } from "../session/turn-draft.ts";
import type { Session } from "../session/session.ts";

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
