import { existsSync, writeFileSync } from "node:fs";
import { operatorApi, savedTest, UsageError } from "../../app/index.ts";
import { type Command, parse } from "../command.ts";

const usage = "save-test CONTACT [FILE.chat] [--account ID] [--title TEXT]";

export const saveTest: Command = {
  name: "save-test",
  usage,
  summary: "Writes a recorded conversation as a chat file; people in it become made-up ones.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(
      args,
      { account: { type: "string", default: "demo" }, title: { type: "string" } },
      usage,
    );
    const [contact, file] = positionals;
    if (!contact) throw new UsageError(`Usage: prosa ${usage}`);
    if (file !== undefined && existsSync(file))
      throw new UsageError(`${file} is there already; name another file.`);
    const config = settings();
    const saved = await savedTest(operatorApi(config), {
      contact,
      folder: config.flowsDir,
      account: String(values["account"]),
      title: String(values["title"] ?? "A conversation that happened"),
    });
    if (saved.failure !== undefined) {
      // A test that is red from its first day tells nobody anything.
      terminal.say(`Nothing is saved: played again, this conversation goes otherwise.`);
      terminal.say(saved.failure);
    } else if (file === undefined) terminal.out(saved.text);
    else writeFileSync(file, saved.text, { flag: "wx" });
    for (const what of new Set(saved.left)) terminal.say(`Left out: ${what}.`);
    for (const { then, now } of saved.changed)
      terminal.say(`Said then: ${then}\nSaid now:  ${now}`);
    if (saved.failure !== undefined) return 1;
    terminal.say("Read it before you keep it: free text may still tell who somebody is.");
    return 0;
  },
};
