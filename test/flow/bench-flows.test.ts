/** The flows that only the benchmarks load: no other test would see that lint has come to refuse them. */
import { expect, test } from "vitest";
import { forms } from "../bench/message/form-flow.ts";
import { LENGTHS } from "../bench/message/form.ts";
import { ASKS, longFlow } from "../bench/long-flow.ts";

test.each(ASKS)(
  "the flow of bench:answer with %i questions compiles, without a finding",
  (asks) => {
    const library = longFlow(asks);
    expect(library.findings).toEqual([]);
    expect(Object.keys(library.get("long")?.machine.config.states ?? {})).toContain(`q${asks - 1}`);
  },
);

test("the forms of npm run bench compile beside the shipped flows, without an error", async () => {
  const library = await forms();
  for (const length of LENGTHS)
    expect(library.get(`form-${length}`)?.machine.config.id).toBe(`form-${length}`);
});
