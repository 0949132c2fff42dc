/** One message on its way out: checked against the session once more, rendered, sent, and its end judged. */
import type { Account, ChannelName, Outbound, Session } from "../../../engine/index.ts";
import {
  type CallOutcome,
  findRoute,
  type RouteId,
  sentMessageId,
} from "../../../gateway/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { callGateway, textField } from "../../calls.ts";
import { openFileLink, fileOf } from "../../context/files.ts";
import { isBehindFormer, isBehindQueue, laterBehind } from "./ordering.ts";
import { dropped, type Ending, failedMail, told } from "../ending.ts";
import { everyEffect, asideOf, entryOf, planScope, type SendEntry } from "../entry.ts";
import type { RenderedCall } from "../../ports.ts";
import { linkedInstead, phoneIn, resolveNumber } from "./numbers.ts";
import { isReleased, RATE_LIMITED } from "../pacing/releases.ts";
import { keptBack } from "../pacing/reserve.ts";
import { lateForm } from "../pacing/unsettled-sends.ts";
import type { Held } from "../../fleet/effect-lease.ts";
import { nameAnswer } from "../../context/person.ts";
import { unwantedBy } from "./unwanted.ts";
import { retryDelayMs, verdict } from "../verdict.ts";
import type { Json } from "../../../base/index.ts";

/** An older message no longer answers: of several only the last is said, with an apology. Virtual ms. */
const STALE_MS = 30 * 60_000;

/** `known`: the session as it was committed a moment ago, together with this message. */
export async function performSend(
  context: SendContext,
  begun: Held,
  entry: SendEntry,
  account: Account,
  known?: Session,
): Promise<Ending> {
  const whole = known ?? (await sessionOf(context, begun));
  const session = entry.byHuman ? null : whole;
  const unwanted = unwantedBy(entry, whole);
  if (unwanted) return dropped(unwanted);
  if (await isBehindFormer(context, begun, entry, session)) return laterBehind(context);
  const fresh = await freshMessage(context, begun, entry, account, session);
  if (!fresh) return dropped("collapsed");
  const kept = await keptBack(context, begun, entry, account);
  if (kept) return kept;
  const message = await withFile(context, begun, entry.channel, fresh);
  const { channel } = entry;
  // Most people wrote from the address we answer to. Only bare digits may be a number that was never tried.
  const bare = /^\d+$/.test(entry.address);
  const whose = session ?? (bare ? (known ?? (await sessionOf(context, begun))) : null);
  const to = await resolveNumber(context, begun, entry, account, whose);
  if (to.kind === "later") return to.ending;
  if (to.kind === "unknown") return failedSend(context, begun, entry, to.reason);
  // The look-up took its time: they may have written meanwhile.
  const late = to.kind === "found" && unwantedBy(entry, await sessionOf(context, begun));
  if (late) return { ...dropped(late), mail: to.mail };
  const address = to.kind === "found" ? to.address : entry.address;
  const call = context.channels.render(message, { channel, address, account });
  const hashes = context.echoes.hashes(message, call.text);
  if (begun.attempt > 1) {
    const echo = await context.echoes.take(account.id, begun.contact, hashes, entry.work.at);
    if (echo !== undefined) return told(entry, arrived(hashes, echo, { dropped: "echoed" }));
  }
  context.echoes.sending(account.id, begun.contact, hashes);
  const since = context.clock.now();
  let way = await deliver(context, begun, entry, account, call);
  const linked = way ? linkedInstead(way.outcome, entry, whole) : undefined;
  if (linked !== undefined) {
    const again = context.channels.render(message, { channel, address: linked, account });
    way = await deliver(context, begun, entry, account, again);
  }
  if (!way) return laterBehind(context);
  const ending = await conclude(
    context,
    { begun, entry, account, call, hashes, since, queued: way.queued },
    way.outcome,
  );
  const learnt =
    linked === undefined ? undefined : ({ kind: "resolved", address: linked } as const);
  return told(entry, ending, to.kind === "found" ? to.mail : learnt);
}

