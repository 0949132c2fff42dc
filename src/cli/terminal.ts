/**
 * Where a command writes: data on stdout, prose and progress on stderr. Colour only for people.
 */
import type { Writable } from "node:stream";
import pc from "picocolors";
import { UsageError } from "../app/index.ts";
import { parseExact } from "../base/index.ts";

export interface Terminal {
  /** One line of data. */
  out(line: string): void;
  /** Where data of any length goes as it comes. */
  readonly stdout: Writable;
  /** One line of prose. */
  say(line: string): void;
  readonly isTty: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
}

export function processTerminal(): Terminal {
  const isTty = process.stdout.isTTY && !process.env["CI"];
  const plain = process.env["NO_COLOR"] !== undefined || !isTty;
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    stdout: process.stdout,
    say: (line) => void process.stderr.write(`${line}\n`),
    isTty,
    colors: pc.createColors(!plain),
  };
}

export { UsageError };

/** JSON that a person gave; anything else is told without repeating it. */
export function jsonOf(text: string, what: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw new UsageError(`${what} must be JSON.`);
  }
}
