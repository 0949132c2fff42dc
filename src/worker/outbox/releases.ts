/**
 * What the gateway turned away with 429 was not carried out: it rests until its scope's `Retry-After` is over, then goes
 * again in its place, as the account's policy says. A note waits for a person unless the policy covers all calls.
 */
import type { Account } from "../../engine/index.ts";
import type { EffectView } from "../../store/port.ts";
import type { Desk } from "../desk.ts";
import { INVOICE_ISSUE } from "../effects/index.ts";
import { failedMail } from "./ending.ts";
import { asideOf, type Entry, entryOf, planOf, scopeOf } from "./entry.ts";

export const RATE_LIMITED = "rate_limited";
/** Releases of one effect by this process; a gateway that still refuses then has to be looked at. */
const RELEASES = 5;
/** Older than this an answer is none any more: a person decides, virtual ms. */
const LATE_MS = 30 * 60_000;
/** Effects whose releases are remembered. */
const REMEMBERED = 2_000;
/** Held effects of an account that are looked through. */
const LOOKED_THROUGH = 1_000;

/** Whether the account lets this effect go again by itself. */
export function isReleased(account: Pick<Account, "onRateLimit">, entry: Entry): boolean {
  switch (account.onRateLimit) {
    case "hold":
      return false;
    case "messages":
      return entry.type === "send";
    case "all":
      return entry.type === "send" || (entry.type === "call" && entry.name === INVOICE_ISSUE);
  }
}

export class Releases {
  readonly #desk: Desk;
  readonly #counts = new Map<string, number>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Lets go what rests for this scope, whose time is over. To be called while the scope is still paused: nothing may leave
   * before all of a contact's messages stand in their order again.
   */
  async letGo(scope: string): Promise<void> {
    const { store, accounts } = this.#desk;
    const [, id = ""] = scope.split(":");
    const account = await accounts.get(id);
    if (!account || account.onRateLimit === "hold") return;
    const held = await store.effects({ account: id, state: "held", limit: LOOKED_THROUGH });
    // The last one first: each comes ahead of what waits for the same contact.
    for (const effect of [...held].reverse()) {
      const entry = entryOf(effect.payload);
      if (effect.reason !== RATE_LIMITED || !isOf(scopeOf(entry, id), scope)) continue;
      if (isReleased(account, entry)) await this.#release(effect, entry, held);
    }
  }

  async #release(effect: EffectView, entry: Entry, held: readonly EffectView[]): Promise<void> {
    const { store, clock } = this.#desk;
    const { id, account, contact } = effect;
    const isLate = clock.now() - entry.work.at > LATE_MS;
    if (isLate || !this.#count(id)) return this.#giveUp(effect, entry);
    // What was held together with it goes with it, behind it.
    const behind = held.filter((other) => {
      const its = entryOf(other.payload);
      const isMate = entry.type === "send" && its.type === "send" && its.turn === entry.turn;
      return isMate && other.contact === contact && other.reason === "turn";
    });
    const after = behind.map((one) => one.id);
    await store.resolve({ id, account, contact, action: "resend", behind: after });
  }

  /** From now on it is a failed send like any other. */
  async #giveUp({ id, account, contact }: EffectView, entry: Entry): Promise<void> {
    if (entry.type !== "send") return;
    const mail = failedMail(id, entry, RATE_LIMITED);
    await this.#desk.store.accept([{ account, contact, event: `r:${id}:${RATE_LIMITED}`, mail }]);
    this.#desk.alarms.raise({
      code: "send.failed",
      account,
      subject: RATE_LIMITED,
      message: `A message was not delivered (${RATE_LIMITED}); it waits among the failed sends.`,
      ...asideOf(entry),
    });
  }

  #count(id: string): boolean {
    const count = (this.#counts.get(id) ?? 0) + 1;
    if (count > RELEASES) return false;
    this.#counts.delete(id);
    this.#counts.set(id, count);
    const oldest = this.#counts.keys().next();
    if (this.#counts.size > REMEMBERED && !oldest.done) this.#counts.delete(oldest.value);
    return true;
  }
}

/** A rate limit is the token's: it pauses the plan with all its channels. */
function isOf(own: string, paused: string): boolean {
  return own === paused || planOf(own) === paused;
}
