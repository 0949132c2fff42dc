import { sandboxControls, type Settings, startSandbox, UsageError } from "../../app/index.ts";
import { type Command, parse } from "../command.ts";

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

async function control(
  settings: Settings,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  return JSON.stringify(await sandboxControls(settings)(method, path, body), null, 2);
}

const inboundUsage = "inbound NUMBER TEXT [--channel engine-b] [--name NAME]";
export const inbound: Command = {
  name: "inbound",
  usage: inboundUsage,
  summary: "Sends a message to the bot as if NUMBER had written it (sandbox).",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(
      args,
      { channel: { type: "string" }, name: { type: "string" }, json: { type: "boolean" } },
      inboundUsage,
    );
    const [from, ...words] = positionals;
    if (!from || words.length === 0) throw new UsageError(`Usage: prosa ${inboundUsage}`);
    const body = {
      from,
      text: words.join(" "),
      channel: values["channel"],
      name: values["name"],
    };
    terminal.out(await control(settings(), "POST", "/sandbox/inbound", body));
    return 0;
  },
};

const clockUsage = "clock [+15m]";
export const clock: Command = {
  name: "clock",
  usage: clockUsage,
  summary: "Shows the sandbox's virtual clock, or moves it forward.",
  async run({ args, terminal, settings }) {
    const { positionals } = parse(args, { json: { type: "boolean" } }, clockUsage);
    const [by] = positionals;
    if (by === undefined) terminal.out(await control(settings(), "GET", "/sandbox/clock"));
    else
      terminal.out(
        await control(settings(), "POST", "/sandbox/clock", { advance: by.replace(/^\+/, "") }),
      );
    return 0;
  },
};

const faultsUsage =
  "faults [clear] | faults add KIND [--route ID] [--tipo T] [--times N] [--status N] [--message TEXT] [--ms N]";
export const faults: Command = {
  name: "faults",
  usage: faultsUsage,
  summary: "Shows, adds or clears the sandbox's faults.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(
      args,
      {
        route: { type: "string" },
        tipo: { type: "string" },
        times: { type: "string" },
        status: { type: "string" },
        message: { type: "string" },
        ms: { type: "string" },
        probability: { type: "string" },
        seed: { type: "string" },
        json: { type: "boolean" },
      },
      faultsUsage,
    );
    const [verb, kind] = positionals;
    if (verb === undefined) terminal.out(await control(settings(), "GET", "/sandbox/faults"));
    else if (verb === "clear") terminal.out(await control(settings(), "DELETE", "/sandbox/faults"));
    else if (verb === "add" && kind) {
      const number = (name: "times" | "status" | "ms" | "probability" | "seed") =>
        values[name] === undefined ? {} : { [name]: Number(values[name]) };
      const effect = {
        kind,
        ...number("status"),
        ...number("ms"),
        message: values["message"],
      };
      const body = {
        effect,
        route: values["route"],
        tipo: values["tipo"],
        ...number("times"),
        ...number("probability"),
        ...number("seed"),
      };
      terminal.out(await control(settings(), "POST", "/sandbox/faults", body));
    } else throw new UsageError(`Usage: prosa ${faultsUsage}`);
    return 0;
  },
};
