/** What Prosa serves in the benchmarks: the form in the kit's own data, beside the shipped flows. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { effectInfos } from "../../../src/app/authoring/effect-infos.ts";
import { readSources } from "../../../src/app/loading/flow-files.ts";
import { FLOWS_FOLDER } from "../../../src/app/places.ts";
import { createLibrary, parseCatalogue, type Ast } from "../../../src/flow/index.ts";
import type { Catalogue, FlowLibrary, FlowSource } from "../../../src/flow/index.ts";
import { LENGTHS, opening, questions, summary } from "./form.ts";
import { bot, effects as shippedEffects } from "../../support/plugins.ts";

const SOURCES = path.resolve(import.meta.dirname, "../../../src");

function catalogue(text: string): Catalogue {
  const parsed = parseCatalogue(text);
  if (!parsed.ok) throw new Error(parsed.findings.map(({ message }) => message).join("\n"));
  return parsed.catalogue;
}

/** What `flow("form-12", …)` would build. */
function form(length: number): FlowSource {
  const asked = questions(length);
  const ast: Ast = {
    ...{ flow: `form-${length}`, version: 1, title: `Ficha ${length}`, audience: "customer" },
    slots: Object.fromEntries(asked.map(({ name, kind }) => [name, { kind }])),
    ...{ outcomes: [], policy: {} },
    steps: [
      {
        t: "form",
        id: "form",
        asks: asked.map(({ name }) => ({ t: "ask", id: name, slot: name })),
      },
      { t: "say", id: "pronto" },
      { t: "end", id: "fim", outcome: "done" },
    ],
  };
  const texts = {
    locale: "pt-BR",
    title: `Ficha ${length}`,
    start: [opening(length)],
    ask: Object.fromEntries(
      asked.map(({ name, prompt }) => [name, { text: prompt, label: `Resposta ${name}` }]),
    ),
    say: { pronto: summary(asked.map(({ name }) => [name, `{{${name}}}`])) },
  };
  return { ast, texts: { "pt-BR": catalogue(JSON.stringify(texts)) } };
}

async function shipped(): Promise<readonly FlowSource[]> {
  const { flows, findings } = await readSources(FLOWS_FOLDER);
  if (findings.length === 0) return flows;
  throw new Error(findings.map(({ message }) => message).join("\n"));
}

/** The forms of every length and the shipped flows. Throws with the findings where one has an error. */
export async function forms(): Promise<FlowLibrary> {
  const flows = [...(await shipped()), ...LENGTHS.map(form)];
  const common = {
    "pt-BR": catalogue(readFileSync(path.join(SOURCES, "flow/texts/texts.pt-BR.yaml"), "utf8")),
  };
  const library = createLibrary({
    ...{ flows, common, effects: effectInfos(shippedEffects) },
    ...bot.vocabulary,
  });
  const wrong = library.findings.filter(({ severity }) => severity === "error");
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join("\n"));
  return library;
}
