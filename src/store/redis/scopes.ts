/** Paused scopes on Redis: one list, and a mark in every partition for a held class. */
import { heldClass } from "../pauses.ts";
import type { ScopeStore } from "../port/port.ts";
import type { RedisContext } from "./connection/redis-context.ts";

const PAUSES = "prosa:pauses";
/** After a scope's name: the rate limit under its pause. No scope has such a name. */
const BENEATH = "|limit";

export class Scopes implements ScopeStore {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  async pauses(): ReturnType<ScopeStore["pauses"]> {
    const all = await this.#context.work.ask((client) => client.hgetall(PAUSES));
    const read = (entry: string) => {
      const [, since = "0", until = "", reason = ""] = /^(\d+)\|(\d*)\|(.*)$/s.exec(entry) ?? [];
      return { reason, since: Number(since), ...(until === "" ? {} : { until: Number(until) }) };
    };
    return new Map(
      Object.entries(all).flatMap(([scope, entry]) => {
        if (scope.endsWith(BENEATH)) return [];
        const limit = all[scope + BENEATH];
        const limitedUntil = limit === undefined ? undefined : read(limit).until;
        return [
          [scope, { ...read(entry), ...(limitedUntil === undefined ? {} : { limitedUntil }) }],
        ];
      }),
    );
  }

  async pause(...[scope, reason, how]: Parameters<ScopeStore["pause"]>): Promise<boolean> {
    const fresh = await this.list(scope, reason, how);
    const held = heldClass(scope);
    // In every partition, so that no process begins such effects, whatever it knows of the list.
    if (held !== null) await this.#context.everywhere("hold", held, 1);
    return fresh;
  }

  /** On the list alone: for a hold that the partitions have, or are about to be given. */
  async list(...[scope, reason, how]: Parameters<ScopeStore["pause"]>): Promise<boolean> {
    const over = how?.over ? [1, ...how.over] : [0];
    const values = [scope, reason, how?.until ?? "", ...over];
    return (await this.#context.work.script("pause", PAUSES, ...values)) === 1;
  }

  async resume(...[scope, only]: Parameters<ScopeStore["resume"]>): Promise<boolean> {
    const held = heldClass(scope);
    if (held !== null && only) {
      const { reason, until } = (await this.pauses()).get(scope) ?? {};
      if (reason !== only.reason || until !== only.until) return false;
    }
    // The list last: until all partitions are free a person sees that they are not.
    if (held !== null) await this.#context.everywhere("hold", held, 0);
    const which = only ? `${only.until ?? ""}|${only.reason}` : "";
    const was = (await this.#context.work.script("resume", PAUSES, scope, which)) === 1;
    if (was) {
      for (const partition of this.#context.all()) this.#context.poller.outbox.mark(partition);
      this.#context.wake.tell("outbox");
    }
    return was;
  }
}
