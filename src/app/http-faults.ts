/** `! gateway …` over HTTP: the sandbox's own faults, and the calls that must leave to meet them. */
import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient } from "./client.ts";
import type { HttpBusiness } from "./http-business.ts";
import { waits } from "./http-refusals.ts";
import { faultIn } from "./town-faults.ts";

/** A time-out in the sandbox cuts the connection after this; waiting longer proves nothing more. Real ms. */
export const TIMEOUT_MS = 200;
/** A call that was let go has left within this, real ms; looked for so often. */
const LEAVES_MS = 5_000;
const LOOK_MS = 25;

export class HttpFaults {
  readonly #api: ApiClient;
  readonly #business: HttpBusiness;
  readonly #armed: { readonly what: string; readonly id: number }[] = [];
  #unstruck: readonly string[] = [];
  /** A fault is armed for calls that wait: they leave with the next line. */
  #open = false;

  constructor(api: ApiClient, business: HttpBusiness) {
    this.#api = api;
    this.#business = business;
  }

  async arm(what: string): Promise<void> {
    const { route, kind, status, ms, text, times } = faultIn(what);
    const held = kind === "timeout" ? TIMEOUT_MS : ms;
    const row = await this.#api.send("POST", "/api/sandbox/faults", {
      ...{ route, times, caller: this.#business.guest.caller },
      effect: {
        kind,
        ...(status === undefined ? {} : { status }),
        ...(held === undefined ? {} : { ms: held }),
        ...(text === "" ? {} : { message: text }),
      },
    });
    this.#armed.push({ what, id: Number(row["id"]) });
    this.#unstruck = [...this.#unstruck, what];
    if (!waits(route)) return;
    await this.#business.resume();
    this.#open = true;
  }

  unstruck(): readonly string[] {
    return this.#unstruck;
  }

  /** After something happened: calls that a fault is for have met it, and others wait again. */
  async settle(): Promise<void> {
    if (this.#armed.length === 0) return;
    if (this.#open) await this.#left();
    const { items } = await this.#api.get("/api/sandbox/faults");
    const rows = items as unknown as readonly { id: number; hits: number }[];
    const waiting = new Set(rows.filter(({ hits }) => hits === 0).map(({ id }) => id));
    this.#unstruck = this.#armed.flatMap(({ what, id }) => (waiting.has(id) ? [what] : []));
    if (!this.#open) return;
    this.#open = this.#unstruck.some((what) => waits(faultIn(what).route));
    if (!this.#open) await this.#business.pause();
  }

  /** Until nothing that costs is on its way out. */
  async #left(): Promise<void> {
    for (const end = Date.now() + LEAVES_MS; Date.now() < end; await pause(LOOK_MS)) {
      await this.#api.send("POST", "/api/turns/drain");
      const { items } = await this.#api.get(`/api/outbox?account=${this.#business.account}`);
      const rows = items as unknown as readonly { scope: string; state: string }[];
      const leaves = ({ scope, state }: (typeof rows)[number]) =>
        scope.startsWith("credits:") && (state === "pending" || state === "inflight");
      if (!rows.some(leaves)) return;
    }
  }
}
