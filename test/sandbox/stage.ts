/** A sandbox on a free port, a bot that writes down what it is told, and a caller for both sides. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { request as send } from "undici";
import { routeOf, pathOf, type RouteId } from "../../src/gateway/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";

/** Anything JSON, for reading answers in tests: whatever is asked for may be there. */
export interface Body {
  readonly [key: string]: Body | undefined;
}

/** A JSON array as one. */
export function rowsOf(body: Body | undefined): readonly Body[] {
  if (!Array.isArray(body)) throw new Error("expected a JSON array");
  return body as readonly Body[];
}

/** A JSON text as one; other values as JSON. */
export function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

export interface Told {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: Body;
}

export interface Bot {
  readonly url: string;
  readonly told: Told[];
  /** Status of the next answers, then 200. */
  readonly statuses: number[];
  /** Webhooks of one channel, in order of arrival. */
  readonly of: (channel: string) => readonly Told[];
  readonly close: () => Promise<void>;
}

export async function fakeBot(): Promise<Bot> {
  const told: Told[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const raw = Buffer.concat(parts).toString("utf8");
      told.push({
        path: request.url ?? "",
        headers: request.headers,
        raw,
        body: JSON.parse(raw) as Body,
      });
      response.statusCode = statuses.shift() ?? 200;
      response.end("{}");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    told,
    statuses,
    of: (channel) => told.filter((one) => one.path.startsWith(`/webhooks/${channel}/`)),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Headers {
  readonly authorization?: string;
  readonly devicetoken?: string;
}

export const FIRST: Headers = {
  authorization: "Bearer sandbox-token",
  devicetoken: "sandbox-device",
};
export const SECOND: Headers = {
  authorization: "Bearer sandbox-token-2",
  devicetoken: "sandbox-device-2",
};

export interface Stage {
  readonly sandbox: Sandbox;
  readonly bot: Bot;
  readonly dataDir: string;
  /** Any HTTP call to the sandbox. */
  readonly http: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | undefined>>,
  ) => Promise<Answer>;
  /** A gateway call by route id. */
  readonly call: (id: RouteId, body?: unknown, options?: CallOptions) => Promise<Answer>;
  /** Virtual now, epoch milliseconds. */
  readonly now: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface CallOptions {
  readonly as?: Headers;
  readonly query?: string;
  readonly queued?: boolean;
}

export async function stage(
  options: { bot?: Bot; dataDir?: string; seed?: string; botToken?: string } = {},
): Promise<Stage> {
  const bot = options.bot ?? (await fakeBot());
  const dataDir = options.dataDir ?? mkdtempSync(path.join(os.tmpdir(), "prosa-sandbox-"));
  const sandbox = createSandbox({
    port: 0,
    botUrl: bot.url,
    dataDir,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.botToken === undefined ? {} : { botToken: options.botToken }),
  });
  await sandbox.listen();
  const http: Stage["http"] = async (method, target, body, headers = {}) => {
    const answer = await send(`${sandbox.url()}${target}`, {
      method: method as "GET",
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      headersTimeout: 20_000,
    });
    const text = await answer.body.text();
    let parsed: unknown = null;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Some faults answer no JSON.
    }
    return { status: answer.statusCode, body: parsed as Body, text, headers: answer.headers };
  };
  return {
    sandbox,
    bot,
    dataDir,
    http,
    call: (id, body, { as = FIRST, query = "", queued = false } = {}) => {
      const route = routeOf(id);
      const target = `/api/v2${pathOf(route, {}, queued)}${query}`;
      const sent =
        route.tipo === null ? body : { tipo: route.tipo, ...((body as object | undefined) ?? {}) };
      return http(route.method, target, sent, { ...as });
    },
    now: async () => Number((await http("GET", "/sandbox/clock")).body["now_ms"]),
    close: async () => {
      await sandbox.close();
      if (options.bot === undefined) await bot.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until something holds. Only what never comes shall end by the limit: a busy machine takes ten times as long. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + 30_000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error("what was waited for did not happen in 30 s");
    await new Promise((wake) => setTimeout(wake, 10));
  }
}

export const CUSTOMER = "5511987650001";
