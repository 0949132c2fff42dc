/** A bot of a rig that listens: its liveness check, and the way of a webhook into mailboxes. What the sandbox told waits to be handed over. */
import { channels } from "../../src/channels/index.ts";
import type { ChannelName } from "../../src/engine/index.ts";
import { createIngest, type Ingest } from "../../src/server/index.ts";
import type { CallOutcome, Gateway, RouteId } from "../../src/gateway/index.ts";
import type { WorkerDeps } from "../../src/worker/index.ts";
import type { Rig, RigWorker } from "./rig.ts";

export const TOKEN = "t".repeat(32);
/** An account that hears of engine B, and tells nobody by itself. */
export const HEARING = { channels: [{ channel: "engine-b", token: TOKEN }] };

export interface Bot {
  readonly worker: RigWorker;
  /** Listens, and has pulled back what it could. */
  up(): Promise<void>;
  /** Stops in good order. */
  down(): Promise<void>;
  /** Hands over a body of this channel, as the gateway would post it. */
  takes(body: unknown, channel?: ChannelName): Promise<void>;
  /** Hands over every webhook of engine B since the first, as often as it is called. */
  hear(from?: number): Promise<void>;
}

export function bot(it: Rig, other: Partial<WorkerDeps> = {}): Bot {
  const worker = it.again({ listens: true, ingest: async (...args) => ingest(...args), ...other });
  const ingest: Ingest = createIngest({
    store: it.store,
    mail: it.store.mail,
    clock: it.clock,
    echoes: worker.echoes,
    automatic: worker.automatic,
    signals: worker.signals,
  });
  return {
    worker,
    async up() {
      worker.liveness.open();
      worker.liveness.start();
      await worker.start();
      await worker.liveness.caughtUp(5_000);
      await worker.drain();
    },
    async down() {
      await worker.liveness.stop();
      await worker.stop(1_000);
    },
    async takes(body, channel = "engine-b") {
      const parsed = channels[channel].parse({ headers: {}, body, receivedAt: it.clock.now() });
      if (!parsed.ok) throw new Error(parsed.reason);
      await ingest(it.account, channel, parsed.events);
      await worker.drain();
    },
    async hear(from = 0) {
      for (const { raw, headers } of it.stage.bot.of("engine-b").slice(from)) {
        const body = JSON.parse(raw) as unknown;
        const parsed = channels["engine-b"].parse({ headers, body, receivedAt: it.clock.now() });
        if (parsed.ok) await ingest(it.account, "engine-b", parsed.events);
      }
      await worker.drain();
    },
  };
}

/** Virtual time goes on for both sides. */
export async function pass(it: Rig, hours: number): Promise<void> {
  await it.stage.http("POST", "/sandbox/clock", { advance: `${Math.round(hours * 3_600)}s` });
  it.clock.moveTo(it.clock.now() + hours * 3_600_000);
}

/** A contact of engine B writes, or whatever else the sandbox's control takes. */
export async function writes(it: Rig, from: string, content: string | object): Promise<void> {
  const what = typeof content === "string" ? { text: content } : content;
  const { status, text } = await it.stage.http("POST", "/sandbox/inbound", { from, ...what });
  if (status !== 202) throw new Error(text);
}

/** The texts a contact's session was given, in order; `!` marks what was kept and not answered. */
export async function heardOf(it: Rig, phone: string): Promise<string[]> {
  return (await it.journal(phone)).flatMap((line) => {
    const mail = line["mail"] as
      { event?: { content?: { text?: string } }; late?: true } | undefined;
    const text = mail?.event?.content?.text;
    return text === undefined ? [] : [mail?.late ? `!${text}` : text];
  });
}

/** The rig's gateway, but for what the test answers itself. */
export function answering(
  it: Rig,
  answer: (route: RouteId) => CallOutcome | undefined,
): Pick<Gateway, "call" | "exactBytes"> {
  const call = async (route: RouteId, ...rest: unknown[]) =>
    answer(route) ?? (await (it.gateway.call as (...args: unknown[]) => unknown)(route, ...rest));
  return { call: call as unknown as Gateway["call"], exactBytes: it.gateway.exactBytes };
}
