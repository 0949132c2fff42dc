/** What counts as found in a scene around a note. */
import { expect, test } from "vitest";
import { judged } from "./scenes.ts";
import type { Stage } from "./stage.ts";

test("a scene that breaks down finds nothing: it fails the run, and its stage is closed", async () => {
  let closed = 0;
  const stage = {
    close: () => {
      closed += 1;
      return Promise.resolve();
    },
  } as unknown as Stage;
  const late = (): Promise<never> => Promise.reject(new Error("the note did not come in time"));
  await expect(judged(stage, late)).rejects.toThrow("the note did not come in time");
  expect(closed).toBe(1);
});
