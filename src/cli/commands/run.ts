/** What runs on this machine: the bot, a chat with it, the check of its surroundings, the benchmarks. */
import { createInterface } from "node:readline";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  startProsa,
  UsageError,
  openChat,
  withBold,
  writeCallTypes,
  examine,
} from "../../app/index.ts";
import { type Command, parse } from "../command.ts";

/** After the stop the process has ended by itself within this, ms, or is ended. */
const LINGER_MS = 200;

const START_USAGE = "start [--role all|ingress|worker]";

export const start: Command = {
  name: "start",
  usage: START_USAGE,
  stops: true,
  summary: "Runs the bot, its console and, without GATEWAY_URL, the sandbox gateway.",
  async run({ args, terminal, settings, signal }) {
    const { values } = parse(args, { role: { type: "string", default: "all" } }, START_USAGE);
    const role = values["role"];
    if (role !== "all" && role !== "ingress" && role !== "worker")
      throw new UsageError(`--role must be all, ingress or worker.\nUsage: prosa ${START_USAGE}`);
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const config = settings();
    const running = await Promise.race([startProsa(config, { role }), stopped]);
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
    if (config.reload === "warm" || (config.reload === "on" && terminal.isTty))
      typesForEditor(config.flowsDir);
    await stopped;
    // For people only: written at once, it would wait for ever for a log reader that is gone.
    if (process.stderr.isTTY) terminal.say("Stopping: finishing what is under way …");
    await running.stop();
    // Whatever still holds the process was given up by the stop.
    setTimeout(() => process.exit(0), LINGER_MS).unref();
    return 0;
  },
};

/** After the start, which would take 40 ms longer with it. A folder nobody may write to has none. */
function typesForEditor(folder: string): void {
  try {
    writeCallTypes(folder);
  } catch {
    // Nothing but an editor's completion is lost.
  }
}

const CHAT_USAGE = "chat [--as NUMBER] [--account ID] [--json]";
const SOMEBODY = "5511988880001";

export const chat: Command = {
  name: "chat",
  usage: CHAT_USAGE,
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
      CHAT_USAGE,
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

const DOCTOR_USAGE = "doctor [--json]";

export const doctor: Command = {
  name: "doctor",
  usage: DOCTOR_USAGE,
  summary: "Checks Node, ports, store, keys, gateway, clock and disk, each with its fix.",
  async run({ args, terminal, settings }) {
    const { values } = parse(args, { json: { type: "boolean", default: false } }, DOCTOR_USAGE);
    const findings = await examine(settings);
    if (values["json"]) terminal.out(JSON.stringify(findings, null, 2));
    else
      for (const { ok, what, found, fix } of findings) {
        const mark = ok ? terminal.colors.green("ok ") : terminal.colors.red("no ");
        terminal.out(`${mark} ${what.padEnd(12)} ${found}${ok || !fix ? "" : `\n    fix: ${fix}`}`);
      }
    return findings.every((finding) => finding.ok) ? 0 : 1;
  },
};

const BENCH_USAGE = "bench [--quick] [--write] [--json] [--fsync everysec|always] [--length 12|40]";
const BENCH_PROGRAM = new URL("../../../test/bench/run.ts", import.meta.url);

/** The benchmarks are programs of the repository, not of the product: this only finds and starts them. */
export const bench: Command = {
  name: "bench",
  usage: BENCH_USAGE,
  stops: true,
  summary: "Measures what one message costs, side by side with others (test/bench).",
  async run({ args, terminal, signal }) {
    const flag = { type: "boolean" } as const;
    const words = { type: "string", multiple: true } as const;
    const of = { quick: flag, smoke: flag, write: flag, json: flag };
    parse(
      args,
      {
        ...of,
        against: words,
        fsync: words,
        length: words,
        only: words,
        rounds: words,
        profile: words,
      },
      BENCH_USAGE,
    );
    const program = fileURLToPath(BENCH_PROGRAM);
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
