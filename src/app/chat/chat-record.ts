/** What the worker's commits told so far: open timers, calls of flows, how the conversation ended, and what broke. */
import type { JsonObject } from "../../base/index.ts";
import type { CallEffect, Effect, Frame, Session } from "../../engine/index.ts";
import type { ChatState, FlowLibrary } from "../../flow/index.ts";
import type { Commit } from "../../store/index.ts";
import type { Log } from "../../worker/index.ts";
import type { ChatCrashes } from "./chat-crashes.ts";
import type { Witness } from "./chat-process.ts";

export interface Call {
  /** Contact whose flow made it. */
  readonly of: string;
  readonly effect: CallEffect;
}

export class ChatRecord implements Witness {
  readonly calls: Call[] = [];
  /** How the customer's last flow ended. */
  outcome: string | undefined;
  /** What broke first, in a sentence. */
  broken: string | undefined;
  readonly #crashes: ChatCrashes;
  readonly #isCustomer: (contact: string) => boolean;
  /** Next timer of each contact, ms. */
  readonly #due = new Map<string, number>();
  /** Times at which something is tried again, ms. */
  #retries: number[] = [];

  constructor(crashes: ChatCrashes, isCustomer: (contact: string) => boolean) {
    this.#crashes = crashes;
    this.#isCustomer = isCustomer;
  }

  /** When the next timer or retry after `now` is due, ms; Infinity: none. */
  nextAfter(now: number): number {
    return Math.min(...this.#due.values(), ...this.#retries.filter((at) => at > now));
  }

  /** When something is tried again next, ms; Infinity: nothing is. */
  nextRetryAfter(now: number): number {
    this.#retries = this.#retries.filter((at) => at > now);
    return Math.min(...this.#retries);
  }

  /** Where the customer's conversation stands. */
  state(
    session: Session | null,
    library: FlowLibrary,
    { now, zone, locale }: { now: number; zone: string; locale: Session["locale"] },
  ): Omit<ChatState, "calls"> {
    const frame = session?.frames.at(-1);
    const program = frame && library.get(frame.flow, frame.hash);
    const facts = (frame?.state as { facts?: { slots?: JsonObject } } | undefined)?.facts;
    const owners: (Session | Frame)[] = session ? [session, ...session.frames] : [];
    const context = { now, zone, locale: session?.locale ?? locale, variant: 0 };
    return {
      step: program ? program.expects(frame.state, context).step : "",
      slots: facts?.slots ?? {},
      effects: this.calls.map(({ effect }) => ({ name: effect.name, input: effect.input })),
      outcome: this.outcome,
      handoff: session?.handoff?.reason,
      timers: owners.flatMap((owner) =>
        owner.timers.map(({ name, due }) => ({ name, inMs: due - now })),
      ),
    };
  }

  commits(commit: Commit): "die" | undefined {
    this.#crashes.compare(commit);
    if (!this.#crashes.strikes("before commit")) return undefined;
    this.#crashes.lose(commit);
    return "die";
  }

  committed(commit: Commit): "die" | undefined {
    const { contact, due, effects, journal } = commit;
    if (due === null) this.#due.delete(contact);
    else if (due !== "same") this.#due.set(contact, due);
    for (const { payload } of effects) {
      const effect = payload as unknown as Effect;
      if (effect.type === "call") this.calls.push({ of: contact, effect });
    }
    if (this.#isCustomer(contact))
      for (const { moves } of journal as unknown as { moves: readonly { to?: string }[] }[])
        for (const { to } of moves)
          if (to?.startsWith("ended-")) this.outcome = to.slice("ended-".length);
    return this.#crashes.strikes("after commit") ? "die" : undefined;
  }

  parked(reason: string): void {
    this.broken ??= reason;
  }

  later(at: number): void {
    this.#retries.push(at);
  }

  /** Of the worker: an error it logs fails the chat. */
  readonly log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields, message) => {
      const { err } = fields as { readonly err?: unknown };
      this.broken ??= err instanceof Error ? `${message}: ${err.message}` : message;
    },
  };
}
