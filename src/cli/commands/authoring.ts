/** What authors of a bot use: begin one, ask what it understands of a text, keep a conversation as a test. */
import { createInterface } from "node:readline";
import { existsSync, writeFileSync } from "node:fs";
import {
  initBot,
  UsageError,
  flowsFolder,
  didYouMean,
  type Understanding,
  understandingOf,
  operatorApi,
  savedTest,
} from "../../app/index.ts";
import { type Command, parse, jsonOf } from "../command.ts";

const INIT_USAGE = "init DIR [--example pizzeria|clinic]";

export const init: Command = {
  name: "init",
  usage: INIT_USAGE,
  summary: "A bot of one's own in an empty folder, ready to start, test and type-check.",
  async run({ args, terminal }) {
    const { values, positionals } = parse(args, { example: { type: "string" } }, INIT_USAGE);
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) throw new UsageError(`Usage: prosa ${INIT_USAGE}`);
    const problem = initBot(folder, values["example"]);
    if (problem !== undefined) throw new UsageError(problem);
    terminal.out(folder);
    const quoted = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
    terminal.say(`Next: cd ${quoted} && npm install && npm test && npm start`);
    return 0;
  },
};

const UNDERSTAND_USAGE = "understand KIND TEXT [--now ISO] [--json] | understand --stdin";

function understood(
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
  usage: UNDERSTAND_USAGE,
  summary: "Says what the bot understands of a text: money, date, document, command and so on.",
  async run({ args, terminal }) {
    const { values, positionals } = parse(
      args,
      {
        now: { type: "string" },
        json: { type: "boolean", default: false },
        stdin: { type: "boolean", default: false },
      },
      UNDERSTAND_USAGE,
    );
    const understanding = await understandingOf(flowsFolder(process.env));
    if (values["stdin"]) {
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === "") continue;
        terminal.out(JSON.stringify(understood(understanding, asked(line))));
      }
      return 0;
    }
    const [kind, ...words] = positionals;
    if (kind === undefined || words.length === 0)
      throw new UsageError(`Usage: prosa ${UNDERSTAND_USAGE}`);
    const result = understood(understanding, { kind, text: words.join(" "), now: values["now"] });
    terminal.out(JSON.stringify(result, null, values["json"] ? undefined : 2));
    return (result as { ok: boolean }).ok ? 0 : 1;
  },
};

const SAVE_TEST_USAGE = "save-test CONTACT [FILE.chat] [--account ID] [--title TEXT]";

export const saveTest: Command = {
  name: "save-test",
  usage: SAVE_TEST_USAGE,
  summary: "Writes a recorded conversation as a chat file; people in it become made-up ones.",
  async run({ args, terminal, settings }) {
    const { values, positionals } = parse(
      args,
      { account: { type: "string", default: "demo" }, title: { type: "string" } },
      SAVE_TEST_USAGE,
    );
    const [contact, file] = positionals;
    if (!contact) throw new UsageError(`Usage: prosa ${SAVE_TEST_USAGE}`);
    if (file !== undefined && existsSync(file))
      throw new UsageError(`${file} is there already; name another file.`);
    const config = settings();
    const saved = await savedTest(operatorApi(config), {
      contact,
      folder: config.flowsDir,
      account: String(values["account"]),
      title: String(values["title"] ?? "A conversation that happened"),
    });
    if (saved.failure !== undefined) {
      // A test that is red from its first day tells nobody anything.
      terminal.say(`Nothing is saved: played again, this conversation goes otherwise.`);
      terminal.say(saved.failure);
    } else if (file === undefined) terminal.out(saved.text);
    else writeFileSync(file, saved.text, { flag: "wx" });
    for (const what of new Set(saved.left)) terminal.say(`Left out: ${what}.`);
    for (const { then, now } of saved.changed)
      terminal.say(`Said then: ${then}\nSaid now:  ${now}`);
    if (saved.failure !== undefined) return 1;
    terminal.say("Read it before you keep it: free text may still tell who somebody is.");
    return 0;
  },
};
