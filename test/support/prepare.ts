/**
 * Runs before `npm test`: makes sure that a real Redis, a real browser and the declarations of `flows/` are there.
 *
 * Redis: `redis-server` or `valkey-server` on PATH, else the system's package manager (apt, as root); tests start and kill
 * servers of their own, and take the one of `TEST_REDIS_URL` where any will do. Browser: `CHROMIUM_PATH`, else `chromium`, `chromium-browser` or `google-chrome` on PATH, else apt.
 * Nothing is skipped: what cannot be had stops the tests with one line that says what to install.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { declarations } from "../../src/app/authoring/declarations.ts";
import { FLOWS_FOLDER } from "../../src/app/places.ts";

function onPath(...names: string[]): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    for (const name of names) {
      const file = path.join(folder, name);
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

function aptInstall(packages: string[]): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !onPath("apt-get")) return false;
  process.stderr.write(`Installing ${packages.join(", ")} …\n`);
  const quiet = { stdio: ["ignore", "ignore", "inherit"] as ("ignore" | "inherit")[] };
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-qq"], { ...quiet, env });
  return (
    spawnSync("apt-get", ["install", "-y", "-qq", ...packages], { ...quiet, env }).status === 0
  );
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const missing: string[] = [];
const hasRedis = () => onPath("redis-server", "valkey-server") ?? false;
const hasBrowser = () =>
  process.env["CHROMIUM_PATH"] ?? onPath("chromium", "chromium-browser", "google-chrome") ?? false;

if (!hasRedis()) missing.push("redis-server");
if (!hasBrowser()) missing.push("chromium");
if (missing.length > 0) aptInstall(missing);

if (!hasRedis()) fail("npm test needs Redis 7 or Valkey 7.2 on PATH: install redis-server.");
if (!hasBrowser())
  fail("npm test needs a browser: install chromium, or set CHROMIUM_PATH to its executable.");

const server = onPath("redis-server", "valkey-server");
if (server) {
  const version = /v=(\d+)\.(\d+)/.exec(execFileSync(server, ["--version"], { encoding: "utf8" }));
  if (version && Number(version[1]) < 7)
    fail(
      `npm test needs Redis 7.0 or newer; ${path.basename(server)} is ${version[1]}.${version[2]}.`,
    );
}

declarations(FLOWS_FOLDER);
