/**
 * `prosa doctor`: what a start needs, looked at one by one, each with what was found and how to mend it.
 */
import { accessSync, constants, mkdirSync, statfsSync } from "node:fs";
import { Fault } from "../../base/index.ts";
import { heldClass, type KeyCensus } from "../../store/index.ts";
import type { Store, StoreInfo } from "../../store/port/port.ts";
import { runningServer, sandboxUrl, type ApiClient } from "./client.ts";
import { isLoopback, type Settings } from "../settings.ts";
import { freePort } from "../start/listen.ts";
import { openConfiguredStore } from "../start/storage.ts";

export interface Examined {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  readonly fix?: string;
}

/** Less free disk than this and an append-only file may stop the store within days. */
const DISK_MIN_MB = 500;
/** Emission times must not be ahead of the authority's clock; the mapper already goes 90 s back. */
const SKEW_MAX_MS = 60_000;
const PROBE_MS = 4_000;

/** Runs every check. A setting that does not parse ends the examination, since everything hangs on it. */
export async function examine(readSettings: () => Settings): Promise<readonly Examined[]> {
  const findings: Examined[] = [node()];
  let settings: Settings;
  try {
    settings = readSettings();
    findings.push({ what: "settings", ok: true, found: "all parse" });
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return [...findings, { what: "settings", ok: false, found, fix: "correct the named variable" }];
  }
  const running = await runningServer(settings);
  findings.push(...(await ports(settings, running !== undefined)));
  findings.push(folder(settings));
  findings.push(...(await store(settings, running)));
  findings.push(...(await gateway(settings, running !== undefined)));
  return findings;
}

function node(): Examined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24;
  return {
    what: "node",
    ok,
    found: `Node ${process.versions.node}`,
    fix: "install Node 20.19 or newer, 22 or 24",
  };
}

async function ports(settings: Settings, running: boolean): Promise<Examined[]> {
  if (running)
    return [{ what: "ports", ok: true, found: `a Prosa answers on port ${settings.port}` }];
  const wanted: [string, string, number][] = [["PORT", settings.host, settings.port]];
  if (settings.admin) wanted.push(["ADMIN_PORT", settings.admin.host, settings.admin.port]);
  if (settings.gateway.url === undefined)
    wanted.push(["SANDBOX_PORT", "127.0.0.1", settings.sandbox.port]);
  return Promise.all(
    wanted.map(async ([name, host, port]) => {
      const free = await freePort(port, host).then(
        () => true,
        () => false,
      );
      return {
        what: "ports",
        ok: free,
        found: `${name} ${port} is ${free ? "free" : "taken"}`,
        fix: `stop what listens there, or set ${name}`,
      };
    }),
  );
}

