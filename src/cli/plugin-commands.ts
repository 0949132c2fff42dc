/** Commands that the plugins of a bot add, as commands of the program. */
import { adminUrl, apiClient, loadBot, type PluginCommand } from "../app/index.ts";
import { Claims } from "../base/index.ts";
import { type Command, parse } from "./command.ts";

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
      const config = settings();
      const answer = await added.run({
        words,
        options: values,
        api: apiClient(adminUrl(config), config.adminToken),
        stdout: terminal.stdout,
        say: (line) => terminal.say(line),
      });
      if (answer !== undefined) terminal.out(JSON.stringify(answer, null, 2));
      return 0;
    },
  };
}
