/**
 * Chats by one of the other channels, in turn; `EVERY=1` plays all. What flows keep by themselves no channel changes: `chats.test.ts`
 * walks them.
 */
import { expect, test } from "vitest";
import { misshown } from "../../src/app/chat/chat-people.ts";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import type { ChannelName, SendEffect } from "../../src/engine/index.ts";
import { sample } from "../support/sample.ts";
import { chats, failureOf } from "./chats.ts";

const CHANNELS: readonly ChannelName[] = ["engine-a", "engine-c", "sms"];

test("shipped chats go as written on another channel, and read right there", async () => {
  const flows = await loadFlows();
  // In turn within each third, too.
  const all = chats.map((chat, at) => ({
    chat,
    channel: CHANNELS[Math.floor(at / 3) % 3] ?? "sms",
  }));
  const played = sample(all, 3);
  for (const { chat, channel } of played)
    expect(await failureOf(chat, flows, channel), `${chat.file} by ${channel}`).toBeUndefined();
  expect(played.length).toBeGreaterThan(90);
});

test("a bubble that lost a text or is too long for its channel is noticed", () => {
  const sent = (text: string): SendEffect => ({
    ...{ id: "x", type: "send", class: "message", turn: "t", channel: "sms" },
    ...{ address: "5511987650001", message: { text } },
  });
  expect(misshown(sent("Oi, {{name}}"))).toMatch(/not filled in/);
  expect(misshown(sent("Responda *EMITIR*."))).toBeUndefined();
  expect(misshown(sent("Tudo certo."))).toBeUndefined();
});
