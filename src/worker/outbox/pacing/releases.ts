/**
 * What the gateway turned away with 429 was not carried out: it rests until its scope's `Retry-After` is over, then goes
 * again, as the account's policy says. A message keeps its place meanwhile: nothing said later leaves before it, until it is
 * given up. A call goes again where its effect says so (`goesAgain`); any other waits for a person.
 */
import type { Account } from "../../../engine/index.ts";
import type { EffectView } from "../../../store/port/port.ts";
import type { WorkerContext } from "../../context/worker-context.ts";
import type { EffectTable } from "../../effects/index.ts";
import { failedMail } from "../ending.ts";
import { asideOf, type Entry, entryOf, planOf } from "../entry.ts";
import { scopeOf } from "../new-effect.ts";
import { everyEffect } from "../every-effect.ts";

export const RATE_LIMITED = "rate_limited";
/** Releases of one effect by this process; a gateway that still refuses then has to be looked at. */
const RELEASES = 5;
/** Older than this an answer is none any more: a person decides, virtual ms. */
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

export class Releases {
  readonly #context: WorkerContext;
  readonly #counts = new Map<string, number>();

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  /**
   * Lets go what rests for this scope, whose time is over. Mostly called while the scope is still paused: what failed under
   * another policy, and so has no place, stands in its order again before anything leaves.
   */
  async letGo(scope: string): Promise<void> {
    const { store, accounts } = this.#context;
    const [, id = ""] = scope.split(":");
    const account = await accounts.get(id);
    if (!account) return;
    for (const contact of await this.#whoWaits(account, scope)) {
      // As they were asked for: those held in one step do not tell which was first. The first one first: where the scope goes on
      // already each may leave as soon as it is let go, and those behind it stand behind it.
      const held: EffectView[] = [];
      for await (const effect of everyEffect(store, { account: id, contact, states: ["held"] }))
        held.push(effect);
      for (const effect of held.reverse())
        if (this.#mayGo(account, scope, effect)) await this.#release(account, effect, held);
    }
  }

  /** However much of other accounts, and of failed sends, rests beside. */
  async #whoWaits(account: Account, scope: string): Promise<ReadonlySet<string>> {
    const contacts = new Set<string>();
    let after: string | undefined;
    do {
      const page = await this.#context.store.held({
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      for (const effect of page.items)
        if (this.#mayGo(account, scope, effect)) contacts.add(effect.contact);
      after = page.next;
    } while (after !== undefined);
    return contacts;
  }

  async #release(of: Account, effect: EffectView, held: readonly EffectView[]): Promise<void> {
    const { store, clock } = this.#context;
    const { id, account, contact } = effect;
    const entry = entryOf(effect.payload);
    // Others went on without it: whichever process gave it up, only a person has it sent now.
    if (!effect.inPlace && (await store.knew(account, contact, givenUp(id)))) return;
    const isGoing = isReleased(this.#context.effects, of, entry);
    if (!isGoing || isLate(entry, clock.now()) || !this.#count(id))
      return this.#giveUp(effect, entry);
    // What was held together with it goes with it, behind it.
    const behind = held.filter((other) => {
      const its = entryOf(other.payload);
      const isMate = entry.type === "send" && its.type === "send" && its.turn === entry.turn;
      return isMate && other.reason === "turn";
    });
    const after = behind.map((one) => one.id);
    // As it rested when it was found: of several that end one pause only one lets it go.
    await store.resolve({ id, account, contact, rev: effect.rev, action: "resend", behind: after });
  }

  /** From now on it is a failed send like any other, and keeps nobody waiting. */
  async #giveUp({ id, account, contact, rev, inPlace }: EffectView, entry: Entry): Promise<void> {
    if (entry.type !== "send") return;
    const { store } = this.#context;
    const result = { event: givenUp(id), mail: failedMail(id, entry, RATE_LIMITED) };
    if (inPlace) {
      const some = { id, account, contact, rev, reason: RATE_LIMITED, result };
      if (!(await store.resolve({ ...some, action: "hold" }))) return;
    } else {
      const [said] = await store.accept([{ account, contact, ...result }]);
      if (said === "duplicate") return;
    }
    this.#context.alarms.raise({
      code: "send.failed",
      account,
      subject: RATE_LIMITED,
      message: `A message was given up (${RATE_LIMITED}) and not delivered; it waits among the failed sends.`,
      ...asideOf(entry),
    });
  }

  /** Goes again, or keeps nobody waiting any more: the policy may be another one by now. */
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
    this.#counts.delete(id);
    this.#counts.set(id, count);
    const oldest = this.#counts.keys().next();
    if (this.#counts.size > REMEMBERED && !oldest.done) this.#counts.delete(oldest.value);
    return true;
  }
}

/**
 * A held effect whose scope goes on although nobody let it go: a person ended the pause, or a stronger reason had taken its
 * place. The scope waits for one round more, which ends by letting it go.
 */
export async function remindOf(
  {
    store,
    scopes,
    accounts,
    clock,
    effects,
  }: Pick<WorkerContext, "store" | "scopes" | "accounts" | "clock" | "effects">,
  { id, account: of, contact, reason, payload, inPlace }: EffectView,
): Promise<void> {
  const account = reason === RATE_LIMITED ? await accounts.get(of) : null;
  const entry = entryOf(payload);
  const scope = scopeOf(entry, of, effects);
  if (!account || scopes.isPaused(scope)) return;
  if (!inPlace) {
    if (!isReleased(effects, account, entry)) return;
    if (entry.type !== "send" && isLate(entry, clock.now())) return;
    if (await store.knew(of, contact, givenUp(id))) return;
  }
  await store.pause(planOf(scope) ?? scope, RATE_LIMITED, {
    ...{ until: clock.shared(), over: [] },
  });
}

function isLate({ work }: Entry, now: number): boolean {
  return now - work.at > LATE_MS;
}

/** Event id of the mail that says so. */
function givenUp(effect: string): string {
  return `r:${effect}:${RATE_LIMITED}`;
}

/** A rate limit is the token's: it pauses the plan with all its channels. */
function isOf(own: string, paused: string): boolean {
  return own === paused || planOf(own) === paused;
}
