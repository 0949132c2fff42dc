/**
 * The turns loop: claim contacts with mail, apply it to their sessions, commit. A late commit is refused by the store and
 * dropped here; a crash anywhere leaves either the old fact or the new one.
 */
import type { Json } from "../base/index.ts";
import { type Account, Mail, Session } from "../engine/index.ts";
import { run, type TurnResult } from "../engine/run.ts";
import { nextDue } from "../engine/timers.ts";
import type { Claimed, Commit, Committed, MailItem, NewEffect } from "../store/port.ts";
import type { Desk } from "./desk.ts";
import { newEffect, scopeOf } from "./entry.ts";
import { SHORT_LEASE_MS } from "./leases.ts";
import { sessionLive, type SessionLive } from "./live.ts";
import { Loop } from "./loop.ts";
import type { Outbox } from "./outbox.ts";
import { Roles } from "./roles.ts";

/** Contacts and events of one claim: a batch is milliseconds of pure work, far below its lease. */
const CONTACTS = 32;
const EVENTS = 16;
/** The tail after a crash is one lease. */
const LEASE_MS = 2_000;
/** Sleep without a wake: the net under wakes that were lost. */
const IDLE_MS = 1_000;
/** Claims in a row without a commit: what kills or hangs the process is not tried for ever. */
const BARREN_LIMIT = 5;
/** A turn that takes longer is told: it blocks everybody in this process. */
const TURN_BUDGET_MS = 1_000;
/** Claims at once: while one waits for the store, the other computes. */
const LANES = 2;

interface Applied {
  readonly claimed: Claimed;
  readonly account: Account;
  readonly result: TurnResult;
  readonly commit: Commit;
}

export class Turns {
  readonly #desk: Desk;
  readonly #outbox: Outbox;
  readonly #owner: string;
  readonly #roles: Roles;
  readonly #loops: readonly Loop[];
  readonly #due: (at: number) => void;
  #active = 0;
  #done = 0;
  #stopping = false;
  /** Look everywhere at the next round, not only where hints point. */
  #anywhere = true;

  /** `due`: told of the next timer of each committed session. */
  constructor(desk: Desk, outbox: Outbox, options: { owner: string; due: (at: number) => void }) {
    this.#desk = desk;
    this.#outbox = outbox;
    this.#owner = options.owner;
    this.#due = options.due;
    this.#roles = new Roles(desk.store, () => desk.clock.real());
    const failed = (error: unknown) => desk.log.error({ err: error }, "turns could not be made");
    this.#loops = Array.from(
      { length: LANES },
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

  start(): void {
    this.#stopping = false;
    for (const loop of this.#loops) loop.start();
  }

  /** No new claims; the claimed ones are committed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** There may be work anywhere. */
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
      const claims = await this.#desk.store.claim({
        owner: this.#owner,
        contacts: CONTACTS,
        events: EVENTS,
        leaseMs: LEASE_MS,
        hinted,
      });
      if (claims.length === 0) return 0;
      const turns = await Promise.all(claims.map((claimed) => this.#guarded(claimed)));
      const applied = turns.filter((turn) => turn !== null);
      if (applied.length > 0) {
        const answers = await this.#desk.store.commit(applied.map(({ commit }) => commit));
        applied.forEach((turn, index) => this.#committed(turn, answers[index]));
      }
      this.#done += claims.length;
      return claims.length;
    } finally {
      this.#active--;
    }
  }

  /** One contact's trouble with its surroundings (account, aliases) must not hold back the others of the claim. */
  async #guarded(claimed: Claimed): Promise<Applied | null> {
    try {
      return await this.#turn(claimed);
    } catch (error) {
      this.#desk.log.error({ err: error, contact: claimed.contact }, "a turn could not be made");
      return null;
    }
  }

