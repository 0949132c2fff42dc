/** The chat files of the shipped flows, each played by itself. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { RuntimeWorld } from "../../src/app/chat/chat-world.ts";
import { demoAccount } from "../../src/app/start/demo.ts";
import { chatFiles, flowFolders, type LoadedFlows } from "../../src/app/loading/flow-files.ts";
import { readSettings } from "../../src/app/index.ts";
import type { ChannelName } from "../../src/engine/index.ts";
import { type ChatFile, parseChat, runChat } from "../../src/flow/index.ts";
import { model } from "../support/plugins.ts";

export const chats: readonly ChatFile[] = flowFolders()
  .flatMap(chatFiles)
  .map((file) => {
    const parsed = parseChat(readFileSync(file, "utf8"), path.basename(file));
    if (!parsed.ok) throw new Error(`${file}:${parsed.line} ${parsed.message}`);
    return parsed.chat;
  });

const account = demoAccount(readSettings({}), model);

/** Where and how it goes otherwise than written, or reads wrong. `channel`: of people, unless the chat names one itself. */
export async function failureOf(
  chat: ChatFile,
  flows: LoadedFlows,
  channel?: ChannelName,
): Promise<string | undefined> {
  const isFree = channel !== undefined && !chat.headers.some(({ name }) => name === "channel");
  const headers = isFree
    ? [...chat.headers, { name: "channel", rest: channel, line: 1 }]
    : chat.headers;
  const played = { ...chat, headers };
  const world = new RuntimeWorld(played, flows, account);
  try {
    const result = await runChat(played, world);
    if (!result.ok) return `${result.failure.file}:${result.failure.line}`;
    return world.misshown()[0];
  } catch (error) {
    return `${chat.file}: ${error instanceof Error ? error.message : "threw"}`;
  } finally {
    await world.close();
  }
}
