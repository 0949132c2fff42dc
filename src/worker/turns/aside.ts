/**
 * Claims that could not be applied: tried again a little later, handed back because of their surroundings, parked, or
 * passed on to the contact they were merged into. In each case the contact goes on, and everybody else does.
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
import type { Claimed } from "../../store/port/port.ts";
import type { WorkerContext } from "../context/worker-context.ts";
import { readable, sessionOf } from "../stored.ts";

/** Failures of the same event after which it is parked: another build, or another moment, had its chance. */
const FAILURES = 5;
/** Before the second try, ms; doubled before each further one: a person waits less than a second for all of them. */
const AGAIN_MS = 50;

/** A timer that a turn could not come to is tried again after this, ms: what is broken is mended by an author. */
const UNFIRED_AGAIN_MS = 600_000;

/** Where dead letters have no room, what failed is tried again after this, ms: somebody has to make room first. */
const FULL_AGAIN_MS = 60_000;

function headOf({ mail: [head] }: Pick<Claimed, "mail">): Mail | undefined {
  return head && readable([head])[0]?.mail;
}

/** Whether what is to be applied next is that some timer is due. */
export function isTick(claimed: Pick<Claimed, "mail">): boolean {
  return headOf(claimed)?.kind === "tick";
}

/** Who wrote what is parked: of somebody whose first message it is, nothing else knows where to answer. */
function senderOf(mail: Mail | undefined) {
  if (mail?.kind !== "inbound" || !("from" in mail.event) || !mail.event.from) return undefined;
  return { channel: mail.channel, address: mail.event.from.address };
}

interface Ticked {
  readonly session: Session;
  readonly now: number;
}

export class Aside {
  readonly #context: WorkerContext;
  readonly #due: (at: number) => void;
  #waitingUntil = 0;

  /** `due`: told when a claim is to be tried again. */
  constructor(context: WorkerContext, due: (at: number) => void) {
    this.#context = context;
    this.#due = due;
  }

  /** Virtual time until which something of this process waits to be tried again; 0 or past = nothing does. */
  get waitingUntil(): number {
    return this.#waitingUntil;
  }

  /** The head failed. Parked after {@link FAILURES} of them, else tried again with a pause. `againMs`: the first of them. */
  async failed(
    claimed: Claimed,
    reason: string,
    account: Account,
    againMs = AGAIN_MS,
  ): Promise<null> {
    if (claimed.barren + 1 >= FAILURES) return this.park(claimed, reason, account);
    return this.again(claimed, againMs, false);
  }

