import { startSandbox } from "../../app/index.ts";
import { parse, type Command } from "../command.ts";

const usage = "sandbox";

export const sandbox: Command = {
  name: "sandbox",
  usage,
  stops: true,
  summary: "Runs the sandbox gateway alone, on SANDBOX_PORT; it posts webhooks to BOT_URL.",
  async run({ args, terminal, settings, signal }) {
    parse(args, {}, usage);
    const running = await startSandbox(settings());
    terminal.out(`Sandbox gateway at ${running.url}/api/v2, controls at ${running.url}/sandbox`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await running.stop();
    return 0;
  },
};
