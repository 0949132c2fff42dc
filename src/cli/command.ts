/** What a command is: one file, one name, one line of help. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Settings } from "../app/index.ts";
import { type Terminal, UsageError } from "./terminal.ts";

export interface Call {
  readonly args: readonly string[];
  readonly terminal: Terminal;
  /** Settings of the environment; reading them may fail, so only commands that need them ask. */
  readonly settings: () => Settings;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** It ends in good order once `signal` is aborted; any other command is ended at once. */
  readonly stops?: true;
  /** Exit code: 0 ok, 1 the thing checked is not ok. Throw {@link UsageError} for 2. */
  run(call: Call): Promise<number>;
}

export type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options and words of a command; unknown ones are a usage error. */
export function parse<O extends Options>(args: readonly string[], options: O, usage: string) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}\nUsage: prosa ${usage}`,
    );
  }
}

/** The word a usage error was probably meant to be. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const distance = (a: string, b: string): number => {
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++)
        next.push(
          Math.min(
            (row[j] ?? 0) + 1,
            (next[j - 1] ?? 0) + 1,
            (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          ),
        );
      row = next;
    }
    return row[b.length] ?? 0;
  };
  return known
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ far }) => far <= 2)
    .sort((a, b) => a.far - b.far)[0]?.name;
}