/** The bytes of a file the bot made, or a link to it where the channel takes none. If the file is gone the words go alone. */
async function withFile(
  context: SendContext,
  { account, contact }: Begun,
  channel: ChannelName,
  message: Outbound,
): Promise<Outbound> {
  const { media, ...words } = message;
  if (media?.file === undefined) return message;
  const { file, ...rest } = media;
  const kept = await fileOf(context, account, file);
  if (!kept) return words;
  if (channel !== "sms") return { ...words, media: { ...rest, base64: kept.base64 } };
  const base = context.publicUrl;
  if (base === undefined) return words;
  const code = await openFileLink(context, { account, contact, file, until: kept.until });
  return { ...words, media: { ...rest, url: `${base}/f/${code}` } };
}

/** Our own echo says that it left. */
function arrived(hashes: string[], id: string, line: NonNullable<Ending["line"]> = {}): Ending {
  const sent = { hashes, ...(id === "" ? {} : { id }) };
  return { outcome: { kind: "done" }, line: { ...line, sent } };
}

async function sessionOf(context: SendContext, begun: Begun): Promise<Session | null> {
  const view = await context.store.views.session(begun.account, begun.contact);
  return view ? (view.session as unknown as Session) : null;
}

/** Null when a newer message of this contact waits and this one is too late to be an answer. */
async function freshMessage(
  context: SendContext,
  begun: Begun,
  entry: SendEntry,
  account: Account,
  session: Session | null,
): Promise<Outbound | null> {
  const { at, result, late, slot = at } = entry.work;
  const now = context.clock.now();
  // A message that was given a later time counts from that time, so it is not late then.
  const since = late ? at : Math.max(at, slot);
  if (at === 0 || result || entry.byHuman || now - since < STALE_MS) return entry.message;
  const { contact } = begun;
  // The latest first, so a newer message is found at once; only the last one looks through all that waits.
  for await (const { id, payload } of everyEffect(context.store, {
    account: begun.account,
    contact,
    states: ["pending"],
  })) {
    const other = entryOf(payload);
    if (id !== begun.id && other.type === "send" && other.work.at >= at) return null;
  }
  return lateForm(entry.message, session?.locale ?? account.languages[0] ?? "pt-BR");
}

/**
 * Sends by the queue in queue mode, and by the synchronous route where the engine has no queue, which is remembered. Null:
 * a direct send would overtake one that this contact still has in the queue.
 */
async function deliver(
  context: SendContext,
  begun: Held,
  entry: SendEntry,
  account: Account,
  call: RenderedCall,
): Promise<{ outcome: CallOutcome; queued: boolean } | null> {
  const by = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
  const route = call.route as RouteId;
  const mayLeave = begun.lease.isHeld;
  const hasQueue = findRoute(route)?.queue === "yes" && !context.queue.isRefused(account.id, route);
  if (account.sendMode === "queue") context.queue.uses(account.id);
  if (account.sendMode === "queue" && hasQueue) {
    const options = { queue: true, mayLeave };
    const outcome = await callGateway(context, account, route, call.body, options, by);
    if (!isWithoutQueue(outcome)) return { outcome, queued: true };
    context.queue.refuse(account.id, route);
  }
  if (await isBehindQueue(context, begun, entry)) return null;
  const outcome = await callGateway(context, account, route, call.body, { mayLeave }, by);
  return { outcome, queued: false };
}

/** Whether a send whose process died may have been taken into the queue. A send without a queue left directly, if at all. */
export function mayBeQueued(
  { channels }: Pick<SendContext, "channels">,
  { message, channel, address }: SendEntry,
  account: Account,
): boolean {
  if (account.sendMode !== "queue") return false;
  const { route } = channels.render(message, { channel, address, account });
  return findRoute(route)?.queue === "yes";
}

function isWithoutQueue(outcome: CallOutcome): boolean {
  if (outcome.kind !== "refused" && outcome.kind !== "business_error") return false;
  return /queue_not_available/.test(`${outcome.code ?? ""} ${outcome.message ?? ""}`);
}

interface Sent {
  readonly begun: Begun;
  readonly entry: SendEntry;
  readonly account: Account;
  readonly call: RenderedCall;
  readonly hashes: string[];
  /** Virtual time at which its call began. */
  readonly since: number;
  readonly queued: boolean;
}

