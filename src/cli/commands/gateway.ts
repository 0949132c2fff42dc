import { readFileSync } from "node:fs";
import {
  callGateway,
  exampleBody,
  type GatewayCallResult,
  routeTable,
  UsageError,
} from "../../app/index.ts";
import { Fault, FAULTS } from "../../base/index.ts";
import { type Call, type Command, jsonOf, type Options, parse, type Terminal } from "../command.ts";

const usage =
  "gateway routes [--json] | gateway call ROUTE_ID [--body FILE|-] [--query k=v]… [--variant NAME] [--queue] [--json]";

/** Longest example body that is printed after a refused one. Characters. */
const EXAMPLE_LIMIT = 600;

const options = {
  json: { type: "boolean" as const, default: false },
  body: { type: "string" as const },
  query: { type: "string" as const, multiple: true, default: [] as string[] },
  variant: { type: "string" as const },
  queue: { type: "boolean" as const, default: false },
} satisfies Options;

export const gateway: Command = {
  name: "gateway",
  usage,
  stops: true,
  summary: "Lists the gateway's contract, or makes one typed call with the configured credentials.",
  async run(call) {
    const { values, positionals } = parse(call.args, options, usage);
    const [verb, id, ...rest] = positionals;
    if (verb === "routes" && id === undefined) {
      tell(call.terminal, values.json);
      return 0;
    }
    if (verb !== "call" || id === undefined || rest.length > 0)
      throw new UsageError(`Usage: prosa ${usage}`);
    const file = values.body;
    const body: unknown = file === undefined ? {} : jsonOf(textOf(file), "--body");
    const { variant, queue } = values;
    const request = { id, body, query: pairsOf(values.query), variant, queue };
    const result = await made(call, request);
    show(call.terminal, id, result, values.json);
    return result.outcome.kind === "ok" ? 0 : 1;
  },
};

type Request = Omit<Parameters<typeof callGateway>[1], "signal">;

/** A mistake in what was asked is a usage error; with a body that breaks its schema goes one that does not. */
async function made(call: Call, request: Request): Promise<GatewayCallResult> {
  const settings = call.settings();
  try {
    return await callGateway(settings, { ...request, signal: call.signal });
  } catch (error) {
    if (!Fault.is(error, "GATEWAY_BODY")) throw error;
    throw new UsageError(mistakeIn(error, request));
  }
}

function mistakeIn({ message, details }: Fault, { id, variant }: Request): string {
  const said = message
    .replace("GATEWAY_BODY: ", "")
    .replace(FAULTS.GATEWAY_BODY.hint, "Nothing was sent.");
  const forms = Array.isArray(details["variants"])
    ? ` It has ${details["variants"].join(", ")}.`
    : "";
  const example = JSON.stringify(exampleBody(id, variant) ?? null);
  const shown = "problems" in details && example.length <= EXAMPLE_LIMIT;
  return `${said}${forms}${shown ? `\nExample: ${example}` : ""}`;
}

function tell(terminal: Terminal, json: boolean): void {
  const rows = routeTable();
  if (json) {
    terminal.out(JSON.stringify(rows, null, 2));
    return;
  }
  for (const row of rows) {
    const marks = [
      ...(row.group ? ["group"] : []),
      ...(row.queue ? ["queue"] : []),
      ...(row.beta ? ["beta"] : []),
      ...(row.volatile ? ["volatile"] : []),
      ...(row.price === null ? [] : [`R$ ${row.price.toFixed(2)}`]),
    ];
    const forms = row.variants.length > 1 ? `  {${row.variants.join(" ")}}` : "";
    terminal.out(
      [
        row.id.padEnd(34),
        row.method.padEnd(6),
        row.class.padEnd(11),
        `${row.path}${forms}${marks.length > 0 ? `  ${marks.join(", ")}` : ""}`,
      ].join(" "),
    );
  }
}

/** The envelope goes to stdout; what is to be said about the call, to stderr. */
function show(terminal: Terminal, id: string, result: GatewayCallResult, json: boolean): void {
  const { outcome, came, envelope, address } = result;
  if (envelope !== undefined) terminal.out(JSON.stringify(envelope, null, 2));
  else if (json) terminal.out(JSON.stringify(outcome, null, 2));
  const { colors } = terminal;
  const verdict = outcome.kind === "ok" ? colors.green("ok") : colors.red(outcome.kind);
  if (!json || outcome.kind !== "ok")
    terminal.say(
      `${id}: ${verdict}${came ? `, HTTP ${came.status}` : ""}, ${outcome.ms} ms. ${sentence(result, address)}`.trim(),
    );
}

/** What the outcome means, and what to do. */
function sentence({ outcome, came, envelope }: GatewayCallResult, address: string): string {
  switch (outcome.kind) {
    case "ok":
      return "";
    case "business_error":
      return `The gateway says: ${outcome.message || "error"}`;
    case "refused":
      return `Refused${outcome.message === undefined ? "" : `: ${outcome.message}`}. The same call will be refused, and may be charged, again.`;
    case "not_sent":
      return outcome.reason === "connection_refused"
        ? `Nothing answers at ${address}. Start one (prosa start, prosa sandbox), or set GATEWAY_URL.`
        : `Nothing was sent (${outcome.reason}) to ${address}.`;
    case "unknown":
      return came && envelope === undefined
        ? `The answer (${came.type || "no type"}, ${came.bytes} bytes) cannot be read: the call may have taken effect.`
        : `No clear answer (${outcome.reason}): the call may have taken effect.`;
  }
}

function pairsOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((pair) => {
    const [key, ...rest] = pair.split("=");
    if (!key || rest.length === 0) throw new UsageError(`--query must be k=v, not ${pair}`);
    return [key, rest.join("=")] as const;
  });
  const twice = pairs.find(([key], index) => pairs.findIndex(([other]) => other === key) < index);
  if (twice) throw new UsageError(`--query names ${twice[0]} twice.`);
  return Object.fromEntries(pairs);
}

function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch {
    throw new UsageError("--body must be a file that can be read, or - for standard input.");
  }
}
