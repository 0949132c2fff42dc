/** What is forgotten takes no more room than what is held, in a process that remembers what it worked with last. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
/** Twice, and what V8 rounds up; with no bound it is four times. */
const AT_MOST = 3;

/** Remembers the last few thousand of very many contacts; prints the most that the old generation took, and what it holds. */
const CHURN = `
import { getHeapSpaceStatistics } from "node:v8";
import { boundHeap } from "./src/app/start/process-limits.ts";
boundHeap();
const session = JSON.stringify(Array.from({ length: 60 }, (_, at) => ({ name: "a" + at, value: [at] })));
const used = () => getHeapSpaceStatistics().find((one) => one.space_name === "old_space").space_used_size;
const known = new Map();
let most = 0;
for (let at = 0; at < 30_000; at++) {
  known.set(at, JSON.parse(session));
  known.delete(at - 4_000);
  if (at % 250 === 0) {
    most = Math.max(most, used());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
gc();
const held = used();
if (known.size > 0) console.log(JSON.stringify({ most, held }));
`;

function measured(): { readonly most: number; readonly held: number } {
  const flags = ["--expose-gc", "--import", "tsx", "--input-type=module"];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, "-e", CHURN], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as ReturnType<typeof measured>;
}

test("memory does not fill with what was forgotten", () => {
  const { most, held } = measured();
  expect(held).toBeGreaterThan(10_000_000);
  expect(most / held).toBeLessThan(AT_MOST);
});
