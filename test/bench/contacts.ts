/**
 * `npm run bench:contacts`: whether the bot stays as large as it is however many people it has ever heard. Contact after contact
 * begins a form and says no more; at steps the bot's memory is looked at, after a collection of garbage. It ends at `--contacts`
 * (1,000,000) or after `--minutes` (10), whatever comes first, and says how far it came; `--write` puts
 * the table into the README.
 *
 * The bar: from the step at which its bounded memories are full on, resident memory and heap stay within a fifth of what they were.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { Redis } from "ioredis";
import { addresses } from "../../src/app/loading/program.js";
import { freePort } from "../support/ports.ts";
import { startRedis } from "../support/redis.ts";
import type { Held } from "./contacts-bot.ts";
import { PATH } from "./message/contestant.ts";
import { opening, sent, webhook } from "./message/form.ts";
import { Lines, openSink } from "./message/wire.ts";
import { origin } from "./origin.ts";
import { place } from "./placed.ts";

const LENGTH = 12;
/** Webhooks on their way at once. */
const ABREAST = 64;
/** Looked at so often in all, and always after so many contacts at most. */
const STEPS = 20;
/** What the bot remembers of people and messages is bounded, at 20,000 entries and less; this many fill it more than twice. */
const FULL_AT = 50_000;
const FLAT = 1.2;
const AGAIN_MS = 200;
const REPLIES_MS = 60_000;
const MB = 1_024 ** 2;
/** Its log is written anew when it has grown; no disk shall decide how far this goes. */
const REDIS = ["--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "50"];

const { values } = parseArgs({
  options: {
    contacts: { type: "string", default: "1000000" },
    minutes: { type: "string", default: "10" },
    write: { type: "boolean", default: false },
  },
});
const most = Number(values.contacts);
if (!(most >= 1)) throw new Error(`--contacts ${values.contacts}: at least 1`);
const step = Math.max(1, Math.ceil(most / STEPS));

interface Step extends Held {
  readonly contacts: number;
  readonly redisBytes: number;
  readonly perSecond: number;
}

async function held(bot: ChildProcess): Promise<Held> {
  const answer = once(bot, "message");
  bot.send("held");
  return (await answer)[0] as Held;
}

/** Whether it stayed as large as it was, in a sentence; a miss is the exit code's, too. */
function judged(): string {
  const full = steps.find(({ contacts }) => contacts >= FULL_AT);
  const last = steps.at(-1);
  if (!full || !last || full === last)
    return `Too few for the bar: it begins at ${FULL_AT} contacts.`;
  const grown = { resident: last.rss / full.rss, heap: last.heap / full.heap };
  const isFlat = Math.max(grown.resident, grown.heap) <= FLAT;
  if (!isFlat) process.exitCode = 1;
  return `From ${full.contacts} to ${last.contacts} contacts: resident × ${grown.resident.toFixed(2)}, heap × ${grown.heap.toFixed(2)}; bar ≤ ${FLAT}: ${isFlat ? "met" : "**missed**"}`;
}

const steps: Step[] = [];
const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-contacts-"));
const redis = await startRedis({ args: REDIS });
const client = new Redis(redis.url);
let replied = 0;
const sink = await openSink(() => sent(`3EB0${String((replied += 1)).padStart(16, "0")}`));
const port = await freePort();
// As one file, like the program itself.
const outfile = path.resolve(import.meta.dirname, "../../node_modules/.cache/prosa-bench/bot.mjs");
await build({
  ...{ entryPoints: [path.join(import.meta.dirname, "contacts-bot.ts")], outfile },
  ...{ bundle: true, platform: "node", format: "esm", packages: "external", ...addresses() },
});
const bot = fork(outfile, {
  execArgv: ["--expose-gc"],
  env: {
    ...process.env,
    ...{ BENCH_REDIS: redis.url, BENCH_SINK: sink.url, BENCH_PORT: String(port) },
    ...{ BENCH_LENGTH: String(LENGTH), BENCH_FOLDER: folder },
  },
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
try {
  await once(bot, "message");
  const lines = new Lines(port, PATH);
  const until = Date.now() + Number(values.minutes) * 60_000;
  let [at, refused] = [0, 0];
  const looked = async (from: number, begun: number): Promise<void> => {
    const seconds = (performance.now() - begun) / 1_000;
    // What was taken is answered before it is weighed.
    for (const end = Date.now() + REPLIES_MS; replied < at; await pause(AGAIN_MS))
      if (Date.now() > end) throw new Error(`${at - replied} replies of ${at} never came`);
    const info = await client.info("memory");
    steps.push({
      ...(await held(bot)),
      ...{ contacts: at, perSecond: Math.round((at - from) / seconds) },
      redisBytes: Number(/used_memory:(\d+)/.exec(info)?.[1]),
    });
    const { contacts, rss, heap } = steps.at(-1) ?? { contacts: 0, rss: 0, heap: 0 };
    process.stderr.write(
      `${contacts} contacts: ${Math.round(rss / MB)} MB resident, ${Math.round(heap / MB)} MB of heap\n`,
    );
  };
  while (at < most && Date.now() < until) {
    const [from, begun, to] = [at, performance.now(), Math.min(most, at + step)];
    const one = async (): Promise<void> => {
      while (at < to && Date.now() < until) {
        const own = (at += 1);
        const body = webhook(own, `CONTACT${own}`, opening(LENGTH));
        while ((await lines.post(body)) !== 200) {
          refused += 1;
          await pause(AGAIN_MS);
        }
      }
    };
    await Promise.all(Array.from({ length: ABREAST }, one));
    if (lines.failure) throw lines.failure;
    await looked(from, begun);
  }
  lines.close();
  const text = [
    `${os.cpus().length} cores, Node ${process.versions.node}, ${origin()}. ${at} of ${most} contacts within ${values.minutes} min; ${refused} webhooks were refused and came again.`,
    "",
    "| contacts | a second | resident, MB | heap, MB | Redis, MB | Redis, KB a contact |",
    "| --- | --- | --- | --- | --- | --- |",
    ...steps.map(
      ({ contacts, perSecond, rss, heap, redisBytes }) =>
        `| ${contacts} | ${perSecond} | ${Math.round(rss / MB)} | ${Math.round(heap / MB)} | ${Math.round(redisBytes / MB)} | ${(redisBytes / contacts / 1_024).toFixed(1)} |`,
    ),
    "",
    judged(),
    "",
  ].join("\n");
  process.stdout.write(text);
  if (values.write) place("contacts", text);
} finally {
  bot.kill("SIGKILL");
  client.disconnect();
  await sink.close();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
