/** `prosa flows test --coverage-min`: how much of a flow must be tested, as its author says. */
import pc from "picocolors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printTests, type TestFlags } from "../../src/cli/commands/flows-test.ts";
import { FlowsFolder, words } from "../app/flows-folder.ts";

/** Nobody gets to the inner word: it wants two answers at once. */
const THIN = `import { flow, slot, z } from "prosa";

export default flow(
  "tea",
  { version: 1, title: "tea", audience: "anyone", slots: z.object({ name: slot.text() }) },
  (f, $) => [
    f.ask("name"),
    f.when($.name.is("Ana"), [f.when($.name.is("Bia"), [f.say("bye", { id: "never" })])]),
    f.end(),
  ],
);
`;

const flows = new FlowsFolder();
beforeAll(() => {
  flows.write("tea/flow.ts", THIN);
  flows.write("tea/texts.pt-BR.yaml", words("tea", { name: "Seu nome?" }));
});
afterAll(() => flows.remove());

async function run(min: string | undefined, more: Partial<TestFlags> = {}) {
  const told: string[] = [];
  const terminal = {
    out: (line: string) => void told.push(line),
    say: (line: string) => void told.push(line),
    ...{ isTty: false, colors: pc.createColors(false), stdout: process.stdout },
  };
  const flags: TestFlags = {
    ...{ coverage: false, update: false, json: false, coverageMin: min },
    ...{ format: undefined, channel: undefined, ...more },
  };
  const code = await printTests("tea", flags, terminal, { folder: flows.path });
  return { code, told: told.join("\n") };
}

// Each run loads the kit in a thread of its own.
test("is a failure below what is asked for, by itself at 95 %, and says which flow and how much", async () => {
  const usual = await run(undefined, { coverage: true });
  expect(usual.code).toBe(1);
  const share = Number(/tea: edges (\d+) %/.exec(usual.told)?.[1]);
  expect(share).toBeGreaterThan(10);
  expect(share).toBeLessThan(95);
  expect(usual.told).toContain(`tea: ${share} % of its edges, and at least 95 % are wanted`);
  // Asked for alone, it counts; a share that is reached is no failure.
  const enough = await run(String(share));
  expect(enough.code).toBe(0);
  expect(enough.told).toContain(`tea: edges ${share} %`);
}, 60_000);

test.each(["101", "-1", "most", "", "9.5"])("is a whole percentage, and not %j", async (min) => {
  await expect(run(min)).rejects.toThrow("--coverage-min must be a whole percentage");
});
