/**
 * What the last messages gave and what became of them, so that an edit or a deletion finds their answers before anything is confirmed.
 *
 * Every contact in the middle of a form stores the answers, so they are short: one text for each, `DIGEST frame slot,slot`, and only
 * for frames that still exist. If two of these messages had the same digest, a question would be asked again.
 *
 * Engines announce one edit in several forms (with its words, without them, as a deletion), in any order. A form without words waits a
 * moment for the form that has them. Only contacts who edit messages store edits.
 */
import type { Session } from "../session/session.ts";
import type { TurnDraft } from "../session/turn-draft.ts";

type Kept = Pick<Session, "given" | "frames" | "requests">;

/** Messages for which the answers, and edits, are remembered. */
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

export type Revision = NonNullable<Session["revised"]>[number];

export const REVISED_TIMER = "revised";
/** A form without words waits this long for one with words, ms. Engines post the forms of one edit within a second. */
const WAIT_MS = 1_000;
/**
 * A form without words this soon after one with words is the same edit, ms. People take longer to edit and then delete a
 * message.
 */
const SAME_MS = 3_000;

/** What happened last to a message; undefined when it is as it was sent. */
export function revisionOf({ revised }: Session, message: string): Revision | undefined {
  if (!revised) return undefined;
  const digest = digestOf(message);
  return revised.find(({ id }) => id === digest);
}

/** Whether a form without words tells of nothing new after the words of an edit. */
export function isSameEdit({ env }: TurnDraft, { how, at }: Revision): boolean {
  return how === "edit" && env.now - at < SAME_MS;
}

/** Remembers what happened to a message; what happened to it before is over. */
export function recordRevision(
  { session, env }: TurnDraft,
  message: string,
  revision: Omit<Revision, "id" | "at">,
): void {
  const id = digestOf(message);
  const others = (session.revised ?? []).filter((other) => other.id !== id);
  session.revised = [...others, { id, at: env.now, ...revision }].slice(-REMEMBERED);
  session.timers = session.timers.filter(
    ({ name }) => name !== REVISED_TIMER || isWaiting(session),
  );
}

/** The same, and the person hears of it in a moment unless its words follow. */
export function holdRevision(
  draft: TurnDraft,
  message: string,
  revision: Omit<Revision, "id" | "at" | "waits">,
): void {
  recordRevision(draft, message, { ...revision, waits: true });
  draft.setTimer(draft.session, REVISED_TIMER, draft.env.now + WAIT_MS);
  draft.quiet = "revised";
}

/** Whether the person has not yet heard of an edit or a deletion. */
export function isWaiting({ revised }: Session): boolean {
  return revised?.some(({ waits }) => waits === true) === true;
}

/** Edits and deletions that the person must hear of now. */
export function takeWaiting({ session }: TurnDraft): readonly Revision[] {
  const waiting = session.revised?.filter(({ waits }) => waits) ?? [];
  session.revised = session.revised?.map(({ waits: _over, ...rest }) => rest);
  session.timers = session.timers.filter(({ name }) => name !== REVISED_TIMER);
  return waiting;
}
