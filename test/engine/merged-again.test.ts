/** A merge that a crash cut off is done again, and may bring a conversation that is part of this one already. */
import { expect, test } from "vitest";
import type { Mail } from "../../src/engine/index.ts";
import { CUSTOMER, SECOND, TO_SUMMARY, Town } from "./town.ts";

test("a conversation that joined this one joins it once, however often it is brought", () => {
  const town = new Town();
  town.talks(CUSTOMER, [...TO_SUMMARY.slice(0, 2)]);
  const session = JSON.parse(JSON.stringify(town.sessions.get(CUSTOMER))) as never;
  const joined: Mail = { kind: "joined", from: CUSTOMER, session };
  town.says(SECOND, "oi");
  town.deliver(SECOND, joined);
  const once = town.sessions.get(SECOND);
  expect(once?.joined).toHaveLength(1);

  // At once, and when it was taken along by a second merge.
  town.deliver(SECOND, joined, { ...joined, via: "c3".padEnd(32, "0") } as Mail);
  const { rev: _rev, ...again } = town.sessions.get(SECOND) ?? {};
  const { rev: _was, ...before } = once ?? {};
  expect(again).toEqual(before);
});
