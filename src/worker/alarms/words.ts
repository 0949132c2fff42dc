/** A moment as people read it on a phone: day, month and minute of the account's own time. */
import { localTime } from "../../brazil/index.ts";
import type { ChannelName } from "../../engine/index.ts";

/** `DD/MM HH:MM`; `at` in ms. */
export function whenIn(zone: string, at: number): string {
  const { day, time } = localTime(at, zone);
  return `${day.slice(8)}/${day.slice(5, 7)} ${time.slice(0, 5)}`;
}

export const CHANNEL_LETTERS: Readonly<Record<ChannelName, string>> = {
  "engine-a": "A",
  "engine-b": "B",
  "engine-c": "C",
  sms: "SMS",
};
