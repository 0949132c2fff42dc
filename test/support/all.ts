/**
 * `npm test`: the tests, and types, lint and format beside them. Tests mostly wait, for leases and for processes they
 * started; what checks the sources takes the time they leave. What is given on the command line goes to the tests' runner.
 */
import { createRequire } from "node:module";
import path from "node:path";
import { beside } from "./beside.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const RUNNER = path.join(
  path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);

const good = await beside(
  [
    {
      name: "The tests",
      command: process.execPath,
      args: [RUNNER, "run", "--config", "test/vitest.config.ts", ...process.argv.slice(2)],
    },
    {
      name: "The check (npm run check)",
      command: process.execPath,
      args: ["--import", "tsx", "test/support/check.ts"],
      behind: true,
    },
  ],
  { cwd: ROOT, out: (words) => void process.stdout.write(words) },
);
process.exitCode = good ? 0 : 1;
