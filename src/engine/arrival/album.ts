/**
 * Pictures that were sent together arrive one by one: in an album that names them, or within seconds. The conversation
 * gets the first one as one message. A later one is read only when it has words of its own.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Content } from "../session/inbound.ts";

/** Pictures that follow each other within this time were sent together, ms: an album is uploaded picture by picture. */
const TOGETHER_MS = 6_000;

/** Whether this is a further picture of those that were answered already. `id`: of its message. */
export function isFurther({ session, env }: TurnDraft, content: Content, id: string): boolean {
  if (content.type !== "media") return false;
  const { media, album, caption } = content;
  const isPicture = media === "image" || media === "video";
  if (!isPicture && album === undefined) return false;
  const last = session.album;
  session.album = { of: album ?? id, at: env.now };
  if (caption !== undefined || !last) return false;
  return last.of === (album ?? id) || (isPicture && env.now - last.at < TOGETHER_MS);
}
