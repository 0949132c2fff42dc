/** The benchmarks are programs of the repository, not of the product: this only finds and starts them. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Command, parse } from "../command.ts";

const usage = "bench [--quick] [--write] [--json] [--fsync everysec|always] [--length 12|40]";
const PROGRAM = new URL("../../../test/bench/run.ts", import.meta.url);

export const bench: Command = {
  name: "bench",
  usage,
  stops: true,
  summary: "Measures what one message costs, side by side with others (test/bench).",
  async run({ args, terminal, signal }) {
    const flag = { type: "boolean" } as const;
    const words = { type: "string", multiple: true } as const;
    const of = { quick: flag, smoke: flag, write: flag, json: flag };
    parse(
      args,
      { ...of, fsync: words, length: words, only: words, rounds: words, profile: words },
      usage,
    );
    const program = fileURLToPath(PROGRAM);
    if (!existsSync(program)) {
      terminal.say("The benchmarks are part of the repository; run this in a clone of it.");
      return 1;
    }
    const node = ["--import", "tsx", program, ...args];
    const child = spawn(process.execPath, node, { stdio: "inherit" });
    signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
    return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
  },
};
