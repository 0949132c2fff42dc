/**
 * `npm run check`: types, lint and format, two at a time, because each of them keeps one core only. All are told of, also
 * when one of them is wrong; each one's words stay together.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** What runs beside each other. Lint reads all types by itself and takes as long as the others together. */
const BESIDE = [["lint"], ["types", "format"]];

/** Runs one of the package's scripts and answers whether it found nothing. */
async function passes(script: string): Promise<boolean> {
  const child = spawn("npm", ["run", "-s", script], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [told, warned, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  process.stdout.write(told);
  process.stderr.write(warned);
  if (code !== 0) process.stderr.write(`npm run ${script} ended with ${code ?? "a signal"}.\n`);
  return code === 0;
}

async function inTurn(scripts: readonly string[]): Promise<boolean> {
  let good = true;
  for (const script of scripts) good = (await passes(script)) && good;
  return good;
}

const good = await Promise.all(BESIDE.map(inTurn));
process.exitCode = good.every(Boolean) ? 0 : 1;
