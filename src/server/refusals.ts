/**
 * Webhooks that were answered 503, by path token: mostly the account was not looked up yet, and under pressure it should
 * not be. Some engines never send such a webhook again, so back-fill learns of them from here, some seconds later. A
 * webhook that is taken costs nothing here.
 */
import { Fault } from "../base/index.ts";
import type { ChannelName } from "../engine/index.ts";
import type { AccountRepository } from "../store/accounts.ts";

/** Tokens remembered at once; bounded, because strangers guess. */
const MOST = 1_000;

/** When webhooks of an account's channel were refused, first and last. Virtual ms. */
export interface Refused {
  readonly account: string;
  readonly channel: ChannelName;
  readonly from: number;
  readonly to: number;
  /** The store said that it takes nothing new. */
  readonly isFull: boolean;
}

interface Span extends Omit<Refused, "account"> {
  readonly token: string;
}

export class Refusals {
  readonly #accounts: Pick<AccountRepository, "byWebhookToken">;
  readonly #now: () => number;
  readonly #spans = new Map<string, Span>();

  constructor(accounts: Pick<AccountRepository, "byWebhookToken">, now: () => number) {
    this.#accounts = accounts;
    this.#now = now;
  }

  /** A webhook was refused; `error` is why, where something failed. */
  add(channel: ChannelName, token: string, error?: unknown): void {
    const at = this.#now();
    this.#keep({ channel, token, from: at, to: at, isFull: Fault.is(error, "STORE_FULL") });
  }

  /**
   * Hands over what was refused since, each account's channel once; an unknown token names no account. What cannot be
   * looked up, or is not taken, comes again the next time.
   */
  async hand(take: (refused: Refused) => Promise<void>): Promise<void> {
    const spans = [...this.#spans.values()];
    this.#spans.clear();
    for (const span of spans) {
      const { token, ...refused } = span;
      try {
        const tenant = await this.#accounts.byWebhookToken(span.channel, token);
        if (tenant) await take({ ...refused, account: tenant.account.id });
      } catch {
        // The store is away, or the account cannot be read: both were reported where they failed first.
        this.#keep(span);
      }
    }
  }

  #keep(span: Span): void {
    const key = `${span.channel} ${span.token}`;
    const known = this.#spans.get(key);
    if (!known && this.#spans.size >= MOST) return;
    this.#spans.set(key, {
      ...span,
      from: Math.min(span.from, known?.from ?? span.from),
      to: Math.max(span.to, known?.to ?? span.to),
      isFull: span.isFull || known?.isFull === true,
    });
  }
}
