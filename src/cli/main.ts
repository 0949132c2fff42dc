/** `prosa <command>`: finds the command, runs it, turns what it throws into a sentence and an exit code. */
import { Fault } from "../base/index.ts";
import { readSettings } from "../app/index.ts";
import { nearest } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { processTerminal, UsageError } from "./terminal.ts";

async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  const [name, ...args] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const width = Math.max(...COMMANDS.map((command) => command.usage.length));
    const say = (line: string): void =>
      name === undefined ? terminal.note(line) : terminal.out(line);
    say("prosa <command>\n");
    for (const command of COMMANDS)
      say(`  ${command.usage.padEnd(Math.min(width, 44))}  ${command.summary}`);
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    const guess = nearest(
      name,
      COMMANDS.map((candidate) => candidate.name),
    );
    throw new UsageError(
      `There is no command ${name}.${guess ? ` Did you mean ${guess}?` : ""} See: prosa help`,
    );
  }
  const abort = new AbortController();
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => {
      abort.abort();
      if (!command.stops) process.exit(code);
    });
  let settings: ReturnType<typeof readSettings> | undefined;
  return command.run({
    args,
    terminal,
    settings: () => (settings ??= readSettings(process.env)),
    signal: abort.signal,
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const terminal = processTerminal();
  if (error instanceof UsageError) terminal.note(error.message);
  else if (Fault.is(error)) terminal.note(error.message);
  else terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
