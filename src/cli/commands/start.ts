import { startProsa, UsageError } from "../../app/index.ts";
import { type Command, parse } from "../command.ts";

/** After the stop the process has ended by itself within this, ms, or is ended. */
const LINGER_MS = 200;

const usage = "start [--role all|ingress|worker]";

export const start: Command = {
  name: "start",
  usage,
  stops: true,
  summary: "Runs the bot, its console and, without GATEWAY_URL, the sandbox gateway.",
  async run({ args, terminal, settings, signal }) {
    const { values } = parse(args, { role: { type: "string", default: "all" } }, usage);
    const role = values["role"];
    if (role !== "all" && role !== "ingress" && role !== "worker")
      throw new UsageError(`--role must be all, ingress or worker.\nUsage: prosa ${usage}`);
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const running = await Promise.race([startProsa(settings(), { role }), stopped]);
    if (!running) {
      // What was opened is safe to leave at any moment; nothing was accepted yet.
      setTimeout(() => process.exit(0), LINGER_MS);
      return 0;
    }
    const { bold, cyan, dim } = terminal.colors;
    terminal.out("");
    terminal.out(`  ${bold("Prosa")}  ${dim(running.sentence)}`);
    terminal.out("");
    for (const [name, value] of running.addresses)
      terminal.out(`  ${name.padEnd(10)} ${cyan(value)}`);
    terminal.out("");
    terminal.out(`  ${dim("Open the console and write “oi”. Ctrl-C stops.")}`);
    terminal.out("");
    await stopped;
    // For people only: written at once, it would wait for ever for a log reader that is gone.
    if (process.stderr.isTTY) terminal.say("Stopping: finishing what is under way …");
    await running.stop();
    // Whatever still holds the process was given up by the stop.
    setTimeout(() => process.exit(0), LINGER_MS).unref();
    return 0;
  },
};
