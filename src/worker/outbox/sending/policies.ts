/**
 * What is asked of a message before it leaves: one ordered list of policies. Each may end it here, or change how it leaves.
 * A message that waits uses up no attempt.
 */
import type { Account, Mail, Outbound, Session } from "../../../engine/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { fileOf, openFileLink } from "../../context/files.ts";
import type { Held } from "../../fleet/effect-lease.ts";
import { dropped, type Ending, failedSend } from "../ending.ts";
import { entryOf, everyEffect, type SendEntry } from "../entry.ts";
import { lateForm } from "../pacing/unsettled-sends.ts";
import { resolveNumber } from "./numbers.ts";

/** A message on its way through the policies. */
export interface Send {
  readonly begun: Held;
  readonly entry: SendEntry;
  readonly account: Account;
  /** As it was committed together with this message, or read just now. */
  readonly session: Session | null;
  /** What is sent, and where to. */
  message: Outbound;
  address: string;
  /** What was found out about its reader on the way. */
  found?: Extract<Mail, { kind: "resolved" }>;
}

type Policy = (context: SendContext, send: Send) => Promise<Ending | undefined>;

/** A direct send that waits for one in the gateway's queue looks again after this, ms. */
const BEHIND_QUEUE_MS = 1_000;
/** … and waits at most this long for one that was asked for, virtual ms: a lost job must not silence a chat. */
const BEHIND_QUEUE_LIMIT_MS = 2 * 60_000;
/** An older message no longer answers: of several only the last is said, with an apology. Virtual ms. */
const STALE_MS = 30 * 60_000;
/** A send that the reserve stops looks again after this long, ms. */
const RESERVE_MS = 60_000;

/** In this order: what costs the least is asked first. */
export const POLICIES: readonly Policy[] = [
  isWanted,
  isInOrder,
  isFresh,
  isWithinReserve,
  withFile,
  withAddress,
];

async function isWanted(_context: SendContext, { entry, session }: Send) {
  const why = unwantedBy(entry, session);
  return why && dropped(why);
}

/**
 * Why this must not be sent to them now; undefined when it may: a person has taken the conversation over, or the contact
 * wants no messages.
 */
function unwantedBy(entry: SendEntry, session: Session | null): "handoff" | "opt-out" | undefined {
  if (session?.handoff && !entry.byHuman) return "handoff";
  // A message that may be said during a hand-off may have been queued before the opt-out.
  const isOut = session?.optOut && (!entry.byHuman || entry.work.at < session.optOut.since);
  return isOut ? "opt-out" : undefined;
}

/**
 * An earlier message to the same person, under a former name of theirs, still waits to leave. A held one counts only if it
 * keeps its place.
 */
async function isInOrder(context: SendContext, { begun, entry, session }: Send) {
  const { account, contact } = begun;
  const before = entry.byHuman ? [] : (session?.joined ?? []);
  if (before.some((one) => one.contact === contact)) return undefined;
  for (const { contact: former } of before) {
    const some = { account, contact: former, states: ["pending", "inflight", "held"] } as const;
    for await (const { payload, state, inPlace } of everyEffect(context.store, some)) {
      if (state === "held" && !inPlace) continue;
      const other = entryOf(payload);
      if (other.type === "send" && other.channel === entry.channel) return laterBehind(context);
    }
  }
  return undefined;
}

/** One that is too late to be an answer is dropped for a newer one that waits; the last one leaves with an apology. */
async function isFresh(context: SendContext, send: Send) {
  const { begun, entry, account, session } = send;
  const { at, result, late, slot = at } = entry.work;
  // A message that was given a later time counts from that time, so it is not late then.
  const since = late ? at : Math.max(at, slot);
  if (result || entry.byHuman || context.clock.now() - since < STALE_MS) return undefined;
  const some = { account: begun.account, contact: begun.contact, states: ["pending"] } as const;
  // The latest first, so a newer message is found at once; only the last one looks through all that waits.
  for await (const { id, payload } of everyEffect(context.store, some)) {
    const other = entryOf(payload);
    if (id !== begun.id && other.type === "send" && other.work.at >= at)
      return dropped("collapsed");
  }
  send.message = lateForm(entry.message, session?.locale ?? account.languages[0] ?? "pt-BR");
  return undefined;
}

