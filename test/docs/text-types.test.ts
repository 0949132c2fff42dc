/** The declaration files that the command line writes beside flows. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { declarations, routeTypes } from "../../src/app/authoring/declarations.ts";
import { asking, FlowsFolder, words } from "../app/flows-folder.ts";

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
