/** `prosa <command>`: finds the command, runs it, turns what it throws into a sentence and an exit code. */
import { Fault } from "../base/index.ts";
import { flowsFolder, didYouMean, readSettings, UsageError } from "../app/index.ts";
import { type Command, pluginCommands, processTerminal, type Terminal } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";

async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  const [name, ...args] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const all = [...COMMANDS, ...(await ofPlugins(terminal))];
    const width = Math.max(...all.map((command) => command.usage.length));
    const say = (line: string): void =>
      name === undefined ? terminal.say(line) : terminal.out(line);
    say("prosa <command>\n");
    for (const command of all)
      say(`  ${command.usage.padEnd(Math.min(width, 44))}  ${command.summary}`);
    return name === undefined ? 2 : 0;
  }
  const own = COMMANDS.find((candidate) => candidate.name === name);
  const added = own ? [] : await ofPlugins(terminal);
  const command = own ?? added.find((candidate) => candidate.name === name);
  if (!command) {
    const names = [...COMMANDS, ...added].map((candidate) => candidate.name);
    throw new UsageError(`There is no command ${name}.${didYouMean(name, names)} See: prosa help`);
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

/** Commands of the plugins of the bot that is served; none, and a sentence, where its folder is not there. */
async function ofPlugins(terminal: Terminal): Promise<readonly Command[]> {
  const taken = COMMANDS.map(({ name }) => name);
  try {
    return await pluginCommands(flowsFolder(process.env), taken, (line) => terminal.say(line));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.say(error.message);
    return [];
  }
}

const argv = process.argv.slice(2);
// Whoever reads the output, as in a pipe to head, may have read enough. A bot goes on without its reader.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
try {
  process.exitCode = await main(argv);
} catch (error) {
  const terminal = processTerminal();
  if (error instanceof UsageError) terminal.say(error.message);
  else if (Fault.is(error)) terminal.say(error.message);
  else terminal.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
