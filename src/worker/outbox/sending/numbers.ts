/**
 * A person who never wrote may not be on the messenger, or be known there without the ninth digit. So their number is
 * looked up before the first message. The result is kept in the conversation, is not asked for twice, and goes with an
 * erasure.
 */
import { z } from "zod";
import { aliases } from "../../../channels/index.ts";
import {
  type Account,
  type Mail,
  NUMBER_UNKNOWN,
  type Session,
  type InboundEvent,
  type Peer,
} from "../../../engine/index.ts";
import type { CallOutcome } from "../../../gateway/index.ts";
import type { SendContext } from "../../context/contexts.ts";
import { callGateway } from "../../calls.ts";
import type { Held } from "../../fleet/effect-lease.ts";
import { type Ending, waiting } from "../ending.ts";
import { planScope, type SendEntry } from "../entry.ts";
import { RATE_PAUSE_MS, verdict } from "../verdict.ts";

const ROUTE = "chat.messengerNumbers";
/** A number that was not on the messenger is looked up again after this, ms. */
const UNKNOWN_MS = 24 * 3_600_000;
const SECOND_MS = 1_000;

const Found = z.array(
  z.object({
    jid: z.string().max(100).optional(),
    lid: z.string().max(100).optional(),
    exists: z.boolean().optional(),
  }),
);

/** What is known of the address of a message. */
type Resolved =
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

/**
 * Whether this message goes to a number as a person typed it, of someone who never wrote. Operators are named in the
 * account.
 */
function isUnresolved(entry: SendEntry, session: Session | null): boolean {
  return (
    entry.channel === "engine-b" &&
    /^\d{8,15}$/.test(entry.address) &&
    session !== null &&
    session.lastSeen === undefined &&
    session.role !== "operator"
  );
}

/** Resolves the address of a message; `later` when the look-up itself has to wait. */
export async function resolveNumber(
  context: SendContext,
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
  const options = { mayLeave: begun.lease.isHeld };
  const outcome = await callGateway(context, account, ROUTE, { numbers: [phone] }, options, by);
  if (outcome.kind !== "ok") return unanswered(context, begun, entry, account, outcome);
  const found = Found.safeParse(outcome.data).data?.[0];
  if (!found?.jid || found.exists === false) return { kind: "unknown", reason: NUMBER_UNKNOWN };
  const number = phoneIn(found.jid);
  if (number === undefined) return { kind: "unknown", reason: NUMBER_UNKNOWN };
  await nameContact(context, account, phone, number, found.lid);
  return {
    kind: "found",
    address: found.jid,
    mail: { kind: "resolved", address: found.jid },
  };
}

async function unanswered(
  context: SendContext,
  { attempt }: Held,
  { channel }: SendEntry,
  { id, onTimeout }: Account,
  outcome: CallOutcome,
): Promise<Resolved> {
  const judged = verdict({ route: ROUTE, onTimeout, attempt }, outcome);
  const scope = planScope(id, channel);
  // The message did not leave: it waits as long as the gateway asks for.
  if (judged.kind === "failed" && judged.pauseMs !== undefined) {
    const until = context.clock.shared() + (judged.pauseMs || RATE_PAUSE_MS);
    await context.scopes.pauseFor(scope, "rate_limited", until);
    return { kind: "later", ending: { outcome: { kind: "not_sent", at: context.clock.now() } } };
  }
  const ending = await waiting(context, judged, { attempt, scope });
  if (ending) return { kind: "later", ending };
  return {
    kind: "unknown",
    reason: judged.kind === "failed" ? `failed:${judged.reason}` : "failed:refused",
  };
}

/** The answer may come under the other form of the number or under a linked id: they become names of the same person. */
async function nameContact(
  { store }: SendContext,
  { id }: Account,
  phone: string,
  number: string,
  lid: string | undefined,
): Promise<void> {
  // A person who was erased meanwhile must not come back by it.
  const now = await store.now();
  if ((await store.contacts.lookup(id, `phone:${phone}`)) === null) return;
  const linked = /^(\d{1,32})(?:@lid)?$/.exec(lid ?? "")?.[1];
  const names = [
    ...aliases({ address: phone, phone }, "engine-b"),
    ...aliases(
      { address: number, phone: number, ...(linked === undefined ? {} : { lid: linked }) },
      "engine-b",
    ),
  ];
  await store.contacts.identify(id, [...new Set(names)], false, now - (now % SECOND_MS) - 1);
}

/** Time-out of the look-up, ms: a webhook waits for it. */
const ASK_MS = 3_000;

type Own = Extract<InboundEvent, { kind: "own" }>;
type Tools = Pick<SendContext, "store" | "echoes" | "scopes" | "clock"> &
  Parameters<typeof callGateway>[0];

/*
 * Linked ids of people who are known by their phone. An engine may name a chat by its linked id alone; our own sends tell
 * who that is, or engine B.
 */

/**
 * The person of a message that left from the business's number under an unknown linked id. Undefined when it cannot be
 * found out.
 */
export async function personOfLinked(
  context: Tools,
  account: Account,
  event: Own,
): Promise<Peer | undefined> {
  const { lid, name } = event.from;
  if (lid === undefined) return undefined;
  const phone =
    phoneIn(context.echoes.sentTo(account.id, event.messageId)?.address) ??
    (event.api ? undefined : await asked(context, account, lid));
  if (phone === undefined) return undefined;
  const named = name === undefined ? {} : { name };
  return { address: `${phone}@s.whatsapp.net`, phone, lid, ...named };
}

async function asked(context: Tools, account: Account, lid: string): Promise<string | undefined> {
  if (context.scopes.isPaused(planScope(account.id, "engine-b"))) return undefined;
  const options = { signal: AbortSignal.timeout(ASK_MS) };
  const body = { numbers: [`${lid}@lid`] };
  const outcome = await callGateway(context, account, ROUTE, body, options, { attempt: 1 });
  if (outcome.kind !== "ok") return undefined;
  const found = Found.safeParse(outcome.data).data?.[0];
  return found?.exists === false ? undefined : phoneIn(found?.jid);
}

/** Their linked id, when the messenger does not know the digits it was sent to. */
export function linkedInstead(
  outcome: CallOutcome,
  { channel, address }: SendEntry,
  session: Session | null,
): string | undefined {
  const isAbsent =
    (outcome.kind === "refused" || outcome.kind === "business_error") && outcome.absent === true;
  const linked = session?.linked?.address;
  return isAbsent && channel !== "sms" && address !== linked ? linked : undefined;
}
