/**
 * Claims that could not be applied: tried again after a pause, handed back because of their surroundings, dead-lettered, or
 * forwarded to the contact they were merged into. In each case this contact and all others go on.
 */
import type { Json } from "../../base/index.ts";
import {
  type Account,
  type FailingTimer,
  type Mail,
  nextDue,
  putTimerOff,
  type Session,
  setTimerAside,
} from "../../engine/index.ts";
import { handover } from "../../store/index.ts";
import type { Claimed, Commit } from "../../store/port/port.ts";
import type { TurnContext } from "../context/contexts.ts";
import { readable, sessionOf } from "./read-stored.ts";

/**
 * Failures of one event before it is dead-lettered. Several tries, so that another build or a passing fault does not lose
 * it.
 */
const FAILURES = 5;
/** Pause before the second try, ms; doubled before each further one. All tries together take less than a second. */
const AGAIN_MS = 50;

/** A tick that failed before any timer was reached is tried again after this, ms: an author has to mend the flow first. */
const UNFIRED_AGAIN_MS = 600_000;

/** While dead letters have no room, a failed event is tried again after this, ms: an operator has to make room first. */
const FULL_AGAIN_MS = 60_000;

function headOf({ mail: [head] }: Pick<Claimed, "mail">): Mail | undefined {
  return head && readable([head])[0]?.mail;
}

/** Whether the next event to apply is a tick, that is, a timer is due. */
export function isTick(claimed: Pick<Claimed, "mail">): boolean {
  return headOf(claimed)?.kind === "tick";
}

/** Sender of a dead-lettered message. For a first message it is the only record of where to answer. */
function senderOf(mail: Mail | undefined) {
  if (mail?.kind !== "inbound" || !("from" in mail.event) || !mail.event.from) return undefined;
  return { channel: mail.channel, address: mail.event.from.address };
}

interface Ticked {
  readonly session: Session;
  readonly now: number;
}

export class FailedClaims {
  readonly #context: TurnContext;
  readonly #due: (at: number) => void;
  #waitingUntil = 0;

  /** `due`: told when a claim is to be tried again. */
  constructor(context: TurnContext, due: (at: number) => void) {
    this.#context = context;
    this.#due = due;
  }

  /** Virtual time until which something of this process waits to be tried again; 0 or a past time: nothing waits. */
  get waitingUntil(): number {
    return this.#waitingUntil;
  }

  /**
   * The head event failed. It is dead-lettered after {@link FAILURES} failures, else tried again. `againMs`: the first
   * pause.
   */
  async failed(
    claimed: Claimed,
    reason: string,
    account: Account,
    againMs = AGAIN_MS,
  ): Promise<null> {
    if (claimed.failedClaims + 1 >= FAILURES) return this.deadLetter(claimed, reason, account);
    return this.again(claimed, againMs, false);
  }

