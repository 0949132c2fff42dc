/**
 * Which answers the last messages gave, so that an edit or a deletion finds them before anything is confirmed.
 *
 * Every contact in the middle of a form stores this, so it is short: one text for each answer, `DIGEST frame slot,slot`,
 * and only for frames that still exist. If two of these messages had the same digest, a question would be asked again.
 */
import type { Session } from "../session/session.ts";

type Kept = Pick<Session, "given" | "frames" | "requests">;

/** Messages for which the answers are remembered. */
export const REMEMBERED = 20;

/** 32 bits of the channel's message id (FNV-1a), base 36: an id itself may be 60 characters long. */
export function digestOf(id: string): string {
  let hash = 2166136261;
  for (let index = 0; index < id.length; index++)
    hash = Math.imul(hash ^ id.charCodeAt(index), 16777619) >>> 0;
  return hash.toString(36);
}

function entryOf(digest: string, frame: string, slots: readonly string[]): string {
  return `${digest} ${frame} ${slots.join(",")}`;
}

function parts(entry: string): { digest: string; frame: string; slots: string[] } {
  const [digest = "", frame = "", slots = ""] = entry.split(" ");
  return { digest, frame, slots: slots === "" ? [] : slots.split(",") };
}

/** The frame of an entry, as in {@link parts}. It is read from each entry in each turn, so it must be fast. */
function frameOf(entry: string): string {
  const from = entry.indexOf(" ") + 1;
  return entry.slice(from, entry.indexOf(" ", from));
}

/** Remembers that these messages gave a frame these answers, in place of their earlier ones. */
export function remember(
  session: Kept,
  messages: readonly string[],
  frame: string,
  slots: readonly string[],
): void {
  if (messages.length === 0) return;
  const digests = messages.map(digestOf);
  const isOf = (entry: string) => digests.some((digest) => entry.startsWith(`${digest} `));
  const others = (session.given ?? []).filter((entry) => !isOf(entry));
  const given = digests.map((digest) => entryOf(digest, frame, slots));
  session.given = [...others, ...given].slice(-REMEMBERED);
}

/** The slots of a frame that a message answered; none when it is not remembered. */
export function slotsGiven(session: Kept, frame: string, message: string): readonly string[] {
  return slotsOf(session, frame, digestOf(message));
}

/** The same, by the digest of the message's id. */
export function slotsOf(session: Kept, frame: string, digest: string): readonly string[] {
  const found = session.given?.map(parts).find((one) => one.digest === digest);
  return found?.frame === frame ? found.slots : [];
}

/** A frame's slots under other names; one without a name any more is left out. */
export function renameSlots(
  session: Kept,
  frame: string,
  slot: (name: string) => string | undefined,
): void {
  session.given = session.given?.map((entry) => {
    const one = parts(entry);
    if (one.frame !== frame) return entry;
    return entryOf(
      one.digest,
      frame,
      one.slots.flatMap((name) => slot(name) ?? []),
    );
  });
}

/** The entries with their frames under other names. */
export function renameFrames(
  given: readonly string[],
  nameOf: (frame: string) => string,
): string[] {
  return given.map((entry) => {
    const { digest, frame, slots } = parts(entry);
    return entryOf(digest, nameOf(frame), slots);
  });
}

/** Removes the entries of frames that have ended. */
export function tidy(session: Kept): void {
  if (!session.given) return;
  const there = new Set([...session.frames, ...session.requests].map(({ id }) => id));
  const kept = session.given.filter((entry) => there.has(frameOf(entry)));
  if (kept.length === 0) delete session.given;
  else if (kept.length < session.given.length) session.given = kept;
}
