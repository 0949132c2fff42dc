/** Restate's server for one run: one node on loopback, its data in a folder of its own, ended by its pid. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "../../support/ports.ts";
import { removeFolder } from "../../support/remove-folder.ts";

export interface RestateServer {
  readonly ingress: string;
  readonly admin: string;
  /** User and system time of all its threads, ms. NaN where the system has no /proc. */
  cpuMs(): number;
  stop(): Promise<void>;
}

const START_MS = 30_000;
/** /proc counts in ticks of 10 ms. */
const TICK_MS = 10;

/**
 * `modules`: where the peers are installed; `core`: the only one it may use. Rejects with a reason that stands in the
 * tables, so no reason names a folder of this machine.
 */
export async function startRestateServer(modules: string, core?: string): Promise<RestateServer> {
  const name = `@restatedev/restate-server-${os.platform()}-${os.arch()}`;
  const binary = path.join(modules, name, "bin/restate-server");
  for (const needed of [name, "@restatedev/restate-sdk"])
    if (!existsSync(path.join(modules, needed))) throw new Error(`${needed} is not installed`);
  const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-restate-"));
  const [node, ingress, admin] = [await freePort(), await freePort(), await freePort()];
  const config = path.join(folder, "restate.toml");
  // Where it listens and keeps its data, no telemetry, few logs. All else is the default: each write to its log is synced.
  // At its start it asks GitHub for the latest release, which no setting turns off; offline that fails, without a word here.
  const lines = [
    ...['node-name = "bench"', `base-dir = "${folder}/data"`, 'listen-mode = "tcp"'],
    ...['bind-ip = "127.0.0.1"', `bind-port = ${node}`, 'advertised-host = "127.0.0.1"'],
    ...[
      "disable-telemetry = true",
      'log-filter = "warn,octocrab=off"',
      "log-disable-ansi-codes = true",
    ],
    ...["[ingress]", `bind-port = ${ingress}`, "[admin]", `bind-port = ${admin}`],
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  const call = [binary, "--config-file", config, "--no-logo"];
  // On its core from its first thread on, because it sizes its thread pools by the cores it may use.
  const [command = "", ...rest] = core === undefined ? call : ["taskset", "-c", core, ...call];
  const child = spawn(command, rest, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { PATH: process.env["PATH"] ?? "", DO_NOT_TRACK: "1" },
  });
  let ended: string | undefined;
  const end = new Promise<void>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      ended ??= `cannot be run: ${error.code ?? "unknown"}`;
      resolve();
    });
    child.once("exit", (code, signal) => {
      ended ??= `ended at its start: ${signal ?? `exit code ${code}`}`;
      resolve();
    });
  });
  // Nothing else would end it when this process dies of an error.
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async (): Promise<void> => {
    kill();
    await end;
    process.off("exit", kill);
    await removeFolder(folder);
  };
  const urls = { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}` };
  const deadline = Date.now() + START_MS;
  while (!(await answers(`${urls.admin}/health`, `${urls.ingress}/restate/health`))) {
    if (ended === undefined && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    const reason = ended ?? `did not answer within ${START_MS / 1_000} s`;
    await stop();
    throw new Error(`restate-server ${reason}`);
  }
  return { ...urls, cpuMs: () => cpuMsOf(child.pid), stop };
}

async function answers(...urls: readonly string[]): Promise<boolean> {
  for (const url of urls) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (!response?.ok) return false;
  }
  return true;
}

function cpuMsOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The second field is the name in brackets, which may hold spaces; user and system time are the 14th and 15th.
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(file, "utf8")) ?? [];
  return (Number(user) + Number(system)) * TICK_MS;
}
