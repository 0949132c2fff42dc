/** Configs that are wrong: the bot starts, what is left out is told, and the rest talks. */
import { cpSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test, vi, beforeAll } from "vitest";
import { FlowsFolder } from "../app/flows-folder.ts";
import { type Prosa, startProsa, until } from "../support/prosa.ts";
import { customer } from "./note.ts";

// A whole process starts here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

/** A copy of a bot with another config.ts, started. */
async function started(bot: string, config: string) {
  const folder = new FlowsFolder();
  cpSync(path.resolve(import.meta.dirname, "../..", bot), folder.path, { recursive: true });
  folder.write("config.ts", config);
  const prosa = await startProsa({ env: { PROSA_FLOWS_DIR: folder.path } });
  return {
    prosa,
    close: async () => {
      folder.remove();
      await prosa.close();
    },
  };
}

describe("the shipped bot without its plugin line", () => {
  let prosa: Prosa;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ prosa, close } = await started(
      "flows",
      'import { defineBot } from "prosa";\nexport default defineBot({ languages: ["pt-BR", "en"] });\n',
    ));
  });
  afterAll(() => close());

  test("starts, and has one line for each flow that needs the plugin", () => {
    const lines = prosa
      .log()
      .split("\n")
      .filter((line) => line.includes("is left out"))
      .map((line) => JSON.parse(line) as { flow: string; msg: string; where: string });
    const flows = lines.map(({ flow }) => flow);
    expect(new Set(flows).size).toBe(flows.length);
    expect(flows).toContain("request-invoice");
    expect(flows).not.toContain("menu");
    expect(lines.find(({ flow }) => flow === "cancel-note")?.msg).toMatch(/prosa flows check/);
  });

  test("greets, shows its menu, calls a person, and goes on after a row whose flow is left out", async () => {
    const ana = customer(prosa);
    await ana.asks("oi", /Como posso ajudar\?[^]*4\. Falar com uma pessoa/);
    await ana.asks("1", /algo deu errado/i);
    await ana.asks("menu", /Como posso ajudar/);
    await ana.asks("4", /pessoa/i);
    expect((await prosa.http("GET", "/health/ready")).status).toBe(200);
  });
});

const WRONG = `const page = (path) => () => async (app) => {
  app.get(path, async () => path + " of " + (path === "/" ? "a plugin" : "the first"));
};
export default {
  kinds: "x",
  colours: [],
  plugins: [
    { name: "first", pages: page("/shop"), routes: () => 5, chores: [{ name: "counts", run: async () => { throw new Error("no depot"); } }] },
    { name: "second", pages: page("/shop"), effects: [{ name: "second.find" }], metrics: "x" },
    { name: "third", pages: page("/"), webhooks: () => { throw new Error("no mail"); } },
    null,
  ],
};
`;

describe("a config whose parts are wrong in every way", () => {
  let prosa: Prosa;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ prosa, close } = await started("test/examples/plain", WRONG));
  });
  afterAll(() => close());

  test("starts, tells each with its plugin, and talks", async () => {
    await customer(prosa).asks("oi", /./);
    for (const sentence of [
      "The bot: kinds is no list.",
      "names colours, which is no part of a bot",
      "without a plugin's name as its plugin 4",
      "The plugin second: effects[0].class is no text.",
      "The plugin second: metrics is no list.",
      "The plugin first goes without its routes",
      "The plugin third goes without its webhooks, which cannot be opened: no mail",
      "the plugin second goes without the rest of its pages: GET /shop belongs to the plugin first",
      "the plugin third goes without the rest of its pages: GET / belongs to the runtime",
    ])
      expect(prosa.log()).toContain(sentence);
    await until("the chore", () =>
      /"chore":"counts"[^\n]*a chore of a plugin failed/.test(prosa.log()),
    );
    expect((await prosa.http("GET", "/shop")).text).toBe("/shop of the first");
    expect((await prosa.http("GET", "/")).text).toContain("<html");
  });
});
