/**
 * Calls that the gateway turned away with 429 were not carried out. They are held until their scope's `Retry-After` is
 * over, then go again as the account's `onRateLimit` says. A message keeps its place meanwhile: no later message leaves
 * before it, until it is given up. A call goes again where its effect says so (`goesAgain`); any other waits for a person.
 */
import type { Account } from "../../../engine/index.ts";
import { itemsOf, Lru, RATE_LIMITED } from "../../../store/index.ts";
import type { EffectView } from "../../../store/port/port.ts";
import type { SendContext, EffectTable } from "../../context/contexts.ts";
import { failedMail } from "../ending.ts";
import { asideOf, type Entry, entryOf, planOf, everyEffect } from "../entry.ts";
import { scopeOf } from "../../effects/table.ts";

/** Releases of one effect by this process; if the gateway refuses still, a person has to look. */
const RELEASES = 5;
/** An effect that is older than this is left to a person, virtual ms. */
const LATE_MS = 30 * 60_000;
/** Effects whose releases are remembered. */
const REMEMBERED = 2_000;
/** Held effects of one page. */
const PAGE = 200;

/** Whether the account lets this effect go again by itself. */
export function isReleased(
  { calls }: EffectTable,
  { onRateLimit }: Pick<Account, "onRateLimit">,
  entry: Entry,
): boolean {
  if (onRateLimit === "hold") return false;
  if (entry.type !== "call") return entry.type === "send";
  const from = calls.get(entry.name)?.goesAgain;
  return from === "messages" || from === onRateLimit;
}

type ReleaseContext = Pick<SendContext, "store" | "accounts" | "clock" | "effects" | "alarms">;

export class Releases {
  readonly #context: ReleaseContext;
  readonly #counts = new Lru<string, number>(REMEMBERED);

  constructor(context: ReleaseContext) {
    this.#context = context;
  }

  /**
   * Releases what is held for this scope, whose time is over. Mostly called while the scope is still paused, so that
   * effects without a place are back in their order before anything leaves.
   */
  async letGo(scope: string): Promise<void> {
    const { store, accounts } = this.#context;
    const [, id = ""] = scope.split(":");
    const account = await accounts.get(id);
    if (!account) return;
    for (const contact of await this.#whoWaits(account, scope)) {
      // In the order in which they were asked for; effects held in one step do not show it. The first one first, because in
      // a scope that goes on already each may leave at once.
      const held: EffectView[] = [];
      for await (const effect of everyEffect(store, { account: id, contact, states: ["held"] }))
        held.push(effect);
      for (const effect of held.reverse())
        if (this.#mayGo(account, scope, effect)) await this.#release(account, effect, held);
    }
  }

  /** Reads all pages, however many effects of other accounts and failed sends are held beside. */
  async #whoWaits(account: Account, scope: string): Promise<ReadonlySet<string>> {
    const contacts = new Set<string>();
    const { views } = this.#context.store;
    for await (const effect of itemsOf((after) => views.held({ limit: PAGE, after })))
      if (this.#mayGo(account, scope, effect)) contacts.add(effect.contact);
    return contacts;
  }

  async #release(of: Account, effect: EffectView, held: readonly EffectView[]): Promise<void> {
    const { store, clock } = this.#context;
    const { id, account, contact } = effect;
    const entry = entryOf(effect.payload);
    // It was given up and later messages left, so only a person has it sent now.
    if (!effect.inPlace && (await store.contacts.knew(account, contact, givenUp(id)))) return;
    const isGoing = isReleased(this.#context.effects, of, entry);
    if (!isGoing || isLate(entry, clock.now()) || !this.#count(id))
      return this.#giveUp(effect, entry);
    // The messages that were held together with it go with it, after it.
    const behind = held.filter((other) => {
      const its = entryOf(other.payload);
      const isMate = entry.type === "send" && its.type === "send" && its.turn === entry.turn;
      return isMate && other.reason === "turn";
    });
    const after = behind.map((one) => one.id);
    // With the `rev` that was found: of several processes that end one pause only one releases it.
    await store.effects.resolve({
      id,
      account,
      contact,
      rev: effect.rev,
      action: "resend",
      behind: after,
    });
  }

  /** From now on it is a failed send like any other, and later messages no longer wait for it. */
  async #giveUp({ id, account, contact, rev, inPlace }: EffectView, entry: Entry): Promise<void> {
    // One that has no place was told as failed when it was held.
    if (entry.type !== "send" || !inPlace) return;
    const result = { event: givenUp(id), mail: failedMail(id, entry, RATE_LIMITED) };
    const some = { id, account, contact, rev, reason: RATE_LIMITED, result };
    if (!(await this.#context.store.effects.resolve({ ...some, action: "hold" }))) return;
    this.#context.alarms.raise({
      code: "send.failed",
      account,
      subject: RATE_LIMITED,
      message: `A message was given up (${RATE_LIMITED}) and not delivered; it waits among the failed sends.`,
      ...asideOf(entry),
    });
  }

  /** Releases it, or gives it up: the policy may have changed meanwhile. */
  #mayGo(account: Account, scope: string, effect: EffectView): boolean {
    const { effects } = this.#context;
    const { account: of, reason, payload, inPlace } = effect;
    if (of !== account.id || reason !== RATE_LIMITED) return false;
    const entry = entryOf(payload);
    const isGoing = inPlace === true || isReleased(effects, account, entry);
    return isGoing && isOf(scopeOf(entry, of, effects), scope);
  }

  #count(id: string): boolean {
    const count = (this.#counts.get(id) ?? 0) + 1;
    if (count > RELEASES) return false;
    this.#counts.set(id, count);
    return true;
  }
}

/**
 * A held effect of a scope that goes on, although it was not released: a person ended the pause, or a stronger reason had
 * taken its place. The scope is paused for one more round, whose end releases it.
 */
export async function remindOf(
  {
    store,
    scopes,
    accounts,
    clock,
    effects,
  }: Pick<SendContext, "store" | "scopes" | "accounts" | "clock" | "effects">,
  { id, account: of, contact, reason, payload, inPlace }: EffectView,
): Promise<void> {
  const account = reason === RATE_LIMITED ? await accounts.get(of) : null;
  const entry = entryOf(payload);
  const scope = scopeOf(entry, of, effects);
  if (!account || scopes.isPaused(scope)) return;
  if (!inPlace) {
    if (!isReleased(effects, account, entry)) return;
    if (entry.type !== "send" && isLate(entry, clock.now())) return;
    if (await store.contacts.knew(of, contact, givenUp(id))) return;
  }
  await store.scopes.pause(planOf(scope) ?? scope, RATE_LIMITED, {
    until: clock.shared(),
    over: [],
  });
}

function isLate({ work }: Entry, now: number): boolean {
  return now - work.at > LATE_MS;
}

/** Event id of the mail that says so. */
function givenUp(effect: string): string {
  return `r:${effect}:${RATE_LIMITED}`;
}

/** A rate limit belongs to the token: it pauses the plan with all its channels. */
function isOf(own: string, paused: string): boolean {
  return own === paused || planOf(own) === paused;
}
