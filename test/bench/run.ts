/**
 * `npm run bench`: what one message costs, beside others that do the same job. Writes its tables into the README and its
 * drawing beside it only when told to (`--write`).
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { CONTESTANTS, type Fsync } from "./message/fleet.ts";
import { LENGTHS } from "./message/form.ts";
import { pair, pairTable } from "./message/pair.ts";
import { svg } from "./message/plot.ts";
import { markdown } from "./message/report.ts";
import { FULL, QUICK, run, SMOKE } from "./message/run.ts";
import { place } from "./placed.ts";

const { values } = parseArgs({
  options: {
    smoke: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    fsync: { type: "string", default: "everysec" },
    length: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    rounds: { type: "string" },
    profile: { type: "string" },
    against: { type: "string" },
  },
});
const note = (text: string) => void process.stderr.write(`${text}\n`);
const plan = values.smoke ? SMOKE : values.quick ? QUICK : FULL;
const wish = {
  plan: values.rounds === undefined ? plan : { ...plan, rounds: Number(values.rounds) },
  fsync: values.fsync as Fsync,
  lengths: LENGTHS.filter((length) => values.length?.includes(String(length)) ?? true),
};
if (values.against !== undefined) {
  process.stdout.write(
    `${pairTable(await pair({ ...wish, against: path.resolve(values.against) }))}\n`,
  );
  process.exit(0);
}
const all = await run({
  ...wish,
  names: CONTESTANTS.filter((name) => values.only?.includes(name) ?? true),
  note,
  ...(values.profile === undefined ? {} : { keep: values.profile }),
});
const size = values.smoke ? " --smoke" : values.quick ? " --quick" : "";
const command = `npm run bench --${size}${values.fsync === "everysec" ? "" : ` --fsync ${values.fsync}`}`;
const text = markdown(all, command);
process.stdout.write(values.json ? `${JSON.stringify(all, null, 2)}\n` : `${text}\n`);
if (values.write) {
  place("message", text);
  writeFileSync(path.join(import.meta.dirname, "message.svg"), svg(all));
}