  async #turn(claimed: Claimed): Promise<Applied | null> {
    const { accounts, clock, library } = this.#desk;
    if (claimed.forward) return this.#forward(claimed, claimed.forward);
    const account = await accounts.get(claimed.account);
    if (!account) return this.#park(claimed, "account_unknown");
    if (claimed.barren >= BARREN_LIMIT) return this.#park(claimed, "no_commit", account);
    const session = sessionOf(claimed.session);
    if (session === "unreadable") return this.#park(claimed, "session_unreadable");
    const items = readable(claimed.mail);
    if (items.length === 0) return this.#park(claimed, "mail_unreadable", account);
    const standing = await this.#roles.of(account, claimed.contact, session === null);
    // The store decided that a timer is due; its clock, not ours, is right about that.
    const ticks = items.flatMap(({ mail }) => (mail.kind === "tick" ? [mail.due] : []));
    const from = performance.now();
    const result = run(session, items, {
      account,
      accountId: claimed.account,
      contact: claimed.contact,
      role: standing.role,
      now: Math.max(clock.now(), ...ticks),
      library,
      ...(standing.alias === undefined ? {} : { alias: standing.alias }),
    });
    this.#timed(claimed, performance.now() - from);
    if (result.applied === 0)
      return this.#park(claimed, result.failed?.reason ?? "not_applied", account);
    const commit = this.#commitOf(claimed, account, result);
    return { claimed, account, result, commit };
  }

  #commitOf(claimed: Claimed, account: Account, result: TurnResult): Commit {
    const at = this.#desk.clock.now();
    const results = new Set(
      claimed.mail.flatMap(({ event, mail }) =>
        (mail as { kind?: string }).kind === "result" ? [event] : [],
      ),
    );
    let spoken = false;
    const effects = result.effects.map((effect): NewEffect => {
      const first = effect.type === "send" && !spoken;
      if (effect.type === "send") spoken = true;
      const fused =
        (first || (effect.type === "call" && effect.class === "read")) &&
        this.#outbox.hasRoom &&
        !this.#desk.scopes.isPaused(scopeOf(effect, account.id));
      return newEffect(effect, {
        account: account.id,
        at,
        result: effect.type === "send" && results.has(effect.turn),
        ...(fused ? { beginMs: SHORT_LEASE_MS } : {}),
      });
    });
    return {
      account: claimed.account,
      contact: claimed.contact,
      epoch: claimed.epoch,
      rev: claimed.rev,
      applied: result.applied,
      session: result.session,
      effects,
      due: result.due,
      journal: result.journal,
    };
  }

  #committed({ claimed, account, result, commit }: Applied, answer: Committed | undefined): void {
    if (!answer?.ok) {
      this.#desk.counted?.("turns_fenced", {});
      return;
    }
    const { effects } = commit;
    this.#outbox.take(answer.begun, result.session, effects.length > answer.begun.length);
    if (effects.length > answer.begun.length) this.#outbox.hint();
    if (answer.left > 0) this.hint();
    if (result.due !== null) this.#due(result.due);
    this.#desk.counted?.("turns", {});
    if (this.#desk.watched()) this.#tell(claimed, account, result, answer.left);
  }

  #tell(claimed: Claimed, account: Account, result: TurnResult, queued: number): void {
    const { session } = result;
    const { library, clock, emit } = this.#desk;
    const now = clock.now();
    let view: SessionLive | undefined;
    for (const record of result.journal)
      emit({
        type: "turn",
        account: claimed.account,
        contact: claimed.contact,
        record,
        // Made when somebody looks: nobody does most of the time.
        get view() {
          return (view ??= sessionLive(session, { library, account, now, queued }));
        },
        session,
        ...(session.name === undefined ? {} : { name: session.name }),
        ...(session.address === undefined ? {} : { address: session.address }),
      });
  }

  #timed(claimed: Claimed, ms: number): void {
    if (ms <= TURN_BUDGET_MS) return;
    this.#desk.alarms.raise({
      code: "turn.slow",
      account: claimed.account,
      subject: claimed.contact,
      message: `A turn took ${Math.round(ms)} ms; everybody in this process waited for it.`,
    });
  }

  /** Mail of a contact that proved to be another one. Accepted there first: a crash in between makes a duplicate, no loss. */
  async #forward(claimed: Claimed, to: string): Promise<null> {
    const { account, contact, epoch, rev } = claimed;
    await this.#desk.store.accept(
      claimed.mail.map(({ event, mail }) => ({ account, contact: to, event, mail })),
    );
    const session = sessionOf(claimed.session);
    await this.#desk.store.commit([
      {
        ...{ account, contact, epoch, rev },
        applied: claimed.mail.length,
        session: null,
        effects: [],
        due: session && session !== "unreadable" ? nextDue(session) : null,
        journal: [],
      },
    ]);
    this.wake();
    return null;
  }

  /** The head event goes to dead letters; the old session stays; the person is told once, by the flow's own words. */
  async #park(claimed: Claimed, reason: string, account?: Account): Promise<null> {
    const { contact, epoch, rev } = claimed;
    const [head] = claimed.mail;
    if (!head) return null;
    // A notice that cannot be applied itself must not make another notice.
    const noticed = account !== undefined && !head.event.startsWith("parked:");
    const event = `parked:${head.event}`;
    await this.#desk.store.park({
      account: claimed.account,
      contact,
      epoch,
      rev,
      reason,
      ...(noticed
        ? { notice: { event, mail: { kind: "parked", event: head.event, reason } } }
        : {}),
    });
    this.#desk.alarms.raise({
      code: "event.parked",
      account: claimed.account,
      subject: contact,
      message:
        "An event could not be applied; it waits in dead letters and the conversation goes on.",
    });
    this.wake();
    return null;
  }
}

/** The head of the mailbox, up to the first item of a shape this program does not know. */
function readable(mail: readonly MailItem[]): { event: string; mail: Mail }[] {
  const items: { event: string; mail: Mail }[] = [];
  for (const item of mail) {
    const read = Mail.safeParse(item.mail);
    if (!read.success) break;
    items.push({ event: item.event, mail: read.data });
  }
  return items;
}

/** The envelope as stored. Checked: it may come from an older version of this program. */
function sessionOf(stored: Json | null): Session | null | "unreadable" {
  if (stored === null) return null;
  const read = Session.safeParse(stored);
  return read.success ? read.data : "unreadable";
}
