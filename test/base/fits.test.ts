import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { reader } from "../../src/base/index.ts";
import { Account, JournalRecord, Mail, Session } from "../../src/engine/index.ts";
import { Facts, NO_FACTS } from "../../src/flow/moves/facts.ts";
import { routeOf } from "../../src/gateway/index.ts";

const session = {
  ...{ schema: 1, account: "demo", contact: "c".repeat(32), rev: 3, count: 4 },
  ...{ role: "customer", locale: "pt-BR", channel: "engine-b", address: "5511970000001" },
  ...{ timers: [{ name: "burst", due: 1, gen: 2 }], requests: [], lastSeen: 1.5, unsaid: true },
  handoff: { since: 1, reason: "asked", until: 2 },
  burst: { texts: ["a", "b"], since: 1, due: 2, of: "f1.q1" },
  frames: [
    {
      ...{ id: "f1", flow: "form", version: 1, hash: "h", timers: [] },
      state: { value: "q1", facts: { slots: { q1: "x" } } },
      invocations: [
        { step: "s", kind: "effect", name: "n", for: "d", epoch: "1.2", to: ["phone:1"] },
      ],
      caller: {
        kind: "request",
        waiter: { frame: "f1", step: "s", for: "d", epoch: "1.1" },
        contact: "d".repeat(32),
        request: "r1",
        code: "A7",
      },
    },
  ],
};
const waiter = { frame: "f1", step: "s", for: "d", epoch: "1.1" };
const from = { address: "5511970000001@s.whatsapp.net", phone: "5511970000001", name: "Ana" };
const head = { id: "3A:message", at: 1, from, messageId: "3A" };
const mails = [
  ...[
    { type: "text", text: "oi" },
    { type: "choice", via: "poll", picks: [{ label: "Um" }, { id: "2", label: "Dois" }] },
    { type: "media", media: "image", ref: { mimetype: "image/png", bytes: 3 }, caption: "c" },
    { type: "location", latitude: -23.5, longitude: -46.6 },
    { type: "contacts", contacts: [{ name: "Bia", phone: "5511970000002" }] },
  ].map((content) => ({
    ...{ kind: "inbound", channel: "engine-b", acceptedAt: 5 },
    event: { kind: "message", ...head, content },
  })),
  { kind: "tick", due: 12 },
  { kind: "result", effect: "e", waiter, result: { outcome: "done", out: { a: [1, null, "x"] } } },
  { kind: "notice", key: "fiscal-held", vars: { name: "Ana", deep: { is: [true] } } },
];
const facts = {
  ...NO_FACTS,
  slots: { q1: "x", q2: null, q3: { code: "1" } },
  marks: { q2: "ab" },
  done: { s: { for: "d", is: "done", out: { number: 1 } } },
  pending: { step: "s", for: "d" },
  trail: ["q1", "q2"],
  offer: [{ id: "=1", label: "um" }],
};
const turn = {
  ...{ rev: 4, at: 1, event: "3A:message", mail: mails[0], effects: [], timers: [], said: "oi" },
  moves: [{ frame: "f1", flow: "form", from: "q1", event: "ANSWER", handled: true, trace: ["x"] }],
};
const options = { delay: 0, presence: "composing" };
const sent = {
  key: { remoteJid: "5511970000001@s.whatsapp.net", fromMe: true, id: "3EB0" },
  ...{ message: { conversation: "oi" }, messageTimestamp: 1_795_262_400, status: "PENDING" },
};
function variantOf(name: string): z.ZodType {
  const body = routeOf("message.sendText").variants[name]?.body;
  if (!body) throw new Error(`no variant ${name}`);
  return body;
}
const samples: readonly (readonly [string, z.ZodType, unknown])[] = [
  ["session", Session, session],
  ["facts", Facts, facts],
  ["journal", JournalRecord, turn],
  ...mails.map((mail, at) => [`mail ${at}`, Mail, mail] as const),
  ["body of a send", variantOf("plain"), { number: "5511970000001", text: "oi", options }],
  ["answer to a send", routeOf("message.sendText").response, sent],
];

/** Every place in plain data, as the keys that lead there. */
function places(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, part]) => places(part).map((to) => [key, ...to])),
  ];
}

/** The data with another value at one place; undefined takes the key away. A list that has no such place gets one more. */
function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    const at = Object.keys(list).includes(key) ? Number(key) : list.length;
    list[at] = changed(list[at], rest, to);
    return list;
  }
  const { [key]: old, ...others } = { ...(value as Record<string, unknown>) };
  const part = changed(old, rest, to);
  return part === undefined ? others : { ...others, [key]: part };
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    "",
    "x".repeat(70_000),
    0,
    -1,
    1.5,
    Number.NaN,
    Infinity,
  ),
  fc.constantFrom<unknown>(
    2 ** 60,
    true,
    [],
    {},
    [null],
    { __proto__: null },
    new Date(0),
    () => 1,
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"a":1},"b":2}'), "engine-b", "text", "tick"),
  fc.jsonValue(),
);

/** What the schema makes of it; undefined also where zod itself fails over an object without a primitive value. */
function saidBy(schema: z.ZodType, given: unknown): unknown {
  try {
    return schema.safeParse(given).data;
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return undefined;
  }
}

describe("reading data by a schema without copying it", () => {
  test.each(samples)("what fits comes back as it is: %s", (_name, schema, value) => {
    expect(reader(schema)(value)).toBe(value);
    expect(schema.parse(value)).toEqual(value);
  });

  test.each(samples)(
    "with anything changed it says what the schema says: %s",
    (_name, schema, value) => {
      const read = reader(schema);
      fc.assert(
        fc.property(fc.constantFrom(...places(value)), odd, fc.string(), (place, to, extra) => {
          for (const given of [changed(value, place, to), changed(value, [...place, extra], to)]) {
            expect(read(given)).toEqual(saidBy(schema, given));
          }
        }),
        { numRuns: 150 },
      );
    },
  );

  test("an object over whose length zod fails is refused", () => {
    const odd: unknown = JSON.parse('{"length":{"toString":1,"valueOf":1}}');
    expect(() => z.string().max(3).safeParse(odd)).toThrow(TypeError);
    expect(reader(z.string().max(3))(odd)).toBeUndefined();
    const head = mails[0] as { event: { from: object } };
    const event = { ...head.event, from: { ...head.event.from, name: odd } };
    expect(reader(Mail)({ ...head, event })).toBeUndefined();
  });

  test("what a schema changes on the way is changed", () => {
    const schema = z.object({ a: z.string().trim().default("x"), b: z.coerce.number().optional() });
    expect(reader(schema)({ a: " y ", b: "2" })).toEqual({ a: "y", b: 2 });
    expect(reader(schema)({})).toEqual({ a: "x" });
    expect(reader(z.object({ a: z.string() }))({ a: "1", b: 2 })).toEqual({ a: "1" });
    expect(reader(z.strictObject({ a: z.string() }))({ a: "1", b: 2 })).toBeUndefined();
    expect(reader(z.looseObject({ a: z.string().trim() }))({ a: " 1", b: 2 })).toEqual({
      a: "1",
      b: 2,
    });
    expect(reader(z.preprocess((value) => value ?? "x", z.string()))(null)).toBe("x");
    expect(reader(z.object({ a: z.string().catch("x") }))({ a: 1 })).toEqual({ a: "x" });
    expect(reader(z.string().refine((text) => text === "x"))("y")).toBeUndefined();
    expect(reader(z.int().min(2).max(3))(4)).toBeUndefined();
    expect(reader(Account)({ id: "demo" })).toEqual(Account.safeParse({ id: "demo" }).data);
  });
});
