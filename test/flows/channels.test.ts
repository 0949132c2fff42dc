/**
 * Every chat by one of the other channels, in turn. What flows keep by themselves no channel changes: `chats.test.ts` walks
 * them.
 */
import { expect, test } from "vitest";
import { testFlows } from "../../src/app/index.ts";
import { misshown } from "../../src/app/chat/chat-people.ts";
import type { ChannelName, SendEffect } from "../../src/engine/index.ts";

const CHANNELS: readonly ChannelName[] = ["engine-a", "engine-c", "sms"];

test("every shipped chat goes as written on another channel, and reads right there", async () => {
  const channels = new Map<string, ChannelName>();
  const channelOf = (file: string): ChannelName => {
    const channel = CHANNELS[channels.size % CHANNELS.length] ?? "sms";
    channels.set(file, channel);
    return channel;
  };
  const { results, passed } = await testFlows(undefined, { channel: channelOf, walks: false });
  expect(
    results.filter(({ ok }) => !ok).map(({ file, failure }) => [file, channels.get(file), failure]),
  ).toEqual([]);
  expect(passed).toBeGreaterThan(90);
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
