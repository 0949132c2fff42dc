/**
 * The six oracles. Each looks at what is left after a run and answers what is wrong with it, in sentences; nothing is
 * right when a list is empty for want of work, so the last one asks for a least number of successes.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Json } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import type { Body } from "../support/prosa.ts";
import type { Fed } from "./feeder.ts";
import type { Book, Turned } from "./book.ts";
import { type Ends, ends } from "./ends.ts";
import {
  GREETING,
  isGrounded,
  type Letter,
  lettersIn,
  NUMBER,
  type Rest,
  restsIn,
} from "./grounds.ts";
import { CAP, ledger, type Resumed } from "./ledger.ts";
import { ASKED_AGAIN, type Recording } from "./recorder-flow.ts";

/** A message that was taken and not heard, as its own turn tells it. */
export interface Met {
  readonly number: number;
  /**
   * Why: the effect that was given up before it and after the last such message, or `greeting` where it began the
   * conversation instead. Undefined: for no reason.
   */
  readonly over?: string;
}

/** What is left of one contact. */
export interface Remains extends Fed, Recording {
  /** What stands in dead letters. */
  readonly dead: readonly Letter[];
  /** The sends that were given up and rest. */
  readonly rested: readonly Rest[];
  /** Numbers whose own turn asked anew instead of hearing them. */
  readonly met: readonly Met[];
  /** What the phone received, oldest first. */
  readonly received: readonly string[];
  readonly contact?: string;
  /** Its last turns and ends, for whoever asks why. */
  readonly journal?: readonly Json[];
}

export interface Evidence {
  readonly contacts: readonly Remains[];
  readonly counters: {
    readonly accepted: number;
    readonly applied: number;
    readonly dead: number;
    readonly queued: number;
  };
  readonly pendingEffects: number;
  readonly inflightEffects: number;
  /** What a claim and a reap still found after every lease had to be over. */
  readonly stale: number;
  /** Calls the gateway saw, oldest first. */
  readonly requests: readonly Body[];
  readonly invoices: readonly Body[];
  /** Paused scopes that somebody let go on. */
  readonly resumed?: readonly Resumed[];
  /** What the processes wrote down of effects; without it nothing is excused. */
  readonly book?: Book;
  /** Real ms of a time in the gateway's ledger. */
  readonly realTime?: (iso: string) => number;
  /** How the processes ended. */
  readonly ends: Ends;
}

export interface Expected {
  /** Events that must have been applied, and calls that must have succeeded. */
  readonly events: number;
  readonly sends: number;
  /** Nothing but outages struck: then no message may be given up. */
  readonly onlyOutages?: boolean;
  /** Nobody died, stopped or lost an answer: then nothing that succeeded may be asked for again. */
  readonly undisturbed?: boolean;
  /** The gateway spoils answers of its own that it lists with 200: a page, half a body, `error: true`. */
  readonly spoilt?: boolean;
}

/** 1. What was accepted is applied, dead or waiting. Nothing else may become of it. */
export function conservation({ counters, pendingEffects }: Evidence): string[] {
  const { accepted, applied, dead, queued } = counters;
  const wrong: string[] = [];
  if (accepted !== applied + dead + queued)
    wrong.push(`accepted ${accepted} ≠ applied ${applied} + dead ${dead} + queued ${queued}`);
  if (queued > 0 || pendingEffects > 0)
    wrong.push(`${queued} events and ${pendingEffects} effects were never worked off`);
  return wrong;
}

