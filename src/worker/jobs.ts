/**
 * Queue mode: a send that was enqueued rests under its job until a device event or `/jobs` says that it left. It is never
 * enqueued again: it was charged when the gateway took it.
 */
import type { AckStatus } from "../engine/index.ts";
import { Job } from "../gateway/index.ts";
import type { EffectView } from "../store/port.ts";
import { callGateway, type Desk } from "./desk.ts";
import { Loop } from "./loop.ts";

/** `GET /jobs` and `POST /jobs` are not charged; still, nobody is helped by asking more often. */
const EVERY_MS = 30_000;
const LIMIT = 100;
/** A job the gateway does not speak of any more is given up after this; its message has long been sent or not. */
const GIVEN_UP_MS = 24 * 3_600_000;
/** Words of a job that ended badly. The states are an open set; only `queued` is documented. */
const FAILED = /fail|erro|cancel|reject|dead/i;

type Tools = Pick<Desk, "store" | "accounts" | "clock" | "alarms" | "log" | "wake" | "gatewayFor"> &
  Pick<Desk, "budget" | "emit">;

export class Jobs {
  readonly #desk: Tools;
  readonly #loop: Loop;

  constructor(desk: Tools) {
    this.#desk = desk;
    this.#loop = new Loop({
      round: async () => {
        await this.runOnce();
        return false;
      },
      idleMs: () => EVERY_MS,
      failed: (error) => desk.log.error({ err: error }, "jobs could not be looked up"),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** Asks for every enqueued send; answers how many were settled. */
  async runOnce(): Promise<number> {
    const { store } = this.#desk;
    let settled = 0;
    for (const effect of await store.effects({ state: "enqueued", limit: LIMIT }))
      if (await this.#ask(effect)) settled++;
    return settled;
  }

  /** One by one: a single unknown id makes the gateway refuse a whole request. */
  async #ask(effect: EffectView): Promise<boolean> {
    const account = await this.#desk.accounts.get(effect.account);
    const { job } = effect;
    if (!account || job === undefined) return false;
    const note = { contact: effect.contact, effect: effect.id, attempt: 1 };
    const outcome = await callGateway(this.#desk, account, "jobs.find", { id: [job] }, {}, note);
    const found = outcome.kind === "ok" ? Job.array().safeParse(outcome.data).data?.[0] : undefined;
    const old = this.#desk.clock.now() - effect.createdAt > GIVEN_UP_MS;
    if (!found && !old) return false;
    if (found && found.status === "queued" && !found.processed_at && !old) return false;
    return finish(this.#desk, effect, found !== undefined && FAILED.test(found.status));
  }
}

/** A device event about a message that was enqueued under this id. */
export async function settleJob(
  desk: Tools,
  account: string,
  job: string,
  status: AckStatus,
): Promise<void> {
  if (status === "pending") return;
  const found = await desk.accounts.get(account);
  if (found?.sendMode !== "queue") return;
  const waiting = await desk.store.effects({ account, state: "enqueued", limit: LIMIT });
  for (const effect of waiting)
    if (effect.job === job) await finish(desk, effect, status === "error");
}

async function finish(desk: Tools, effect: EffectView, failed: boolean): Promise<boolean> {
  const { id, account, contact } = effect;
  const mail = { kind: "send-failed", effect: id, reason: "job" };
  const settled = await desk.store.resolve({
    ...{ id, account, contact, action: "finish" as const },
    ...(failed ? { result: { event: `r:${id}:job`, mail } } : {}),
  });
  if (failed && settled)
    desk.alarms.raise({
      code: "send.failed",
      account,
      subject: "job",
      message: "A queued message was not delivered.",
    });
  desk.wake(failed ? "turns" : "outbox");
  return settled;
}
