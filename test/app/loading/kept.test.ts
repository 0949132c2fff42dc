import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ROOMS } from "../../../src/app/loading/build.ts";
import { flowFolders, readHere } from "../../../src/app/loading/flow-files.ts";
import { loadWithHistory } from "../../../src/app/loading/flow-history.ts";
import { Kept } from "../../../src/app/loading/kept.ts";
import { keptFlow } from "../../../src/app/loading/kept-flows.ts";
import { parseFlow } from "../../../src/flow/index.ts";
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

describe("what a start worked out", () => {
  test("is used by the next one of this build, for the same content of the same flows only", () => {
    const home = folder();
    let made = 0;
    const start = (content: string, build = "0000000000000001", flows = "/flows"): unknown => {
      const kept = new Kept(flows, { build, home });
      const value = kept.of("texts", content, () => ({ made: (made += 1) }));
      kept.save();
      return value;
    };

    expect(start("oi")).toEqual({ made: 1 });
    expect(start("oi")).toEqual({ made: 1 });
    expect(start("olá")).toEqual({ made: 2 });
    // What the last start did not use is not kept for ever.
    expect(start("oi")).toEqual({ made: 3 });
    expect(start("oi", "0000000000000002")).toEqual({ made: 4 });
    expect(start("oi", "0000000000000001", "/others")).toEqual({ made: 5 });
    expect(start("oi")).toEqual({ made: 3 });
  });

  test("is made again when its file is torn or empty, and where nothing can be written", () => {
    const home = folder();
    const start = (at = home): unknown => {
      const kept = new Kept("/flows", { build: "0000000000000001", home: at });
      const value = kept.of("texts", "oi", () => "made");
      kept.save();
      return value;
    };
    start();
    const [name = ""] = readdirSync(home);
    for (const torn of ["", '{"texts', "null", "7"]) {
      writeFileSync(path.join(home, name), torn);
      expect(start()).toBe("made");
    }
    expect(start(path.join(home, name, "beneath-a-file"))).toBe("made");
  });

  test("is made again when a letter of it is another, though it can be read", () => {
    const home = folder();
    const start = (): unknown => {
      const kept = new Kept("/flows", { build: "0000000000000001", home });
      const value = kept.of("texts", "oi", () => ({ goto: "approve" }));
      kept.save();
      return value;
    };
    start();
    const [name = ""] = readdirSync(home);
    const whole = readFileSync(path.join(home, name), "utf8");
    expect(whole).toContain("approve");
    writeFileSync(path.join(home, name), whole.replace("approve", "approvf"));
    expect(start()).toEqual({ goto: "approve" });
    expect(readFileSync(path.join(home, name), "utf8")).toBe(whole);
  });

  test("never grows past a dozen builds", () => {
    const home = folder();
    for (let build = 0; build < 20; build += 1) {
      const kept = new Kept("/flows", { build: `00000000000000${10 + build}`, home });
      kept.of("texts", "oi", () => "made");
      kept.save();
    }
    expect(readdirSync(home).length).toBe(12);
  });
});

describe("a flow.yaml", () => {
  const texts = flowFolders().flatMap((one) => {
    const file = path.join(one, "flow.yaml");
    return existsSync(file) ? [readFileSync(file, "utf8")] : [];
  });

  test("is kept, and comes back as it was read: itself, and where its parts stand", () => {
    const home = folder();
    const start = (): Kept => new Kept("/flows", { build: "0000000000000001", home });
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      const first = start();
      const read = keptFlow(first, text, "flow.yaml");
      expect(read).toStrictEqual(parseFlow(text, "flow.yaml"));
      first.save();
      // Whoever has it needs not read it again.
      const [name = ""] = readdirSync(home);
      expect(readFileSync(path.join(home, name), "utf8")).toContain('"flow ');
      const again = keptFlow(start(), text, "flow.yaml");
      if (!read.ok || !again.ok) throw new Error("a shipped flow cannot be read");
      expect(again.ast).toStrictEqual(read.ast);
      expect([...again.places]).toStrictEqual([...read.places]);
      rmSync(path.join(home, name));
    }
  });

  test("that cannot be read is read again, and told with the file it stands in now", () => {
    const home = folder();
    for (const file of ["one/flow.yaml", "two/flow.yaml"]) {
      const kept = new Kept("/flows", { build: "0000000000000001", home });
      const read = keptFlow(kept, "flow: One\nsteps: []\n", file);
      kept.save();
      expect(read).toMatchObject({ ok: false, findings: [{ file }] });
    }
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("a build", () => {
  test("is another one with a change in anything that reads, checks or compiles flows", () => {
    const sources = path.resolve(import.meta.dirname, "../../../src");
    const seen = new Set<string>();
    const walk = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const imports = /^(?:import|export)(?!\s+type)[^;]*?from\s+"(\.[^"]+)"/gms;
      for (const [, name = ""] of readFileSync(file, "utf8").matchAll(imports))
        walk(path.resolve(path.dirname(file), name));
    };
    walk(path.join(sources, "app", "loading", "flow-files.ts"));
    const rooms = new Set([...seen].map((file) => path.relative(sources, file).split(path.sep)[0]));
    expect(rooms.size).toBeGreaterThan(5);
    expect([...rooms].filter((room) => !ROOMS.includes(room ?? ""))).toEqual([]);
  });
});

describe("a second start", () => {
  test("tells what is wrong with a flow like the first, where it stands now", async () => {
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
      const { library } = await loadWithHistory(store, { folder: flows.path, read: readHere });
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
  });
});
