/** `! crash before|after commit|send`: where the next process is lost. A turn that is made anew must come out the same. */
import type { Commit } from "../../store/index.ts";

export type CrashPoint = "before commit" | "after commit" | "before send" | "after send";

interface Armed {
  readonly what: string;
  readonly point: CrashPoint;
  /** Effect or route; absent = whatever leaves next. */
  readonly name?: string | undefined;
}

const POINTS: readonly CrashPoint[] = [
  "before commit",
  "after commit",
  "before send",
  "after send",
];

export class ChatCrashes {
  #armed: Armed[] = [];
  /** Of the contact whose turn was lost, as it had come out. */
  #lost: { readonly contact: string; readonly text: string } | undefined;

  /** `crash after send orders.place`. */
  arm(what: string): void {
    const [, when = "", where = "", name] = what.trim().split(/\s+/);
    const point = POINTS.find((one) => one === `${when} ${where}`);
    if (!point || (name !== undefined && where === "commit"))
      throw new Error(
        `"${what}": write crash before commit, crash after commit, crash before send or crash after send, the last two with the name of an effect where it matters`,
      );
    this.#armed.push({ what, point, name });
  }

  unstruck(): readonly string[] {
    return this.#armed.map(({ what }) => what);
  }

  /** Whether the process dies here. `names`: of what is sent, the effect and its route. */
  strikes(at: CrashPoint, ...names: readonly string[]): boolean {
    const struck = this.#armed.find(
      ({ point, name }) => point === at && (name === undefined || names.includes(name)),
    );
    this.#armed = this.#armed.filter((one) => one !== struck);
    return struck !== undefined;
  }

  /** The process dies before this turn is committed. */
  lose(commit: Commit): void {
    this.#lost = { contact: commit.contact, text: textOf(commit) };
  }

  /** Throws for a turn that is made anew and is another one. */
  compare(commit: Commit): void {
    if (this.#lost?.contact !== commit.contact) return;
    const { text } = this.#lost;
    this.#lost = undefined;
    if (text !== textOf(commit)) throw new Error("the turn came out differently after the crash");
  }
}

function textOf({ session, effects, due, journal }: Commit): string {
  return JSON.stringify([session, effects.map(({ payload }) => payload), due, journal]);
}
