/** `src/gateway/README.md`: its code compiles and runs. `src/gateway/routes.md`: its table is the contract's. */
import { expect, test } from "vitest";
import { routes } from "../../src/gateway/index.ts";
import { stage } from "../sandbox/stage.ts";
import { fencesOf, textOf } from "./fences.ts";
import { callsOfTheReadme, entries } from "./gateway-example.ts";
import { GATEWAY_ROUTES, gatewayTable, splitAtMarkers, summaries } from "./gateway-table.ts";

const README = "src/gateway/README.md";

test("the table of routes is what the contract says now", () => {
  const { between } = splitAtMarkers(textOf(GATEWAY_ROUTES));

  expect(between, "run: npm run docs:gateway").toBe(gatewayTable());
  for (const route of routes) expect(between).toContain(`| \`${route.id}\` |`);
});

test("every entry of the contract says in its comment what it does, and the table has that sentence", () => {
  const told = summaries();

  expect([...told.keys()].sort()).toEqual(routes.map((route) => route.id).sort());
  for (const [id, sentence] of told) expect(sentence, id).toMatch(/^[A-Z].{7,}[^.]$/);
});

test("the code of the README is the compiled one, and runs", async () => {
  const compiled = new Map(
    [
      ...textOf("test/docs/gateway-example.ts").matchAll(
        /^ *\/\/ -- (\w+)\n([\s\S]*?)^ *\/\/ --$/gm,
      ),
    ].map(([, name = "", code = ""]) => [name, code.replace(/^ {2}/gm, "")]),
  );
  const shown = fencesOf(README).filter((fence) => fence.lang === "ts");
  expect(shown.map((fence) => fence.arg)).toEqual(["calls", "entry"]);
  for (const fence of shown) expect(fence.code, fence.place).toBe(compiled.get(fence.arg));

  expect(entries.sendList.dagger).toBe(true);
  const sandbox = await stage();
  const base = `${sandbox.sandbox.url()}/api/v2`;
  const kinds = await callsOfTheReadme(base, "sandbox-token", "sandbox-device");
  expect([kinds[0], kinds[1], kinds[3]]).toEqual(["ok", "ok", "ok"]);
  await sandbox.close();
});
