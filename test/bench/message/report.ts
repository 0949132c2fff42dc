/** The run as text: tables for the README, between the marks that this bench owns there. */
import os from "node:os";
import { origin } from "../origin.ts";
import { CONTESTANTS, type Name } from "./fleet.ts";
import { bars, figure, ratio, type Found, type Spread, voidBy } from "./result.ts";
import type { Row } from "./profile.ts";

export const TITLES: Readonly<Record<Name, string>> = {
  prosa: "Prosa",
  grammy: "grammY + conversations",
  bullmq: "BullMQ + XState",
  restate: "Restate",
  floor: "bare floor",
};

/** Why bars are missed stands beside them. */
const WHY =
  "Why a bar for CPU is missed: V8's sampling profiler over two forms of everybody, each sample given to the innermost of " +
  "these parts that its stack goes through. The profiler costs CPU itself, so the shares are taken of the medians above.";

function told({ median, low, high }: Spread): string {
  if (Number.isNaN(median)) return "–";
  const digits = median >= 100 ? 0 : median >= 10 ? 1 : median >= 1 ? 2 : 3;
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function kilobytes(bytes: number): string {
  return (bytes / 1_024).toFixed(1);
}

function figures(found: Found): string {
  const wished = CONTESTANTS.filter(
    (name) => found.rounds[name].length > 0 || found.absent[name] !== undefined,
  );
  const rows = wished.map((name) => {
    const reason = voidBy(found, name);
    if (reason !== undefined) return [TITLES[name], `void: ${reason}`, "", "", "", "", "", "", ""];
    const { bytes, replyP50, replyP99 } = found.still[name];
    const apart = bytes.dedupe + bytes.journal;
    const commands = figure(found, name, "commands").median;
    // Restate keeps nothing in Redis.
    const inRedis = !Number.isNaN(bytes.all);
    return [
      TITLES[name],
      told(figure(found, name, "cpuMs")),
      told(figure(found, name, "perSecond")),
      `${told(figure(found, name, "replyP50"))} / ${told(figure(found, name, "replyP99"))}`,
      told(figure(found, name, "ackP99")),
      `${replyP50.toFixed(1)} / ${replyP99.toFixed(1)}`,
      told(figure(found, name, "storeMs")),
      inRedis ? commands.toFixed(1) : "–",
      inRedis ? `${kilobytes(Math.max(0, bytes.all - apart))} + ${kilobytes(apart)}` : "–",
    ];
  });
  return table(
    [
      `${found.length} questions`,
      "CPU ms / message",
      "messages / s",
      "reply p50 / p99 at half load, ms",
      "ack p99 at half load, ms",
      "reply p50 / p99 idle, ms",
      "store CPU ms / message",
      "Redis commands / message",
      "Redis KB / contact: state + memory of past events",
    ],
    rows,
  );
}

function barTable(all: readonly Found[]): string {
  const rows = all.flatMap((found) =>
    bars(found).map(({ what, bar, got, met }) => [what, bar, got, met ? "met" : "**missed**"]),
  );
  return table(["bar", "wanted", "median", ""], rows);
}

function profileTable(title: string, rows: readonly Row[]): string {
  const lines = rows.map(({ what, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${what}`);
  return `${title}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\``;
}

/** Where a message's CPU goes, part by part, and what of it the floor has too: shares of the profile times the medians. */
function whereItGoes(found: Found): string {
  const { prosa, floor } = found.profile.parts;
  const cpu = (name: "prosa" | "floor") => figure(found, name, "cpuMs").median;
  const rows = prosa.map(({ what, share }) => {
    const same = floor.find((row) => row.what === what);
    const theirs = same ? (same.share * cpu("floor")).toFixed(3) : "–";
    const ours = share * cpu("prosa");
    return [what, `${(share * 100).toFixed(1)} %`, ours.toFixed(3), theirs];
  });
  const sum = ["in all", "100 %", cpu("prosa").toFixed(3), cpu("floor").toFixed(3)];
  return table(
    [`where it goes, ${found.length} questions`, "share", "ms", "the floor's, ms"],
    [...rows, sum],
  );
}

/** Whom Prosa is compared with in this run. */
function others(found: Found): Name[] {
  if (found.rounds.prosa.length === 0) return [];
  return CONTESTANTS.filter((name) => name !== "prosa" && found.rounds[name].length > 0);
}

/** The machine by size only. */
function machine(): string {
  const memory = Math.round(os.totalmem() / 1_024 ** 3);
  return `${os.cpus().length} cores, ${memory} GB, Node ${process.versions.node}`;
}

export function markdown(all: readonly Found[], command: string): string {
  const [first] = all;
  const rounds = Math.max(0, ...CONTESTANTS.map((name) => first?.rounds[name].length ?? 0));
  const ratios = all.flatMap((found) =>
    others(found).map((other) => [
      `${found.length} questions, to ${TITLES[other]}`,
      told(ratio(found, other)),
      told(ratio(found, other, "bothMs")),
    ]),
  );
  const missed = all.filter((found) =>
    bars(found).some(({ what, met }) => !met && what.startsWith("CPU")),
  );
  return [
    `Machine: ${machine()}. \`appendfsync ${first?.fsync ?? ""}\`. ${rounds} rounds, interleaved; median (lowest–highest). By \`${command}\`, ${origin()}.`,
    ...all.map(figures),
    "Prosa's CPU for one message, as a multiple of the others', round by round:",
    table(["Prosa / other", "bot", "bot + store"], ratios),
    barTable(all),
    "![CPU for one message](message.svg)",
    ...(missed.length > 0 ? [WHY] : []),
    ...missed.flatMap((found) => [
      ...(found.profile.parts.floor.length > 0 ? [whereItGoes(found)] : []),
      profileTable(
        `Prosa's self time with ${found.length} questions, the 15 hottest functions:`,
        found.profile.functions,
      ),
      profileTable("The same by package or room:", found.profile.rooms),
    ]),
  ].join("\n\n");
}
