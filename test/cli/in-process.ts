/**
 * A command of the command line in this process, for what a command says and answers: a process for each costs half a second.
 * `usage.test.ts` runs processes, for how a command ends and what it is called with.
 */
import { Writable } from "node:stream";
import pc from "picocolors";
import { flowsFolder, readSettings, UsageError } from "../../src/app/index.ts";
import { Fault } from "../../src/base/index.ts";
import { pluginCommands } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly said: string;
}

/** As `src/cli/main.ts` runs it, with these settings. What is thrown and is no sentence for people is thrown here, too. */
export async function ran(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [name = "", ...words] = args;
  let [out, said] = ["", ""];
  const terminal = {
    out: (line: string) => void (out += `${line}\n`),
    say: (line: string) => void (said += `${line}\n`),
    stdout: new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        out += chunk.toString();
        done();
      },
    }),
    ...{ isTty: false, colors: pc.createColors(false) },
  };
  const settings = { ...process.env, ...env };
  try {
    const own = COMMANDS.find((one) => one.name === name);
    const added = own ? [] : await pluginCommands(flowsFolder(settings), [], () => undefined);
    const command = own ?? added.find((one) => one.name === name);
    if (!command) throw new Error(`no command ${name}`);
    const { signal } = new AbortController();
    const call = { args: words, terminal, settings: () => readSettings(settings), signal };
    return { code: await command.run(call), out, said };
  } catch (error) {
    if (!(error instanceof UsageError) && !Fault.is(error)) throw error;
    return { code: error instanceof UsageError ? 2 : 1, out, said: `${said}${error.message}\n` };
  }
}