/**
 * The plan's last share is kept for the results of calls; other messages wait. But a result leaves in its order. So the
 * messages right before a result may pass, too, and only the last of them is sent, as with messages that are late. A result
 * costs one more call at most.
 */
async function isWithinReserve(context: SendContext, { begun, entry, account }: Send) {
  if (entry.work.result || (await context.budget.allows(account))) return undefined;
  const { before, result } = await behind(context, begun);
  if (result) return before && !entry.byHuman ? dropped("collapsed") : undefined;
  context.alarms.raise({
    code: "plan.reserve",
    account: account.id,
    message: "The rest of this month's messaging calls is kept for the results of calls.",
  });
  return notBefore(context.clock.now() + RESERVE_MS);
}

/** Whether a result waits after this message, and whether another message is between the two. */
async function behind(
  { store }: Pick<SendContext, "store">,
  { account, contact, id }: Begun,
): Promise<{ result: boolean; before: boolean }> {
  const seen = { result: false, before: false };
  // The latest first. This message was begun because it is the first of its contact.
  for await (const other of everyEffect(store, { account, contact, states: ["pending"] })) {
    const entry = entryOf(other.payload);
    if (other.id === id || entry.type !== "send") continue;
    if (entry.work.result) Object.assign(seen, { result: true, before: false });
    else if (seen.result) seen.before = true;
  }
  return seen;
}

/** The bytes of a file the bot made, or a link to it where the channel takes none. If the file is gone the words go alone. */
async function withFile(context: SendContext, send: Send) {
  const { media, ...words } = send.message;
  if (media?.file === undefined) return undefined;
  const { file, ...rest } = media;
  const { account, contact } = send.begun;
  const kept = await fileOf(context, account, file);
  const base = context.publicUrl;
  if (kept && send.entry.channel !== "sms")
    send.message = { ...words, media: { ...rest, base64: kept.base64 } };
  else if (kept && base !== undefined) {
    const code = await openFileLink(context, { account, contact, file, until: kept.until });
    send.message = { ...words, media: { ...rest, url: `${base}/f/${code}` } };
  } else send.message = words;
  return undefined;
}

/** A number that was never tried is looked up, which takes its time: they may have written meanwhile. */
async function withAddress(context: SendContext, send: Send) {
  const { begun, entry, account, session } = send;
  const to = await resolveNumber(context, begun, entry, account, session);
  if (to.kind === "as-given") return undefined;
  if (to.kind === "later") return to.ending;
  if (to.kind === "unknown") return failedSend(context, begun, entry, to.reason);
  const why = unwantedBy(entry, await sessionOf(context, begun));
  if (why) return { ...dropped(why), mail: to.mail };
  send.address = to.address;
  send.found = to.mail;
  return undefined;
}

export async function sessionOf(context: SendContext, begun: Begun): Promise<Session | null> {
  const view = await context.store.views.session(begun.account, begun.contact);
  return view ? (view.session as unknown as Session) : null;
}

/**
 * Whether an earlier message of this chat is still in the gateway's queue, and not for longer than that limit. The store is
 * asked, because another process may have enqueued it; only for accounts that use the queue.
 */
export async function isBehindQueue(
  context: SendContext,
  begun: Begun,
  entry: SendEntry,
): Promise<boolean> {
  const { account, contact } = begun;
  if (!context.queue.mayRest(account)) return false;
  const some = { account, contact, states: ["enqueued"] } as const;
  const since = context.clock.now() - BEHIND_QUEUE_LIMIT_MS;
  for await (const { payload } of everyEffect(context.store, some)) {
    const other = entryOf(payload);
    if (other.type === "send" && other.channel === entry.channel && other.work.at > since)
      return true;
  }
  return false;
}

export function laterBehind({ clock }: Pick<SendContext, "clock">): Ending {
  return notBefore(clock.now() + BEHIND_QUEUE_MS);
}

function notBefore(at: number): Ending {
  return { outcome: { kind: "not_sent", at } };
}