async function conclude(context: SendContext, sent: Sent, outcome: CallOutcome): Promise<Ending> {
  const { begun, account, hashes, queued, since } = sent;
  const route = sent.call.route as RouteId;
  const { onTimeout } = account;
  const judged = verdict({ route, queued, onTimeout, attempt: begun.attempt }, outcome);
  const scope = planScope(account.id, sent.entry.channel);
  switch (judged.kind) {
    case "done": {
      const data = outcome.kind === "ok" ? (outcome.data as Json) : null;
      const job = queued ? textField(data, "id") : undefined;
      if (job !== undefined) {
        // In a quick queue the echo is here before the answer.
        const echo = context.echoes.takeKnown(account.id, begun.contact, hashes, since);
        if (echo !== undefined) {
          context.echoes.sent(account.id, begun.contact, echo);
          return arrived(hashes, echo);
        }
        context.queue.enqueued(account.id);
      }
      const id = job ?? sentMessageId(data);
      const isSent = job === undefined && id !== undefined;
      if (isSent) context.echoes.sent(account.id, begun.contact, id, sent.entry.address);
      return {
        outcome: job === undefined ? { kind: "done" } : { kind: "enqueued", job },
        ...(isSent && sent.entry.channel === "sms"
          ? { beside: nameAnswer(context, begun, phoneIn(sent.entry.address), id) }
          : {}),
        line: {
          sent: { hashes, ...(id === undefined ? {} : { id }) },
          ...(begun.attempt > 1 ? { possibleDuplicate: true } : {}),
        },
      };
    }
    case "retry": {
      const at = context.clock.now() + retryDelayMs(begun.attempt, context.random.int(1e6) / 1e6);
      return { outcome: judged.counts ? { kind: "retry", at } : { kind: "not_sent", at } };
    }
    case "pause":
      await context.scopes.pauseFor(scope, judged.reason);
      return { outcome: { kind: "not_sent", at: context.clock.now() } };
    case "held":
      if (judged.pauseMs !== undefined)
        await context.scopes.pauseFor(
          scope,
          "rate_limited",
          context.clock.shared() + judged.pauseMs,
        );
      if (judged.reason === RATE_LIMITED && isReleased(context.effects, account, sent.entry))
        return resting(sent.entry);
      return (
        (await provedSend(context, sent)) ?? failedSend(context, begun, sent.entry, judged.reason)
      );
    case "failed":
      return failedSend(context, begun, sent.entry, `failed:${judged.reason}`);
    case "rejected":
      return failedSend(context, begun, sent.entry, "failed:refused");
  }
}

/** A send whose answer was lost, and whose echo was heard meanwhile. A send that certainly did not leave has none. */
export async function provedSend(
  context: Pick<SendContext, "echoes">,
  { begun, hashes, since }: Pick<Sent, "begun" | "hashes" | "since">,
): Promise<Ending | null> {
  const echo = await context.echoes.take(begun.account, begun.contact, hashes, since);
  if (echo === undefined) return null;
  if (echo !== "") context.echoes.sent(begun.account, begun.contact, echo);
  return arrived(hashes, echo);
}

/**
 * Goes again when its scope's time is over, and the rest of its turn with it; until then nobody calls it failed. It keeps its
 * place: another process may not have heard of the pause yet, or have seen it over before this is written down.
 */
function resting({ turn }: SendEntry): Ending {
  return {
    outcome: { kind: "held", reason: RATE_LIMITED, inPlace: true },
    line: { reason: RATE_LIMITED },
    holdTurn: turn,
  };
}

/** Failed sends are kept where an operator sees them and can send them again, with the later messages of the turn. */
export function failedSend(
  context: Pick<SendContext, "alarms">,
  begun: Begun,
  entry: SendEntry,
  reason: string,
): Ending {
  context.alarms.raise({
    code: "send.failed",
    account: begun.account,
    subject: reason,
    message: `A message was given up (${reason}) and, as far as is known, not delivered; it waits among the failed sends.`,
    ...asideOf(entry),
  });
  return {
    outcome: { kind: "held", reason },
    mail: failedMail(begun.id, entry, reason),
    line: { reason },
    holdTurn: entry.turn,
  };
}