  /**
   * A tick failed before any timer was reached, because the flow cannot go on with its conversation. No letter is written:
   * the timers are put off, and fire once the flow is mended.
   */
  async unfired(
    claimed: Claimed,
    { reason, unfired }: { readonly reason: string; readonly unfired: string },
    account: Account,
  ): Promise<null> {
    if (claimed.failedClaims + 1 < FAILURES) return this.again(claimed, AGAIN_MS, false);
    const ticked = this.#ticked(claimed, headOf(claimed));
    const again = this.#context.clock.now() + UNFIRED_AGAIN_MS;
    const later = ticked && putTimerOff(ticked.session, ticked.now, again);
    // There is no session, or no timer is due in it, so there is nothing to put off.
    if (!later) return this.deadLetter(claimed, reason, account);
    this.#context.alarms.raise({
      code: "timer.unfired",
      account: claimed.account,
      subject: claimed.contact,
      message: `A timer could not fire because its conversation cannot go on; it is tried again every ${UNFIRED_AGAIN_MS / 60_000} minutes. ${unfired}.`,
    });
    return this.#putOff(claimed, later);
  }

  /** Tries the claim once more in this process. `blameless`: no failure is counted, and the pause does not grow. */
  async again(claimed: Claimed, afterMs: number, blameless: boolean): Promise<null> {
    const { contact, failedClaims } = claimed;
    const at = this.#context.clock.now() + (blameless ? afterMs : afterMs * 2 ** failedClaims);
    this.#context.log.warn(
      { contact, failures: blameless ? failedClaims : failedClaims + 1 },
      "an event could not be applied; it is tried again",
    );
    await this.#commit(claimed, { applied: 0, againAt: at, blameless });
    this.#due(at);
    this.#waitingUntil = Math.max(this.#waitingUntil, at);
    return null;
  }

  /** Hands the claim back for another process: it waits, and no failure is counted. */
  async handBack(claimed: Claimed, afterMs: number): Promise<null> {
    const againAt = this.#context.clock.now() + afterMs;
    await this.#commit(claimed, { applied: 0, againAt, blameless: true });
    return null;
  }

  /**
   * The head event goes to dead letters, the session stays as it was, and the person is told once in the flow's own words.
   * Of a tick it is the timer that failed: the same step disables it in the session, and releasing its letter enables it
   * again.
   */
  async deadLetter(claimed: Claimed, reason: string, account?: Account): Promise<null> {
    const { contact, epoch, rev } = claimed;
    const [head] = claimed.mail;
    const mail = headOf(claimed);
    const ticked = account && this.#ticked(claimed, mail);
    const timer = ticked && setTimerAside(ticked.session, ticked.now);
    const event = timer?.event ?? head?.event ?? "";
    // A notice that cannot be applied causes no further notice. Of a failing timer the person was told the first time.
    const noticed = account && head && !event.startsWith("parked:") && mail?.kind !== "timer";
    const to = senderOf(mail);
    const notice: Json = {
      kind: "parked",
      event,
      reason,
      ...(to ? { to } : {}),
      ...(ticked && timer?.mail.kind !== "inbound" ? { unasked: true } : {}),
    };
    const parked = await this.#context.store.deadLetters.add({
      account: claimed.account,
      contact,
      epoch,
      rev,
      reason,
      notice: noticed ? { event: `parked:${event}`, mail: notice } : undefined,
      // The store counts the contact's timers as moved, so the time of the next one that did not fail is given.
      due: timer ? timer.due : ticked && nextDue(ticked.session),
      letter: timer ?? undefined,
      newSession: timer?.session,
    });
    if (!parked.ok && parked.reason === "full") return this.#noRoom(claimed, ticked);
    this.#context.alarms.raise({
      code: "event.parked",
      account: claimed.account,
      subject: contact,
      message:
        "An event could not be applied; it waits in dead letters and the conversation goes on.",
    });
    this.#context.wake("turns");
    return null;
  }

  /** The session whose timers a tick is about, and the time by which they are due. */
  #ticked(claimed: Claimed, mail: Mail | undefined): Ticked | undefined {
    const session = sessionOf(claimed.session);
    if (mail?.kind !== "tick" || session === null || typeof session === "string") return undefined;
    return { session, now: Math.max(this.#context.clock.now(), mail.due) };
  }

  /**
   * Dead letters have no room: the failed event stays at the head of its own mailbox until an operator makes room. Other
   * contacts do not wait. A timer is put off instead, so that its person is answered meanwhile.
   */
  async #noRoom(claimed: Claimed, ticked: Ticked | undefined): Promise<null> {
    const { account, contact } = claimed;
    this.#context.alarms.raise({
      code: "dead.full",
      account,
      subject: contact,
      message:
        "An event could not be applied and dead letters have no room: it waits in its mailbox until some were released or dropped.",
    });
    const again = this.#context.clock.now() + FULL_AGAIN_MS;
    const later = ticked && putTimerOff(ticked.session, ticked.now, again);
    return later ? this.#putOff(claimed, later) : this.handBack(claimed, FULL_AGAIN_MS);
  }

  async #putOff(
    claimed: Claimed,
    { session, due }: Pick<FailingTimer, "session" | "due">,
  ): Promise<null> {
    await this.#commit(claimed, { applied: 1, session, due });
    this.#context.wake("turns");
    return null;
  }

  /**
   * Forwards mail of a contact that was merged into another one. It is accepted there first, so a crash in between makes a
   * duplicate and loses nothing. If the person was erased meanwhile nothing is stored.
   */
  async forward(claimed: Claimed, to: string): Promise<null> {
    const { account, contact, rev } = claimed;
    // A session is here only when the process that merged the two died before it handed the session over.
    const items = handover(contact, rev, claimed.session, claimed.mail);
    await this.#context.store.mail.accept(items.map((item) => ({ account, contact: to, ...item })));
    await this.#commit(claimed, { applied: claimed.mail.length });
    this.#context.wake("turns");
    return null;
  }

  /** Without a turn: no effects and no journal; session and timers stay unless they are given. */
  async #commit(
    { account, contact, epoch, rev }: Claimed,
    how: Pick<Commit, "applied" | "againAt" | "blameless"> &
      Partial<Pick<Commit, "session" | "due">>,
  ): Promise<void> {
    const same = { session: null, due: "same", effects: [], journal: [] } as const;
    await this.#context.store.mail.commit([{ account, contact, epoch, rev, ...same, ...how }]);
  }
}