  /**
   * A tick failed before it came to any timer: a conversation that its flow cannot go on with. Nothing of it is lost and nobody
   * waits for it, so nothing is parked; its timers come again, and fire once the flow is mended.
   */
  async unfired(
    claimed: Claimed,
    { reason, unfired }: { readonly reason: string; readonly unfired: string },
    account: Account,
  ): Promise<null> {
    if (claimed.barren + 1 < FAILURES) return this.again(claimed, AGAIN_MS, false);
    const ticked = this.#ticked(claimed, headOf(claimed));
    const again = this.#context.clock.now() + UNFIRED_AGAIN_MS;
    const later = ticked && putTimerOff(ticked.session, ticked.now, again);
    // Without a session, or none due in it: there is nothing to come again.
    if (!later) return this.park(claimed, reason, account);
    this.#context.alarms.raise({
      ...{ code: "timer.unfired", account: claimed.account, subject: claimed.contact },
      message: `A timer could not fire because its conversation cannot go on; it is tried again every ${UNFIRED_AGAIN_MS / 60_000} minutes. ${unfired}.`,
    });
    return this.#putOff(claimed, later);
  }

  /** This process tries it once more. `blameless`: no failure is counted, and each pause is the same. */
  async again(claimed: Claimed, afterMs: number, blameless: boolean): Promise<null> {
    const { contact, barren } = claimed;
    const at = this.#context.clock.now() + (blameless ? afterMs : afterMs * 2 ** barren);
    this.#context.log.warn(
      { contact, failures: blameless ? barren : barren + 1 },
      "an event could not be applied; it is tried again",
    );
    await this.#release(claimed, at, blameless);
    this.#due(at);
    this.#waitingUntil = Math.max(this.#waitingUntil, at);
    return null;
  }

  /** Not the mail's fault, and another process may do it: it waits, and no failure is counted. */
  async handBack(claimed: Claimed, afterMs: number): Promise<null> {
    await this.#release(claimed, this.#context.clock.now() + afterMs, true);
    return null;
  }

  /**
   * The head event goes to dead letters; the old session stays; the person is told once, by the flow's own words. Of a tick
   * it is the timer that failed: it is set aside in the session in the same step, and its letter lets it fire again.
   */
  async park(claimed: Claimed, reason: string, account?: Account): Promise<null> {
    const { contact, epoch, rev } = claimed;
    const [head] = claimed.mail;
    const mail = headOf(claimed);
    const ticked = account && this.#ticked(claimed, mail);
    const timer = ticked && setTimerAside(ticked.session, ticked.now);
    const event = timer?.event ?? head?.event ?? "";
    // A notice that cannot be applied itself must not make another notice; of a timer its person was told the first time.
    const noticed = account && head && !event.startsWith("parked:") && mail?.kind !== "timer";
    const to = senderOf(mail);
    const notice: Json = {
      ...{ kind: "parked", event, reason },
      ...(to ? { to } : {}),
      ...(ticked && timer?.mail.kind !== "inbound" ? { unasked: true } : {}),
    };
    const parked = await this.#context.store.park({
      ...{ account: claimed.account, contact, epoch, rev, reason },
      ...(noticed ? { notice: { event: `parked:${event}`, mail: notice } } : {}),
      // The store took the contact's timers for told: those that did not fail go on.
      ...(ticked ? { due: timer ? timer.due : nextDue(ticked.session) } : {}),
      ...(timer ? { letter: timer, newSession: timer.session } : {}),
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

  /** The session whose timers a tick is about, and when they are due by. */
  #ticked(claimed: Claimed, mail: Mail | undefined): Ticked | undefined {
    const session = sessionOf(claimed.session);
    if (mail?.kind !== "tick" || session === null || typeof session === "string") return undefined;
    return { session, now: Math.max(this.#context.clock.now(), mail.due) };
  }

  /**
   * Dead letters are many, and what failed must not get lost: it stays at the head of its own mailbox until somebody made
   * room, and nobody else waits for it. A timer is put off instead, so that its person is answered meanwhile.
   */
  async #noRoom(claimed: Claimed, ticked: Ticked | undefined): Promise<null> {
    const { account, contact } = claimed;
    this.#context.alarms.raise({
      ...{ code: "dead.full", account, subject: contact },
      message:
        "An event could not be applied and dead letters have no room: it waits in its mailbox until some were released or dropped.",
    });
    const again = this.#context.clock.now() + FULL_AGAIN_MS;
    const later = ticked && putTimerOff(ticked.session, ticked.now, again);
    return later ? this.#putOff(claimed, later) : this.handBack(claimed, FULL_AGAIN_MS);
  }

  async #putOff(
    { account, contact, epoch, rev }: Claimed,
    { session, due }: Pick<FailingTimer, "session" | "due">,
  ): Promise<null> {
    await this.#context.store.commit([
      {
        ...{ account, contact, epoch, rev, applied: 1, session },
        ...{ effects: [], due, journal: [] },
      },
    ]);
    this.#context.wake("turns");
    return null;
  }

  /**
   * Mail of a contact that proved to be another one. Accepted there first: a crash in between makes a duplicate, no loss. Of who
   * was erased meanwhile nothing is stored.
   */
  async forward(claimed: Claimed, to: string): Promise<null> {
    const { account, contact, epoch, rev } = claimed;
    // A session is here only when whoever merged the two died before it was handed over.
    const items = handover(contact, rev, claimed.session, claimed.mail);
    await this.#context.store.accept(items.map((item) => ({ account, contact: to, ...item })));
    await this.#context.store.commit([
      {
        ...{ account, contact, epoch, rev, applied: claimed.mail.length },
        ...{ session: null, effects: [], due: "same", journal: [] },
      },
    ]);
    this.#context.wake("turns");
    return null;
  }

  async #release(claimed: Claimed, againAt: number, blameless: boolean): Promise<void> {
    const { account, contact, epoch, rev } = claimed;
    await this.#context.store.commit([
      {
        ...{ account, contact, epoch, rev, applied: 0, session: null, effects: [], due: "same" },
        ...{ journal: [], againAt, blameless },
      },
    ]);
  }
}
