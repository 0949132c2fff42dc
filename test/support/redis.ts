/**
 * A real Redis for one test file: its own process on a free loopback port, `appendfsync always`, ended by its pid.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./ports.ts";
import { removeFolder } from "./remove-folder.ts";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** The server's process, for kill tests; undefined when `TEST_REDIS_URL` is somebody else's server. */
  readonly process: ChildProcess | undefined;
  /** Folder with the append-only file. */
  readonly folder: string | undefined;
  stop(): Promise<void>;
}

/** The server's name here: Valkey speaks the same. */
const SERVER =
  ["redis-server", "valkey-server"].find((name) =>
    (process.env["PATH"] ?? "")
      .split(path.delimiter)
      .some((folder) => existsSync(path.join(folder, name))),
  ) ?? "redis-server";

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (ok: boolean) => {
      socket.destroy();
      resolve(ok);
    };
    socket.once("error", () => end(false));
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => end(data.toString().startsWith("+PONG")));
    socket.setTimeout(1000, () => end(false));
  });
}

/** Starts a Redis (or takes the one of `TEST_REDIS_URL`). Fails after 10 s. */
export async function startRedis(
  options: { port?: number; folder?: string; args?: readonly string[] } = {},
): Promise<TestRedis> {
  const given = process.env["TEST_REDIS_URL"];
  if (given && options.port === undefined && options.folder === undefined && !options.args)
    return {
      url: given,
      port: Number(new URL(given).port || 6379),
      process: undefined,
      folder: undefined,
      stop: async () => {},
    };
  const port = options.port ?? (await freePort());
  const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), "prosa-redis-"));
  const child = spawn(
    SERVER,
    [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
      ...["--appendonly", "yes", "--appendfsync", "always", "--loglevel", "warning"],
      ...(options.args ?? []),
    ],
    { stdio: "ignore" },
  );
  const deadline = Date.now() + 10_000;
  while (!(await answers(port))) {
    if (Date.now() > deadline || child.exitCode !== null)
      throw new Error(`${SERVER} did not answer on port ${port} within 10 s`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    process: child,
    folder,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGKILL");
        await ended;
      }
      if (!options.folder) await removeFolder(folder);
    },
  };
}

/** Three Sentinels that watch one primary and agree fast. Answers their address as `REDIS_URL` takes it. */
export async function startSentinels(
  primary: Pick<TestRedis, "port">,
): Promise<{ readonly url: string; readonly ports: readonly number[]; stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-sentinel-"));
  const ports = [await freePort(), await freePort(), await freePort()];
  const children = ports.map((port) => {
    const file = path.join(folder, `${port}.conf`);
    const lines = [
      ...[`port ${port}`, "bind 127.0.0.1", `dir ${folder}`, "sentinel resolve-hostnames no"],
      `sentinel monitor main 127.0.0.1 ${primary.port} 2`,
      ...["sentinel down-after-milliseconds main 600", "sentinel failover-timeout main 5000"],
      "sentinel parallel-syncs main 2",
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
    return spawn(SERVER, [file, "--sentinel"], { stdio: "ignore" });
  });
  const stop = async (): Promise<void> => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    }
    await removeFolder(folder);
  };
  const deadline = Date.now() + 10_000;
  for (const port of ports)
    while (!(await answers(port))) {
      if (Date.now() > deadline) {
        await stop();
        throw new Error(`a Sentinel did not answer on port ${port} within 10 s`);
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
  return { url: `redis+sentinel://${hosts}/main/0`, ports, stop };
}
