/**
 * `npm run test:contract -- --url … --token … --device …`: how a real deployment answers the rows that only read, and the
 * invoicing operations in test mode. Says first what that takes; never writes; prints no token, document or phone.
 */
import { createInterface } from "node:readline/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { costOf, plan } from "./live-plan.ts";
import { examine, type Row } from "./live-run.ts";

const USAGE =
  "npm run test:contract -- --url URL --token TOKEN [--device TOKEN] [--number DIGITS] [--words JSON] [--timeout MS] [--yes] [--json]";

export interface Io {
  readonly out: (line: string) => void;
  readonly note: (line: string) => void;
  /** Asks a person; absent where there is none. */
  readonly confirm?: (question: string) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** Exit code: 0 every row was read as the contract says, 1 some was not, 2 wrong usage. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const given = read(args);
  if (typeof given === "string") {
    io.note(`${given}\nUsage: ${USAGE}`);
    return 2;
  }
  const cost = costOf(plan());
  io.note(
    `At most ${cost.calls} calls: ${cost.planCalls} of the plan (counted by its quota, 0.00 BRL each), ` +
      `${cost.creditCalls} by credits (${cost.creditBrl.toFixed(2)} BRL in all), ` +
      `${cost.homologCalls} in test mode (not charged), the rest free. Nothing is written.`,
  );
  if (!given.yes && io.confirm && !(await io.confirm("Begin? [y/N] "))) return 1;
  const { deployment } = given;
  const target = io.signal ? { ...deployment, signal: io.signal } : deployment;
  let rows: readonly Row[];
  try {
    rows = await examine(target, (row) => (given.json ? undefined : io.out(lineOf(row))));
  } catch (error) {
    io.note(error instanceof Error ? error.message : "The deployment could not be examined.");
    return 2;
  }
  if (given.json) io.out(JSON.stringify(rows, null, 2));
  const asked = rows.filter((row) => row.outcome !== "left out");
  const good = asked.filter(isGood);
  io.note(
    `${good.length} of ${asked.length} rows as the contract says; ${rows.length - asked.length} left out.`,
  );
  return asked.length > 0 && good.length === asked.length ? 0 : 1;
}

/** A row was answered well when the client read it and no field had another type. Fields may be missing: engines differ. */
function isGood(row: Row): boolean {
  return row.outcome === "ok" && (row.other?.length ?? 0) === 0 && row.note === undefined;
}

function read(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: text,
        token: text,
        device: text,
        number: text,
        words: text,
        timeout: text,
        yes: flag,
        json: flag,
      },
      strict: true,
    });
    const { url, token, device, number, words, timeout, yes, json } = values;
    if (!url || !token) return "--url and --token are needed.";
    if (!/^https?:\/\/\S+$/.test(url))
      return "--url must be an http(s) address, with its version segment.";
    if (number !== undefined && !/^\d{8,15}$/.test(number))
      return "--number must be 8 to 15 digits.";
    if (timeout !== undefined && !/^\d{3,6}$/.test(timeout))
      return "--timeout must be milliseconds.";
    const routeWords =
      words === undefined ? undefined : (JSON.parse(words) as Record<string, string>);
    const deployment = {
      url,
      token,
      ...(device === undefined ? {} : { device }),
      ...(number === undefined ? {} : { number }),
      ...(routeWords ? { routeWords } : {}),
      ...(timeout === undefined ? {} : { timeoutMs: Number(timeout) }),
    };
    return { deployment, yes, json };
  } catch (error) {
    return error instanceof SyntaxError
      ? "--words must be JSON."
      : "An option is not known, or lacks its value.";
  }
}

function lineOf(row: Row): string {
  const head = [
    row.id.padEnd(31),
    row.mode.padEnd(7),
    row.outcome.padEnd(14),
    String(row.status ?? "-").padStart(3),
    `${row.ms ?? "-"} ms`.padStart(8),
    (row.family ?? "-").padEnd(6),
    (row.place ?? "-").padEnd(13),
  ].join(" ");
  const notes = [
    ...(row.other?.length ? [`other type: ${row.other.join("; ")}`] : []),
    ...(row.missing?.length ? [`missing: ${row.missing.join(", ")}`] : []),
    ...(row.note === undefined ? [] : [row.note]),
  ];
  return `${head} ${notes.join(" | ")}`.trimEnd();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const abort = new AbortController();
  process.once("SIGINT", () => abort.abort());
  const confirm = async (question: string) => {
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await asking.question(question);
    asking.close();
    return /^(?:y|yes|s|sim)$/i.test(answer.trim());
  };
  process.exitCode = await main(process.argv.slice(2), {
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    ...(process.stdin.isTTY ? { confirm } : {}),
    signal: abort.signal,
  });
}
