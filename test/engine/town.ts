/**
 * A small town for engine tests: contacts with sessions, the post between them, and a clock. Nothing runs but the pure
 * turn; what it asks of the world is written down.
 */
import { demoAccount } from "../../src/app/start/demo.ts";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { readSettings } from "../../src/app/settings.ts";
import {
  type Account,
  type Content,
  type Effect,
  type JournalRecord,
  type Library,
  type Mail,
  run,
  Session,
  type TurnResult,
} from "../../src/engine/index.ts";
import type { RequestFrame } from "../../src/engine/session/frame.ts";
import { openRequests } from "../../src/engine/session/session.ts";
import { model } from "../support/plugins.ts";

export const CUSTOMER = "c1".padEnd(32, "0");
export const SECOND = "c2".padEnd(32, "0");
export const OPERATOR = "0a".padEnd(32, "0");
const NAMES: Record<string, string> = {
  [CUSTOMER]: "Maria",
  [SECOND]: "João",
  [OPERATOR]: "Operador",
};

export const account: Account = demoAccount(readSettings({}), model);
export const library: Library = (await loadFlows()).library;

/** 2026-11-21 10:00 in São Paulo. */
export const START = Date.UTC(2026, 10, 21, 13, 0, 0);

export class Town {
  now = START;
  readonly sessions = new Map<string, Session>();
  /** Bubbles by contact, in order. */
  readonly said = new Map<string, string[]>();
  /** Calls asked for, with the contact that asked. */
  /** Ids of the bubbles, in the same order. */
  readonly sent = new Map<string, string[]>();
  readonly calls: { contact: string; effect: Extract<Effect, { type: "call" }> }[] = [];
  readonly journal: JournalRecord[] = [];
  library: Library;
  readonly account: Account;
  #events = 0;

  constructor(of: Library = library, business: Account = account) {
    this.library = of;
    this.account = business;
  }

  /** Goes on from where another one is, which stays as it is: a turn changes nothing that it was given. */
  follow(other: Town): this {
    this.now = other.now;
    this.#events = other.#events;
    for (const name of ["sessions", "said", "sent"] as const)
      for (const [contact, one] of other[name])
        (this[name] as Map<string, unknown>).set(contact, one);
    this.calls.push(...other.calls);
    this.journal.push(...other.journal);
    return this;
  }

  /** Gives mail to a contact, in one batch, and lets the post between contacts run until it is quiet. */
  deliver(contact: string, ...mails: Mail[]): TurnResult {
    const operator = contact === OPERATOR;
    const session = this.sessions.get(contact) ?? null;
    const before = JSON.stringify(session);
    const items = mails.map((mail) => ({ event: `e${++this.#events}`, mail }));
    const result = run(session, items, {
      account: this.account,
      accountModel: model,
      accountId: this.account.id,
      contact,
      role: operator ? "operator" : "customer",
      now: this.now,
      library: this.library,
      ...(operator ? { alias: this.account.operators[0]?.alias ?? "" } : {}),
    });
    if (JSON.stringify(session) !== before) throw new Error("the turn changed its input");
    // Every session goes through JSON, as it does in the store, and must be read again afterwards.
    if (result.applied > 0)
      this.sessions.set(contact, Session.parse(JSON.parse(JSON.stringify(result.session))));
    this.journal.push(...result.journal);
    for (const effect of result.effects) {
      if (effect.type === "send") {
        this.said.set(contact, [...(this.said.get(contact) ?? []), shown(effect.message)]);
        const { id, request } = effect;
        if (request) this.deliver(contact, { kind: "shown", message: id, request });
        this.sent.set(contact, [...(this.sent.get(contact) ?? []), id]);
      } else if (effect.type === "call" && effect.name === "notes.similar")
        this.#nothingLike(contact, effect);
      else if (effect.type === "call") this.calls.push({ contact, effect });
      else this.deliver(this.address(effect.to), effect.mail as unknown as Mail);
    }
    return result;
  }

