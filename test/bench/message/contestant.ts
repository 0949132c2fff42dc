/**
 * What every contestant's process has in common: it is told by its environment where things are, tells its parent when it
 * listens, and answers what it has used. The same HTTP server and the same HTTP client for all but Prosa, which has its own
 * on the same two libraries.
 */
import fastify, { type FastifyInstance } from "fastify";
import { Session } from "node:inspector/promises";
import { Pool } from "undici";
import type { Length } from "./form.ts";

export interface Surroundings {
  readonly redisUrl: string;
  /** Origin of the server that takes replies. */
  readonly sinkUrl: string;
  readonly port: number;
  readonly length: Length;
}

/** What a process used since it began, and what it holds. */
export interface Usage {
  /** User and system time of all its threads, ms. */
  readonly cpuMs: number;
  readonly rssBytes: number;
}

export const TOKEN = "demo0000000000000000000000000000";
export const PATH = `/webhooks/engine-b/${TOKEN}`;
const SEND = "/api/v2/msgengine/message/sendText";

export function surroundings(): Surroundings {
  const { BENCH_REDIS, BENCH_SINK, BENCH_PORT, BENCH_LENGTH } = process.env;
  return {
    redisUrl: BENCH_REDIS ?? "",
    sinkUrl: BENCH_SINK ?? "",
    port: Number(BENCH_PORT),
    length: Number(BENCH_LENGTH) as Length,
  };
}

/** Tells the parent that the webhook listens, and answers it from then on. Ends with the parent. */
export function ready(): void {
  const inspector = new Session();
  process.on("message", (asked) => {
    void answered(asked, inspector).then((answer) => process.send?.(answer));
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("ready");
}

async function answered(asked: unknown, inspector: Session): Promise<object> {
  switch (asked) {
    case "profile":
      inspector.connect();
      await inspector.post("Profiler.enable");
      await inspector.post("Profiler.setSamplingInterval", { interval: 200 });
      await inspector.post("Profiler.start");
      return {};
    case "profiled": {
      const { profile } = await inspector.post("Profiler.stop");
      inspector.disconnect();
      return profile;
    }
    default: {
      const { user, system } = process.cpuUsage();
      const usage: Usage = {
        cpuMs: (user + system) / 1_000,
        rssBytes: process.memoryUsage().rss,
      };
      return usage;
    }
  }
}

/** A text message as a small bot reads it from the webhook. */
export interface Said {
  readonly id: string;
  readonly number: string;
  readonly text: string;
}

interface Body {
  readonly data: {
    readonly key: { readonly id: string; readonly remoteJid: string };
    readonly message: { readonly conversation: string };
  };
}

/** The webhook's server. `take` resolves when the sender may be answered 200. */
export async function listen(
  port: number,
  take: (said: Said) => Promise<void>,
): Promise<FastifyInstance> {
  const app = fastify({ logger: false });
  app.post(PATH, async (request) => {
    const { data } = request.body as Body;
    await take({
      id: data.key.id,
      number: data.key.remoteJid.split("@")[0] ?? "",
      text: data.message.conversation,
    });
    return { ok: true };
  });
  app.addHook("onError", async (_request, _reply, error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
  });
  await app.listen({ host: "127.0.0.1", port });
  return app;
}

/** Sends replies. Rejects when the answer is no success. */
export function sender(sinkUrl: string): (number: string, text: string) => Promise<void> {
  const pool = new Pool(sinkUrl, { connections: 64, pipelining: 1 });
  return async (number, text) => {
    const { statusCode, body } = await pool.request({
      path: SEND,
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        authorization: "Bearer sandbox-token",
        DeviceToken: "sandbox-device",
      },
      body: JSON.stringify({ number, text, options: { delay: 0, presence: "composing" } }),
    });
    const answer = (await body.json()) as { error?: unknown };
    if (statusCode !== 200 || answer.error !== false) throw new Error(`the send was refused`);
  };
}
