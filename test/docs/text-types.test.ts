import { describe, expect, test } from "vitest";
import { textTypes } from "../../src/flow/index.ts";
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
