/** The routing table is told to authors as it is. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { routing } from "../../src/engine/index.ts";
import { invoicing } from "../../src/plugins/invoicing/index.ts";

const { readers = [] } = invoicing();

test("flows/README.md tells every row in order, with what it is for and the plugins that it asks", () => {
  const page = readFileSync(new URL("../../flows/README.md", import.meta.url), "utf8");
  const told = [...page.matchAll(/^\| (message|conversation|form|outside) +\|(.*)\|$/gm)].map(
    ([, part = "", cells = ""]) => [part, ...cells.split("|").map((cell) => cell.trim())].join("|"),
  );
  expect(told).toEqual(
    routing(readers).map(({ part, name, what, yields, readers: asked }) =>
      [part, `\`${name}\`${yields ? " *" : ""}`, what, asked.join(", ")].join("|"),
    ),
  );
});

test("a row has one name in its part, and a bot without plugins asks nobody", () => {
  const lines = routing([]);
  expect(new Set(lines.map(({ part, name }) => `${part}.${name}`)).size).toBe(lines.length);
  expect(lines.flatMap((line) => line.readers)).toEqual([]);
});
