/**
 * The turns loop: claim contacts with mail, apply it to their sessions, commit. The store refuses a late commit and it is
 * dropped here; a crash at any moment leaves the old state or the new one.
 */
import type { Account } from "../../engine/index.ts";
import type { TurnResult } from "../../engine/turn/run.ts";
import type { Acceptance, Accepted, Claimed, Committed } from "../../store/port/port.ts";
import { FailedClaims, isTick } from "./failed-claims.ts";
import { sessionLive, type SessionLive } from "../events.ts";
import { Loop } from "../loop.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { type Moment, moment } from "../fleet/effect-lease.ts";
import { type Applied, Turn, type TurnParts } from "./turn.ts";

/** Contacts and events of one claim: a batch takes milliseconds, far below its lease. */
const CONTACTS = 32;
const EVENTS = 16;
/** Lease of a contact, ms: after a crash its mail waits this long. */
const LEASE_MS = 2_000;
/** Poll of the loop, ms, in case a wake-up hint was lost. */
const IDLE_MS = 1_000;
/** A contact whose account cannot be read is looked at again after this, ms. */
const SURROUNDINGS_MS = 1_000;
/** Claims at once: while one waits for the store, the other computes. */
const CLAIMS = 2;
/**
 * Contacts leased with their mail by `accept` and not committed yet; beyond it mail waits for a claim. Far less than a
 * lease of work.
 */
const TAKEN_LIMIT = 256;

export class Turns {
  readonly #context: TurnParts;
  readonly #outbox: Outbox;
  readonly #owner: string;
  readonly #turn: Turn;
  readonly #loops: readonly Loop[];
  readonly #due: (at: number) => void;
  readonly #failedClaims: FailedClaims;
  #active = 0;
  /** Contacts leased by `accept` and not committed yet, or asked for by an `accept` under way. */
  #taking = 0;
  #done = 0;
  #stopping = false;
  /** Between start and stop: only then are contacts leased by `accept`. */
  #open = false;
  /** Leased with their mail, and not begun. */
  #taken: Claimed[] = [];
  readonly #serving = new Set<Promise<void>>();
  /** The next round looks at all partitions, not only where hints point. */
  #anywhere = true;

