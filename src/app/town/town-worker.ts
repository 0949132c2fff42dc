/**
 * A worker of a town of chat files: takes mail, makes the turn, commits, then does what was committed. It may be lost between
 * any two of these; the next one has the store and nothing else.
 */
import {
  type Account,
  type AccountModel,
  type Effect,
  run,
  type Session,
  type TurnResult,
} from "../../engine/index.ts";
import type { FlowLibrary } from "../../flow/index.ts";
import type { Person, TownPeople } from "./town-people.ts";
import type { Letter, Parcel, TownStore } from "./town-store.ts";

export type CrashPoint = "before commit" | "after commit" | "before send" | "after send";

/** The process ends here: whatever it had in memory is gone. */
export class Crashed extends Error {
  override readonly name = "Crashed";
}

export interface TownParts {
  readonly store: TownStore;
  readonly people: TownPeople;
  readonly account: Account;
  readonly accountModel: AccountModel;
  readonly library: () => FlowLibrary;
  readonly now: () => number;
  /** Asked at each point; throws {@link Crashed} where the file wants it. */
  readonly point: (at: CrashPoint, effect?: Effect) => void;
  /** Does it in the world outside. `again`: it goes out once more, later; `paused`: its scope waits. */
  readonly perform: (parcel: Parcel) => "done" | "again" | "paused";
  /** A turn came to its end; before it is committed. */
  readonly made: (letter: Letter, result: TurnResult) => void;
  /** … and after. */
  readonly committed: (person: Person, result: TurnResult) => void;
}

export class TownWorker {
  readonly #parts: TownParts;
  /** As last committed by this worker. */
  readonly #sessions = new Map<string, Session>();

  constructor(parts: TownParts) {
    this.#parts = parts;
  }

  session(contact: string): Session | null {
    const known = this.#sessions.get(contact) ?? this.#parts.store.session(contact);
    if (known) this.#sessions.set(contact, known);
    return known;
  }

  /** One effect, or else one mail; false when there is neither. */
  step(): boolean {
    const { store } = this.#parts;
    const parcel = store.waiting();
    if (parcel) {
      this.#act(parcel);
      return true;
    }
    const letter = store.next();
    if (!letter) return false;
    this.#turn(letter);
    return true;
  }

  #act(parcel: Parcel): void {
    const { point, perform } = this.#parts;
    parcel.state = "begun";
    parcel.attempt++;
    point("before send", parcel.effect);
    const ended = perform(parcel);
    point("after send", parcel.effect);
    parcel.state = ended === "again" ? "waiting" : ended;
  }

  #turn(letter: Letter): void {
    const { store, people, account, accountModel, library, now, point, made, committed } =
      this.#parts;
    const person = people.withContact(letter.to);
    const operator = account.operators.find(({ alias }) => alias === `phone:${person.number}`);
    const { event, mail } = letter;
    const result = run(this.session(person.contact), [{ event, mail }], {
      ...{ account, accountModel, accountId: account.id, contact: person.contact },
      ...{ role: operator ? "operator" : "customer", now: now(), library: library() },
      ...(operator ? { alias: operator.alias } : {}),
    });
    if (result.failed) throw new Error(`${person.name}: ${result.failed.reason}`);
    made(letter, result);
    point("before commit");
    // Through JSON, as in the store: what does not survive it must not count.
    const text = store.commit(person.contact, result);
    this.#sessions.set(person.contact, JSON.parse(text) as Session);
    committed(person, result);
    point("after commit");
  }
}
