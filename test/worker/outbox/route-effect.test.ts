/** Gateway routes as effects: what of an input goes where, and what of an answer reaches a conversation. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Json } from "../../../src/base/index.ts";
import { routeOf, routes, type AnyRoute } from "../../../src/gateway/index.ts";
import { RESULT_LIMIT_BYTES, routeEffect } from "../../../src/worker/effects/route-effect.ts";

const interpret = (data: Json) =>
  routeEffect(routeOf("chat.findChats")).interpret({ kind: "done", data }).out;

describe("the input of a route", () => {
  test("is told apart by name: the group goes into the query, all else into the body", () => {
    const effect = routeEffect(routeOf("group.updateGroupSubject"));
    const input = { groupJid: "120363043211234567@g.us", subject: "Clientes" };
    expect(effect.prepare(input)).toEqual({
      body: { subject: "Clientes" },
      query: { groupJid: "120363043211234567@g.us" },
    });
    expect(effect.prepare({ subject: "Clientes" })).toBeNull();
  });

  test("loses nothing where body and query have a field of the same name", () => {
    const shared = z.strictObject({ groupJid: z.string(), page: z.int() });
    const route: AnyRoute = {
      ...routeOf("group.updateGroupSubject"),
      query: z.strictObject({ page: z.int() }),
      variants: { default: { body: shared, example: {}, dagger: false, provenance: null } },
    };
    expect(routeEffect(route).prepare({ groupJid: "g", page: 2 })).toEqual({
      body: { groupJid: "g", page: 2 },
      query: { page: 2 },
    });
  });

  test("of another shape than the route's is refused before anything is sent", () => {
    for (const route of routes) {
      const effect = routeEffect(route);
      const strict = Object.values(route.variants).every(({ body }) => body instanceof z.ZodObject);
      if (strict) expect(effect.prepare({ noSuchField: 1 }), route.id).toBeNull();
    }
  });
});

describe("the answer to a flow", () => {
  test("is an object as it came, a list with its count, and a bare value by name", () => {
    expect(interpret({ name: "Ana", tags: ["a"] })).toEqual({ name: "Ana", tags: ["a"] });
    expect(interpret([{ id: 1 }, { id: 2 }])).toEqual({ value: [{ id: 1 }, { id: 2 }], count: 2 });
    expect(interpret("open")).toEqual({ value: "open" });
    expect(interpret(null)).toEqual({ value: null });
  });

  test("leaves out whole what is too large, and says what", () => {
    const file = "A".repeat(32 * 1024 * 1024);
    expect(interpret({ mimetype: "image/png", base64: file, fileName: "nota.png" })).toEqual({
      mimetype: "image/png",
      fileName: "nota.png",
      left: ["base64"],
    });
    expect(interpret(file)).toEqual({ left: ["value"] });
  });

  test("never takes more room than it may, whatever came", () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, subject: "é".repeat(40) }));
    const out = interpret(rows);
    expect(out["count"]).toBe(10_000);
    expect(out["left"]).toEqual(["value"]);
    expect((out["value"] as readonly Json[]).length).toBeGreaterThan(100);
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`${index}${"k".repeat(500)}`, "x"]),
    );
    for (const odd of [rows, wide, [["x".repeat(1e6)]], { a: "x".repeat(16_370) }])
      expect(Buffer.byteLength(JSON.stringify(interpret(odd)))).toBeLessThanOrEqual(
        RESULT_LIMIT_BYTES + 100,
      );
  });
});
