/**
 * `npm run bench:turn`: the CPU of what a message costs apart from network and store, by stage. With `--against DIR` the
 * same for another working copy, in rounds that alternate, and the ratio of the two.
 *
 * `--only 12`, `--rounds 20`, `--people 100` change the run; `--profile DIR` keeps a profile of this copy (100 µs).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { LENGTHS, type Length } from "./message/form.ts";
import type { Ask, Stage, Told } from "./turn/rounds.ts";

const STAGES: readonly Stage[] = ["parse", "check", "turn", "write", "send"];
const HERE = path.resolve(import.meta.dirname, "../..");

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "15" },
    people: { type: "string", default: "60" },
    only: { type: "string", multiple: true },
    profile: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

class Build {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;

  constructor(root: string, profile?: string) {
    const bench = path.join(root, "test/bench");
    if (root !== HERE)
      for (const file of ["turn/rounds.ts", "message/form-flow.ts", "message/form.ts"])
        cpSync(path.join(HERE, "test/bench", file), path.join(bench, file));
    const flags = profile
      ? ["--cpu-prof", "--cpu-prof-interval=100", `--cpu-prof-dir=${profile}`]
      : [];
    const file = path.join(bench, "turn/rounds.ts");
    this.#child = spawn(process.execPath, [...flags, "--import", "tsx", file], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#ready = this.#next();
  }

  async round(ask: Ask): Promise<Told> {
    await this.#ready;
    const told = this.#next();
    this.#child.send(ask);
    return (await told) as Told;
  }

  close(): void {
    this.#child.disconnect();
  }

  #next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`a build ended with ${code}`));
      this.#child.once("exit", ended);
      this.#child.once("message", (message) => {
        this.#child.off("exit", ended);
        resolve(message);
      });
    });
  }
}

function quantile(list: readonly number[], share: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

type Column = (told: Told) => number;
const total: Column = ({ us }) => STAGES.reduce((sum, stage) => sum + us[stage], 0);

/** `median (lower quarter–upper quarter)`. */
function shown(list: readonly number[], digits: number): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) =>
    quantile(list, share).toFixed(digits),
  );
  return `${middle} (${low}–${high})`;
}

function table(length: Length, ours: readonly Told[], theirs: readonly Told[]): string {
  const row = (name: string, of: Column, digits: number): string => {
    const ratios = theirs.map((told, index) => of(ours[index] ?? told) / of(told));
    const more = theirs.length > 0 ? [shown(theirs.map(of), digits), shown(ratios, 2)] : [];
    return `| ${[name, shown(ours.map(of), digits), ...more].join(" | ")} |`;
  };
  const heads = theirs.length > 0 ? ["now", "before", "ratio"] : ["now"];
  const first = `${length} questions, µs of CPU a message`;
  return [
    `| ${[first, ...heads].join(" | ")} |`,
    `|${" --- |".repeat(heads.length + 1)}`,
    ...STAGES.map((stage) => row(stage, ({ us }) => us[stage], 1)),
    row("in all", total, 1),
    row("heap, KB", ({ heap }) => heap / 1_000, 1),
    row("session, bytes", ({ kept }) => kept.session, 0),
    row("journal, bytes", ({ kept }) => kept.journal, 0),
    row("effect, bytes", ({ kept }) => kept.effect, 0),
  ].join("\n");
}

const rounds = Number(values.rounds);
const warm = Math.min(6, rounds);
const lengths = LENGTHS.filter((length) => values.only?.includes(String(length)) ?? true);
const people = Number(values.people);
const ours = new Build(HERE, values.profile);
const theirs = values.against === undefined ? undefined : new Build(path.resolve(values.against));
const tables: string[] = [];
for (const length of lengths) {
  const told: [Told[], Told[]] = [[], []];
  for (let round = -warm; round < rounds; round++) {
    // Who goes first changes, so that neither always follows the other's garbage.
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) {
      const answer = await (which === 0 ? ours : theirs)?.round({ length, people });
      if (answer && round >= 0) told[which].push(answer);
    }
  }
  tables.push(table(length, ...told));
}
ours.close();
theirs?.close();
process.stdout.write(`${tables.join("\n\n")}\n`);
