/**
 * One file per webhook: a body as an engine posts it (all made up), and what must be read of it, to the letter. Adding a
 * case is adding a file.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { ChannelName, InboundEvent } from "../../src/engine/index.ts";
import { RECEIVED_AT } from "./samples.ts";

interface Fixture {
  readonly title: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hook?: string;
  readonly filter?: readonly string[];
  readonly body: unknown;
  readonly expect: {
    readonly events?: readonly unknown[];
    readonly ignored?: readonly string[];
    readonly malformed?: true;
  };
}

const FOLDER = path.resolve(import.meta.dirname, "../fixtures/webhooks");
/** Fewer would leave out some of what each channel is known to do. */
const LEAST = 40;

function fixturesOf(channel: ChannelName): readonly (readonly [string, Fixture])[] {
  const folder = path.join(FOLDER, channel);
  return readdirSync(folder)
    .sort()
    .map((file) => [file, JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Fixture]);
}

describe.each(ChannelName.options)("webhooks of %s", (name) => {
  const fixtures = fixturesOf(name);

  test("are enough, and no two are the same", () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(LEAST);
    expect(new Set(fixtures.map(([, { title }]) => title)).size).toBe(fixtures.length);
    const bodies = fixtures.map(([, { body, hook, filter }]) =>
      JSON.stringify([body, hook, filter]),
    );
    expect(new Set(bodies).size).toBe(fixtures.length);
  });

  test.each(fixtures.map(([file, fixture]) => ({ file, fixture })))(
    "$file: $fixture.title",
    ({ fixture }) => {
      const { headers = {}, hook, filter, body } = fixture;
      const parsed = channels[name].parse({
        ...{ headers, body, receivedAt: RECEIVED_AT },
        ...(hook === undefined ? {} : { hook }),
        ...(filter === undefined ? {} : { filter }),
      });
      if (fixture.expect.malformed) return expect(parsed.ok).toBe(false);
      expect(parsed).toEqual({
        ok: true,
        events: fixture.expect.events ?? [],
        ignored: fixture.expect.ignored ?? [],
      });
      if (parsed.ok)
        for (const event of parsed.events)
          expect(InboundEvent.safeParse(event).error).toBeUndefined();
      return undefined;
    },
  );
});
