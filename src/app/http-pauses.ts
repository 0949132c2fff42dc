/**
 * What waits on a server while a chat file plays: calls that cost, and the house's own work. Each pause is a lease: who
 * plays renews it, and where nobody does any more it ends by itself.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient } from "./client.ts";

const REASON = "A chat file is replayed; a line of it answers the call.";
/** A replay that was killed holds nothing back for longer than this, s; renewed four times as often. Real time. */
const LEASE_S = 20;
const RENEW_MS = (LEASE_S * 1_000) / 4;
/** How often somebody else's lease is looked at, ms. */
const LOOK_MS = 250;

interface PauseRow {
  readonly scope: string;
  readonly reason: string;
  readonly until?: number;
}

async function rows(api: ApiClient): Promise<readonly PauseRow[]> {
  const { items } = await api.get("/api/pauses");
  return (items as unknown as readonly PauseRow[]).filter(({ reason }) => reason === REASON);
}

export class HttpPauses {
  readonly #api: ApiClient;
  readonly #scopes = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async hold(scope: string): Promise<void> {
    this.#scopes.add(scope);
    await this.#lease(scope);
    this.#timer ??= setInterval(() => {
      for (const one of this.#scopes) void this.#lease(one).catch(() => undefined);
    }, RENEW_MS).unref();
  }

  async letGo(scope: string): Promise<void> {
    this.#scopes.delete(scope);
    await this.#api.send("DELETE", `/api/pauses/${scope}`).catch(() => undefined);
  }

  /** All of it, so that the server goes on as before. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    for (const scope of [...this.#scopes]) await this.letGo(scope);
  }

  /** A pause of somebody else, an operator's say, is left as it is. */
  async #lease(scope: string): Promise<void> {
    const body = { scope, reason: REASON, seconds: LEASE_S };
    await this.#api.send("POST", "/api/pauses", body);
  }
}

/**
 * Waits until no replay holds anything on this server: one that was killed lets go when its lease is over. Throws when one
 * is still being played.
 */
export async function untilFree(api: ApiClient): Promise<void> {
  const until = (all: readonly PauseRow[]): number =>
    Math.max(0, ...all.map((row) => row.until ?? 0));
  let first: number | undefined;
  for (;;) {
    const now = until(await rows(api));
    if (now === 0) return;
    first ??= now;
    if (now > first)
      throw new Error("Another replay plays on this server: its clock serves one at a time.");
    if (Date.now() > first + LEASE_S * 1_000)
      throw new Error("Pauses of a replay do not end by themselves: does a worker run?");
    await pause(LOOK_MS);
  }
}
