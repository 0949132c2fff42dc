/**
 * Whoever never wrote to us may be on no messenger, or stand there without the ninth digit that people write. So their number is
 * asked for before the first bubble. What comes of it stands in the conversation, and goes with it when it is erased: nothing is
 * asked twice.
 */
import { z } from "zod";
import { aliases } from "../../../channels/index.ts";
import { type Account, type Mail, NUMBER_UNKNOWN, type Session } from "../../../engine/index.ts";
import type { CallOutcome } from "../../../gateway/index.ts";
import type { WorkerContext } from "../../context/worker-context.ts";
import { callGateway } from "../../calls.ts";
import type { Held } from "../../fleet/tenure.ts";
import type { Ending } from "../ending.ts";
import { planScope, type SendEntry } from "../entry.ts";
import { RATE_PAUSE_MS, retryDelayMs, verdict } from "../verdict.ts";

export const ROUTE = "chat.messengerNumbers";
/** A number that was on no messenger is asked for again after this, ms. */
const UNKNOWN_MS = 24 * 3_600_000;
const SECOND_MS = 1_000;

export const Found = z.array(
  z.object({
    jid: z.string().max(100).optional(),
    lid: z.string().max(100).optional(),
    exists: z.boolean().optional(),
  }),
);

/** What is known of where a bubble goes. */
export type Resolved =
  | { readonly kind: "as-given" }
  | {
      readonly kind: "found";
      readonly address: string;
      readonly mail: Extract<Mail, { kind: "resolved" }>;
    }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "later"; readonly ending: Ending };

/** The digits of a phone's address. */
export function phoneIn(address: string | undefined): string | undefined {
  return /^(\d{8,15})(?:@(?:s\.whatsapp\.net|c\.us))?$/.exec(address ?? "")?.[1];
}

/** Whether this bubble goes to a number as somebody wrote it, of a person who never wrote. Operators stand in the account. */
export function isUnresolved(entry: SendEntry, session: Session | null): boolean {
  return (
    entry.channel === "engine-b" &&
    /^\d{8,15}$/.test(entry.address) &&
    session !== null &&
    session.lastSeen === undefined &&
    session.role !== "operator"
  );
}

/** Resolves the number of a bubble; `later` when the lookup itself has to wait. */
export async function resolveNumber(
  context: WorkerContext,
  begun: Held,
  entry: SendEntry,
  account: Account,
  session: Session | null,
): Promise<Resolved> {
  if (!isUnresolved(entry, session)) return { kind: "as-given" };
  const { address: phone } = entry;
  const now = context.clock.now();
  if (session?.unreachable !== undefined && now - session.unreachable < UNKNOWN_MS)
    return { kind: "unknown", reason: NUMBER_UNKNOWN };
  const by = { contact: begun.contact, effect: begun.id, attempt: begun.attempt };
  const options = { mayLeave: begun.tenure.stands };
  const outcome = await callGateway(context, account, ROUTE, { numbers: [phone] }, options, by);
  if (outcome.kind !== "ok") return unanswered(context, begun, entry, account, outcome);
  const found = Found.safeParse(outcome.data).data?.[0];
  if (!found?.jid || found.exists === false) return { kind: "unknown", reason: NUMBER_UNKNOWN };
  const number = phoneIn(found.jid);
  if (number === undefined) return { kind: "unknown", reason: NUMBER_UNKNOWN };
  await nameContact(context, account, phone, number, found.lid);
  return {
    ...{ kind: "found", address: found.jid },
    mail: { kind: "resolved", address: found.jid },
  };
}

async function unanswered(
  context: WorkerContext,
  { attempt }: Held,
  { channel }: SendEntry,
  { id, onTimeout }: Account,
  outcome: CallOutcome,
): Promise<Resolved> {
  const now = context.clock.now();
  const judged = verdict({ route: ROUTE, onTimeout, attempt }, outcome);
  const later = (ending: Ending): Resolved => ({ kind: "later", ending });
  switch (judged.kind) {
    case "retry": {
      const at = now + retryDelayMs(attempt, context.random.int(1e6) / 1e6);
      return later({ outcome: { kind: judged.counts ? "retry" : "not_sent", at } });
    }
    case "pause":
      await context.scopes.pauseFor(planScope(id, channel), judged.reason);
      return later({ outcome: { kind: "not_sent", at: now } });
    case "failed":
      // Nothing of the bubble left: it waits for as long as the gateway wants to be left alone.
      if (judged.pauseMs !== undefined) {
        const until = context.clock.shared() + (judged.pauseMs || RATE_PAUSE_MS);
        await context.scopes.pauseFor(planScope(id, channel), "rate_limited", until);
        return later({ outcome: { kind: "not_sent", at: now } });
      }
      return { kind: "unknown", reason: `failed:${judged.reason}` };
    default:
      return { kind: "unknown", reason: "failed:refused" };
  }
}

/** The answer may come under the other form of the number, or under a linked id alone: they are names of the same person. */
async function nameContact(
  { store }: WorkerContext,
  { id }: Account,
  phone: string,
  number: string,
  lid: string | undefined,
): Promise<void> {
  // Somebody erased meanwhile must not come back by it.
  const now = await store.now();
  if ((await store.lookup(id, `phone:${phone}`)) === null) return;
  const linked = /^(\d{1,32})(?:@lid)?$/.exec(lid ?? "")?.[1];
  const names = [
    ...aliases({ address: phone, phone }, "engine-b"),
    ...aliases(
      { address: number, phone: number, ...(linked === undefined ? {} : { lid: linked }) },
      "engine-b",
    ),
  ];
  await store.identify(id, [...new Set(names)], false, now - (now % SECOND_MS) - 1);
}
