/** How the path to a property that does not hold is told. */
import { expect, test } from "vitest";
import type { FlowEvent } from "../../src/engine/index.ts";
import { Ground } from "../../src/flow/proof/property-place.ts";
import { CONTEXT, library } from "./fixtures/world.ts";

test("each event is told by its type and what it is about, an edit of nothing by its type alone", () => {
  const program = library().get("request-sample");
  if (!program) throw new Error("the sample does not load");
  let told: readonly string[] = [];
  const events: readonly FlowEvent[] = [
    { type: "ANSWER", values: { name: "Ana", value: 1 } },
    { type: "EDIT", slots: ["name", "value"] },
    { type: "EDIT", slots: [] },
    { type: "BACK" },
  ];
  class Place extends Ground {
    tell(): void {
      this.path = events;
      this.broken("never throws", "name", "");
    }
  }
  new Place(program, CONTEXT, ({ path }) => (told = path)).tell();
  expect(told).toEqual(["ANSWER name,value", "EDIT name,value", "EDIT", "BACK"]);
});
