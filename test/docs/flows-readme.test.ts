/** `flows/README.md` says what is so: its code compiles and loads, its chats are played, its tables miss nothing. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { RuntimeWorld } from "../../src/app/chat/chat-world.ts";
import { demoAccount } from "../../src/app/start/demo.ts";
import { FAULT_KINDS } from "../../src/app/chat/chat-faults.ts";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { effectInfos } from "../../src/app/authoring/effect-infos.ts";
import { readSettings } from "../../src/app/index.ts";
import { nothingKnown } from "../../src/app/loading/library.ts";
import { PIPES } from "../../src/flow/texts/template.ts";
import {
  type Ast,
  type Catalogue,
  type Catalogues,
  chatReport,
  createLibrary,
  findingLine,
  type FlowSource,
  parseCatalogue,
  parseChat,
  parseFlow,
  type ReadChat,
  RULE_TEXTS,
  runChat,
  SENT,
  slot,
  textTypes,
  withFrom,
  readEvents,
} from "../../src/flow/index.ts";
import { askText } from "../../src/flow/texts/catalogue.ts";
import { eachStep, isAsk, STEP_KINDS } from "../../src/flow/machine/steps.ts";
import { type FlowCode, flowCode, typeErrors } from "./flow-code.ts";
import { type Fence, fencesOf, textOf } from "./fences.ts";
import { bot, effects as shippedEffects, model } from "../support/plugins.ts";

const README = "flows/README.md";
const text = textOf(README);
const fences = fencesOf(README);
const of = (lang: string, ...roles: string[]): readonly Fence[] =>
  fences.filter((fence) => fence.lang === lang && roles.includes(fence.role));
const [slots] = of("ts", "slots");
const [registry] = of("ts", "registry");
const codes = of("ts", "flow", "steps", "options").map((fence) =>
  flowCode(fence, slots?.code ?? ""),
);

function catalogue(yaml: string, place: string): Catalogue {
  const parsed = parseCatalogue(yaml, place);
  if (!parsed.ok) throw new Error(parsed.findings.map(findingLine).join("\n"));
  return parsed.catalogue;
}

/** Texts of a snippet that shows steps only: something for everything it says. */
function anyTexts(ast: Ast): Catalogue {
  const steps = eachStep(ast);
  const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "…"]));
  return {
    locale: "en",
    say: named([
      ...steps.flatMap((step) => (step.t === "say" ? [step.text ?? step.id] : [])),
      ...Object.values(ast.policy.repair ?? {}).filter((text) => typeof text === "string"),
    ]),
    ask: named(
      steps.flatMap((step) =>
        isAsk(step) && ast.texts?.ask?.[step.slot] === undefined ? [step.slot] : [],
      ),
    ),
    confirm: named(steps.flatMap((step) => (step.t === "confirm" ? [step.id] : []))),
  };
}

/** A flow of a YAML block: whole, or a list of steps put into one that asks the slots they read. */
function yamlFlow({ role, arg, code, place }: Fence): Ast {
  const kinds = Object.entries(pickSlots(arg)).map(([name, kind]) => `  ${name}: ${kind}`);
  const asks = arg.split(",").map((name) => `  - ask: ${name}`);
  const steps = code.replace(/^(?=.)/gm, "  ");
  const whole =
    role === "flow"
      ? code
      : ["flow: snippet", "version: 1", "slots:", ...kinds, "steps:", ...asks, steps].join("\n");
  const parsed = parseFlow(whole, place);
  if (!parsed.ok) throw new Error(parsed.findings.map(findingLine).join("\n"));
  return parsed.ast;
}

const pickSlots = (arg: string): Record<string, string> => {
  const all: Record<string, string> = { item: "text", value: "money", document: "document" };
  return Object.fromEntries(arg.split(",").map((name) => [name, all[name] ?? "text"]));
};
const yamls = of("yaml", "flow", "steps").map((fence) => [fence.place, fence] as const);

const written = new Map<string, Catalogues>();
for (const { arg, code, place } of of("yaml", "texts")) {
  const texts = catalogue(code, place);
  written.set(arg, { ...written.get(arg), [texts.locale]: texts });
}

function sourceOf({ ast }: FlowCode): FlowSource {
  return { ast, texts: written.get(ast.flow) ?? { en: anyTexts(ast) } };
}

const shipped = await loadFlows();
const ours: readonly FlowSource[] = shipped.library
  .asts()
  .map(({ ast }) => ({ ast, texts: shipped.texts.get(ast.flow) ?? {} }));

/** What the README's own `events.yaml` declares. */
function declared() {
  const [fence] = of("yaml", "events");
  const read = readEvents(fence?.code ?? "", "events.yaml");
  return read.ok ? read.events : [];
}

/** What lint said of the same flows side by side, and how they were compiled, is not worked out again. */
const { verdicts, programs } = nothingKnown();
const house = {
  ...{ common: shipped.bot.texts.common, effects: effectInfos(shippedEffects) },
  ...shipped.bot.vocabulary,
  events: [...(shipped.bot.vocabulary.events ?? []), ...declared()],
};

