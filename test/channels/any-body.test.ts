import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { ChannelName, InboundEvent } from "../../src/engine/index.ts";
import { hostileBodies } from "../support/hostile.ts";
import { RECEIVED_AT, engineC, envelope, infoC, record, type Body } from "./samples.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../fixtures/webhooks");
/** Every kept webhook of every channel. */
const samples = ChannelName.options.flatMap((name) =>
  readdirSync(path.join(FIXTURES, name)).map((file) => {
    const text = readFileSync(path.join(FIXTURES, name, file), "utf8");
    return (JSON.parse(text) as { body: unknown }).body;
  }),
);

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

/** Values that broke something somewhere. `JSON.parse`, so that `__proto__` is a key of its own. */
const poison: readonly unknown[] = [
  ...[null, true, "", " ", "false", "NaN", "\0", "\ud800", "😀".slice(1), "__proto__", "toString"],
  ...[0, -0, -1, 1e308, Number.MAX_SAFE_INTEGER + 2, 0.1],
  ...["{".repeat(50_000), "[".repeat(5_000), "é".repeat(70_000), "1".repeat(400)],
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}},"length":1e9,"toString":1}'),
  JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`),
  JSON.parse(`${'{"message":'.repeat(200)}1${"}".repeat(200)}`),
  Array.from({ length: 5_000 }, () => ({ id: "x", status: "reply", message: "oi" })),
  { low: 1, high: 2 ** 40 },
  { type: "Buffer", data: [1, 2] },
];

function check(body: unknown): void {
  for (const name of ChannelName.options) {
    const parsed = channels[name].parse({ headers: {}, body, receivedAt: RECEIVED_AT });
    if (!parsed.ok) continue;
    // Of thousands of equal ones a few tell as much.
    for (const event of parsed.events.slice(0, 20)) {
      const { error } = InboundEvent.safeParse(event);
      expect(error && { name, event, error }).toBeUndefined();
    }
    // A reason becomes the label of a counter.
    for (const reason of new Set(parsed.ignored)) expect(reason).toMatch(/^[a-z0-9-]{1,40}$/);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
}

describe("whatever a body holds", () => {
  test("no channel throws, and every event fits the vocabulary", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), check), { numRuns: 300 });
  });

  test("a file longer than anything is one of unknown length", () => {
    for (const length of [1e308, -1, 2 ** 53, "99999999999999999", Number.NaN])
      for (const body of samples)
        for (const path of paths(body).filter((one) =>
          /^(fileLength|size)$/.test(String(one.at(-1))),
        ))
          check(replaced(body, path, length));
  });

  test("one strange value anywhere in a good body does no harm", () => {
    const spots = samples.flatMap((body) => paths(body).map((path) => ({ body, path })));
    const strange = fc.oneof(
      fc.constantFrom(...poison),
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: "binary", maxLength: 400 }),
    );
    const three = fc.array(fc.tuple(fc.constantFrom(...spots), strange), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(three, ([first, ...more]) => {
        if (!first) return;
        const [{ body, path }, by] = first;
        // A second and a third value of other bodies go into the same one, where it has the place.
        const broken = more.reduce<unknown>(
          (here, [spot, other]) =>
            paths(here).length > 5_000 ? here : replaced(here, spot.path.slice(0, 1), other),
          replaced(body, path, by),
        );
        check(broken);
      }),
      { numRuns: 1_000 },
    );
  });

  test("parts of one engine's body in another's do no harm", () => {
    const some = fc.constantFrom(...samples);
    fc.assert(
      fc.property(some, some, (one, other) => {
        const mixed =
          Array.isArray(one) || Array.isArray(other)
            ? [one, other]
            : { ...(one as object), ...(other as object) };
        check(mixed);
      }),
      { numRuns: 300 },
    );
  });

  test("a nest of twenty thousand levels is not walked to its end", () => {
    const nest = (open: string, close: string): unknown =>
      JSON.parse(`${open.repeat(20_000)}{}${close.repeat(20_000)}`);
    check(nest("[", "]"));
    check(envelope(nest('{"data":', "}")));
    check(envelope(record(nest('{"ephemeralMessage":{"message":', "}}") as Body)));
    check(
      engineC("Message", { Info: infoC(), Message: nest('{"editedMessage":{"message":', "}}") }),
    );
  });

  test.each(hostileBodies.filter(({ read }) => read !== false))(
    "$title does no harm",
    ({ text }) => {
      check(JSON.parse(text));
    },
  );

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
