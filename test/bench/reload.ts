/**
 * `npm run bench:reload`: from the moment an author's file is on the disk to the moment it is live, or is told to be wrong,
 * in a whole Prosa as `npm start` runs it, with all shipped flows and people in the middle of two of them. The bar is 1 s,
 * for the median and for the worst save.
 *
 * After each save its conversation is asked for its question again; an answer that is not of the version that is live then
 * ends the run. `--rounds 6` is how often all kinds of saves are made.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Phone } from "../support/phone.ts";
import { freePort } from "../support/ports.ts";
import { call, prosa, until } from "../support/prosa.ts";
import { SAVES, type Witness } from "./reload/saves.ts";

const PACKAGE = path.resolve(import.meta.dirname, "../..");
/** Between two saves: never in step with the looks at the files. */
const REST_MS = { least: 400, more: 300 } as const;
/** For what is never told, ms. */
const PATIENCE_MS = 20_000;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "6" } } });
const rounds = Number(values.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds ${values.rounds}: at least 1`);

/** What the log says of a save. */
interface Line {
  readonly msg: string;
  readonly where?: string;
  readonly ms?: number;
  readonly spent?: Readonly<Record<string, number>>;
}

interface Taken {
  readonly kind: string;
  /** From the write to the line in the log, ms. */
  readonly live: number;
  /** From the write to the answer of a conversation that was asked when it was live, ms. */
  readonly answered: number;
  /** CPU of the process in the time until it was live, ms. */
  readonly cpu: number;
  readonly line: Line;
}

/** CPU of a process since it began, all threads, ms; undefined where the system does not say. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-reload-"));
const flows = path.join(folder, "flows");
cpSync(path.join(PACKAGE, "flows"), flows, { recursive: true });
mkdirSync(path.join(folder, "node_modules"));
symlinkSync(PACKAGE, path.join(folder, "node_modules", "prosa"));
writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');

const [port, sandbox] = [await freePort(), await freePort()];
const run = prosa(
  ["start"],
  {
    ...{
      PORT: String(port),
      SANDBOX_PORT: String(sandbox),
      PROSA_DATA_DIR: path.join(folder, "data"),
    },
    // As at a terminal: ready for the first save.
    ...{ PROSA_FLOWS_DIR: flows, PROSA_RELOAD: "1", LOG_LEVEL: "info" },
  },
  path.join(PACKAGE, "src/cli/bin.js"),
);

const heard = { at: 0 };
/** The line of the log that says what became of a save: live, or wrong for this reason. */
async function told(why: RegExp | undefined): Promise<Line> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    const length = run.output().indexOf("\n", heard.at);
    if (length < 0) {
      await pause(2);
      continue;
    }
    const text = run.output().slice(heard.at, length);
    heard.at = length + 1;
    if (!text.startsWith("{")) continue;
    const line = JSON.parse(text) as Line;
    if (why ? why.test(line.where ?? "") : line.msg === "saved flows are live") return line;
  }
  throw new Error(`a save was not told of:\n${run.output().slice(-4_000)}`);
}

async function measured(): Promise<Taken[]> {
  const control = (method: string, target: string, body?: unknown) =>
    call(method, `http://127.0.0.1:${sandbox}${target}`, body);
  await until(
    "the start",
    () =>
      call("GET", `http://127.0.0.1:${port}/health/ready`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    60_000,
  );
  const phone = (number: string): Phone => new Phone(number, { control, log: run.output });
  const witnesses: Record<Witness, Phone> = {
    request: phone("5511987650001"),
    menu: phone("5511987650002"),
  };
  await witnesses.request.asks("preciso da nota", /Qual serviço/);
  await witnesses.menu.asks("oi", /Pedir nota/);
  // The reader's thread has loaded the kit, as it has long before a person has typed anything.
  await pause(5_000);

  const taken: Taken[] = [];
  let count = 0;
  for (let round = 0; round < rounds; round++)
    for (const { kind, file, text, witness, asked, why } of SAVES) {
      count++;
      const content = text(readFileSync(path.join(PACKAGE, "flows", file), "utf8"), count);
      const cpu = cpuOf(run.child.pid ?? 0);
      const from = performance.now();
      writeFileSync(path.join(flows, file), content);
      const line = await told(why);
      const live = performance.now() - from;
      const used = cpuOf(run.child.pid ?? 0) - cpu;
      await witnesses[witness].asks("repete", asked(count));
      taken.push({ kind, live, answered: performance.now() - from, cpu: used, line });
      await pause(REST_MS.least + Math.random() * REST_MS.more);
    }
  return taken;
}

function median(of: readonly number[]): number {
  return [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? NaN;
}

const ms = (of: readonly number[]): string =>
  `${Math.round(median(of))} (${Math.round(Math.max(...of))})`;

try {
  const taken = await measured();
  const row = (kind: string, of: readonly Taken[]): string => {
    const cells = [
      ms(of.map(({ live }) => live)),
      ms(of.map(({ answered }) => answered)),
      ms(of.map(({ cpu }) => cpu)),
    ];
    return `| ${[kind, of.length, ...cells].join(" | ")} |\n`;
  };
  process.stdout.write(
    "| saved | times | live or told, ms: median (worst) | answered by it, ms | CPU, ms |\n| --- | --- | --- | --- | --- |\n",
  );
  for (const kind of new Set(taken.map((one) => one.kind)))
    process.stdout.write(
      row(
        kind,
        taken.filter((one) => one.kind === kind),
      ),
    );
  process.stdout.write(row("all", taken));
  const parts = new Set(taken.flatMap(({ line }) => Object.keys(line.spent ?? {})));
  for (const part of parts)
    process.stdout.write(
      `${part}: ${ms(taken.flatMap(({ line }) => line.spent?.[part] ?? []))} ms\n`,
    );
  process.stdout.write(
    `\nLoad of the machine: ${os
      .loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}; ${os.cpus().length} cores.\n`,
  );
} finally {
  run.child.kill("SIGTERM");
  await run.ended;
  rmSync(folder, { recursive: true, force: true });
}
