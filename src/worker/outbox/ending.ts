/** How one effect ended, before it is written to the store. */
import { type CallResult, type Mail, ShownRequest } from "../../engine/index.ts";
import type { Begun, SendEnd, SendOutcome } from "../../store/port/port.ts";
import type { Context } from "../context/context.ts";
import { asideOf, type Entry, type SendEntry } from "./entry.ts";
import type { Keys } from "../ports.ts";
import { retryDelayMs, type Verdict } from "./verdict.ts";
import { z } from "zod";

/** The longest id that mail takes. */
export const ID_MAX = 200;

type ShownMail = Extract<Mail, { kind: "shown" }>;
type ResolvedMail = Extract<Mail, { kind: "resolved" }>;

export interface Ending {
  readonly outcome: SendOutcome;
  /** Result for the flow that waits; dropped when none does. */
  readonly result?: CallResult;
  /** Mail for the contact itself when no flow waits. */
  readonly mail?: Mail;
  /** `sent` as it left, without marks. */
  readonly line?: Partial<Pick<EffectLine, "reason" | "possibleDuplicate" | "dropped" | "sent">>;
  /** Turn whose later messages are held together with this one. */
  readonly holdTurn?: string;
  /** Work beside the effect that concerns no other part; the end does not wait for it. It never rejects. */
  readonly beside?: Promise<void>;
}

/** Ended without a call: a person has the conversation, it was collapsed, or it arrived already. */
export function dropped(why: string): Ending {
  return { outcome: { kind: "done" }, line: { dropped: why } };
}

/** It failed for a reason that the flow cannot mend. */
export function failed(reason: string): Ending {
  return {
    outcome: { kind: "failed" },
    result: { outcome: "failed", out: { reason, text: "" } },
    line: { reason },
  };
}

/**
 * Mail for the contact itself about a message that failed for good: the flow that said it may have an answer
 * (`onSendFailed`).
 */
export function failedMail(effect: string, entry: Entry, reason: string): Mail {
  const frame = entry.type === "send" ? entry.frame : undefined;
  return { kind: "send-failed", effect, reason, ...(frame === undefined ? {} : { frame }) };
}

/** Failed sends are kept where an operator sees them and can send them again, with the later messages of the turn. */
export function failedSend(
  { alarms }: Pick<Context, "alarms">,
  begun: Begun,
  entry: SendEntry,
  reason: string,
): Ending {
  alarms.raise({
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

/**
 * The ending of a call that goes again by itself; undefined when the verdict is final. Pauses the scope where the gateway
 * asks for it. `until`: the store's real time at which that pause ends by itself.
 */
export async function waiting(
  { clock, random, scopes }: Pick<Context, "clock" | "random" | "scopes">,
  judged: Verdict,
  of: { readonly attempt: number; readonly scope: string; readonly until?: number },
): Promise<Ending | undefined> {
  if ("pauseMs" in judged && judged.pauseMs !== undefined)
    await scopes.pauseFor(of.scope, "rate_limited", clock.shared() + judged.pauseMs);
  if (judged.kind === "pause") {
    await scopes.pauseFor(of.scope, judged.reason, of.until);
    return { outcome: { kind: "not_sent", at: clock.now() } };
  }
  if (judged.kind !== "retry") return undefined;
  const at = clock.now() + retryDelayMs(of.attempt, random.int(1e6) / 1e6);
  return { outcome: { kind: judged.counts ? "retry" : "not_sent", at } };
}

/** Mail for the contact itself about a message that left under this id of the channel and showed a request. */
export function shownMail(entry: Entry, id: string | undefined): ShownMail | undefined {
  if (entry.type !== "send" || !entry.request || id === undefined) return undefined;
  // A person does not choose which short message their answer names, so it shows no request.
  if (entry.channel === "sms" || id.length > ID_MAX) return undefined;
  return { kind: "shown", message: id, request: entry.request };
}

/** The ending of a send with that mail, if it has none. `found`: what was found out about its reader on the way. */
export function told(entry: Entry, ending: Ending, found?: ResolvedMail): Ending {
  if (ending.mail) return ending;
  const id = ending.outcome.kind === "done" ? ending.line?.sent?.id : undefined;
  const shown = shownMail(entry, id);
  const { message, request } = shown ?? {};
  const both = found && message && request ? { ...found, shown: { message, request } } : found;
  const mail = both ?? shown;
  return mail ? { ...ending, mail } : ending;
}

/** Attempts are counted anew when a person sends an effect again; the token tells the two first attempts apart. */
function resultEvent(begun: Begun): string {
  return `r:${begun.id}:${begun.attempt}:${begun.token.slice(0, 8)}`;
}

export function sendEnd(
  { clock, echoes }: Pick<Context, "clock"> & { readonly echoes: Marks },
  begun: Begun,
  entry: Entry,
  ending: Ending,
): SendEnd {
  const { outcome, result, line: about, holdTurn } = ending;
  const waiter = entry.type === "call" ? entry.waiter : undefined;
  const mail: Mail | undefined =
    result && waiter ? { kind: "result", effect: begun.id, waiter, result } : ending.mail;
  const line: EffectLine = {
    type: "effect",
    effect: begun.id,
    name: entry.type === "call" ? entry.name : entry.type,
    outcome: outcome.kind,
    attempt: begun.attempt,
    at: clock.now(),
    ...about,
    sent: about?.sent && echoes.marks(begun, about.sent),
  };
  // A pause or a retry leaves no line: history has only what is over or held.
  const told = outcome.kind !== "not_sent" && outcome.kind !== "retry";
  return {
    id: begun.id,
    account: begun.account,
    contact: begun.contact,
    token: begun.token,
    outcome,
    result: mail && { event: resultEvent(begun), mail },
    journal: told ? line : undefined,
    // Ids, times, outcomes and keyed marks alone. A reason may hold the gateway's words.
    isPlain: line.reason === undefined,
    holdTurn,
  };
}

/** One line of a contact's journal for a finished effect. */
export const EffectLine = z.object({
  type: z.literal("effect"),
  effect: z.string(),
  /** `send`, `peer`, or the name of the call. */
  name: z.string(),
  outcome: z.string(),
  attempt: z.number().int(),
  at: z.number(),
  reason: z.string().optional(),
  /** The text may have arrived twice. */
  possibleDuplicate: z.boolean().optional(),
  /** Why it was not sent after all: `handoff`, `opt-out`, `collapsed`, `echoed`. */
  dropped: z.string().optional(),
  /** Keyed marks of the engine's id of the message and of its words (`Echoes.marks`). */
  sent: z.object({ id: z.string().optional(), hashes: z.array(z.string()) }).optional(),
  /** The request that the message showed, when its id was not known at its end. */
  request: ShownRequest.optional(),
});
export type EffectLine = z.output<typeof EffectLine>;

export type SentMarks = NonNullable<EffectLine["sent"]>;

/** What knows marks: see {@link marksOf}. */
export interface Marks {
  marks(who: Pick<Begun, "account" | "contact">, sent: SentMarks): SentMarks;
}

/**
 * What a line says of a send. A message's id may hold an address, and short words can be guessed from their digest, so both
 * are kept as keyed marks of this contact.
 */
export function marksOf(
  keys: Keys,
  { account, contact }: Pick<Begun, "account" | "contact">,
  { id, hashes }: SentMarks,
): SentMarks {
  const mark = (what: string) => keys.hash(`${account} ${contact} ${what}`);
  return { id: id === undefined ? undefined : mark(`id:${id}`), hashes: hashes.map(mark) };
}
