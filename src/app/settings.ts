/**
 * Settings: read from the environment once, validated whole; the first thing wrong is told in one sentence that names it.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { Fault } from "../base/index.ts";
import { KeyRing, parseRedisUrl } from "../store/index.ts";
import { flowsFolder } from "./places.ts";

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Undefined: the console shares the public listener (loopback only). */
  readonly admin: { readonly host: string; readonly port: number } | undefined;
  readonly publicUrl: string;
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  /** The conversations, one folder each. */
  readonly flowsDir: string;
  /** Whether saved flows are taken over while the bot runs; `warm`: with everything ready for the first one. */
  readonly reload: "off" | "on" | "warm";
  readonly gateway: {
    /** Undefined: the sandbox inside this process. */
    readonly url: string | undefined;
    readonly token: string | undefined;
    readonly deviceToken: string | undefined;
    readonly routeWords: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    readonly fiscalTimeoutMs: number;
  };
  readonly sandbox: { readonly port: number; readonly botUrl: string };
  readonly demo: boolean;
  readonly adminToken: string | undefined;
  readonly keys: string | undefined;
  readonly alertUrl: string | undefined;
  readonly logLevel: LogLevel;
  /** `PROSA_SECRET_<NAME>` by NAME: what effects of the bot's own may ask for. */
  readonly secrets: Readonly<Record<string, string>>;
}

const LogLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);
type LogLevel = z.output<typeof LogLevel>;

/** The neutral path words a deployment may rename. */
const ROUTE_WORDS = [
  "msgengine",
  "messengerNumbers",
  "sendMessengerAudio",
  "engine-a",
  "engine-c",
  "official",
  "sms",
] as const;

/** Loopback, in the forms people write it. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host === "::1" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** A host as it stands in an address: IPv6 between brackets. */
export function hostInAddress(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** What a variable holds; undefined where it is empty, too. */
function textOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function wrong(name: string, why: string): Fault {
  return new Fault("SETTING_INVALID", `${name} ${why}.`);
}

/** Plain digits only: `1e3`, `0x10` and ` 3000` with a sign are slips, not ports. */
const Digits = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number);
const port = Digits.pipe(z.number().max(65_535));
const timeout = Digits.pipe(z.number().min(100).max(600_000));

function read<T, O = T>(
  env: NodeJS.ProcessEnv,
  name: string,
  schema: z.ZodType<T>,
  otherwise: O,
  why: string,
): T | O {
  const text = textOf(env, name);
  if (text === undefined) return otherwise;
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw wrong(name, why);
  return parsed.data;
}

function url(
  env: NodeJS.ProcessEnv,
  name: string,
  protocols: readonly string[],
): string | undefined {
  const text = textOf(env, name);
  if (text === undefined) return undefined;
  try {
    if (protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, "");
  } catch {
    // Told below, without the value: it may hold a password.
  }
  throw wrong(
    name,
    `must be an address that begins with ${protocols.map((p) => `${p}//`).join(" or ")}`,
  );
}

function routeWords(env: NodeJS.ProcessEnv): Record<string, string> {
  const text = textOf(env, "GATEWAY_ROUTE_WORDS") ?? "{}";
  try {
    return z
      .partialRecord(z.enum(ROUTE_WORDS), z.string().regex(/^[A-Za-z0-9_-]{1,60}$/))
      .parse(JSON.parse(text));
  } catch {
    throw wrong(
      "GATEWAY_ROUTE_WORDS",
      `must be a JSON object from ${ROUTE_WORDS.join(", ")} to path segments`,
    );
  }
}

/** `redis://`, `rediss://`, several comma-separated for Cluster, or `redis+sentinel://…/NAME/0`. */
function redisUrl(env: NodeJS.ProcessEnv): string | undefined {
  const text = textOf(env, "REDIS_URL");
  if (text === undefined) return undefined;
  const sentinel = /^redis\+sentinel:\/\/\S+\/[^/\s]+(\/\d+)?$/.test(text);
  const plain = text.split(",").every((part) => /^rediss?:\/\/\S+$/.test(part.trim()));
  if (!sentinel && !plain)
    throw wrong(
      "REDIS_URL",
      "must be redis://…, rediss://…, a comma-separated list of them, or redis+sentinel://host:port,…/NAME/0",
    );
  parseRedisUrl(text);
  return text;
}

/** A token that travels in a header: visible ASCII, told without its value. */
function headerToken(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = textOf(env, name);
  if (text !== undefined && !/^[\x21-\x7e]{1,4000}$/.test(text))
    throw wrong(
      name,
      "holds a character that no header can carry (a space, a line break, an accent)",
    );
  return text;
}

