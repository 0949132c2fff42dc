import { createInterface } from "node:readline";
import {
  flowsFolder,
  didYouMean,
  type Understanding,
  understandingOf,
  UsageError,
} from "../../app/index.ts";
import { type Command, jsonOf, parse } from "../command.ts";

const usage = "understand KIND TEXT [--now ISO] [--json] | understand --stdin";

function one(
  { kinds, read }: Understanding,
  { kind, text, now }: { kind: string; text: string; now: string | undefined },
): unknown {
  if (!kinds.includes(kind))
    throw new UsageError(
      `There is no kind ${kind}.${didYouMean(kind, kinds)} Kinds: ${kinds.join(" ")}`,
    );
  const at = now === undefined ? Date.now() : Date.parse(now);
  if (Number.isNaN(at)) throw new UsageError(`--now must be an ISO time, not ${now ?? ""}`);
  return read(kind, text, at);
}

/** One line of standard input: `{kind, text, now?}`, all texts. */
function asked(line: string): { kind: string; text: string; now: string | undefined } {
  const value = jsonOf(line, "Each line");
  const { kind, text, now } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (
    typeof kind !== "string" ||
    typeof text !== "string" ||
    !["string", "undefined"].includes(typeof now)
  )
    throw new UsageError('Each line must be {"kind": TEXT, "text": TEXT, "now"?: ISO}.');
  return { kind, text, now: now as string | undefined };
}

export const understand: Command = {
  name: "understand",
  usage,
  summary: "Says what the bot understands of a text: money, date, document, command and so on.",
  async run({ args, terminal }) {
    const { values, positionals } = parse(
      args,
      {
        now: { type: "string" },
        json: { type: "boolean", default: false },
        stdin: { type: "boolean", default: false },
      },
      usage,
    );
    const understanding = await understandingOf(flowsFolder(process.env));
    if (values["stdin"]) {
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === "") continue;
        terminal.out(JSON.stringify(one(understanding, asked(line))));
      }
      return 0;
    }
    const [kind, ...words] = positionals;
    if (kind === undefined || words.length === 0) throw new UsageError(`Usage: prosa ${usage}`);
    const result = one(understanding, { kind, text: words.join(" "), now: values["now"] });
    terminal.out(JSON.stringify(result, null, values["json"] ? undefined : 2));
    return (result as { ok: boolean }).ok ? 0 : 1;
  },
};
