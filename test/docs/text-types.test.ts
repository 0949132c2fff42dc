import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { declarations, routeTypes } from "../../src/app/authoring/declarations.ts";
import { textTypes } from "../../src/flow/index.ts";
import { asking, FlowsFolder, words } from "../app/flows-folder.ts";
import { type FlowCode, typeErrors } from "./flow-code.ts";

const REGISTRY = (texts: string) => `${texts}
declare module "prosa" {
  interface FlowRegistry {
    flows: { "talk-to-human": { outcomes: never } };
  }
}
`;
const code = (key: string): FlowCode => ({
  ...{ place: "a flow", file: new URL("../../flows/typed/flow.ts", import.meta.url).pathname },
  code: `import { flow, z } from "prosa";
export default flow("typed", { version: 1, slots: z.object({}) }, (f) => [f.say("${key}"), f.end()]);
`,
  ast: {} as FlowCode["ast"],
});

describe("the generated flows/texts.d.ts", () => {
  test("lets a text of the catalogues compile, and no other", () => {
    const types = textTypes(
      new Map([
        ["typed", { "pt-BR": { locale: "pt-BR", say: { hello: "Oi" } } }],
        ["bare", {}],
      ]),
    );
    expect(types).toContain('"bare": { say: never; ask: never; confirm: never };');
    expect(typeErrors([code("hello")], REGISTRY(types))).toEqual([]);
    expect(typeErrors([code("helo")], REGISTRY(types)).join()).toMatch(
      /"helo".*not assignable.*"hello"/,
    );
  });
});

test("the declaration files of a folder are written where they differ", () => {
  const folder = new FlowsFolder();
  onTestFinished(() => folder.remove());
  folder.write("coffee/flow.ts", asking("coffee", ["name"]));
  folder.write("coffee/texts.pt-BR.yaml", words("coffee", { name: "Seu nome?" }));
  const gateway = folder.write("gateway.d.ts", "// an older contract\n");
  const texts = path.join(folder.path, "texts.d.ts");

  expect(declarations(folder.path)).toEqual([texts, gateway]);
  expect(readFileSync(texts, "utf8")).toContain('"coffee": { say: "bye"; ask: "name";');
  expect(readFileSync(gateway, "utf8")).toBe(routeTypes());
  expect(declarations(folder.path)).toEqual([]);
});
