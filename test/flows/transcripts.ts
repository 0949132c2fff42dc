/**
 * Writes flows/request-invoice/README.md: `npx tsx test/flows/transcripts.ts`. The conversations are the chat files
 * `full-*.chat`, played, with every bubble as the phones got it. `transcripts.test.ts` holds the file to it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { RuntimeWorld } from "../../src/app/chat/chat-world.ts";
import { demoAccount } from "../../src/app/start/demo.ts";
import { chatFiles, loadFlows } from "../../src/app/loading/flow-files.ts";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { readSettings } from "../../src/app/settings.ts";
import { CUSTOMER, parseChat } from "../../src/flow/chat/parse.ts";
import { type ChatWorld, runChat } from "../../src/flow/index.ts";
import { model } from "../support/plugins.ts";

const FOLDER = path.join(FLOWS_FOLDER, "request-invoice");
export const README = path.join(FOLDER, "README.md");

export interface Transcript {
  readonly file: string;
  readonly title: string;
  /** Messages the customer wrote. */
  readonly messages: number;
  readonly lines: readonly string[];
}

export async function transcripts(): Promise<readonly Transcript[]> {
  const flows = await loadFlows();
  const account = demoAccount(readSettings({}), model);
  const made: Transcript[] = [];
  for (const file of chatFiles(FOLDER)) {
    if (!path.basename(file).startsWith("full-")) continue;
    const parsed = parseChat(readFileSync(file, "utf8"), file);
    if (!parsed.ok) throw new Error(parsed.message);
    const played = new RuntimeWorld(parsed.chat, flows, account);
    const lines: string[] = [];
    let messages = 0;
    const add = (who: string, text: string) =>
      lines.push(
        ...text
          .split("\n")
          .map((line, at) => (at === 0 ? `${who} ${line}` : `   ${line}`).trimEnd()),
      );
    const world: ChatWorld = new Proxy(played, {
      get(target, key) {
        if (key === "heard")
          return async (speaker: string) => {
            const heard = await target.heard(speaker);
            for (const { text } of heard) add(speaker === CUSTOMER ? "🤖" : "🤖→ operator:", text);
            return heard;
          };
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const send = world.send.bind(world);
    const spoken = parsed.chat.lines.filter(({ op }) => op === ">");
    world.send = async (speaker, burst) => {
      for (const _ of burst) {
        const line = spoken.shift();
        if (speaker === CUSTOMER) messages += 1;
        add(speaker === CUSTOMER ? "👤" : "🏢", line?.rest ?? "");
      }
      return send(speaker, burst);
    };
    const result = await runChat(parsed.chat, world);
    if (!result.ok) throw new Error(`${file}: ${result.failure.got}`);
    // Of somebody who comes back, what they write this time.
    const back = parsed.chat.lines.findLastIndex(({ op }) => op === "~");
    if (path.basename(file).startsWith("full-returning"))
      messages = parsed.chat.lines
        .slice(back)
        .filter((line) => line.op === ">" && line.speaker === CUSTOMER).length;
    made.push({ file: path.basename(file), title: parsed.chat.title, messages, lines });
  }
  return made;
}

export function page(all: readonly Transcript[]): string {
  return [
    "# A note asked for, from the first word to the number",
    "",
    "Eleven conversations as both phones show them: 👤 the customer, 🏢 the business, 🤖 the bot. Made by",
    "`npx tsx test/flows/transcripts.ts` from `chats/full-*.chat`, and held by `test/flows/transcripts.test.ts`.",
    "",
    "| conversation | messages of the customer |",
    "| --- | --- |",
    ...all.map(({ title, messages }) => `| ${title} | ${messages} |`),
    ...all.flatMap(({ title, lines }) => ["", `## ${title}`, "", "```text", ...lines, "```"]),
    "",
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(README, page(await transcripts()));
