/** A bot of one's own in an empty folder. */
import { initBot, UsageError } from "../../app/index.ts";
import { type Command, parse } from "../command.ts";

const usage = "init DIR [--example pizzeria|clinic]";

export const init: Command = {
  name: "init",
  usage,
  summary: "A bot of one's own in an empty folder, ready to start, test and type-check.",
  async run({ args, terminal }) {
    const { values, positionals } = parse(args, { example: { type: "string" } }, usage);
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) throw new UsageError(`Usage: prosa ${usage}`);
    const problem = await initBot(folder, values["example"]);
    if (problem !== undefined) throw new UsageError(problem);
    terminal.out(folder);
    const quoted = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
    terminal.say(`Next: cd ${quoted} && npm install && npm test && npm start`);
    return 0;
  },
};
