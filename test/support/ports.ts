/**
 * Loopback ports for the servers of tests. A port that was free a moment ago is not free for the one who asked: another
 * test beside may be given the same, or a call going out may take it. So each port is held by a file with the id of its
 * process until that ends, and all stand below those from which systems take the ports of outgoing calls.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const FIRST = 20_000;
const PORTS = 10_000;
/** A node of a Cluster listens on a second port, so much above its first. */
const BUS = 10_000;
const TRIES = 500;
const FOLDER = path.join(tmpdir(), "prosa-test-ports");

const held = new Set<string>();
process.once("exit", () => {
  for (const file of held) rmSync(file, { force: true });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Undefined when its file was just made or just taken away. */
function ownerOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/** Writes down that this process has the port; false when another that is alive has it. */
function hold(port: number): boolean {
  const file = path.join(FOLDER, String(port));
  mkdirSync(FOLDER, { recursive: true });
  for (let again = false; ; again = true)
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      held.add(file);
      return true;
    } catch (error) {
      if (again || (error as NodeJS.ErrnoException).code !== "EEXIST") return false;
      const owner = ownerOf(file);
      if (owner === undefined || isAlive(owner)) return false;
      rmSync(file, { force: true });
    }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** A port nobody else is given while this process lives; with `below`, one so much lower is free, too. */
async function reserve(below = 0): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * PORTS);
    if (!hold(port)) continue;
    if ((await isFree(port)) && (below === 0 || (await isFree(port - below)))) return port;
  }
  throw new Error(`no port is free between ${FIRST} and ${FIRST + PORTS - 1}: see ${FOLDER}`);
}

/** A loopback port for a server of this process or of its children. */
export const freePort = (): Promise<number> => reserve();

/** The first port of a Cluster's node; its second one is held. */
export const nodePort = async (): Promise<number> => (await reserve(BUS)) - BUS;
