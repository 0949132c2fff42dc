/**
 * Which of the bot's last messages showed which request, so that a reply to one is about that request only.
 *
 * Only the business's people store this, never customers in a form. Each message is one text, `DIGEST frame code`. The
 * entries of a request that is over stay, because a reply to it must not decide another one.
 */
import type { ShownRequest } from "../session/effect.ts";
import { digestOf } from "../arrival/recent-answers.ts";
import type { Session } from "../session/session.ts";

type Kept = Pick<Session, "shown">;

/** Messages remembered: more requests than these are answered by their codes. */
export const SHOWN = 20;

/** Remembers that a message of the bot left under this id and ends with this request. */
export function rememberShown(session: Kept, message: string, request: ShownRequest): void {
  const entry = `${digestOf(message)} ${request.frame} ${request.code}`;
  const others = (session.shown ?? []).filter((other) => other !== entry);
  session.shown = [...others, entry].slice(-SHOWN);
}

/** The request that a message of ours ends with; undefined when it shows none, or is forgotten. */
export function shownBy(session: Kept, message: string): ShownRequest | undefined {
  const digest = digestOf(message);
  const entry = session.shown?.findLast((one) => one.startsWith(`${digest} `));
  const [, frame = "", code = ""] = entry?.split(" ") ?? [];
  return entry === undefined ? undefined : { frame, code };
}

/** Whether it is known which messages showed the request of this frame. */
export function isShown(session: Kept, frame: string): boolean {
  return session.shown?.some((entry) => entry.split(" ")[1] === frame) === true;
}

/** The entries with their frames under other names. */
export function renameShown(shown: readonly string[], nameOf: (frame: string) => string): string[] {
  return shown.map((entry) => {
    const [digest = "", frame = "", code = ""] = entry.split(" ");
    return `${digest} ${nameOf(frame)} ${code}`;
  });
}
