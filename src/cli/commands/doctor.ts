import { examine } from "../../app/index.ts";
import { parse, type Command } from "../command.ts";

const usage = "doctor [--json]";

export const doctor: Command = {
  name: "doctor",
  usage,
  summary: "Checks Node, ports, store, keys, gateway, clock and disk, each with its fix.",
  async run({ args, terminal, settings }) {
    const { values } = parse(args, { json: { type: "boolean", default: false } }, usage);
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
