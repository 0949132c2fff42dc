/** What is kept of which message answered what: enough for an edit, little for a contact in the middle of a form. */
import { expect, test } from "vitest";
import {
  remember,
  REMEMBERED,
  renameFrames,
  renameSlots,
  slotsGiven,
  tidy,
} from "../../../src/engine/arrival/recent-messages.ts";
import type { Session } from "../../../src/engine/session/session.ts";

type Kept = Pick<Session, "given" | "frames" | "requests">;

function session(...frames: string[]): Kept {
  return { frames: frames.map((id) => ({ id }) as Session["frames"][number]), requests: [] };
}

const ID = "wamid.HBgNNTUxMTk3MDAwMDAwNxUCABIYFDNFQjA1QzE2QjRBNzQ1RjY4RTY3AA==";

test("a message is found by its id, in the frame that it answered and no other", () => {
  const kept = session("f1", "f2");
  remember(kept, [ID, "3EB0AA"], "f1", ["value", "date"]);
  expect(slotsGiven(kept, "f1", ID)).toEqual(["value", "date"]);
  expect(slotsGiven(kept, "f1", "3EB0AA")).toEqual(["value", "date"]);
  expect(slotsGiven(kept, "f2", ID)).toEqual([]);
  expect(slotsGiven(kept, "f1", "3EB0AB")).toEqual([]);
});

test("what a message gave last counts", () => {
  const kept = session("f1");
  remember(kept, [ID], "f1", ["value"]);
  remember(kept, [ID], "f1", ["name"]);
  expect(kept.given).toHaveLength(1);
  expect(slotsGiven(kept, "f1", ID)).toEqual(["name"]);
});

test("the last twenty are kept, and take no more than 600 bytes whatever the ids", () => {
  const kept = session("f1");
  for (let index = 0; index < 3 * REMEMBERED; index++)
    remember(kept, [`${ID}${index}`], "f1", ["description"]);
  expect(kept.given).toHaveLength(REMEMBERED);
  expect(slotsGiven(kept, "f1", `${ID}${2 * REMEMBERED}`)).toEqual(["description"]);
  expect(slotsGiven(kept, "f1", `${ID}${2 * REMEMBERED - 1}`)).toEqual([]);
  expect(JSON.stringify(kept.given).length).toBeLessThan(600);
});

test("nothing is remembered of a turn without a message", () => {
  const kept = session("f1");
  remember(kept, [], "f1", ["value"]);
  expect(kept.given).toBeUndefined();
});

test("slots and frames are found under their new names", () => {
  const kept = session("f1", "f2");
  remember(kept, ["a"], "f1", ["value", "gone"]);
  remember(kept, ["b"], "f2", ["value"]);
  renameSlots(kept, "f1", (name) => (name === "gone" ? undefined : `${name}-2`));
  expect(slotsGiven(kept, "f1", "a")).toEqual(["value-2"]);
  expect(slotsGiven(kept, "f2", "b")).toEqual(["value"]);
  kept.given = renameFrames(kept.given ?? [], (frame) => `other.${frame}`);
  expect(slotsGiven(kept, "other.f1", "a")).toEqual(["value-2"]);
});

test("what an ended frame was given is left out", () => {
  const kept = session("f1");
  remember(kept, ["a"], "f1", ["value"]);
  remember(kept, ["b"], "f2", ["value"]);
  tidy(kept);
  expect(kept.given).toHaveLength(1);
  kept.frames = [];
  tidy(kept);
  expect(kept).not.toHaveProperty("given");
});