function load(sources: readonly FlowSource[]) {
  const flows = [...ours, ...sources];
  const verdict = verdicts.of(flows, house.common);
  return {
    library: createLibrary({ flows, ...house, verdict, programs }),
    texts: new Map(flows.map(({ ast, texts }) => [ast.flow, texts])),
  };
}

describe("the code of flows/README.md", () => {
  test("has a role in every block of TypeScript, YAML and chat", () => {
    const known = [
      "flow",
      "steps",
      "options",
      "slots",
      "registry",
      "texts",
      "part",
      "events",
      "revision",
      "file",
    ];
    const strange = fences.filter(
      ({ lang, role }) => ["ts", "yaml", "chat"].includes(lang) && !known.includes(role),
    );
    expect(strange.map(({ place }) => place)).toEqual([]);
    expect(codes.length).toBeGreaterThan(15);
  });

  test("compiles, and would not with a slip in it", () => {
    // One reading of the house for all: a changed one stands beside what it was made of.
    const beside = (one: FlowCode, what: string, code: string): FlowCode => ({
      ...one,
      place: `${one.place}-${what}`,
      file: one.file.replace("/flow.ts", `-${what}/flow.ts`),
      code,
    });
    const name = 'f.ask("name")';
    const slips = codes
      .filter(({ code }) => code.includes(name))
      .map((one) => beside(one, "slip", one.code.replace(name, 'f.ask("nam")')));
    // What the registry says of each end: only a note that was issued has a number.
    const why = "with: { why: r.text }";
    const numbered = codes
      .filter(({ code }) => code.includes(why))
      .map((one) => beside(one, "numbered", one.code.replace(why, "with: { why: r.number }")));
    const wrong = [...slips, ...numbered];
    const errors = typeErrors([...codes, ...wrong], registry?.code ?? "");
    const of = (place: string) => errors.filter((error) => error.startsWith(`${place} `)).join();
    expect(
      errors.filter((error) => !wrong.some(({ place }) => error.startsWith(`${place} `))),
    ).toEqual([]);
    expect(slips.length).toBeGreaterThan(0);
    for (const { code, place } of slips) expect(of(place), code).toContain('"nam"');
    expect(numbered.length).toBeGreaterThan(0);
    for (const { code, place } of numbered) expect(of(place), code).toContain("'number'");
  });

  test.each(codes.map((one) => [one.place, one] as const))("%s loads", (_place, one) => {
    const { library } = load([sourceOf(one)]);
    expect(library.findings.map(findingLine)).toEqual([]);
    expect(library.get(one.ast.flow)?.hash).toMatch(/./);
  });

  test.each(yamls)("%s loads, and is the flow of that name in TypeScript", (_place, fence) => {
    const ast = yamlFlow(fence);
    const twin = codes.find((one) => fence.role === "flow" && one.ast.flow === fence.arg);
    if (twin) expect(ast).toEqual(twin.ast);
    const texts = written.get(ast.flow) ?? { en: anyTexts(ast) };
    expect(load([{ ast, texts }]).library.findings.map(findingLine)).toEqual([]);
  });

  test("of a broken flow.yaml is told as the README shows", () => {
    const fence = of("yaml", "flow").find(({ arg }) => arg === "lost-item");
    if (!fence) throw new Error("there is no YAML of lost-item");
    const told = [
      fence.code.replace("form: what", "fomr: what"),
      fence.code.replace("reach == 'phone'", "reach = 'phone'"),
    ].map((code) => {
      const parsed = parseFlow(code, "flows/lost-item/flow.yaml");
      return parsed.ok ? "" : parsed.findings.map(findingLine).join("\n");
    });
    const shown = fences.find(({ lang }) => lang === "text");
    for (const [index, line] of (shown?.code ?? "").trim().split("\n").entries())
      expect(told[index]).toContain(line.replace(/^flows\/lost-item\/flow.yaml:/, ""));
    expect(told).toHaveLength(2);
  });

  test("of events.yaml declares what the README waits for", () => {
    const [fence, ...others] = of("yaml", "events");
    expect(others).toEqual([]);
    expect(readEvents(fence?.code ?? "", "events.yaml")).toEqual({
      ok: true,
      events: [{ name: "parcel.ready", data: ["item", "shelf"] }],
    });
    expect(textOf(README)).toContain('f.wait("parcel.ready"');
  });

  test.each(of("yaml", "part").map((fence) => [fence.place, fence] as const))(
    "%s fits the flow it is for",
    (place, fence) => {
      const whole = written.get(fence.arg)?.en;
      const flow = codes.find(({ ast }) => ast.flow === fence.arg);
      if (!whole || !flow) throw new Error(`there is no flow ${fence.arg}`);
      const part = { locale: "en", ...(parse(fence.code) as object) };
      const texts = merged(whole, catalogue(JSON.stringify(part), place));
      const { library } = load([{ ast: flow.ast, texts: { en: texts } }]);
      expect(library.findings.map(findingLine)).toEqual([]);
    },
  );

  test.each(of("chat", "flow").map((fence) => [fence.place, fence] as const))(
    "%s is played",
    async (place, fence) => {
      const own = parseChat(fence.code, place);
      const parsed = own.ok ? withFrom(own.chat, chatOf) : own;
      if (!parsed.ok) throw new Error(`${place}+${parsed.line}: ${parsed.message}`);
      const flows = load(codes.map(sourceOf));
      const revision = async (flow: string, name: string) => revisionOf(`${flow}@${name}`);
      const account = demoAccount(readSettings({}), model);
      const world = new RuntimeWorld(parsed.chat, { ...flows, bot }, account, { revision });
      const result = await runChat(parsed.chat, world);
      await world.close();
      expect(result.ok ? "" : chatReport(result.failure)).toBe("");
    },
  );

  test("of a chat that goes otherwise tells as the README shows", async () => {
    const shown = fences.find(({ lang, code }) => lang === "text" && code.includes(" │ got"));
    const code = of("chat", "flow")[0]?.code.replace("< {say.thanks}", "< Thank you, Maria!") ?? "";
    const parsed = parseChat(code, "flows/coffee/chats/first.chat");
    if (!parsed.ok) throw new Error(parsed.message);
    const world = new RuntimeWorld(
      parsed.chat,
      { ...load(codes.map(sourceOf)), bot },
      demoAccount(readSettings({}), model),
    );
    const result = await runChat(parsed.chat, world);
    await world.close();
    expect(result.ok ? "" : `${chatReport(result.failure)}\n`).toBe(shown?.code);
  });
});

