import { readFileSync } from "node:fs";
import { callGateway, routeTable } from "../../app/index.ts";
import { parse, type Command } from "../command.ts";
import { jsonOf, UsageError } from "../terminal.ts";

const usage = "gateway routes [--json] | gateway call ROUTE_ID [--body FILE|-] [--query k=v]…";

export const gateway: Command = {
  name: "gateway",
  usage,
  summary: "Lists the gateway's contract, or makes one typed call with the configured credentials.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(
      args,
      {
        json: { type: "boolean", default: false },
        body: { type: "string" },
        query: { type: "string", multiple: true, default: [] },
      },
      usage,
    );
    const [verb, id] = positionals;
    if (verb === "routes") {
      const rows = routeTable();
      if (values["json"]) terminal.out(JSON.stringify(rows, null, 2));
      else
        for (const row of rows)
          terminal.out(
            [
              row.id.padEnd(34),
              row.method.padEnd(6),
              row.class.padEnd(11),
              String(row.variants.length).padStart(2),
              row.path,
            ].join(" "),
          );
      return 0;
    }
    if (verb !== "call" || id === undefined) throw new UsageError(`Usage: prosa ${usage}`);
    const file = values["body"];
    const body: unknown = typeof file === "string" ? jsonOf(textOf(file), "--body") : {};
    const pairs = values["query"].map((pair) => {
      const [key, ...rest] = pair.split("=");
      if (!key || rest.length === 0) throw new UsageError(`--query must be k=v, not ${pair}`);
      return [key, rest.join("=")] as const;
    });
    const outcome = await callGateway(settings(), id, body, Object.fromEntries(pairs));
    terminal.out(JSON.stringify(outcome, null, 2));
    return outcome.kind === "ok" ? 0 : 1;
  },
};

function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch {
    throw new UsageError("--body must be a file that can be read, or - for standard input.");
  }
}
