/** The gateway as a server on this machine: made from the contract, deterministic, and under the controls of `/sandbox`. The epoch file outlives it. */
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from "fastify";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { Fault, WITHOUT_SCHEMAS } from "../../base/index.ts";
import { VirtualClock } from "./clock.ts";
import { addControls } from "../controls/controls.ts";
import { Courier, isLoopbackAuthority, isLoopbackHost, isLoopbackUrl } from "../http/loopback.ts";
import { Feed } from "../controls/feed.ts";
import { addGatewayRoutes, BASE_PATH, recordStray } from "../http/gateway-routes.ts";
import { BODY_LIMIT_BYTES, takeRawBodies } from "../http/request-body.ts";
import { createWorld, type World } from "./world.ts";

/** Real milliseconds a bot has to drain its due timers after the clock moved. */
const DRAIN_TIMEOUT_MS = 30_000;

interface SandboxOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Loopback only. Default `127.0.0.1`. */
  readonly host?: string;
  /** Where webhooks and clock moves go: the bot's own address, loopback only. */
  readonly botUrl: string;
  /** Holds the epoch and the clock's offset. */
  readonly dataDir: string;
  /** Same seed, same epoch, same calls: same ids. */
  readonly seed?: string;
  readonly log?: FastifyBaseLogger;
  /** Bearer for the bot's `/api/clock`, where that is closed. */
  readonly botToken?: string;
}

export interface Sandbox {
  /** Binds the port and answers the address. */
  readonly listen: () => Promise<string>;
  readonly close: () => Promise<void>;
  /** `http://127.0.0.1:3001`; known once it listens. */
  readonly url: () => string;
  /** {@link Sandbox.url} with the version segment: what a client takes as its base. */
  readonly gatewayUrl: () => string;
}