/** 2. Each contact's list is what was answered for, in that order: no gap, no repeat, no swap. No timer is forgotten. */
export function recorder({ contacts }: Evidence): string[] {
  const wrong: string[] = [];
  for (const one of contacts) {
    const { phone, acked, heard, dead, met, quietAt, early, again } = one;
    const doubled = heard.filter((number, at) => heard.indexOf(number) !== at);
    if (doubled.length > 0) wrong.push(`${phone} heard ${doubled.join(", ")} twice`);
    const invented = heard.filter((number) => !acked.includes(number));
    if (invented.length > 0)
      wrong.push(`${phone} heard ${invented.join(", ")}, never answered for`);
    const heardOf = new Set(heard);
    // Each is excused by what became of itself: a sum of sends that failed would excuse one that is lost.
    const excused = new Set([
      ...dead.filter((own) => isGrounded(own, acked.length)).map((own) => own.number),
      ...met.filter(({ over }) => over).map((own) => own.number),
    ]);
    for (const letter of dead)
      if (!isGrounded(letter, acked.length))
        wrong.push(
          `${phone}: ${letter.number} was put aside (${letter.reason}) after ${letter.handed} hand-outs`,
        );
    const gone = acked.filter((number) => !heardOf.has(number) && !excused.has(number));
    if (gone.length > 0) wrong.push(`${phone} never heard ${gone.join(", ")}`);
    const groundless = met.filter(({ over }) => over === undefined).map((own) => own.number);
    if (groundless.length > 0)
      wrong.push(`${phone} met the question with ${groundless.join(", ")} for no failed send`);
    const both = met.filter(({ number }) => heardOf.has(number)).map((own) => own.number);
    if (both.length > 0) wrong.push(`${phone} heard ${both.join(", ")}, and was asked anew by it`);
    const order = acked.filter((number) => heardOf.has(number));
    const swapped = [...heardOf].some((number, at) => number !== order[at]);
    if (swapped && doubled.length + invented.length === 0)
      wrong.push(`${phone} heard ${heard.join(" ")} and was to hear ${order.join(" ")}`);
    if (quietAt !== heard.length)
      wrong.push(`${phone}: the timer after ${heard.length} events did not fire`);
    if (early) wrong.push(`${phone}: ${early} timers fired although a newer one was set`);
    if (again) wrong.push(`${phone}: ${again} timers fired that had fired before`);
  }
  return wrong;
}

