/** What `REDIS_URL` may say: one server, a Cluster (comma list), or Sentinels (`redis+sentinel://`). */
import { Fault } from "../../../base/index.ts";

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

export type RedisPlace =
  | (Access & { readonly kind: "single"; readonly at: Endpoint; readonly database: number })
  | (Access & { readonly kind: "cluster"; readonly nodes: readonly Endpoint[] })
  | (Access & {
      readonly kind: "sentinel";
      readonly sentinels: readonly Endpoint[];
      readonly name: string;
      readonly database: number;
    });

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26379;

/** Throws `SETTING_INVALID`; the URL itself is never quoted, it holds a password. */
export function parseRedisUrl(text: string): RedisPlace {
  const trimmed = text.trim();
  if (trimmed.startsWith("redis+sentinel://")) return sentinel(trimmed);
  const urls = trimmed.split(",").map((part) => one(part.trim()));
  const [first] = urls;
  if (!first) throw invalid();
  const accesses = new Set(urls.map((url) => `${url.protocol} ${url.username} ${url.password}`));
  if (accesses.size > 1)
    throw wrong(
      "lists servers with different users, passwords or TLS; those of a Cluster share them",
    );
  const access = accessOf(first.username, first.password, first.protocol === "rediss:");
  const databases = urls.map((url) => database(url.pathname));
  if (urls.length > 1 && databases.some((index) => index > 0))
    throw wrong("names a database; a Cluster has only the first, 0");
  if (urls.length > 1) return { kind: "cluster", nodes: urls.map(endpointOf), ...access };
  return { kind: "single", at: endpointOf(first), database: databases[0] ?? 0, ...access };
}

function one(part: string): URL {
  if (!/^rediss?:\/\//.test(part)) throw invalid();
  const port = /^rediss?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(part)?.[1];
  checkPort(port);
  if (!URL.canParse(part))
    throw wrong(
      "is no address: a password with @ : / # ? or % has them as %40 %3A %2F %23 %3F %25",
    );
  const url = new URL(part);
  if (url.search !== "" || url.hash !== "")
    throw wrong("holds a ? or #: options are not read, and in a password they are %3F and %23");
  return url;
}

function checkPort(port: string | undefined): void {
  if (port !== undefined && Number(port) > 65_535) throw wrong("names a port above 65535");
}

/** `URL` cannot parse several hosts in one authority. */
function sentinel(text: string): RedisPlace {
  const match = /^redis\+sentinel:\/\/(?:([^@/]*)@)?([^/@]+)\/([^/]+)(?:\/(\d+))?$/.exec(text);
  const [, user = "", hosts = "", name = "", index = "0"] = match ?? [];
  const [username = "", ...password] = user.split(":");
  const sentinels = hosts.split(",").map((host) => {
    const found = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d+))?$/.exec(host.trim());
    if (!found?.[1]) throw invalid();
    checkPort(found[2]);
    return { host: bare(found[1]), port: Number(found[2] ?? SENTINEL_PORT) };
  });
  if (!match) throw invalid();
  return {
    kind: "sentinel",
    sentinels,
    name: decoded(name),
    database: Number(index),
    ...accessOf(username, password.join(":"), false),
  };
}

function endpointOf(url: URL): Endpoint {
  return { host: bare(url.hostname) || "127.0.0.1", port: Number(url.port || REDIS_PORT) };
}

/** An IPv6 address without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

function database(path: string): number {
  const match = /^\/?(\d*)$/.exec(path);
  if (!match) throw invalid();
  return Number(match[1] ?? 0);
}

function accessOf(username: string, password: string, tls: boolean): Access {
  return {
    tls,
    ...(username === "" ? {} : { username: decoded(username) }),
    ...(password === "" ? {} : { password: decoded(password) }),
  };
}

/** A `%` that begins no escape is a literal one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("holds a % that begins no escape: in a password, % is written %25");
  }
}

/** Without the value, which holds a password. */
function wrong(what: string): Fault {
  return new Fault("SETTING_INVALID", `REDIS_URL ${what}.`);
}

function invalid(): Fault {
  return new Fault(
    "SETTING_INVALID",
    "REDIS_URL must be redis://…, rediss://…, a comma-separated list of them, or redis+sentinel://host:port,…/NAME/0.",
  );
}
