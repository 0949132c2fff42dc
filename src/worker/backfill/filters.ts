/**
 * Engine C forgets its event filter when its line drops, and then sends no events at all. So whenever it loses or regains
 * the line, the same webhook and filter are sent again. The call changes nothing where the filter was kept.
 *
 * Each call is one of the plan's, and connecting may itself be reported as a new connection. Hence the two limits, kept in
 * the store so that all processes share them.
 */
import { type CallContext, callGateway } from "../calls.ts";
import type { RuntimeContext } from "../context/contexts.ts";

/** Least time between two calls for one account, ms: a flapping line has hundreds of changes a minute. */
const EVERY_MS = 60_000;
/** Calls for one account in a day: a line that flaps for hours must not use up the plan. */
const DAY_LIMIT = 24;
const DAY_MS = 86_400_000;
/** Tries of one renewal; the next change of the line is another chance. */
const TRIES = 2;
const COLLECTION = "filters";

type FilterContext = CallContext &
  Pick<RuntimeContext, "store" | "accounts" | "channels" | "clock" | "alarms" | "log">;

export class Filters {
  readonly #context: FilterContext;
  readonly #running = new Set<Promise<void>>();

  constructor(context: FilterContext) {
    this.#context = context;
  }

  /** Begins a renewal without waiting for it, so that no webhook is answered later for it. */
  renew(account: string): void {
    const { log } = this.#context;
    const run = this.#renew(account)
      .catch((error: unknown) => {
        log.warn({ err: error, account }, "an event filter could not be sent again");
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Resolves when no renewal is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #renew(id: string): Promise<void> {
    const account = await this.#context.accounts.get(id);
    const call = account && this.#context.channels.subscription?.(account);
    if (!account || !call || !(await this.#isTurn(id))) return;
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const by = { attempt };
      const outcome = await callGateway(this.#context, account, call.route, call.body, {}, by);
      if (outcome.kind === "ok") return;
      if (outcome.kind === "refused" || outcome.kind === "business_error") break;
    }
    this.#context.alarms.raise({
      code: "channel.filter",
      account: id,
      message: "Engine C's event filter could not be sent again; it may tell nothing until it is.",
    });
  }

  /** One process of all makes the call; the others see that it was taken. */
  async #isTurn(id: string): Promise<boolean> {
    const { store, clock } = this.#context;
    const now = clock.real();
    const last = await store.documents.get(COLLECTION, id);
    const at = Number(last?.value["at"] ?? 0);
    const day = Math.floor(now / DAY_MS);
    const count = last?.value["day"] === day ? Number(last.value["count"] ?? 0) : 0;
    if (now - at < EVERY_MS || count >= DAY_LIMIT) return false;
    const taken = await store.documents.put(
      COLLECTION,
      id,
      { at: now, day, count: count + 1 },
      last?.rev ?? 0,
    );
    return taken !== "conflict";
  }
}
