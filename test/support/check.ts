/**
 * `npm run check`: types, lint and format, two at a time, because each of them keeps one core only. All are told of, also
 * when one of them is wrong; each one's words stay together. Where nothing is kept of an earlier lint, as in a fresh clone,
 * types and lint share one reading of the sources, which costs a third less than both alone; later each knows by itself what
 * has not changed.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";

const ROOT = path.resolve(import.meta.dirname, "../..");

const KEPT = path.join(ROOT, "node_modules/.cache/eslint");

/** Compiler and rules make much that is soon let go: with this room for it, MiB, the compiler takes a fifth less. */
const ROOM = "--max-semi-space-size=128";

type Command = readonly [program: string, ...args: string[]];
const FLOW_TYPES: Command = [process.execPath, "src/cli/bin.js", "flows", "types"];
const TYPES_AND_LINT: Command = [
  process.execPath,
  "--import",
  "tsx",
  "test/support/types-and-lint.ts",
];
const script = (name: string): Command => ["npm", "run", "-s", name];

/** What runs beside each other. */
const BESIDE: readonly (readonly Command[])[] = existsSync(KEPT)
  ? [[script("lint")], [script("types"), script("format")]]
  : [[FLOW_TYPES, TYPES_AND_LINT], [script("format")]];

/** Runs a command and answers whether it found nothing. */
async function passes([program, ...args]: Command): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${ROOM}` },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32" && program === "npm",
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [told, warned, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  process.stdout.write(told);
  process.stderr.write(warned);
  if (code !== 0)
    process.stderr.write(`${args.at(-1) ?? program} ended with ${code ?? "a signal"}.\n`);
  return code === 0;
}

async function inTurn(commands: readonly Command[]): Promise<boolean> {
  let good = true;
  for (const command of commands) good = (await passes(command)) && good;
  return good;
}

const good = await Promise.all(BESIDE.map(inTurn));
process.exitCode = good.every(Boolean) ? 0 : 1;
