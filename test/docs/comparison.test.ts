/** The table of "Beside others" in `flows/README.md`: lines are counted, what raw XState does is run. */
import { describe, expect, test } from "vitest";
import { fencesOf, textOf } from "./fences.ts";

const FOLDER = "test/bench/peers/small-flow";
const table = /\| \| lines \|[\s\S]*?\n\n/.exec(textOf("flows/README.md"))?.[0] ?? "";

/** Lines that are neither empty nor comment. */
function lines(code: string): number {
  return code.split("\n").filter((line) => !/^\s*(\/\/|\/\*|\*|#|$)/.test(line)).length;
}
function shown(who: string): number {
  return Number(new RegExp(`^\\| ${who}[^|]*\\| (\\d+)`, "m").exec(table)?.[1]);
}

describe("the comparison in flows/README.md", () => {
  test("counts the lines that stand in the files", () => {
    const [ts, yaml] = ["ts", "yaml"].map((lang) =>
      fencesOf("flows/README.md").find(
        (fence) => fence.lang === lang && fence.role === "flow" && fence.arg === "quick-note",
      ),
    );
    expect(shown("Prosa, TypeScript")).toBe(lines(ts?.code ?? ""));
    expect(shown("Prosa, YAML")).toBe(lines(yaml?.code ?? ""));
    expect(shown("grammY conversations")).toBe(lines(textOf(`${FOLDER}/grammy.js`)));
    expect(shown("raw XState")).toBe(lines(textOf(`${FOLDER}/xstate.js`)));
    expect(shown("BuilderBot")).toBe(lines(textOf(`${FOLDER}/builderbot.js`)));
    expect(shown("Rasa")).toBe(lines(textOf(`${FOLDER}/rasa.yml`)));
  });

  test("tells what raw XState does when the answer of its call is lost: it calls twice", async () => {
    const { playXState } = (await import(`../bench/peers/small-flow/${"play.js"}`)) as {
      playXState: () => Promise<{
        said: readonly { line: string; said: readonly string[] }[];
        issued: readonly unknown[];
      }>;
    };
    const { said, issued } = await playXState();
    const answer = (line: string) => said.find((one) => one.line === line)?.said;
    expect(answer("529.982.247-25 150 reais")).toEqual(["Esse CPF não confere."]);
    expect(answer("o valor é 200")?.[0]).toContain("R$ 150,00");
    expect(said.at(-1)?.said).toEqual(["Nota 2 emitida."]);
    expect(issued).toHaveLength(2);
  });
});