/** A chat file that others begin with. */
const chatOf: ReadChat = (name) => {
  const fence = of("chat", "file").find(({ arg }) => arg === name);
  return fence ? { file: fence.place, text: fence.code } : null;
};

/** What `! deploy` names. */
function revisionOf(name: string): FlowSource {
  const fence = of("yaml", "revision").find(({ arg }) => arg === name);
  if (!fence) throw new Error(`there is no block ${name}`);
  const ast = yamlFlow({ ...fence, role: "flow" });
  return { ast, texts: written.get(ast.flow) ?? {} };
}

function merged(whole: Catalogue, part: Catalogue): Catalogue {
  return {
    ...whole,
    ...part,
    say: { ...whole.say, ...part.say },
    ask: { ...whole.ask, ...part.ask },
    confirm: { ...whole.confirm, ...part.confirm },
    options: { ...whole.options, ...part.options },
  };
}

describe("the tables of flows/README.md", () => {
  test("show every kind of step, slot and pipe there is", () => {
    const headings = [...text.matchAll(/^### (\w+)$/gm)].map((match) => match[1] ?? "");
    const steps = Object.keys(STEP_KINDS).filter((kind) => kind !== "effect");
    expect(headings.sort()).toEqual([...steps, "submit", "call"].sort());
    for (const kind of Object.keys(slot)) expect(text).toContain(`\`slot.${kind}(`);
    const pipes = /\| pipe \| gives \|\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? "";
    for (const pipe of Object.keys(PIPES)) expect(pipes).toMatch(new RegExp(`\`${pipe}[\` ]`));
  });

  test("show every rule of lint, and none that is not", () => {
    const groups =
      "bot|id|graph|slot|expr|effect|notify|text|ask|flow|repair|repeat|cost|version|raw";
    const rule = new RegExp(`\`((?:${groups})/[a-z-]+)\``, "g");
    const shown = [...text.slice(text.indexOf("\n## Lint")).matchAll(rule)].map(([, name]) => name);
    expect([...new Set(shown)].sort()).toEqual(Object.keys(RULE_TEXTS).sort());
  });

  test("show every outcome of a chat line's expectation", () => {
    const source = textOf("src/flow/chat/expectation.ts");
    const names = [...source.matchAll(/case "(\w+)":/g)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(text).toContain(`\`= ${name} `);
  });

  test("show everything a phone sends in brackets, and every fault of the gateway", () => {
    for (const name of Object.keys(SENT)) expect(text).toMatch(new RegExp(`\\[${name}[ \\]]`));
    expect(FAULT_KINDS.length).toBeGreaterThan(5);
    for (const kind of FAULT_KINDS) expect(text).toMatch(new RegExp(`(\`|ROUTE )${kind}[\` ]`));
  });

  test("show every text a prompt may have", () => {
    const [part] = of("yaml", "part");
    const shown = askText(catalogue(`locale: en\n${part?.code ?? ""}`, README).ask?.["day"]);
    expect(Object.keys(shown ?? {}).sort()).toEqual(
      ["text", "again", "why", "help", "echo", "label", "names", "bad"].sort(),
    );
  });
});

/** Here, because reading the house for the compiler costs more than all of this file. */
const withTexts = (texts: string) => `${texts}
declare module "prosa" {
  interface FlowRegistry {
    flows: { "talk-to-human": { outcomes: never } };
  }
}
`;
const saying = (key: string): FlowCode => ({
  ...{ place: key, file: new URL(`../../flows/typed-${key}/flow.ts`, import.meta.url).pathname },
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
    const errors = typeErrors([saying("hello"), saying("helo")], withTexts(types));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^helo .*"helo".*not assignable.*"hello"/);
  });
});
