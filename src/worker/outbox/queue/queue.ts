/**
 * What this process knows of the gateway's queue: which routes have none, and which accounts have enqueued sends. Hints
 * only: the store has the facts, and after a restart both are learnt anew.
 */
import { Lru } from "../../../store/index.ts";

/** How long `queue_not_available` is remembered: a refused call is charged, so each send must not find out anew. Real ms. */
const REFUSED_MS = 3_600_000;
/** After an account was set back to direct sends, it may still have enqueued ones for this long. Real ms. */
const USED_MS = 10 * 60_000;
/** Routes remembered without a queue: far more than accounts times routes. */
const REMEMBERED = 10_000;

type Listener = (account: string, why: "enqueued" | "hint") => void;

export class Queue {
  readonly #now: () => number;
  readonly #refused = new Lru<string, number>(REMEMBERED);
  /** Accounts that send by the queue, and when they last did. */
  readonly #used = new Lru<string, number>(REMEMBERED);
  #resting: ReadonlySet<string> = new Set();
  #listener: Listener = () => undefined;

  /** `now`: real time, ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The route answered `queue_not_available`. */
  refuse(account: string, route: string): void {
    this.#refused.set(`${account} ${route}`, this.#now() + REFUSED_MS);
  }

  isRefused(account: string, route: string): boolean {
    const until = this.#refused.get(`${account} ${route}`);
    return until !== undefined && this.#now() < until;
  }

  /** A send of an account that is set to the queue leaves. */
  uses(account: string): void {
    this.#used.set(account, this.#now());
  }

  /** Whether this account may have enqueued sends, also some that another process enqueued a moment ago. */
  mayRest(account: string): boolean {
    const used = this.#used.get(account);
    return this.rests(account) || (used !== undefined && this.#now() - used < USED_MS);
  }

  /** Whether this account has enqueued sends, as far as is known. */
  rests(account: string): boolean {
    return this.#resting.has(account);
  }

  /** A send was taken into the queue. */
  enqueued(account: string): void {
    if (!this.#resting.has(account)) this.#resting = new Set([...this.#resting, account]);
    this.#listener(account, "enqueued");
  }

  /** A message was heard that may be the end of an enqueued send. */
  hint(account: string): void {
    this.#listener(account, "hint");
  }

  /** All accounts with enqueued sends, as just read from the store. `before`: what was known when the reading began. */
  found(accounts: ReadonlySet<string>, before: ReadonlySet<string>): void {
    const since = [...this.#resting].filter((account) => !before.has(account));
    this.#resting = new Set([...accounts, ...since]);
  }

  get resting(): ReadonlySet<string> {
    return this.#resting;
  }

  /** Told when there may be jobs to look up. */
  onNews(listener: Listener): void {
    this.#listener = listener;
  }
}
