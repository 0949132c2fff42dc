/** The two minutes of `flows/README.md`, on a copy of the flows: a new one, its check, its chart, a chat with it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { programFile, prosa as command } from "../support/prosa.ts";
import { fencesOf, ROOT } from "./fences.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const house = mkdtempSync(path.join(tmpdir(), "prosa-docs-"));
const fences = fencesOf("flows/README.md").filter(({ arg }) => arg === "coffee");
/** The first chat is what `flows new` writes. */
const annotated = fences.filter(({ lang }) => lang === "chat").slice(1);

let program: string;
beforeAll(async () => {
  program = await programFile();
  cpSync(path.join(ROOT, "flows"), path.join(house, "flows"), { recursive: true });
});
afterAll(() => rmSync(house, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The copy's flows; port 0 is nobody's, so a chat cannot attach to a server that runs here. */
const env = { HOME: house, PORT: "0", PROSA_FLOWS_DIR: path.join(house, "flows") };

/** A command on the copy's flows, by the program as one file: each start from the sources costs three times as much. */
async function prosa(args: readonly string[], input = ""): Promise<Ended> {
  const run = command(args, env, program);
  run.child.stdin?.end(input);
  const code = await run.ended;
  return { code, out: run.told(), err: run.warned() };
}

describe("flows new coffee", () => {
  test("writes what the README shows", async () => {
    const made = await prosa(["flows", "new", "coffee"]);
    expect(made).toMatchObject({
      code: 0,
      err: "Next: npm start, open the console and write “coffee”.\n",
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
    expect((await prosa(["flows", "new", "coffee"])).err).toMatch(/exists already/);
    expect((await prosa(["flows", "new", "Co/ffee"])).err).toMatch(/no flow id/);
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
    expect(await prosa(["flows", "check"])).toMatchObject({ code: 0, err: "No findings.\n" });
    expect((await prosa(["flows", "list"])).out).toMatch(/^coffee +anyone +[0-9a-f]{8} +coffee$/m);
    expect((await prosa(["flows", "graph", "coffee", "--format", "tree"])).out).toMatch(
      /^\? name/m,
    );
    expect((await prosa(["flows", "test", "coffee"])).out).toBe(
      `${annotated.length + 1} passed, 0 failed\n`,
    );
  });

  test("can be chatted with at once", async () => {
    const { code, out } = await prosa(["chat"], "coffee\nMaria Souza\n");
    expect(code).toBe(0);
    expect(out).toMatch(
      /> coffee\n│ Qual o seu nome\?[\s\S]*> Maria Souza\n│ Obrigado, Maria Souza!/,
    );
  });
});
