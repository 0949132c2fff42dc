/** Whether a message stays right on the channel it leaves by: nothing raw, no star that would be read as one, every choice. */
import { channels, smsSegments, withoutBold } from "../../channels/index.ts";
import type { SendEffect } from "../../engine/index.ts";

/** Segments of one short message that carriers put together again. */
const SEGMENTS = 10;

/** What is wrong with it, in a sentence; undefined when nothing is. */
export function misshown({
  message,
  channel,
  address,
}: Pick<SendEffect, "message" | "channel" | "address">): string | undefined {
  const { body, route, text } = channels[channel].render(message, address);
  const words = JSON.stringify(body);
  if (/\{\{|undefined|\[object/.test(text)) return "a text was not filled in";
  // A poll's question and a short message show stars as they are.
  const isPlain = channel === "sms" || /poll/i.test(route);
  if (isPlain && withoutBold(text) !== text) return "stars are shown as they are";
  if (channel === "sms" && smsSegments(text) > SEGMENTS) return "too long for a short message";
  const lost = (message.choices ?? []).find(
    ({ label }) => !words.includes(JSON.stringify(label).slice(1, -1)),
  );
  return lost ? `the choice "${lost.label}" is not shown` : undefined;
}