/**
 * Makes a sandbox; {@link Sandbox.listen} starts it. Raises the epoch of `dataDir`.
 * Throws `SETTING_INVALID` for a host or bot address off loopback, or an unreadable state file.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopbackHost(host))
    throw new Fault(
      "SETTING_INVALID",
      "The sandbox listens on loopback only, not on the given host.",
    );
  const botUrl = options.botUrl.replace(/\/+$/, "");
  if (!isLoopbackUrl(botUrl))
    throw new Fault("SETTING_INVALID", "BOT_URL must be an http address of this machine.");
  const epochs = new EpochFile(options.dataDir);
  const app = serverOf(options.log, () => world);
  const onError = (error: unknown): void => app.log.error(error);
  const clock = new VirtualClock(epochs.offset, onError);
  const feed = new Feed();
  const courier = new Courier();
  const address = { url: `http://${host}:${options.port}` };
  const begin = (): World =>
    createWorld({
      seed: options.seed ?? "prosa",
      epoch: epochs.epoch,
      clock,
      feed,
      courier,
      botUrl,
      origin: address.url,
      onError,
    });
  let world = begin();

  const advance = async (ms: number): Promise<void> => {
    clock.move(ms);
    epochs.keepOffset(clock.offset);
    await clock.runDue();
    const headers: Record<string, string> =
      options.botToken === undefined ? {} : { authorization: `Bearer ${options.botToken}` };
    const news = JSON.stringify({
      now: clock.iso(),
      now_ms: clock.now(),
      offset_ms: clock.offset,
      back: ms < 0 ? true : undefined,
    });
    await Promise.all(
      botOrigins(world, botUrl).map((origin) =>
        courier.post(`${origin}/api/clock`, news, headers, DRAIN_TIMEOUT_MS),
      ),
    );
  };
  const reset = (): void => {
    world.webhooks.close();
    clock.clear();
    epochs.raise();
    world = begin();
  };
  addGatewayRoutes(app, () => world);
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith(BASE_PATH)) recordStray(world, request, 404);
    return reply.code(404).send({ error: true, message: "Rota não encontrada." });
  });
  addControls(app, { world: () => world, advance, reset });

  return {
    listen: async () => {
      address.url = (await app.listen({ host, port: options.port })).replace("[::1]", "localhost");
      world = begin();
      return address.url;
    },
    close: async () => {
      world.webhooks.close();
      clock.close();
      feed.close();
      await Promise.all([app.close(), courier.close()]);
    },
    url: () => address.url,
    gatewayUrl: () => `${address.url}${BASE_PATH}`,
  };
}

function serverOf(log: FastifyBaseLogger | undefined, world: () => World): FastifyInstance {
  const settings = {
    bodyLimit: BODY_LIMIT_BYTES,
    schemaController: WITHOUT_SCHEMAS,
    forceCloseConnections: true,
    // Request lines would carry the phone numbers of queries.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  };
  const app: FastifyInstance = log
    ? fastify({ ...settings, loggerInstance: log })
    : fastify({ ...settings, logger: false });
  takeRawBodies(app);
  app.addHook("onRequest", (request, reply, next) => {
    const { host, origin } = request.headers;
    if (!isLoopbackAuthority(host)) refuse(reply, "Only names of this machine are served.");
    else if (origin === undefined) next();
    else if (!isLoopbackUrl(origin)) refuse(reply, "Only pages of this machine are served.");
    else {
      void reply.headers({ "access-control-allow-origin": origin, vary: "origin" });
      if (request.method !== "OPTIONS") next();
      else
        void reply
          .code(204)
          .headers({
            "access-control-allow-methods": "GET, POST, PUT, DELETE",
            "access-control-allow-headers": "content-type",
          })
          .send();
    }
  });
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status >= 500) app.log.error(error);
    // A body too large, or cut: refused before a route saw it.
    if (request.url.startsWith(BASE_PATH)) recordStray(world(), request, status);
    return reply.code(status).send({ error: true, message: `Requisição recusada (${status}).` });
  });
  return app;
}

function refuse(reply: FastifyReply, message: string): void {
  void reply.code(403).send({ error: true, message });
}

function statusOf(error: unknown): number {
  const status =
    typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : 500;
  return typeof status === "number" ? status : 500;
}

/** Origins that get webhooks, the bot's own among them, each once. */
function botOrigins(world: World, botUrl: string): readonly string[] {
  const urls = [
    botUrl,
    ...world.subscriptions
      .all()
      .flatMap((subscription) => subscription.targets.map((target) => target.url)),
  ];
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

const EPOCH_FILE = "sandbox.json";

const KeptState = z.object({
  epoch: z.number().int().nonnegative(),
  /** Virtual time minus real time, in milliseconds; only ever grows. */
  offset: z.number().int().nonnegative(),
});
type KeptState = z.output<typeof KeptState>;

/** What outlives the sandbox: which run this is (the epoch) and how far its clock was moved. One small JSON file. */
class EpochFile {
  readonly #file: string;
  #state: KeptState;

  /** Opens the file of `dataDir` (made if absent) and raises the epoch: this is a new run. */
  constructor(dataDir: string) {
    mkdirSync(dataDir, { recursive: true });
    this.#file = path.join(dataDir, EPOCH_FILE);
    this.#state = readState(this.#file);
    this.raise();
  }

  get epoch(): number {
    return this.#state.epoch;
  }

  get offset(): number {
    return this.#state.offset;
  }

  raise(): number {
    this.#write({ ...this.#state, epoch: this.#state.epoch + 1 });
    return this.#state.epoch;
  }

  /** A clock that was set back is somebody's who plays on it: it does not outlive this process. */
  keepOffset(offset: number): void {
    this.#write({ ...this.#state, offset: Math.max(0, offset) });
  }

  /** Whole or not at all: a process killed here leaves the old file. */
  #write(state: KeptState): void {
    const draft = `${this.#file}.${process.pid}.new`;
    writeFileSync(draft, `${JSON.stringify(state)}\n`);
    renameSync(draft, this.#file);
    this.#state = state;
  }
}

function readState(file: string): KeptState {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { epoch: 0, offset: 0 };
    throw error;
  }
  try {
    return KeptState.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault(
      "SETTING_INVALID",
      `The sandbox's state file ${file} is not readable; remove it to begin anew.`,
      { cause },
    );
  }
}