/** 3a. What people received: in order, and no text more often than a message may be tried. */
export function delivered({ contacts }: Evidence): string[] {
  const wrong: string[] = [];
  for (const { phone, heard, received, rested } of contacts) {
    const numbers = received.map((text) => text.replace(/^#/, ""));
    const once = numbers.filter((text, at) => text !== numbers[at - 1]);
    const due = heard.filter((number) => number % 2 === 0).map(String);
    const order = once.filter((text) => due.includes(text));
    if (order.join(" ") !== due.filter((text) => order.includes(text)).join(" "))
      wrong.push(`${phone} received ${once.join(" ")}: not in order`);
    const excused = rested.filter(({ over }) => over !== undefined).map(({ text }) => text);
    const missing = due.filter(
      (number) => !once.includes(number) && !excused.includes(`#${number}`),
    );
    for (const { text, reason, over } of rested)
      if (over === undefined)
        wrong.push(`${phone}: “${text}” was given up for nothing (${reason})`);
    if (missing.length > 0) wrong.push(`${phone} never received ${missing.join(", ")}`);
    const many = due.filter((number) => numbers.filter((text) => text === number).length > CAP);
    if (many.length > 0) wrong.push(`${phone} received ${many.join(", ")} more than ${CAP} times`);
  }
  return wrong;
}

/** 4. Nobody holds what nobody works on, and nobody ends what another has taken over. */
export function leases({
  stale,
  inflightEffects,
  book,
}: Pick<Evidence, "stale" | "inflightEffects" | "book">): string[] {
  const wrong = [...(book?.unfenced() ?? [])];
  if (stale > 0) wrong.push(`${stale} contacts or effects were still leased or ready`);
  if (inflightEffects > 0) wrong.push(`${inflightEffects} effects are in flight for ever`);
  return wrong;
}

/** 5. A run in which little happened proves little. */
export function enough(
  { contacts, requests }: Evidence,
  least: Pick<Expected, "events" | "sends">,
): string[] {
  const heard = contacts.reduce((sum, one) => sum + one.heard.length, 0);
  const sends = requests.filter((row) => row["status"] === (200 as unknown as Body)).length;
  const wrong: string[] = [];
  if (heard < least.events) wrong.push(`only ${heard} of ${least.events} events were applied`);
  if (sends < least.sends) wrong.push(`only ${sends} of ${least.sends} calls succeeded`);
  return wrong;
}

export interface Verdict {
  readonly oracle: string;
  readonly wrong: readonly string[];
}

/** 3c. An outage absorbs no attempts: when nothing else struck, nothing is given up. */
export function patience({ contacts }: Evidence): string[] {
  return contacts
    .filter(({ rested }) => rested.length > 0)
    .map(({ phone, rested }) => `${rested.length} messages to ${phone} were given up`);
}

/** All six, each with what it found. */
export function judge(evidence: Evidence, least: Expected): readonly Verdict[] {
  return [
    { oracle: "conservation", wrong: conservation(evidence) },
    { oracle: "recorder", wrong: recorder(evidence) },
    {
      oracle: "ledger",
      wrong: [
        ...delivered(evidence),
        ...ledger(evidence, least),
        ...(least.onlyOutages ? patience(evidence) : []),
      ],
    },
    { oracle: "leases", wrong: leases(evidence) },
    { oracle: "enough", wrong: enough(evidence, least) },
    { oracle: "ends", wrong: ends(evidence.ends) },
  ];
}

/** Longer than any lease of a contact. */
export const LEASES_OVER_MS = 2_200;
const SHOWN = 100;
/** Sends of one contact that rest, at most. */
const RESTED = 1_000;

/** Reads everything the oracles need. The bots are stopped by then. */
export async function gather(
  store: Store,
  fed: readonly Fed[],
  gateway: {
    readonly requests: readonly Body[];
    readonly invoices: readonly Body[];
    readonly messages: ReadonlyMap<string, readonly string[]>;
  },
  known: Pick<Evidence, "resumed" | "book" | "realTime" | "ends"> & Pick<Expected, "spoilt">,
): Promise<Evidence> {
  await pause(LEASES_OVER_MS);
  const claims = await store.mail.claim({
    owner: "oracle",
    contacts: SHOWN,
    events: 1,
    leaseMs: 1,
  });
  const reaped = await store.effects.reap({ limit: SHOWN, leaseMs: 1 });
  const { spoilt: _, ...told } = known;
  const dead = await lettersIn(store, known.book);
  const contacts: Remains[] = [];
  for (const { phone, acked } of fed) {
    const contact = await store.contacts.lookup("demo", `phone:${phone}`);
    const view = contact === null ? null : await store.views.session("demo", contact);
    const session = view?.session as { frames?: { state: unknown }[] } | undefined;
    const recording = session?.frames?.[0]?.state as Recording | undefined;
    const held =
      contact === null
        ? []
        : await store.views.effects({ contact, account: "demo", state: "held", limit: RESTED });
    const gone = dead.filter((one) => one.contact === contact);
    const resting = new Set(held.map(({ id }) => id));
    contacts.push({
      ...{ phone, acked, heard: recording?.heard ?? [], quietAt: recording?.quietAt ?? 0 },
      ...{ early: recording?.early ?? 0, again: recording?.again ?? 0 },
      ...{ dead: gone, rested: restsIn(held, { ...known, requests: gateway.requests }) },
      met: metIn(known.book?.turnsOf(contact ?? "") ?? [], {
        begins: gone.some(({ number }) => number === GREETING),
        gaveUp: (effect) => resting.has(effect) || known.book?.gaveUp(effect) === true,
      }),
      ...(contact === null ? {} : { contact }),
      journal: contact === null ? [] : await store.views.journal("demo", contact, SHOWN),
      received: gateway.messages.get(phone) ?? [],
    });
  }
  const backlog = await store.views.backlog();
  const flying = await store.views.effects({ state: "inflight", limit: SHOWN });
  return {
    ...{ contacts, counters: backlog.counters, pendingEffects: backlog.pendingEffects },
    ...{ inflightEffects: flying.length, stale: claims.length + reaped.length },
    ...{ requests: gateway.requests, invoices: gateway.invoices, ...told },
  };
}

/**
 * The messages that were taken and not heard. Each needs a failed send of its own: what is given up is told once, and the next
 * message meets the question, unless it is heard meanwhile that the send arrived. `begins`: the greeting died.
 */
export function metIn(
  turns: readonly Turned[],
  { begins, gaveUp }: { readonly begins: boolean; readonly gaveUp: (effect: string) => boolean },
): readonly Met[] {
  const met: Met[] = [];
  let [over, first]: [string | undefined, boolean] = [undefined, begins];
  for (const { kind, wrote, said, effect } of turns) {
    if (kind === "send-failed" && effect !== undefined && gaveUp(effect)) over = effect;
    if (kind === "send-arrived") over = undefined;
    const number = NUMBER.exec(wrote ?? "")?.[1];
    if (kind !== "inbound" || number === undefined) continue;
    const isAsked = said === ASKED_AGAIN;
    if (!isAsked && said !== `#${GREETING}`) continue;
    const why = isAsked ? over : first ? "greeting" : undefined;
    if (isAsked) over = undefined;
    else first = false;
    met.push({ number: Number(number), ...(why === undefined ? {} : { over: why }) });
  }
  return met;
}
