/** One message on its way out: asked by the policies, rendered, sent, and its end judged. */
import type { Json } from "../../../base/index.ts";
import type { Account, Session } from "../../../engine/index.ts";
import {
  type CallOutcome,
  findRoute,
  type RouteId,
  sentMessageId,
} from "../../../gateway/index.ts";
import { RATE_LIMITED } from "../../../store/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import { callGateway, textField } from "../../calls.ts";
import type { SendContext } from "../../context/contexts.ts";
import { nameAnswer } from "../../context/person.ts";
import type { Held } from "../../fleet/effect-lease.ts";
import type { RenderedCall } from "../../ports.ts";
import { type Ending, failedSend, told, waiting } from "../ending.ts";
import { planScope, type SendEntry } from "../entry.ts";
import { isReleased } from "../pacing/releases.ts";
import { verdict } from "../verdict.ts";
import { linkedInstead, phoneIn } from "./numbers.ts";
import { isBehindQueue, laterBehind, POLICIES, type Send, sessionOf } from "./policies.ts";

/** `known`: the session as it was committed a moment ago, together with this message. */
export async function performSend(
  context: SendContext,
  begun: Held,
  entry: SendEntry,
  account: Account,
  known?: Session,
): Promise<Ending> {
  const session = known ?? (await sessionOf(context, begun));
  const { message, address } = entry;
  const send: Send = { begun, entry, account, session, message, address };
  for (const policy of POLICIES) {
    const ending = await policy(context, send);
    if (ending) return ending;
  }
  const to = { channel: entry.channel, account };
  const call = context.channels.render(send.message, { ...to, address: send.address });
  const hashes = context.echoes.hashes(send.message, call.text);
  if (begun.attempt > 1) {
    const echo = await context.echoes.take(account.id, begun.contact, hashes, entry.work.at);
    if (echo !== undefined) return told(entry, arrived(hashes, echo, { dropped: "echoed" }));
  }
  context.echoes.sending(account.id, begun.contact, hashes);
  const since = context.clock.now();
  let way = await deliver(context, begun, entry, account, call);
  const linked = way ? linkedInstead(way.outcome, entry, session) : undefined;
  if (linked !== undefined) {
    const again = context.channels.render(send.message, { ...to, address: linked });
    way = await deliver(context, begun, entry, account, again);
    send.found ??= { kind: "resolved", address: linked };
  }
  if (!way) return laterBehind(context);
  const sent = { begun, entry, account, call, hashes, since, queued: way.queued };
  return told(entry, await conclude(context, sent, way.outcome), send.found);
}

/** Our own echo says that it left. */
function arrived(hashes: string[], id: string, line: NonNullable<Ending["line"]> = {}): Ending {
  const sent = { hashes, ...(id === "" ? {} : { id }) };
  return { outcome: { kind: "done" }, line: { ...line, sent } };
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
  const waits = await waiting(context, judged, { attempt: begun.attempt, scope });
  if (waits) return waits;
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
        beside:
          isSent && sent.entry.channel === "sms"
            ? nameAnswer(context, begun, phoneIn(sent.entry.address), id)
            : undefined,
        line: {
          sent: { hashes, id },
          possibleDuplicate: begun.attempt > 1 || undefined,
        },
      };
    }
    case "held":
      if (judged.reason === RATE_LIMITED && isReleased(context.effects, account, sent.entry))
        return resting(sent.entry);
      return (
        (await provedSend(context, sent)) ?? failedSend(context, begun, sent.entry, judged.reason)
      );
    case "failed":
      return failedSend(context, begun, sent.entry, `failed:${judged.reason}`);
    default:
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
