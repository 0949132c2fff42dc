/** Channels by the names that consoles show and alarms say. */
import type { ChannelName } from "../../engine/index.ts";

export const CHANNEL_LETTERS: Readonly<Record<ChannelName, string>> = {
  "engine-a": "A",
  "engine-b": "B",
  "engine-c": "C",
  sms: "SMS",
};
