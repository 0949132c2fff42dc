import { readdirSync, readFileSync } from "node:fs";
import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { flowSchemaText } from "../../../src/app/index.ts";

const root = new URL("../../../", import.meta.url);
const text = (file: string) => readFileSync(new URL(file, root), "utf8");
const schema = JSON.parse(text("flows/flow.schema.json")) as { $schema: string };

/** A judge that is not ours: the validator every fastify has. */
const { $schema: _, ...body } = schema;
const judge = Fastify({
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
});
judge.post("/", { schema: { body } }, () => ({}));
const accepts = async (flow: unknown) => {
  const { statusCode } = await judge.inject({ method: "POST", url: "/", payload: flow as object });
  return statusCode === 200;
};

describe("flows/flow.schema.json", () => {
  test("is what the reader's tables give: npm run -s prosa -- flows schema", () => {
    expect(text("flows/flow.schema.json")).toBe(`${flowSchemaText()}\n`);
  });

  test("takes every flow there is in YAML", async () => {
    const shipped = readdirSync(new URL("flows/", root), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("flow.yaml"))
      .map((name) => `flows/${name}`);
    expect(shipped.length).toBeGreaterThan(0);
    const ours = ["request-invoice.yaml", "every-step.yaml"].map(
      (name) => `test/flow/yaml/${name}`,
    );
    for (const file of [...shipped, ...ours])
      expect(await accepts(parse(text(file))), file).toBe(true);
  });

  test.each<[string, (flow: Record<string, unknown>) => unknown]>([
    ["a step that is none", (flow) => ({ ...flow, steps: [{ aks: "item" }] })],
    ["an option that is none", (flow) => ({ ...flow, steps: [{ ask: "item", maxx: 1 }] })],
    ["a number as text", (flow) => ({ ...flow, version: "1" })],
    ["a branch that is no list", (flow) => ({ ...flow, steps: [{ when: "x", then: "say" }] })],
    [
      "a duration that is none",
      (flow) => ({
        ...flow,
        steps: [{ wait: "x", id: "x", within: "soon", on: {} }],
      }),
    ],
    ["no steps", ({ steps: _steps, ...flow }) => flow],
  ])("refuses %s", async (_what, spoil) => {
    const whole = parse(text("test/flow/yaml/every-step.yaml")) as Record<string, unknown>;
    expect(await accepts(spoil(whole))).toBe(false);
  });
});
