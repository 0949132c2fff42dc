import {
  type AgainstReport,
  checkAgainst,
  checkFlows,
  costLines,
  declarations,
  FINDING_FORMATS,
  type FindingFormat,
  findingLine,
  flowGraph,
  flowSchemaText,
  flowsFolder,
  formatted,
  listFlows,
  listRouting,
  listTexts,
  newFlow,
  UsageError,
} from "../../app/index.ts";
import { type Command, parse, type Terminal } from "../command.ts";
import { printTests } from "./flows-test.ts";

const usage =
  "flows list|check [--against live|FILE|GIT_REV]|graph FLOW [--format tree|mermaid|svg|json] [--full] [--overlay coverage|lint]|test [FLOW] [--coverage] [--coverage-min PERCENT] [--update] [--channel NAME] [--format tap|junit]|new NAME|texts|routing|schema|types";

export const flows: Command = {
  name: "flows",
  usage,
  summary: "The conversations in flows/: list, check, draw, test, begin a new one.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(
      args,
      {
        format: { type: "string" },
        overlay: { type: "string" },
        full: { type: "boolean", default: false },
        coverage: { type: "boolean", default: false },
        "coverage-min": { type: "string" },
        update: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        against: { type: "string" },
        channel: { type: "string" },
        help: { type: "boolean", default: false },
      },
      usage,
    );
    if (values["help"]) {
      terminal.out(`Usage: prosa ${usage}`);
      return 0;
    }
    const [verb, name] = positionals;
    const folder = flowsFolder(process.env);
    switch (verb) {
      case "list": {
        const { flows: rows, left } = await listFlows(folder);
        if (values["json"]) terminal.out(JSON.stringify(rows, null, 2));
        else
          for (const row of rows)
            terminal.out(
              `${row.flow.padEnd(20)} ${row.audience.padEnd(9)} ${row.hash.slice(0, 8)}  ${row.title}`,
            );
        for (const finding of left) terminal.say(`left out: ${findingLine(finding)}`);
        return left.length > 0 ? 1 : 0;
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
        const checked = await checkFlows(folder);
        const { findings, costs } = checked;
        const text = formatted(checked, format);
        if (text !== "") terminal.out(text);
        if (format === "text") for (const line of costLines(costs)) terminal.out(line);
        terminal.say(findings.length === 0 ? "No findings." : `${findings.length} findings.`);
        return findings.some(({ severity }) => severity === "error") ? 1 : 0;
      }
      case "texts": {
        const { texts, findings } = await listTexts(folder);
        if (values["json"]) terminal.out(JSON.stringify(texts, null, 2));
        else
          for (const { locale, key, text, from } of texts)
            terminal.out(`${locale.padEnd(5)} ${key}  ${JSON.stringify(text)}  (${from})`);
        for (const finding of findings) terminal.say(findingLine(finding));
        return findings.length > 0 ? 1 : 0;
      }
      case "routing": {
        const lines = await listRouting(folder);
        if (values["json"]) terminal.out(JSON.stringify(lines, null, 2));
        else
          for (const { part, name: row, what, yields, readers } of lines) {
            const asked = readers.length > 0 ? `  (asks ${readers.join(", ")})` : "";
            terminal.out(
              `${part.padEnd(12)} ${`${row}${yields ? " *" : ""}`.padEnd(18)} ${what}${asked}`,
            );
          }
        if (!values["json"])
          terminal.say(
            "* passed over for an option of the question or a start phrase, word for word.",
          );
        return 0;
      }
      case "graph": {
        if (!name) throw new UsageError(`Usage: prosa ${usage}`);
        const { format = "tree", overlay, full } = values;
        if (format !== "tree" && format !== "mermaid" && format !== "svg" && format !== "json")
          throw new UsageError("--format must be tree, mermaid, svg or json.");
        if (overlay !== undefined && overlay !== "coverage" && overlay !== "lint")
          throw new UsageError("--overlay must be coverage or lint.");
        terminal.out(await flowGraph(name, format, { folder, full, overlay }));
        return 0;
      }
      case "test":
        return printTests(
          name,
          {
            ...values,
            format: values.format,
            channel: values.channel,
            coverageMin: values["coverage-min"],
          },
          terminal,
          { folder },
        );
      case "new": {
        if (!name) throw new UsageError(`Usage: prosa ${usage}`);
        for (const file of await newFlow(name, folder)) terminal.out(file);
        terminal.say(`Next: npm start, open the console and write “${name.replaceAll("-", " ")}”.`);
        return 0;
      }
      case "types":
        for (const file of declarations(folder)) terminal.out(file);
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

const HARM = ["loses", "stranded"];

function printAgainst(report: AgainstReport, terminal: Terminal): void {
  const { bold, dim, red, green } = terminal.colors;
  terminal.say(report.what);
  for (const flow of report.same) terminal.out(`${bold(flow)}  ${dim("unchanged")}`);
  for (const flow of report.gone)
    terminal.out(`${bold(flow)}  gone: who is in it goes on in the older version`);
  for (const { flow, from, to, rows, snapshots, whole } of report.results) {
    const part = whole ? "" : ", not all of them";
    terminal.out(
      `${bold(flow)}  ${from.hash.slice(0, 8)} → ${to.hash.slice(0, 8)}  ${dim(`${snapshots} resting states${part}`)}`,
    );
    const width = Math.max(0, ...rows.map(({ at }) => at.length));
    for (const { at, word, to: place, lost, why, people } of rows) {
      const color = HARM.includes(word) ? red : word === "stays" ? green : (text: string) => text;
      const more = [
        ...(lost.length > 0 ? [lost.join(", ")] : []),
        ...(place !== "" && place !== at ? [`→ ${place}`] : []),
        ...(why === undefined ? [] : [dim(`(${why})`)]),
        ...(people === undefined ? [] : [dim(`${people} conversations`)]),
      ];
      terminal.out(
        `  ${at.padEnd(width)}  ${color(word)}${more.length > 0 ? ` ${more.join("  ")}` : ""}`,
      );
    }
  }
  if (!report.ok)
    terminal.say("Somebody would lose what they said. Name it in a migration, or keep it.");
}