  /** `due`: told of the next timer of each committed session. */
  constructor(
    context: TurnParts,
    outbox: Outbox,
    options: { owner: string; due: (at: number) => void },
  ) {
    this.#context = context;
    this.#outbox = outbox;
    this.#owner = options.owner;
    this.#due = options.due;
    this.#failedClaims = new FailedClaims(context, options.due);
    this.#turn = new Turn(context, outbox, this.#failedClaims);
    const failed = (error: unknown) => context.log.error({ err: error }, "turns could not be made");
    this.#loops = Array.from(
      { length: CLAIMS },
      () =>
        new Loop({
          round: async () => {
            const hinted = !this.#anywhere;
            this.#anywhere = false;
            return (await this.runOnce(hinted)) > 0;
          },
          idleMs: () => IDLE_MS,
          failed,
        }),
    );
  }

  get active(): number {
    return this.#active;
  }

  /** Contacts served since the start: moves whenever work was done. */
  get done(): number {
    return this.#done;
  }

  /** Virtual time until which mail of a failed turn waits to be tried again. */
  get waitingUntil(): number {
    return this.#failedClaims.waitingUntil;
  }

  start(): void {
    this.#stopping = false;
    this.#open = true;
    for (const loop of this.#loops) loop.start();
  }

  /** No new claims; the claimed ones are committed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#open = false;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    while (this.#taken.length > 0) this.#begin();
    await Promise.all(this.#serving);
  }

  /**
   * Accepts mail; contacts that a claim would hand out next are leased in the same step. Their turns begin after the answer
   * is on its way, together with the others of this tick.
   */
  accept(items: readonly Acceptance[]): Promise<readonly Accepted[]> {
    const { store } = this.#context;
    const count = items.length === 1 ? 1 : new Set(items.map(({ contact }) => contact)).size;
    if (!this.#open || this.#taking + count > TAKEN_LIMIT) return store.mail.accept(items);
    let free = count;
    this.#taking += count;
    const accepted = store.mail.accept(items, {
      events: EVENTS,
      leaseMs: LEASE_MS,
      claimed: (claimed) => {
        this.#active++;
        free--;
        if (this.#taken.push(claimed) === 1) setImmediate(() => this.#begin());
      },
    });
    return accepted.finally(() => {
      this.#taking -= free;
    });
  }

  /** Begins the turns of some leased contacts, and continues after other work of this process had its turn. */
  #begin(): void {
    const claims = this.#taken.splice(0, CONTACTS);
    if (claims.length === 0) return;
    if (this.#taken.length > 0) setImmediate(() => this.#begin());
    const serving = this.#serve(claims)
      .catch((error: unknown) =>
        this.#context.log.error({ err: error }, "turns could not be committed"),
      )
      .finally(() => {
        this.#active -= claims.length;
        this.#taking -= claims.length;
        this.#serving.delete(serving);
      });
    this.#serving.add(serving);
  }

  /** There may be work in any partition. */
  wake(): void {
    this.#anywhere = true;
    this.hint();
  }

  /** There is work where the store said so. */
  hint(): void {
    for (const loop of this.#loops) loop.ring();
  }

  /** One claim; answers how many contacts it held. */
  async runOnce(hinted = false): Promise<number> {
    if (this.#stopping) return 0;
    this.#active++;
    try {
      const claims = await this.#context.store.mail.claim({
        owner: this.#owner,
        contacts: CONTACTS,
        events: EVENTS,
        leaseMs: LEASE_MS,
        hinted,
      });
      if (claims.length > 0) await this.#serve(claims);
      return claims.length;
    } finally {
      this.#active--;
    }
  }

  async #serve(claims: readonly Claimed[]): Promise<void> {
    const turns = await Promise.all(claims.map((claimed) => this.#guarded(claimed)));
    const applied = turns.filter((turn) => turn !== null);
    if (applied.length > 0) {
      const asked = moment(this.#context.clock);
      const answers = await this.#context.store.mail.commit(applied.map(({ commit }) => commit));
      await Promise.all(applied.map((turn, index) => this.#committed(turn, answers[index], asked)));
    }
    this.#done += claims.length;
  }

  /** A contact whose account or aliases cannot be read must not hold back the others of the claim. */
  async #guarded(claimed: Claimed): Promise<Applied | null> {
    try {
      return await this.#turn.of(claimed);
    } catch (error) {
      this.#context.log.error({ err: error, contact: claimed.contact }, "a turn could not be made");
      return this.#failedClaims.handBack(claimed, SURROUNDINGS_MS).catch(() => null);
    }
  }

  async #committed(turn: Applied, answer: Committed | undefined, asked: Moment): Promise<void> {
    const { claimed, account, result, commit } = turn;
    if (answer?.ok === false && answer.reason === "too_large") {
      // Several events or timers may have caused the failure, so they are tried again one by one.
      const isOne = result.applied === 1 && (claimed.failedClaims > 0 || !isTick(claimed));
      if (!isOne) await this.#failedClaims.failed(claimed, "session_too_large", account);
      else await this.#failedClaims.deadLetter(claimed, "session_too_large", account);
      return;
    }
    if (!answer?.ok) {
      if (answer?.reason === "unknown")
        this.#context.log.error({ contact: claimed.contact }, "a turn could not be committed");
      else this.#context.counted?.("turns_fenced", {});
      return;
    }
    const { effects } = commit;
    const more = effects.length > answer.begun.length;
    this.#outbox.take(answer.begun, asked, { session: result.session, more });
    if (more) this.#outbox.hint();
    if (answer.left > 0) this.hint();
    if (result.due !== null) this.#due(result.due);
    this.#context.counted?.("turns", {});
    if (result.journal.some((record) => record.cut)) this.#cut(claimed);
    if (result.journal.some((record) => record.automatic)) this.#automatic(claimed);
    if (!this.#context.events.isEmpty) this.#tell(claimed, account, result, answer.left);
  }

  /** Two machines talk to each other, which costs the business money: an alarm for each time it is cut. */
  #cut({ account, contact }: Claimed): void {
    this.#context.alarms.raise({
      code: "loop.cut",
      account,
      subject: contact,
      message:
        "A contact wrote too much, the same again and again, or to no end, and is not answered for a while.",
    });
  }

  #automatic({ account }: Claimed): void {
    const { automatic, log } = this.#context;
    automatic.tell(account).catch((error: unknown) => {
      log.error({ err: error }, "it was not told that the phone's app answers by itself");
    });
  }

  #tell(claimed: Claimed, account: Account, result: TurnResult, queued: number): void {
    const { session } = result;
    const { library, clock, events } = this.#context;
    const now = clock.now();
    let view: SessionLive | undefined;
    for (const record of result.journal)
      events.tell({
        type: "turn",
        account: claimed.account,
        contact: claimed.contact,
        record,
        // Made on demand, because mostly no console looks.
        get view() {
          return (view ??= sessionLive(session, { library, account, now, queued }));
        },
        session,
        name: session.name,
        address: session.address,
      });
  }
}
