/** A session that an older build stored, in a build that changed its shape twice since. */
import { expect, test } from "vitest";
import type { Json } from "../../src/base/index.ts";
import { restoreSession, SESSION_SCHEMA } from "../../src/engine/index.ts";
import { leave, type Session, upgraded } from "../../src/engine/session/session.ts";
import { CUSTOMER, Town } from "./town.ts";

type Shape = Readonly<Record<string, never>>;
const STEPS = [
  // A field is added, then another one is called otherwise.
  (old: object) => ({ ...(old as Shape), mood: "calm" }),
  (old: object) => {
    const { mood, ...rest } = old as Shape;
    if (mood === undefined) throw new Error("there was no mood");
    return { ...rest, feeling: mood };
  },
];

test("goes through every step since, in order, and keeps what no step touches", () => {
  const heard = { heard: ["oi"] };
  expect(upgraded({ schema: 1, ...heard }, STEPS)).toEqual({
    ...{ schema: 3, ...heard, feeling: "calm" },
  });
  expect(upgraded({ schema: 2, mood: "glad" }, STEPS)).toEqual({ schema: 3, feeling: "glad" });
  expect(upgraded({ schema: 3, feeling: "glad" }, STEPS)).toEqual({ schema: 3, feeling: "glad" });
});

test("is newer when its shape is past the last step, unreadable when it has none or a step fails", () => {
  expect(upgraded({ schema: 4 }, STEPS)).toBe("newer");
  for (const stored of [null, [], "x", {}, { schema: 0 }, { schema: 1.5 }, { schema: "1" }])
    expect(upgraded(stored, STEPS)).toBe("unreadable");
  // Shape 2 without what shape 2 had.
  expect(upgraded({ schema: 2 }, STEPS)).toBe("unreadable");
});

test("of this build's own shape is what it was, and a shape nobody made yet is left alone", () => {
  const town = new Town();
  town.talks(CUSTOMER, ["oi"]);
  const stored = JSON.parse(JSON.stringify(town.sessions.get(CUSTOMER))) as { schema: number };
  expect(stored.schema).toBe(SESSION_SCHEMA);
  expect(restoreSession(stored)).toEqual(stored);
  expect(restoreSession({ ...stored, schema: SESSION_SCHEMA + 1 })).toBe("newer");
});

test("is believed unread only as the very object a turn left, and only once nobody can change it", () => {
  const town = new Town();
  town.talks(CUSTOMER, ["oi"]);
  const stored = JSON.parse(JSON.stringify(town.sessions.get(CUSTOMER))) as Session;
  const session = leave(stored) as unknown as Record<string, Json>;
  const rev = session["rev"] ?? null;
  session["rev"] = "three";
  expect(restoreSession(session)).toBe("unreadable");
  session["rev"] = rev;
  Object.freeze(session);
  expect(restoreSession(session)).toBe(session);
  expect(restoreSession(Object.freeze({ ...session, rev: "three" }))).toBe("unreadable");
});
