import {
  checkAgainst,
  checkFlows,
  costLines,
  FINDING_FORMATS,
  type FindingFormat,
  flowGraph,
  flowSchemaText,
  formatted,
  listFlows,
  newFlow,
  testFlows,
  VERSION,
  writeTextTypes,
} from "../../app/index.ts";
import { parse, type Command } from "../command.ts";
import { printAgainst } from "./flows-against.ts";
import { UsageError } from "../terminal.ts";

const usage =
  "flows list|check [--against live|FILE|GIT_REV]|graph FLOW [--format tree|mermaid|svg|json]|test [FLOW]|new NAME|schema|types";

export const flows: Command = {
  name: "flows",
  usage,
  summary: "The conversations in flows/: list, check, draw, test, begin a new one.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(
      args,
      {
        format: { type: "string" },
        json: { type: "boolean", default: false },
        against: { type: "string" },
      },
      usage,
    );
    const [verb, name] = positionals;
    switch (verb) {
      case "list": {
        const rows = await listFlows();
        if (values["json"]) terminal.out(JSON.stringify(rows, null, 2));
        else
          for (const row of rows)
            terminal.out(
              `${row.flow.padEnd(20)} ${row.audience.padEnd(9)} ${row.hash.slice(0, 8)}  ${row.title}`,
            );
        return 0;
      }
      case "check": {
        const { against } = values;
        if (typeof against === "string") {
          const report = await checkAgainst(against, settings());
          if (values["json"]) terminal.out(JSON.stringify(report, null, 2));
          else printAgainst(report, terminal);
          return report.ok ? 0 : 1;
        }
        const format = values["json"] ? "json" : formatOf(values["format"] ?? "text");
        const checked = await checkFlows();
        const { findings, costs } = checked;
        const text = formatted(checked, format, VERSION);
        if (text !== "") terminal.out(text);
        if (format === "text") for (const line of costLines(costs)) terminal.out(line);
        terminal.note(findings.length === 0 ? "No findings." : `${findings.length} findings.`);
        return findings.some(({ severity }) => severity === "error") ? 1 : 0;
      }
      case "graph": {
        if (!name) throw new UsageError(`Usage: prosa ${usage}`);
        const format = String(values["format"] ?? "tree");
        if (format !== "tree" && format !== "mermaid" && format !== "svg" && format !== "json")
          throw new UsageError("--format must be tree, mermaid, svg or json.");
        terminal.out(await flowGraph(name, format));
        return 0;
      }
      case "test": {
        const report = await testFlows(name);
        for (const result of report.results)
          terminal.note(
            `${result.ok ? terminal.colors.green("ok ") : terminal.colors.red("no ")} ${result.file}: ${result.title}${result.ok ? "" : `\n${result.failure}`}`,
          );
        terminal.out(`${report.passed} passed, ${report.failed} failed`);
        return report.failed === 0 ? 0 : 1;
      }
      case "new": {
        if (!name) throw new UsageError(`Usage: prosa ${usage}`);
        for (const file of await newFlow(name)) terminal.out(file);
        return 0;
      }
      case "types":
        terminal.out(await writeTextTypes());
        return 0;
      case "schema":
        terminal.out(flowSchemaText());
        return 0;
      default:
        throw new UsageError(`Usage: prosa ${usage}`);
    }
  },
};

function formatOf(word: string | boolean): FindingFormat {
  const format = FINDING_FORMATS.find((name) => name === word);
  if (!format) throw new UsageError(`--format must be ${FINDING_FORMATS.join(", ")}.`);
  return format;
}
