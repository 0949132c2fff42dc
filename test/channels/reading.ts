/** Reads one body by a channel and checks every event against the shared vocabulary. */
import { expect } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { InboundEvent, type ChannelName } from "../../src/engine/index.ts";
import { RECEIVED_AT, envelope } from "./samples.ts";

export interface Read {
  readonly events: readonly InboundEvent[];
  readonly ignored: readonly string[];
}

export function read(
  channel: ChannelName,
  body: unknown,
  more: { hook?: string; filter?: readonly string[]; receivedAt?: number } = {},
): Read {
  const parsed = channels[channel].parse({ headers: {}, body, receivedAt: RECEIVED_AT, ...more });
  if (!parsed.ok) throw new Error(`malformed: ${parsed.reason}`);
  for (const event of parsed.events) expect(InboundEvent.safeParse(event).error).toBeUndefined();
  return parsed;
}

export const readB = (data: unknown, more: Record<string, unknown> = {}): Read =>
  read("engine-b", envelope(data, more));

/** The one event of a body. */
export function only<K extends InboundEvent["kind"]>(
  found: Read,
  kind: K,
): Extract<InboundEvent, { kind: K }> {
  expect(found).toMatchObject({ events: [{ kind }], ignored: [] });
  return found.events[0] as Extract<InboundEvent, { kind: K }>;
}
