/** `prosa flows …` on a folder in which some files are wrong: none takes the command down. */
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asking, FlowsFolder, words } from "../app/flows-folder.ts";
import { programFile, prosa } from "../support/prosa.ts";
import { ran } from "./in-process.ts";

// Each process that meets a file without end waits for it.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ASKS = { name: "Seu nome?" };
const CHAT = `# A name
@flow coffee

> coffee
< Seu nome?
< …
> Maria Souza
< Até logo.
`;

const flows = new FlowsFolder();
beforeAll(() => {
  flows.write("coffee/flow.ts", asking("coffee", ["name"], "name"));
  flows.write("coffee/texts.pt-BR.yaml", words("coffee", ASKS));
  flows.write("coffee/texts.en.yaml", words("coffee", ASKS).replace("pt-BR", "en"));
  flows.write("coffee/chats/name.chat", CHAT);
  flows.write("exits/flow.ts", "process.exit(0);\n");
  flows.write("throws/flow.ts", `const x = 1;\n\nthrow new Error(\`no good \${x}\`);\n`);
});
afterAll(() => {
  flows.remove();
  vi.unstubAllEnvs();
});

async function run(folder: string, ...args: string[]) {
  vi.stubEnv("PROSA_FLOWS_DIR", folder);
  const { code, out: told, said } = await ran(["flows", ...args]);
  return { code, told, output: told + said };
}

test("catalogues that nobody reads are told, and keep no flow out", async () => {
  const flows = new FlowsFolder();
  onTestFinished(() => flows.remove());
  flows.write("coffee/flow.ts", asking("coffee", ["name"], "name"));
  flows.write("coffee/texts.pt-BR.yaml", words("coffee", ASKS));
  flows.write("coffee/texts.en.yaml", words("coffee", ASKS).replace("pt-BR", "en"));
  flows.write("coffee/texts.fr.yaml", "locale: fr\n");
  flows.write("texts.pt.yaml", "locale: pt\n");
  const { code, told, output } = await run(flows.path, "check");
  expect(told + output).toMatch(
    /coffee\/texts\.fr\.yaml \[text\/file\] is not read: no catalogue has this name\./,
  );
  expect(told + output).toMatch(
    /texts\.pt\.yaml \[text\/file\] is not read.*Rename it to one of texts\.pt-BR\.yaml, texts\.en\.yaml\./,
  );
  expect(code).toBe(0);
});

describe("a folder in which files throw and end their process", () => {
  test("is listed and checked: each bad file is told with its line, the others as ever, exit code 1", async () => {
    const [list, check] = await Promise.all([
      run(flows.path, "list"),
      run(flows.path, "check", "--format", "json"),
    ]);
    expect(list).toMatchObject({
      code: 1,
      told: expect.stringMatching(/^coffee +anyone/) as string,
    });
    expect(list.output).toMatch(/throws\/flow\.ts:3:7 \[flow\/unreadable\] no good 1/);
    expect(check.code).toBe(1);
    const { findings, costs } = JSON.parse(check.told) as {
      findings: { flow: string; line?: number; message: string }[];
      costs: { flow: string }[];
    };
    expect(findings.map(({ flow, line, message }) => [flow, line, message])).toEqual([
      ["exits", undefined, "ended its process while it was read"],
      ["throws", 3, "no good 1"],
    ]);
    expect(costs.map(({ flow }) => flow)).toEqual(["coffee"]);
  });

  test("is tested: the good flow's chat is played, a bad file is a failed test", async () => {
    const { code, told, output } = await run(flows.path, "test");
    expect(code).toBe(1);
    expect(output).toMatch(/ok .*coffee\/chats\/name\.chat/);
    expect(output).toMatch(/no .*exits\/flow\.ts: .*\n.*ended its process/);
    expect(told).toContain("1 passed, 2 failed");
  });

  test("draws the good flow; of a bad one it says what is wrong with it", async () => {
    const [good, bad, none] = await Promise.all([
      run(flows.path, "graph", "coffee"),
      run(flows.path, "graph", "throws"),
      run(flows.path, "graph", "tea"),
    ]);
    expect(good).toMatchObject({ code: 0, told: expect.stringContaining("name") as string });
    expect([bad.code, bad.told]).toEqual([1, ""]);
    expect(bad.output).toMatch(/throws\/flow\.ts:3:7 \[flow\/unreadable\] no good 1/);
    expect(none.code).toBe(1);
    expect(none.output).toContain("There is no flow tea (there are: coffee).");
  });
});

test("a file that never ends is a finding after five seconds, and one that ends its process ends no command", async () => {
  const folder = new FlowsFolder();
  folder.write("loops/flow.ts", "for (;;) {}\n");
  folder.write("exits/flow.ts", "process.exit(0);\n");
  try {
    const process = prosa(
      ["flows", "check"],
      { PROSA_FLOWS_DIR: folder.path },
      await programFile(),
    );
    expect(await process.ended).toBe(1);
    expect(process.told()).toMatch(/exits\/flow\.ts .*ended its process while it was read/);
    expect(process.told()).toMatch(
      /loops\/flow\.ts \[flow\/unreadable\] does not end within 5000 ms/,
    );
  } finally {
    folder.remove();
  }
});

test("the shipped flows are without a finding, exit code 0; wrong words are exit code 2", async () => {
  const shipped = path.resolve(import.meta.dirname, "../../flows");
  const [good, wrong, format] = await Promise.all([
    run(shipped, "check"),
    run(shipped, "chek"),
    run(shipped, "check", "--format", "xml"),
  ]);
  expect([good.code, good.output]).toEqual([0, expect.stringContaining("No findings.")]);
  expect([wrong.code, format.code]).toEqual([2, 2]);
});

test("a new flow is made in the folder that is served", async () => {
  const folder = new FlowsFolder();
  try {
    const made = await run(folder.path, "new", "iced-tea");
    const list = await run(folder.path, "list");
    expect([made.code, list.code]).toEqual([0, 0]);
    expect(made.told).toContain(path.join(folder.path, "iced-tea", "flow.ts"));
    expect(made.output).toContain("write “iced tea”");
    expect(list.told).toMatch(/^iced-tea/);
  } finally {
    folder.remove();
  }
});
