import { createInterface } from "node:readline";
import { openChat, withBold } from "../../app/index.ts";
import { parse, type Command } from "../command.ts";

const usage = "chat [--as NUMBER] [--account ID] [--json]";
const SOMEBODY = "5511988880001";

export const chat: Command = {
  name: "chat",
  usage,
  stops: true,
  summary:
    "A conversation in the terminal; piped lines are sent one by one, each when the bot is quiet.",
  async run({ args, terminal, settings, signal }) {
    const { values } = parse(
      args,
      {
        as: { type: "string", default: SOMEBODY },
        account: { type: "string", default: "demo" },
        json: { type: "boolean", default: false },
      },
      usage,
    );
    const number = String(values["as"]).replace(/\D/g, "");
    const session = await openChat(settings(), { number, account: String(values["account"]) });
    const { bold, dim, cyan } = terminal.colors;
    const show = (line: { dir: "in" | "out"; text: string; state: string; at: string }) => {
      if (values["json"]) terminal.out(JSON.stringify(line));
      else if (line.dir === "out")
        terminal.out(
          `${withBold(line.text, bold)
            .split("\n")
            .map((row) => `${cyan("│")} ${row}`)
            .join("\n")}${line.state ? `\n${dim(`  [${line.state}]`)}` : ""}`,
        );
      else if (!terminal.isTty) terminal.out(`> ${line.text}`);
    };
    if (terminal.isTty && !values["json"])
      terminal.say(dim(`You are ${number}. ${session.where} Write “oi”; Ctrl-D ends.`));
    const lines = createInterface({
      input: process.stdin,
      ...(terminal.isTty ? { output: process.stderr, prompt: "› " } : {}),
    });
    signal.addEventListener("abort", () => lines.close(), { once: true });
    if (terminal.isTty) lines.prompt();
    try {
      // What arrives by itself (an answer of the business, a reminder) is shown when it comes.
      const stopWatching = terminal.isTty ? session.watch(show) : undefined;
      for await (const line of lines) {
        if (line.trim() !== "") for (const said of await session.say(line)) show(said);
        if (terminal.isTty) lines.prompt();
      }
      stopWatching?.();
    } finally {
      await session.close();
    }
    return 0;
  },
};