  /** The house's own look into its books, which are empty here: answered at once. */
  #nothingLike(contact: string, { id, waiter }: Extract<Effect, { type: "call" }>): void {
    if (!waiter) throw new Error("nobody waits for a look");
    const result = { outcome: "done", out: { found: false, label: "" } } as const;
    this.deliver(contact, { kind: "result", effect: id, waiter, result });
  }

  private address(to: string): string {
    return to.startsWith("contact:") ? to.slice("contact:".length) : OPERATOR;
  }

  /** A contact writes; gives the new bubbles of that contact. */
  says(contact: string, text: string): string[] {
    const before = (this.said.get(contact) ?? []).length;
    this.deliver(contact, this.message(contact, { type: "text", text }));
    this.after(1_100); // Free text waits a second for more.
    return (this.said.get(contact) ?? []).slice(before);
  }

  /** The same, as a reply to the bubble of that id. */
  replies(contact: string, to: string, text: string): string[] {
    const before = (this.said.get(contact) ?? []).length;
    this.deliver(contact, this.message(contact, { type: "text", text }, to));
    this.after(1_100);
    return (this.said.get(contact) ?? []).slice(before);
  }

  /** A message of a contact, as mail; `quoted`: the bubble it replies to. */
  message(contact: string, content: Content, quoted?: string): Extract<Mail, { kind: "inbound" }> {
    const id = `m${++this.#events}`;
    return {
      kind: "inbound",
      channel: "engine-b",
      acceptedAt: this.now,
      event: {
        ...{ kind: "message", id, at: this.now, messageId: id, content },
        from: { address: `${contact}@s.whatsapp.net`, name: NAMES[contact] ?? "?" },
        ...(quoted === undefined ? {} : { quoted }),
      },
    };
  }

  talks(contact: string, texts: readonly string[]): string {
    return texts.flatMap((text) => this.says(contact, text)).at(-1) ?? "";
  }

  /** Moves the clock and fires what is due, for every contact. */
  after(ms: number): void {
    this.now += ms;
    for (const [contact, session] of this.sessions) {
      const all = [session, ...session.frames, ...session.requests].flatMap((one) => one.timers);
      if (all.some((timer) => timer.due <= this.now))
        this.deliver(contact, { kind: "tick", due: this.now });
    }
  }

  /** The world answers the newest call. */
  answers(outcome: "done" | "rejected" | "held" | "failed", out: Record<string, string>): void {
    const last = this.calls.at(-1);
    if (!last?.effect.waiter) throw new Error("nobody waits for a call");
    const { contact, effect } = last;
    this.deliver(contact, {
      kind: "result",
      effect: effect.id,
      waiter: last.effect.waiter,
      result: { outcome, out },
    });
  }

  last(contact: string): string {
    return this.said.get(contact)?.at(-1) ?? "";
  }

  /** The requests that wait for the operator. */
  get open(): readonly RequestFrame[] {
    const session = this.sessions.get(OPERATOR);
    return session ? openRequests(session) : [];
  }

  step(contact: string): string {
    const frame = this.sessions.get(contact)?.frames.at(-1);
    if (!frame) return "";
    const program = this.library.get(frame.flow, frame.hash);
    const context = { now: this.now, zone: account.zone, locale: "pt-BR", variant: 0 } as const;
    return `${frame.flow}.${program?.expects(frame.state, context).step ?? "?"}`;
  }
}

function shown(message: Extract<Effect, { type: "send" }>["message"]): string {
  const rows = (message.choices ?? []).map((choice, index) => `${index + 1}. ${choice.label}`);
  return [message.text, ...rows].join("\n");
}

/** From "oi" to the summary, without a mistake. */
export const TO_SUMMARY = [
  ...["oi", "1", "1", "529.982.247-25", "Maria Souza", "150", "corte de cabelo", "hoje"],
] as const;
