/** `! crash before|after commit|send`: where the next worker is lost. A turn that is made anew must come out the same. */
import type { Effect, TurnResult } from "../../engine/index.ts";
import { Crashed, type CrashPoint } from "./town-worker.ts";
import type { Letter } from "./town-store.ts";

interface Armed {
  readonly what: string;
  readonly point: CrashPoint;
  /** Effect or route; absent = whatever leaves next. */
  readonly name?: string;
}

const POINTS: readonly CrashPoint[] = [
  ...(["before commit", "after commit", "before send", "after send"] as const),
];

export class TownCrashes {
  readonly #routeBehind: (effect: string) => string;
  #armed: Armed[] = [];
  /** The turn that was lost, as it had come out. */
  #lost: { readonly event: string; readonly text: string } | undefined;
  #made: { readonly event: string; readonly text: string } | undefined;

  /** `routeBehind`: of a flow's effect. */
  constructor(routeBehind: (effect: string) => string) {
    this.#routeBehind = routeBehind;
  }

  /** `crash after send orders.place`. */
  arm(what: string): void {
    const [, when = "", where = "", name] = what.trim().split(/\s+/);
    const point = POINTS.find((one) => one === `${when} ${where}`);
    if (!point || (name !== undefined && where === "commit"))
      throw new Error(
        `"${what}": write crash before commit, crash after commit, crash before send or crash after send, the last two with the name of an effect where it matters`,
      );
    this.#armed.push({ what, point, ...(name === undefined ? {} : { name }) });
  }

  unstruck(): readonly string[] {
    return this.#armed.map(({ what }) => what);
  }

  made({ event }: Letter, result: TurnResult): void {
    if (!this.#lost && !this.#armed.some(({ point }) => point === "before commit")) return;
    this.#made = { event, text: JSON.stringify(result) };
    if (this.#lost?.event === event && this.#lost.text !== this.#made.text)
      throw new Error("the turn came out differently after the crash");
    this.#lost = undefined;
  }

  point(at: CrashPoint, effect?: Effect): void {
    const struck = this.#armed.find(
      ({ point, name }) => point === at && (name === undefined || this.#isOf(effect, name)),
    );
    if (!struck) return;
    this.#armed = this.#armed.filter((one) => one !== struck);
    if (at === "before commit") this.#lost = this.#made;
    throw new Crashed(struck.what);
  }

  #isOf(effect: Effect | undefined, name: string): boolean {
    return effect?.type === "call" && [effect.name, this.#routeBehind(effect.name)].includes(name);
  }
}
