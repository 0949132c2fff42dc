/**
 * What happens between the people of a town of chat files: mail to contacts, the worker that answers it and what goes out.
 * A worker that is lost is followed by another one, which has the store and nothing else.
 */
import type { JsonObject } from "../../base/index.ts";
import type {
  Account,
  AccountModel,
  CallEffect,
  CallResult,
  Effect,
  Mail,
  SendEffect,
  TurnResult,
} from "../../engine/index.ts";
import type { FlowLibrary } from "../../flow/index.ts";
import type { ChatEffects } from "../chat/chat-effects.ts";
import type { TownCrashes } from "./town-crashes.ts";
import type { TownFaults } from "./town-faults.ts";
import type { Person, TownPeople } from "./town-people.ts";
import type { Letter, Parcel, TownStore } from "./town-store.ts";
import { Crashed, TownWorker } from "./town-worker.ts";

/** Turns and effects of one move; more is a ring of contacts that write to each other. */
const MAX_STEPS = 5_000;

export type Outcome = CallResult["outcome"];
export type Call = { readonly of: string; readonly effect: CallEffect };

export interface PostParts {
  readonly account: Account;
  readonly accountModel: AccountModel;
  readonly store: TownStore;
  readonly people: TownPeople;
  readonly faults: TownFaults;
  readonly crashes: TownCrashes;
  readonly effects: ChatEffects;
  readonly library: () => FlowLibrary;
  readonly now: () => number;
  readonly committed: (person: Person, result: TurnResult) => void;
}

export class TownPost {
  readonly #parts: PostParts;
  /** What the house does itself, asked for and not done yet. */
  readonly #errands: Parcel[] = [];
  readonly #sent: Record<string, number> = {};
  #worker: TownWorker;
  #events = 0;

  constructor(parts: PostParts) {
    this.#parts = parts;
    this.#worker = this.#hired();
  }

  /** How often each route was called. */
  get sent(): Readonly<Record<string, number>> {
    return this.#sent;
  }

  get worker(): TownWorker {
    return this.#worker;
  }

  /** A number no other message or report has. */
  event(): number {
    return ++this.#events;
  }

  /** Another process: whatever the worker before had in its memory is gone. */
  restart(): void {
    this.#worker = this.#hired();
  }

  mail(to: string, mail: Mail): void {
    this.deliver({ to, event: `e${this.event()}`, mail });
  }

  deliver(letter: Letter): void {
    this.#parts.store.accept(letter, this.#parts.now());
    this.#work();
  }

  /** The house's own work, each piece in the order it was asked for. */
  async settle(): Promise<void> {
    for (let errand = this.#errands.shift(); errand; errand = this.#errands.shift()) {
      const { effect, of } = errand;
      if (effect.type !== "call") continue;
      const { result, mail } = await this.#parts.effects.perform(effect, of, this.#parts.now());
      for (const [index, one] of mail.entries())
        this.#accept(one.to, `${effect.id}:${index}`, one.mail);
      if (result) this.#result(errand, result);
      this.#work();
    }
  }

  /** Every call any contact asked for, done or not. */
  calls(): readonly Call[] {
    return this.#parts.store
      .parcels()
      .flatMap(({ of, effect }) => (effect.type === "call" ? [{ of, effect }] : []));
  }

  /** A `*` line: how a call ended. */
  end({ of, effect }: Call, outcome: Outcome, out: JsonObject): void {
    const known = Object.entries(out).filter(([, value]) => value !== undefined);
    const mail = resultMail(effect, { outcome, out: Object.fromEntries(known) as never });
    if (mail) this.mail(of, mail);
  }

  /** Until nobody has anything to do; a worker that was lost is followed by another one. */
  #work(): void {
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new Error("contacts write to each other without end");
      try {
        if (!this.#worker.step()) return;
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        this.#worker = this.#hired();
        this.#judgeBegun();
      }
    }
  }

  /** What the lost worker had begun: the engine's echo proves a bubble, everything else is judged by its class. */
  #judgeBegun(): void {
    for (const parcel of this.#parts.store.begun()) {
      const { effect, of } = parcel;
      if (effect.type === "send") {
        const arrived = this.#parts.people
          .withContact(of)
          .bubbles.some(({ id }) => id === effect.id);
        parcel.state = arrived ? "done" : "waiting";
      } else if (effect.type === "peer") parcel.state = "waiting";
      else {
        const judged = this.#parts.faults.lost(effect.name, parcel.attempt);
        parcel.state = judged === "again" ? "waiting" : "done";
        if (judged !== "again") this.#result(parcel, judged);
      }
    }
  }

  #perform(parcel: Parcel): "done" | "again" | "paused" {
    const { effect, of, attempt } = parcel;
    const person = this.#parts.people.withContact(of);
    switch (effect.type) {
      case "send": {
        const struck = this.#parts.faults.send(effect, attempt);
        this.#count(struck.route);
        if (struck.arrives) this.#arrived(person, effect, of);
        if (struck.end === "failed") this.#accept(of, `f:${effect.id}`, failedMail(effect));
        return struck.end === "failed" ? "done" : struck.end;
      }
      case "peer": {
        const { contact } = this.#parts.people.at(effect.to);
        this.#accept(contact, effect.id, effect.mail as unknown as Mail);
        return "done";
      }
      case "call": {
        if (this.#parts.effects.does(effect.name)) {
          this.#errands.push(parcel);
          return "done";
        }
        const struck = this.#parts.faults.call(effect, attempt, this.#parts.now());
        this.#count(struck.route);
        if (struck.arrives) this.#parts.people.gotByCall(effect.id, struck.route, effect.input);
        if (struck.result) this.#result(parcel, struck.result);
        return struck.end;
      }
    }
  }

  /** On the phone, under an id of its own: what shows a request is told to the contact, as the worker does. */
  #arrived(person: Person, effect: SendEffect, of: string): void {
    this.#parts.people.got(person, effect);
    const { id, request, channel } = effect;
    if (request && channel !== "sms")
      this.#accept(of, `s:${id}`, { kind: "shown", message: id, request });
  }

  #hired(): TownWorker {
    const { store, people, account, accountModel, library, now, crashes, committed } = this.#parts;
    return new TownWorker({
      ...{ store, people, account, accountModel, library, now, committed },
      point: (at, effect) => crashes.point(at, effect),
      perform: (parcel) => this.#perform(parcel),
      made: (letter, result) => crashes.made(letter, result),
    });
  }

  #accept(to: string, event: string, mail: Mail): void {
    this.#parts.store.accept({ to, event, mail }, this.#parts.now());
  }

  #result({ of, effect, attempt }: Parcel, result: CallResult): void {
    const mail = effect.type === "call" ? resultMail(effect, result) : undefined;
    if (mail) this.#accept(of, `r:${effect.id}:${attempt}`, mail);
  }

  #count(route: string): void {
    this.#sent[route] = (this.#sent[route] ?? 0) + 1;
  }
}

function resultMail({ id, waiter }: CallEffect, result: CallResult): Mail | undefined {
  return waiter ? { kind: "result", effect: id, waiter, result } : undefined;
}

function failedMail(effect: Extract<Effect, { type: "send" }>): Mail {
  const { id, frame } = effect;
  return {
    ...{ kind: "send-failed", effect: id, reason: "failed" },
    ...(frame === undefined ? {} : { frame }),
  };
}
