import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { ChannelName, InboundEvent } from "../../src/engine/index.ts";
import {
  RECEIVED_AT,
  engineA,
  engineC,
  envelope,
  image,
  infoC,
  pollVote,
  record,
} from "./samples.ts";

const samples = [
  envelope(record(image)),
  envelope(pollVote(["Sim"])),
  envelope([{ remoteJid: "x@lid", pushName: "y" }]),
  envelope({ keyId: "A", remoteJid: "5511987650001@s.whatsapp.net", fromMe: true, status: "READ" }),
  engineA(),
  engineC("Message", { Info: infoC(), Message: { conversation: "oi" } }),
  [{ id: "1", status: "reply", message: "oi" }],
];

type Path = readonly (string | number)[];

function paths(value: unknown, here: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [here];
  return [here, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...here, key]))];
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return by;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...(value as unknown[])] as unknown as Record<string, unknown>)
    : { ...(value as Record<string, unknown>) };
  copy[head] = replaced(copy[head], rest, by);
  return copy;
}

function check(body: unknown): void {
  for (const name of ChannelName.options) {
    const parsed = channels[name].parse({ headers: {}, body, receivedAt: RECEIVED_AT });
    if (!parsed.ok) continue;
    for (const event of parsed.events) {
      const { error } = InboundEvent.safeParse(event);
      expect(error && { name, event, error }).toBeUndefined();
    }
    for (const reason of parsed.ignored) expect(reason).toMatch(/^[a-z-]{1,40}$/);
  }
}

describe("whatever a body holds", () => {
  test("no channel throws, and every event fits the vocabulary", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), check), { numRuns: 300 });
  });

  test("one strange value anywhere in a good body does no harm", () => {
    const spots = samples.flatMap((body) => paths(body).map((path) => ({ body, path })));
    const spot = fc.constantFrom(...spots);
    const strange = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: "binary", maxLength: 400 }),
    );
    fc.assert(
      fc.property(spot, strange, ({ body, path }, by) => check(replaced(body, path, by))),
      { numRuns: 1_000 },
    );
  });

  test("a body of 16 MiB with inline bytes is read in a moment and leaves only a reference", () => {
    const huge = record({
      imageMessage: { mimetype: "image/png" },
      base64: "A".repeat(16 * 1024 * 1024),
    });
    const began = performance.now();

    const parsed = channels["engine-b"].parse({
      headers: {},
      body: envelope(huge),
      receivedAt: RECEIVED_AT,
    });

    expect(performance.now() - began).toBeLessThan(200);
    expect(JSON.stringify(parsed).length).toBeLessThan(1_000);
  });
});
