/**
 * `npx tsx test/corpus/requests/record.ts`: tells which recorded sentences are met in another way now. With `--write` their rows
 * are rewritten.
 */
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Done, FILE, recorded, said } from "./said.ts";

const before = recorded();
const now = before.map(({ at, text }) => ({ at, text, done: said(at, text) }));
for (const [index, { at, text, done }] of now.entries()) {
  const old: Partial<Done> = before[index]?.done ?? {};
  const keys = (Object.keys(done) as (keyof Done)[]).filter(
    (key) => !isDeepStrictEqual(old[key], done[key]),
  );
  if (keys.length === 0) continue;
  const changes = keys.map(
    (key) => `${key} ${JSON.stringify(old[key])} -> ${JSON.stringify(done[key])}`,
  );
  process.stdout.write(`${at} | ${text} | ${changes.join(" | ")}\n`);
}
if (process.argv.includes("--write"))
  writeFileSync(FILE, now.map((row) => `${JSON.stringify(row)}\n`).join(""));
