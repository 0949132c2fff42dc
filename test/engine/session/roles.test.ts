/** The runtime knows flows by what they say they are, whatever they are called. */
import { expect, test } from "vitest";
import { createLibrary, parseCatalogue, parseFlow } from "../../../src/flow/index.ts";
import { CUSTOMER, library as shipped, Town } from "../town.ts";

function kept(
  id: string,
  role: string,
  greeting: string,
  steps = "  - say: hello\n  - ask: wish\n",
) {
  const slots = steps.includes("ask:") ? "slots: { wish: text }" : "slots: {}";
  const flow = parseFlow(
    `flow: ${id}\nversion: 1\naudience: anyone\nrole: ${role}\n${slots}\nsteps:\n${steps}  - end: done\n`,
    "flow.yaml",
  );
  const words = parseCatalogue(
    `locale: pt-BR\nsay: { hello: "${greeting}" }\n${steps.includes("ask:") ? 'ask: { wish: "O que vai ser?" }\n' : ""}`,
    "texts.yaml",
  );
  if (!flow.ok || !words.ok) throw new Error("does not read");
  return { ast: flow.ast, texts: { "pt-BR": words.catalogue } };
}

test("a menu and a way to a person under other names are what a conversation falls back to", () => {
  const own = createLibrary({
    flows: [
      kept("welcome", "menu", "Bem-vindo à pizzaria."),
      kept("the-owner", "person", "Chamando o dono.", "  - say: hello\n  - handoff: asked\n"),
    ],
    common: {},
    effects: [],
  });
  expect(own.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  const town = new Town({ ...own, word: (...asked) => shipped.word(...asked) });
  expect(town.says(CUSTOMER, "oi").join()).toContain("Bem-vindo à pizzaria.");
  expect(town.step(CUSTOMER)).toBe("welcome.wish");
  const other = new Town({ ...own, word: (...asked) => shipped.word(...asked) });
  expect(other.says(CUSTOMER, "quero falar com um atendente").join()).toContain("Chamando o dono.");
  expect(other.sessions.get(CUSTOMER)?.handoff).toBeDefined();
});
