/** What the next start takes of the last one: the same content alone, and never what was spoilt. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readSources } from "../../../src/app/loading/flow-files.ts";
import { FlowReader } from "../../../src/app/loading/flow-reader.ts";
import { loadWithHistory } from "../../../src/app/loading/flow-history.ts";
import { Kept } from "../../../src/app/loading/kept.ts";
import { parseCatalogue } from "../../../src/flow/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { asking, FlowsFolder, words } from "../flows-folder.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "prosa-kept-"));
  undo.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("what a start made", () => {
  test("is there for the next one with the same content, as long as each start uses it", () => {
    const file = path.join(folder(), "kept.json");
    let made = 0;
    const start = (content: string): unknown => {
      const kept = new Kept(file);
      const known = kept.find("texts", content);
      if (known === undefined) kept.put("texts", content, { made: (made += 1) });
      kept.save();
      return new Kept(file).find("texts", content);
    };
    expect([start("oi"), start("oi")]).toEqual([{ made: 1 }, { made: 1 }]);
    expect(start("olá")).toEqual({ made: 2 });
    // What the last start did not use is not kept for ever.
    expect(start("oi")).toEqual({ made: 3 });
    expect(new Kept(file).find("flow", "oi")).toBe(undefined);
  });

  test("holds nothing more once it is saved: a process that reads on for weeks does not grow", () => {
    const file = path.join(folder(), "kept.json");
    const kept = new Kept(file);
    kept.put("texts", "oi", 1);
    kept.save();
    kept.put("texts", "olá", 2);
    kept.save();
    expect([kept.find("texts", "oi"), kept.find("texts", "olá")]).toEqual([undefined, undefined]);
    const next = new Kept(file);
    expect([next.find("texts", "oi"), next.find("texts", "olá")]).toEqual([1, undefined]);
  });

  test("is each bot's own, and a relative folder is the same as the whole one", async () => {
    const [home, flows] = [folder(), folder()];
    const start = async (of: string) => {
      const kept = await Kept.of(of, home);
      const known = kept.find("texts", "oi");
      kept.put("texts", "oi", of);
      kept.save();
      return known;
    };
    const other = path.join(flows, "other");
    expect([await start(flows), await start(other)]).toEqual([undefined, undefined]);
    expect(await start(path.relative("", flows))).toBe(flows);
    expect(await start(other)).toBe(other);
  });

  test("is made again when its file is torn, empty or another by a letter, and where nothing can be written", () => {
    const file = path.join(folder(), "kept.json");
    const keep = (at: string): void => {
      const kept = new Kept(at);
      kept.put("texts", "oi", { goto: "approve" });
      kept.save();
    };
    keep(file);
    const whole = readFileSync(file, "utf8");
    expect(new Kept(file).find("texts", "oi")).toEqual({ goto: "approve" });
    for (const torn of [
      "",
      '{"texts',
      "null",
      "7",
      whole.slice(0, -9),
      whole.replace("ove", "ovf"),
    ]) {
      writeFileSync(file, torn);
      expect(new Kept(file).find("texts", "oi")).toBe(undefined);
    }
    keep(path.join(file, "beneath-a-file"));
    expect(readdirSync(path.dirname(file))).toEqual(["kept.json"]);
  });

  test("of texts is what was read, and where it stands; what is wrong is read again, with the file it is in now", () => {
    const file = path.join(folder(), "kept.json");
    const text = words("one", { name: "Qual o nome?" });
    const first = new Kept(file);
    const read = first.catalogue(text, "a.yaml");
    expect(read).toStrictEqual(parseCatalogue(text, "a.yaml"));
    for (const name of ["one.yaml", "two.yaml"])
      expect(first.catalogue("locale: xx\n", name)).toMatchObject({
        ...{ ok: false, findings: [{ file: name }] },
      });
    first.save();
    expect(readFileSync(file, "utf8").split('"catalogue ')).toHaveLength(2);
    expect(new Kept(file).catalogue(text, "a.yaml")).toStrictEqual(read);
  });
});

test("is taken and kept without a reader that was given, too", async () => {
  const flows = new FlowsFolder();
  undo.push(() => flows.remove());
  flows.write("one/flow.ts", asking("one", ["name"]));
  const file = path.join(folder(), "kept.json");
  const kept = new Kept(file);
  const { flows: first } = await readSources(flows.path, undefined, kept);
  kept.save();
  expect(readFileSync(file, "utf8").match(/"flow [0-9a-f]{64}"/g)).toHaveLength(1);
  const next = new Kept(file);
  const find = vi.spyOn(next, "find");
  expect((await readSources(flows.path, undefined, next)).flows).toEqual(first);
  expect(find.mock.results).toContainEqual({ type: "return", value: first[0]?.ast });
}, 60_000);

describe("a second start", () => {
  test("tells what is wrong with a flow like the first, where it stands now", async () => {
    const file = path.join(folder(), "kept.json");
    const store = await openStore({
      dataDir: folder(),
      keys: `k:${Buffer.alloc(32).toString("base64")}`,
    });
    undo.push(() => store.close());
    const flows = new FlowsFolder();
    undo.push(() => flows.remove());
    const texts = words("one", { name: "Qual o nome de {{person}}?" });
    flows.write("one/flow.ts", asking("one", ["name"]));
    flows.write("one/texts.pt-BR.yaml", texts);
    flows.write("two/flow.ts", asking("two", ["name"]));
    flows.write("two/texts.pt-BR.yaml", words("two", { name: "Qual o nome?" }));
    const start = async () => {
      const kept = new Kept(file);
      const reader = new FlowReader({ kept });
      const read = (flow: string) => reader.read(flow);
      const { library } = await loadWithHistory(store, { folder: flows.path, read, kept });
      await reader.close();
      return { findings: library.findings, flows: library.list().map(({ flow }) => flow) };
    };

    const first = await start();
    expect(first.findings.map(({ severity, line }) => [severity, line])).toContainEqual([
      ...["error", 7],
    ]);
    expect(first.flows).toEqual(["two"]);
    expect(await start()).toEqual(first);
    // The same texts a line further down.
    flows.write("one/texts.pt-BR.yaml", `# Palavras\n${texts}`);
    const moved = await start();
    expect(moved.findings.map(({ severity, line }) => [severity, line])).toContainEqual([
      ...["error", 8],
    ]);
    flows.write("one/texts.pt-BR.yaml", words("one", { name: "Qual o nome?" }));
    expect(await start()).toEqual({ findings: [], flows: ["one", "two"] });
    flows.write("two/flow.ts", "throw new Error('no good');\n");
    expect((await start()).flows).toEqual(["one"]);
  }, 60_000);
});
