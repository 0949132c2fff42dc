/** Business keys on Redis, each in a slot of its own. */
import type { KeyClaim, KeyHold, KeyStore } from "../port/port.ts";
import type { RedisContext } from "./connection/redis-context.ts";
import { list, text } from "./connection/script-calls.ts";

export class BusinessKeys implements KeyStore {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  async claim(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim> {
    const [ok, holder, state] = list(
      await this.#context.work.script("claim-key", this.#slot(account, key), owner, ttlMs ?? ""),
    );
    if (ok === 1) return { ok: true };
    return { ok: false, owner: text(holder), state: state === "settled" ? "settled" : "claimed" };
  }

  async hold(account: string, key: string, owner: string): Promise<KeyHold> {
    const answer = await this.#end(account, key, [owner, "hold", ""]);
    return answer === 1 ? "held" : answer === 2 ? "settled" : "gone";
  }

  async settle(account: string, key: string, owner: string, ttlMs?: number): Promise<boolean> {
    return (await this.#end(account, key, [owner, "settle", ttlMs ?? ""])) === 1;
  }

  async free(account: string, key: string, owner: string, afterMs?: number): Promise<boolean> {
    return (await this.#end(account, key, [owner, "free", afterMs ?? ""])) === 1;
  }

  async release(account: string, key: string, owner: string): Promise<boolean> {
    return (await this.#end(account, key, [owner, "release", ""])) === 1;
  }

  /** What `end-key.lua` answers: 1 done, 2 it is settled, 0 it is another owner's, or free. */
  #end(account: string, key: string, how: readonly (string | number)[]): Promise<unknown> {
    return this.#context.work.script("end-key", this.#slot(account, key), ...how);
  }

  #slot(account: string, key: string): string {
    return `prosa:{iss:${this.#context.names.businessKey(account, key)}}`;
  }
}
