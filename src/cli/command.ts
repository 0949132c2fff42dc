/** What a command is, and where it writes: data on stdout, prose and progress on stderr. */
import type { Writable } from "node:stream";
import { parseArgs, type ParseArgsConfig } from "node:util";
import pc from "picocolors";
import {
  operatorApi,
  loadBot,
  type PluginCommand,
  type Settings,
  UsageError,
} from "../app/index.ts";
import { Claims, parseExact } from "../base/index.ts";

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

/** Colour only for people. */
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

/** JSON that a person gave; anything else is told without repeating it. */
export function jsonOf(text: string, what: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw new UsageError(`${what} must be JSON.`);
  }
}

/** Those of the bot in a folder. `taken`: names of the runtime. `tell` gets a sentence for each command that is left out. */
export async function pluginCommands(
  folder: string,
  taken: readonly string[],
  tell: (message: string) => void,
): Promise<readonly Command[]> {
  const claims = new Claims(taken.map(named));
  const { plugins } = await loadBot(folder);
  return plugins.flatMap(({ name: plugin, commands = [] }) =>
    commands.flatMap((one) => {
      const no = claims.refusal(plugin, named(one.name));
      if (no !== undefined) tell(no);
      return no === undefined ? [commandOf(one)] : [];
    }),
  );
}

const named = (command: string) => `the command ${command}`;

export function commandOf(added: PluginCommand): Command {
  const { name, usage, summary, options } = added;
  return {
    name,
    usage,
    summary,
    async run({ args, terminal, settings }) {
      const { values, positionals: words } = parse(args, { ...options }, usage);
      const answer = await added.run({
        words,
        options: values,
        api: operatorApi(settings()),
        stdout: terminal.stdout,
        say: (line) => terminal.say(line),
      });
      if (answer !== undefined) terminal.out(JSON.stringify(answer, null, 2));
      return 0;
    },
  };
}
