/** The two minutes of `flows/README.md`, on a copy of the flows: a new one, its check, its chart, a chat with it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ran } from "../cli/in-process.ts";
import { programFile, prosa as command } from "../support/prosa.ts";
import { fencesOf, ROOT } from "./fences.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const house = mkdtempSync(path.join(tmpdir(), "prosa-docs-"));
const fences = fencesOf("flows/README.md").filter(({ arg }) => arg === "coffee");
/** The first chat is what `flows new` writes. */
const annotated = fences.filter(({ lang }) => lang === "chat").slice(1);

const folder = path.join(house, "flows");
beforeAll(() => {
  cpSync(path.join(ROOT, "flows"), folder, { recursive: true });
  vi.stubEnv("PROSA_FLOWS_DIR", folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(house, { recursive: true, force: true });
});

describe("flows new coffee", () => {
  test("writes what the README shows", async () => {
    const made = await ran(["flows", "new", "coffee"]);
    expect(made).toMatchObject({
      code: 0,
      said: "Next: npm start, open the console and write “coffee”.\n",
    });
    const texts = made.out
      .trim()
      .split("\n")
      .map((name) => readFileSync(path.resolve(house, name), "utf8"));
    const shown = fences.filter(({ lang }) => ["ts", "yaml", "chat"].includes(lang));
    // The chats behind the first are of what chat files can say.
    expect(
      shown
        .filter((fence) => !annotated.includes(fence))
        .map(({ code }) => code)
        .sort(),
    ).toEqual(texts.sort());
  });

  test("refuses a name that is taken or is none", async () => {
    expect((await ran(["flows", "new", "coffee"])).said).toMatch(/exists already/);
    expect((await ran(["flows", "new", "Co/ffee"])).said).toMatch(/no flow id/);
  });

  test("has no finding, a chart, and plays its own chat file and the README's", async () => {
    expect(annotated.length).toBeGreaterThan(0);
    for (const [at, { code }] of annotated.entries())
      writeFileSync(path.join(house, `flows/coffee/chats/annotated-${at}.chat`), code);
    // What `! deploy coffee@next` names stands beside the chats.
    const revision = fencesOf("flows/README.md").find(({ arg }) => arg === "coffee@next");
    mkdirSync(path.join(house, "flows/coffee/chats/next"));
    writeFileSync(path.join(house, "flows/coffee/chats/next/flow.yaml"), revision?.code ?? "");
    for (const texts of ["texts.pt-BR.yaml", "texts.en.yaml"])
      cpSync(
        path.join(house, "flows/coffee", texts),
        path.join(house, "flows/coffee/chats/next", texts),
      );
    expect(await ran(["flows", "check"])).toMatchObject({ code: 0, said: "No findings.\n" });
    expect((await ran(["flows", "list"])).out).toMatch(/^coffee +anyone +[0-9a-f]{8} +coffee$/m);
    expect((await ran(["flows", "graph", "coffee", "--format", "tree"])).out).toMatch(/^\? name/m);
    expect((await ran(["flows", "test", "coffee"])).out).toBe(
      `${annotated.length + 1} passed, 0 failed\n`,
    );
  });

  test("can be chatted with at once", async () => {
    // Port 0 is nobody's, so a chat cannot attach to a server that runs here.
    const env = { HOME: house, PORT: "0", PROSA_FLOWS_DIR: folder };
    const run = command(["chat"], env, await programFile());
    run.child.stdin?.end("coffee\nMaria Souza\n");
    expect(await run.ended).toBe(0);
    expect(run.told()).toMatch(
      /> coffee\n│ Qual o seu nome\?[\s\S]*> Maria Souza\n│ Obrigado, Maria Souza!/,
    );
  });
});
