/** Commands that the plugins of a bot add, as commands of the program. */
import { adminUrl, apiClient, loadBot, type PluginCommand } from "../app/index.ts";
import { type Command, parse } from "./command.ts";

/** Those of the bot in a folder. `tell` gets a sentence for each that is left out, because its name in `taken` or twice. */
export async function pluginCommands(
  folder: string,
  taken: readonly string[],
  tell: (message: string) => void,
): Promise<readonly Command[]> {
  const owners = new Map(taken.map((name) => [name, "the runtime"]));
  const { plugins } = await loadBot(folder);
  return plugins.flatMap(({ name: plugin, commands = [] }) =>
    commands.flatMap((one) => {
      const known = owners.get(one.name);
      if (known !== undefined)
        tell(
          `The plugin ${plugin} adds the command ${one.name}, as ${known} does, and goes without it: rename it there.`,
        );
      else owners.set(one.name, plugin);
      return known === undefined ? [commandOf(one)] : [];
    }),
  );
}

export function commandOf(added: PluginCommand): Command {
  const { name, usage, summary, options } = added;
  return {
    ...{ name, usage, summary },
    async run({ args, terminal, settings }) {
      const { values, positionals: words } = parse(args, { ...options }, usage);
      const config = settings();
      const answer = await added.run({
        ...{ words, options: values },
        api: apiClient(adminUrl(config), config.adminToken),
        stdout: terminal.stdout,
        say: (line) => terminal.say(line),
      });
      if (answer !== undefined) terminal.out(JSON.stringify(answer, null, 2));
      return 0;
    },
  };
}