/** Reads and checks everything. Throws `SETTING_INVALID` with one sentence, and what {@link flowsFolder} throws. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const host = textOf(env, "HOST") ?? "127.0.0.1";
  const listen = read(env, "PORT", port, 3000, "must be a port, 0 to 65535");
  const loopback = isLoopback(host);
  const adminToken = textOf(env, "ADMIN_TOKEN");
  if (adminToken !== undefined && adminToken.length < 16)
    throw wrong("ADMIN_TOKEN", "must have at least 16 characters");
  const adminHost = textOf(env, "ADMIN_HOST") ?? (loopback ? host : "127.0.0.1");
  const adminPort = read(
    env,
    "ADMIN_PORT",
    port,
    loopback ? listen : 3002,
    "must be a port, 0 to 65535",
  );
  const shared = adminHost === host && adminPort === listen;
  if (!isLoopback(adminHost) && adminToken === undefined)
    throw wrong("ADMIN_TOKEN", "is required because the console would listen off loopback");

  const gatewayUrl = url(env, "GATEWAY_URL", ["http:", "https:"]);
  const redis = redisUrl(env);
  const store = textOf(env, "PROSA_STORE");
  if (store !== undefined && store !== "embedded" && store !== "redis")
    throw wrong("PROSA_STORE", "must be embedded or redis");
  if (store === "redis" && redis === undefined)
    throw wrong("REDIS_URL", "is required by PROSA_STORE=redis");
  const realGateway = gatewayUrl !== undefined && !isLoopback(new URL(gatewayUrl).hostname);
  if (realGateway && redis === undefined && store !== "embedded")
    throw wrong(
      "REDIS_URL",
      "is missing and GATEWAY_URL is a real gateway; set it, or PROSA_STORE=embedded if one small process is meant",
    );
  const keys = textOf(env, "PROSA_KEYS");
  const useRedis = store !== "embedded" && redis !== undefined;
  if (useRedis && keys === undefined)
    throw wrong(
      "PROSA_KEYS",
      "is required with REDIS_URL (name:base64 of 32 bytes; several comma-separated, the active one first)",
    );
  // Throws a sentence for entries that are none.
  if (keys !== undefined) void new KeyRing(keys);

  const demo =
    read(env, "PROSA_DEMO", z.enum(["0", "1"]), gatewayUrl ? "0" : "1", "must be 0 or 1") === "1";
  if (demo && !loopback)
    throw wrong("PROSA_DEMO", "is refused off loopback: its tokens are public; set PROSA_DEMO=0");
  if (gatewayUrl === undefined && !loopback)
    throw wrong("GATEWAY_URL", "is required off loopback: the sandbox only listens on loopback");
  const sandboxPort = read(env, "SANDBOX_PORT", port, 3001, "must be a port, 0 to 65535");
  const botUrl =
    url(env, "BOT_URL", ["http:", "https:"]) ??
    `http://${loopback ? hostInAddress(host) : "127.0.0.1"}:${listen}`;
  if (!isLoopback(new URL(botUrl).hostname))
    throw wrong("BOT_URL", "must be a loopback address: the sandbox posts test messages there");

  return {
    host,
    port: listen,
    admin: shared ? undefined : { host: adminHost, port: adminPort },
    publicUrl:
      url(env, "PUBLIC_URL", ["http:", "https:"]) ??
      `http://${host === "127.0.0.1" ? "localhost" : hostInAddress(host)}:${listen}`,
    redisUrl: useRedis ? redis : undefined,
    dataDir: path.resolve(textOf(env, "PROSA_DATA_DIR") ?? ".prosa"),
    flowsDir: flowsFolder(env),
    reload: reloadOf(env, gatewayUrl),
    gateway: {
      url: gatewayUrl,
      token: headerToken(env, "GATEWAY_TOKEN"),
      deviceToken: headerToken(env, "GATEWAY_DEVICE_TOKEN"),
      routeWords: routeWords(env),
      timeoutMs: read(
        env,
        "GATEWAY_TIMEOUT_MS",
        timeout,
        20_000,
        "must be milliseconds, 100 to 600000",
      ),
      fiscalTimeoutMs: read(
        env,
        "GATEWAY_FISCAL_TIMEOUT_MS",
        timeout,
        60_000,
        "must be milliseconds, 100 to 600000",
      ),
    },
    sandbox: { port: sandboxPort, botUrl },
    demo,
    adminToken,
    keys,
    secrets: secretsIn(env),
    alertUrl: url(env, "ALERT_URL", ["http:", "https:"]),
    logLevel: read(
      env,
      "LOG_LEVEL",
      LogLevel,
      "info",
      `must be one of ${LogLevel.options.join(", ")}`,
    ),
  };
}

/** Where people are served, flows change by a deploy that was checked, and by nothing else. */
function reloadOf(env: NodeJS.ProcessEnv, gatewayUrl: string | undefined): Settings["reload"] {
  const isReal = gatewayUrl !== undefined || env["NODE_ENV"] === "production";
  const asked = read(env, "PROSA_RELOAD", z.enum(["0", "1"]), undefined, "must be 0 or 1");
  if (asked === "1" && isReal)
    throw wrong(
      "PROSA_RELOAD",
      "is refused with a GATEWAY_URL and in production: there, flows change by a deploy",
    );
  if (asked === "0" || isReal) return "off";
  return asked === "1" ? "warm" : "on";
}

const SECRET = "PROSA_SECRET_";

/** Each as it stands, or as the content of the file that `PROSA_SECRET_<NAME>_FILE` names. */
function secretsIn(env: NodeJS.ProcessEnv): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(env)) {
    const text = name.startsWith(SECRET) ? env[name]?.trim() : undefined;
    if (!text) continue;
    if (name.endsWith("_FILE"))
      found[name.slice(SECRET.length, -"_FILE".length)] = contentOf(name, text);
    else found[name.slice(SECRET.length)] = text;
  }
  return found;
}

function contentOf(name: string, file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw wrong(name, "names a file that cannot be read");
  }
}