function folder(settings: Settings): Examined {
  try {
    mkdirSync(settings.dataDir, { recursive: true });
    accessSync(settings.dataDir, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = statfsSync(settings.dataDir);
    const free = Math.round((bavail * bsize) / 1_048_576);
    return {
      what: "disk",
      ok: free >= DISK_MIN_MB,
      found: `${free} MB free in the data folder`,
      fix: `keep at least ${DISK_MIN_MB} MB free`,
    };
  } catch {
    return {
      what: "disk",
      ok: false,
      found: "the data folder cannot be written",
      fix: "set PROSA_DATA_DIR to a folder of yours",
    };
  }
}

async function store(settings: Settings, running: ApiClient | undefined): Promise<Examined[]> {
  if (running && settings.redisUrl === undefined) {
    const found = "embedded, in use by the running server";
    const census = (await running.get("/api/keys")) as unknown as KeyCensus;
    return [{ what: "store", ok: true, found }, keysFinding(census)];
  }
  try {
    const opened = await openConfiguredStore(settings);
    try {
      const info = await opened.info();
      return [
        storeFinding(info),
        keysFinding(await opened.census()),
        ...holds(await opened.scopes.pauses()),
      ];
    } finally {
      await opened.close();
    }
  } catch (error) {
    return [
      {
        what: "store",
        ok: false,
        found: Fault.is(error) ? error.message : "the store does not open",
        fix: settings.redisUrl ? "check REDIS_URL and PROSA_KEYS" : "check PROSA_DATA_DIR",
      },
    ];
  }
}

/** How durable the store is, and what it threw away: nothing mends what is gone, so that stays said until it was looked at. */
export function storeFinding({
  kind,
  version,
  durability,
  sentence,
  ...info
}: StoreInfo): Examined {
  const { evicted = 0 } = info;
  const lost = ` It threw ${evicted} keys away since it started: messages, sessions or documents may be lost.`;
  const looked = "give it more memory, compare its calls with the gateway's, then CONFIG RESETSTAT";
  const fix = evicted > 0 && durability !== "D0" ? looked : info.fix;
  return {
    what: "store",
    ok: durability !== "D0" && evicted === 0,
    found: `${kind} ${version}: ${sentence}${evicted > 0 ? lost : ""}`,
    fix,
  };
}

/** What may be taken out of `PROSA_KEYS`, what must stay, what is missing. */
export function keysFinding({ active, entries, damaged }: KeyCensus): Examined {
  const missing = entries.filter(({ given, keys }) => !given && keys > 0);
  const many = (of: readonly { entry: string; keys: number }[]) =>
    of.map(({ entry, keys }) => `${keys} by ${entry}`).join(", ");
  if (missing.length > 0)
    return {
      what: "keys",
      ok: false,
      found: `data keys wrapped by entries that are not in PROSA_KEYS: ${many(missing)}`,
      fix: "put the named entries back, behind the first, and run prosa keys rewrap",
    };
  // No entry is called free meanwhile: it may be this process that has other bytes for one of these names.
  if (damaged > 0)
    return {
      what: "keys",
      ok: false,
      found: `${damaged} data keys open under none of the entries: they were changed, and what they sealed cannot be read`,
      fix: "compare the bytes of each entry of PROSA_KEYS with those it was made with; if they are right, put the keys back from a copy of the store",
    };
  const older = entries.filter(({ entry }) => entry !== active);
  const needed = older.filter(({ keys, inUse }) => keys > 0 || inUse);
  const [mine] = entries.filter(({ entry }) => entry === active);
  const counted = `${mine?.keys ?? 0} data keys are wrapped by ${active}`;
  if (older.length === 0) return { what: "keys", ok: true, found: counted };
  if (needed.length > 0)
    return {
      what: "keys",
      ok: true,
      found: `${counted}; still needed: ${many(needed)} (prosa keys rewrap wraps the rest anew)`,
    };
  const free = older.map(({ entry }) => entry).join(", ");
  return {
    what: "keys",
    ok: true,
    found: `${counted}; ${free} wraps nothing: take it out of PROSA_KEYS, restart, and destroy it, which closes every older copy of the store`,
  };
}

/** Classes that wait for a person, each with why. */
function holds(pauses: Awaited<ReturnType<Store["scopes"]["pauses"]>>): Examined[] {
  return [...pauses].flatMap(([scope, { reason }]) => {
    const held = heldClass(scope);
    if (held === null) return [];
    const found = `${held} calls are held (${reason})`;
    const fix = `compare with the gateway what was done, then: prosa hold release ${held}`;
    return [{ what: "hold", ok: false, found, fix }];
  });
}

async function gateway(settings: Settings, running: boolean): Promise<Examined[]> {
  const url = settings.gateway.url ?? `${sandboxUrl(settings)}/api/v2`;
  if (settings.gateway.url === undefined && !running)
    return [{ what: "gateway", ok: true, found: "the sandbox, started with the bot" }];
  const before = Date.now();
  try {
    // Any answer will do: what is looked at is whether we get there, and what time it is there.
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const skew = Math.abs(
      Date.parse(response.headers.get("date") ?? "") - (before + Date.now()) / 2,
    );
    const needsToken = !isLoopback(new URL(url).hostname) && settings.gateway.token === undefined;
    return [
      {
        what: "gateway",
        ok: !needsToken,
        found: needsToken ? "answers; GATEWAY_TOKEN is not set" : "answers",
        fix: "set GATEWAY_TOKEN, or give each account its own",
      },
      ...(Number.isNaN(skew)
        ? []
        : [
            {
              what: "clock",
              ok: skew <= SKEW_MAX_MS,
              found: `${Math.round(skew / 1000)} s apart from the gateway`,
              fix: "set this machine's clock (NTP)",
            },
          ]),
    ];
  } catch {
    return [
      { what: "gateway", ok: false, found: "no answer", fix: "check GATEWAY_URL and the network" },
    ];
  }
}
