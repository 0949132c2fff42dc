import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type Ast,
  type Catalogue,
  createLibrary,
  defineKind,
  type EffectInfo,
  type Finding,
  findingLine,
  parseCatalogue,
  parseFlow,
  RULE_TEXTS,
} from "../../src/flow/index.ts";
import { z } from "zod";
import { COMMON, EFFECTS, SOURCES } from "./fixtures/world.ts";
import { model } from "../support/plugins.ts";

const FLOW = `flow: tt
version: 1
outcomes: [sent]
max: 5
quiet: { expire: 24h }
repair: { why: why-we-ask }
slots:
  document: document
  value: { kind: money, optional: true }
  pick: { kind: choice, options: [a, b] }
  secret: { kind: text, secret: true, max: 300 }
  plate: { kind: plate, optional: true }
steps:
  - say: hello
  - ask: document
    repair: { help: [{ say: helped }], human: [{ say: helped, id: helped-too }, { handoff: help }] }
  - when: document.type == 'cnpj' and account.policy.approval == true
    then:
      - ask: value
  - choose: pick
    branches:
      a: [{ ask: secret }]
      b: [{ goto: document, clear: [document] }]
  - ask: plate
    prompt: Which plate?
  - call: sample.lookup
    id: lookup
    done: []
    rejected: []
    failed: []
  - confirm: sum
    show: [document, pick]
    no: [{ end: sent, id: no }]
  - submit: sample.pay
    id: pay
    input: { amount: "150", note: pick }
    rejected: []
    failed: []
    held: []
  - notify: approve-sample
    id: approval
    to: account.operators
    within: 1d
    input: { name: lookup.name, value: "1" }
    on: { approved: [], refused: [], late: [{ end: }] }
  - wait: pickup
    id: pause
    within: 2d
    on: { got: [], late: [] }
  - end: sent
`;
const TEXTS = `locale: pt-BR
say:
  hello: "Oi, *{{contact.name}}*! {{now | date}}"
  helped: { by: document.type, cpf: "Pessoa.", cnpj: "Empresa." }
  why-we-ask: "Para a nota."
ask:
  document: { text: "Documento?", echo: "{{document | masked}}" }
  value: "Valor?"
  pick: "Qual?"
  secret: "Segredo?"
confirm:
  sum: "Certo? {{document | short 20}}"
options:
  pick: { a: { label: Um, names: [primeiro] }, b: Outro }
rest:
  pause: "Ainda esperando."
`;
const EN = `locale: en
say:
  hello: "Hi, *{{contact.name}}*! {{now | date}}"
  helped: { by: document.type, cpf: "A person.", cnpj: "A company." }
  why-we-ask: "For the note."
ask:
  document: { text: "Document?", echo: "{{document | masked}}" }
  value: "Value?"
  pick: "Which?"
  secret: "Secret?"
confirm:
  sum: "Right? {{document | short 20}}"
options:
  pick: { a: { label: One, names: [first] }, b: Other }
rest:
  pause: "Still waiting."
`;

/** Costs what a registration costs, takes a number and a text, and may end unknown. */
const PAY: EffectInfo = {
  ...{ name: "sample.pay", version: 1, class: "costly", result: ["text"], brl: 19 },
  input: [
    { name: "amount", sort: "number" },
    { name: "note", sort: "text" },
    { name: "extra", sort: "number", optional: true, explicit: true },
  ],
  check: ({ amount }) => (typeof amount === "number" && amount < 100 ? ["amount below 100"] : []),
};
const FILED: EffectInfo = {
  ...{ name: "gateway.file", version: 1, class: "fiscal", input: [], result: [] },
  isForPlugins: true,
};
const PLATE = defineKind("plate", {
  version: 1,
  schema: () => z.string(),
  read: () => ({ ok: false, reason: "absent" }),
  bad: ["no-plate"],
});

interface Files {
  readonly flow: string;
  readonly pt: string;
  readonly en: string;
  readonly common: Readonly<Record<string, Catalogue>>;
}
const GOOD: Files = { flow: FLOW, pt: TEXTS, en: EN, common: COMMON };

function findings({ flow, pt, en, common }: Files): readonly Finding[] {
  const parsed = parseFlow(flow, "flows/tt/flow.yaml");
  if (!parsed.ok) throw new Error(parsed.findings.map(findingLine).join("\n"));
  const catalogue = (text: string, file: string) => {
    const read = parseCatalogue(text, file);
    if (!read.ok) throw new Error(read.findings.map(findingLine).join("\n"));
    return read;
  };
  const [own, other] = [catalogue(pt, "texts.pt-BR.yaml"), catalogue(en, "texts.en.yaml")];
  const origin = {
    ...{ file: "flow.yaml", text: flow, places: parsed.places },
    texts: {
      "pt-BR": { file: "texts.pt-BR.yaml", places: own.places },
      en: { file: "texts.en.yaml", places: other.places },
    },
  };
  const texts = { "pt-BR": own.catalogue, en: other.catalogue };
  const library = createLibrary({
    flows: [{ ast: parsed.ast, texts, origin }, ...SOURCES],
    ...{ common, effects: [...EFFECTS, PAY, FILED], kinds: [PLATE], account: model.paths },
  });
  return library.findings.filter(({ flow: of }) => of === parsed.ast.flow);
}

function edited(text: string, [find, put]: readonly [string, string]): string {
  if (text.split(find).length !== 2) throw new Error(`not there once: ${find}`);
  return text.replace(find, () => put);
}
const flow = (find: string, put: string): Files => ({ ...GOOD, flow: edited(FLOW, [find, put]) });
const pt = (find: string, put: string): Files => ({ ...GOOD, pt: edited(TEXTS, [find, put]) });

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");

/** One slip each in a flow that has none; what stands where the finding points. */
const SLIPS: readonly (readonly [rule: string, files: Files, place: string])[] = [
  ["id/bad-name", flow("id: no }]", "id: No }]"), "No }]"],
  ["id/reserved", flow("id: pause", "id: start"), "start"],
  ["id/duplicate", flow("id: pause", "id: lookup"), "lookup"],
  ["id/unstable", flow("  - end: sent", "  - say: hello\n  - end: sent"), "hello"],
  [
    "graph/unreachable",
    flow("  - end: sent", "  - end: sent\n  - say: helped\n    id: more"),
    "more",
  ],
  ["graph/dead-end", flow("      b: [{ goto: document, clear: [document] }]\n", ""), "pick"],
  ["graph/dead-end", flow("on: { got: [], late: [] }", "on: { late: [] }"), "pause"],
  [
    "graph/loop-without-rest",
    { ...GOOD, flow: "flow: tt\nversion: 1\nslots: {}\nsteps:\n  - say: hello\n  - goto: hello\n" },
    "hello",
  ],
  ["graph/goto-unknown", flow("goto: document", "goto: documnet"), "documnet, clear:"],
  [
    "graph/goto-into-branch",
    flow("  - say: hello\n", "  - say: hello\n  - goto: value\n"),
    "value",
  ],
  ["graph/unknown-outcome", flow("  - end: sent", "  - end: snet"), "snet"],
  ["graph/falls-off-end", flow("  - end: sent", "  - say: hello\n    id: bye"), "bye"],
  ["slot/unknown", flow("show: [document, pick]", "show: [documnt, pick]"), "documnt, pick]"],
  ["slot/unknown-kind", flow("document: document", "document: documnt"), "documnt"],
  [
    "slot/bad-parameter",
    flow("kind: text, secret: true, max", "kind: text, secret: true, mx"),
    "mx: 300",
  ],
  ["slot/bad-parameter", flow("options: [a, b] }", "options: [a, b, b] }"), "pick: {"],
  ["slot/bad-parameter", flow("options: [a, b] }", "options: [a, b], whole: [c] }"), "pick: {"],
  [
    "slot/bad-parameter",
    flow("kind: money,", "kind: money, max: account.policy.cieling,"),
    "account.policy.cieling",
  ],
  ["slot/bad-parameter", flow("kind: money,", "kind: money, min: 9, max: 5,"), "value: {"],
  ["slot/bad-parameter", flow("max: 300", "max: lots"), "secret: { k"],
  [
    "slot/bad-parameter",
    flow("document: document", "document: { kind: document, not: 11222333000181 }"),
    "document: { k",
  ],
  [
    "slot/bad-parameter",
    flow("document: document", "document: { kind: document, not: account.issuer.cpf }"),
    "account.issuer.cpf",
  ],
  ["slot/never-asked", flow("a: [{ ask: secret }]", "a: []"), "secret: { kind:"],
  ["slot/unused", flow("  - ask: plate\n    prompt: Which plate?\n", ""), "plate: { kind: p"],
  [
    "slot/asked-after-use",
    flow("document.type == 'cnpj' and", "has(plate) and"),
    "plate) and accou",
  ],
  ["slot/secret-in-text", pt('"Para a nota."', '"Para {{secret}}."'), 'why-we-ask: "Par'],
  ["slot/hidden-in-input", flow("note: pick", "note: secret"), "sample.pay"],
  [
    "expr/unknown-name",
    flow("document.type == 'cnpj' and", "document.typ == 'cnpj' and"),
    "when: document.t",
  ],
  [
    "expr/unknown-name",
    flow("account.policy.approval", "account.polcy.approval"),
    "account.polcy.ap",
  ],
  [
    "expr/unknown-rule",
    flow("document.type == 'cnpj' and", "holiday(document) and"),
    "holiday(document",
  ],
  ["expr/wrong-type", flow("'cnpj' and", "'cnpjj' and"), "cnpjj' and accou"],
  ["expr/wrong-type", flow("approval == true", "approval == 'yes'"), "when: document.t"],
  ["expr/wrong-type", flow("approval == true", "ceiling > 'x'"), "when: document.t"],
  ["expr/wrong-type", flow("document.type == 'cnpj' and", "document and"), "when: document a"],
  [
    "expr/wrong-type",
    flow("document.type == 'cnpj'", "document.type in ['cnpj', 'rg']"),
    "rg'] and account",
  ],
  [
    "expr/always",
    flow("document.type == 'cnpj' and account.policy.approval == true", "1 == 1"),
    "when: 1 == 1",
  ],
  [
    "expr/always",
    flow("account.policy.approval == true", "document.type == 'cpf'"),
    "when: document.t",
  ],
  ["expr/circular", flow("document.type == 'cnpj' and", "has(value) and"), "value"],
  [
    "ask/no-prompt",
    { ...pt('  value: "Valor?"\n', ""), en: edited(EN, ['  value: "Value?"\n', ""]) },
    "ask: value",
  ],
  ["ask/no-bad-text", { ...GOOD, common: { "pt-BR": { locale: "pt-BR" } } }, "document"],
  ["ask/no-limit", flow("max: 5", "max: 50"), "document"],
  ["ask/no-quiet", flow("quiet: { expire: 24h }", "quiet: { expire: off }"), "document"],
  ["ask/no-quiet", flow("quiet: { expire: 24h }", "quiet: { expire: soon }"), "ask: document"],
  [
    "ask/ambiguous-options",
    pt("b: Outro", "b: { label: Outro, names: [Primeiro] }"),
    "choose: pick",
  ],
  ["ask/ambiguous-options", pt("b: Outro", 'b: { label: Outro, names: ["1"] }'), "pick"],
  [
    "ask/too-many-options",
    {
      ...GOOD,
      flow: edited(
        edited(FLOW, ["options: [a, b]", `options: [a, b${many(9, (index) => `, o${index}`)}]`]),
        ["      b: [", `${many(9, (index) => `      o${index}: []\n`)}      b: [`],
      ),
    },
    "pick",
  ],
  ["effect/unknown", flow("sample.lookup", "sample.lokup"), "sample.lokup"],
  ["effect/fiscal-route", flow("sample.lookup", "gateway.file"), "gateway.file"],
  [
    "effect/input-missing",
    flow('input: { amount: "150", note: pick }', 'input: { amount: "150" }'),
    "sample.pay",
  ],
  ["effect/input-unknown", flow("note: pick }", "note: pick, nota: pick }"), "nota: pick }"],
  ["effect/input-wrong", flow('amount: "150"', 'amount: "50"'), "sample.pay"],
  ["effect/input-type", flow("note: pick }", "note: pick, extra: document }"), "extra: document"],
  ["effect/no-held", flow("    failed: []\n    held: []", "    failed: []"), "pay"],
  ["effect/not-confirmed", flow("show: [document, pick]", "show: [document]"), "sample.pay"],
  [
    "effect/no-goes-on",
    flow("no: [{ end: sent, id: no }]", "no: [{ say: helped, id: no }]"),
    "sum",
  ],
  ["effect/same-id-as-slot", flow("id: pause", "id: value"), "value"],
  [
    "effect/no-failure-branch",
    flow("    rejected: []\n    failed: []\n    held: []", "    failed: []\n    held: []"),
    "pay",
  ],
  ["notify/unknown-flow", flow("approve-sample", "approve-smple"), "approve-smple"],
  ["notify/flow-needs-input", flow("input: { name: lookup.name,", "input: {"), "approve-sample"],
  [
    "notify/input-unknown",
    flow("name: lookup.name,", "name: lookup.name, nome: pick,"),
    "nome: pick, valu",
  ],
  [
    "notify/outcome-unhandled",
    flow("approved: [], refused: [],", "approved: [],"),
    "approve-sample",
  ],
  ["notify/no-late", flow("refused: [], late: [{ end: }] }", "refused: [] }"), "notify: approve-"],
  ["notify/within-too-long", flow("within: 1d", "within: 90d"), "notify: approve-"],
  [
    "repair/human-off",
    flow("repair: { why: why-we-ask }", "repair: { why: why-we-ask, human: off }"),
    "flow: tt",
  ],
  [
    "repair/no-way-out",
    flow("repair: { why: why-we-ask }", "repair: { why: why-we-ask, cancel: off, expire: off }"),
    "flow: tt",
  ],
  [
    "repair/never-returns",
    flow("help: [{ say: helped }]", "help: [{ say: helped }, { end: sent, id: out }]"),
    "document",
  ],
  ["text/missing", flow("say: hello", "say: helo"), "say: helo"],
  ["text/missing-translation", pt('  pause: "Ainda esperando."', "  {}"), "rest:"],
  ["text/inline-and-catalogue", pt("  value:", '  plate: "Placa?"\n  value:'), "plate"],
  ["text/unknown-name", pt("{{contact.name}}", "{{contact.nome}}"), 'hello: "Oi, *{{c'],
  ["text/unknown-pipe", pt("document | masked", "document | maskd"), 'echo: "{{documen'],
  ["text/pipe-kind", pt("document | masked", "document | brl"), 'echo: "{{documen'],
  ["text/variables-differ", pt("{{now | date}}", ""), 'hello: "Hi, *{{c'],
  ["text/no-other", pt(', cnpj: "Empresa."', ""), "helped: { by: do"],
  ["text/too-long", pt("Para a nota.", "x".repeat(5_001)), 'why-we-ask: "xxx'],
  ["text/rows", pt("b: Outro", `b: ${"x".repeat(101)}`), "b: xxxxxxxxxxxxx"],
  ["text/bold", pt("*{{contact.name}}*", "*{{contact.name}}"), 'hello: "Oi, *{{c'],
  ["text/braces", pt("{{contact.name}}*", "{{contact.name}*"), 'hello: "Oi, *{{c'],
  ["text/missing", flow("why: why-we-ask", "why: why-we-aks"), "flow: tt"],
  ["text/missing", flow("  - say: hello", "  - say: constructor"), "say: constr"],
  ["graph/dead-end", flow("got: [], late: []", "got: [], late: [], latte: []"), "latte"],
  ["text/gendered", pt("Para a nota.", "Bem-vindo(a)."), 'why-we-ask: "Bem'],
  ["text/unused", pt("  why-we-ask", '  helo: "Oi"\n  why-we-ask'), 'helo: "Oi"'],
  ["cost/calls", flow("max: 5", "max: 5\nbudget: { calls: 5 }"), "flow: tt"],
  ["cost/price", flow("max: 5", "max: 5\nbudget: { brl: 10 }"), "flow: tt"],
  [
    "cost/walk-too-long",
    flow(
      "  - end: sent",
      `${many(150, (index) => `  - say: helped\n    id: s${index}\n`)}  - end: sent`,
    ),
    "flow: tt",
  ],
  [
    "expr/wrong-type",
    flow("  - say: hello\n", "  - say: hello\n    location: document\n"),
    "document",
  ],
  ["expr/wrong-type", flow("  - say: hello\n", "  - say: hello\n    media: pick\n"), "pick"],
  [
    "text/unused",
    pt('value: "Valor?"', 'value: { text: "Valor?", bad: { over-mx: "Não." } }'),
    "over-mx",
  ],
  ["text/unused", pt("options:\n", "bad:\n  mony: { zero: Não. }\noptions:\n"), "mony"],
  ["text/unused", pt("options:\n", "bad:\n  money: { zeroo: Não. }\noptions:\n"), "zeroo"],
  ["text/unused", pt("b: Outro }", "b: Outro, c: Mais }"), "c: Mais"],
  ["cost/too-big", flow("max: 300", "max: 20000"), "flow: tt"],
];
/** Found by what is told elsewhere: files that cannot be read, and rules with a test of their own. */
const ELSEWHERE =
  /^slot\/one-of-many$|^expr\/not-there$|^(bot|flow|raw|version|repeat)\/|^text\/(file|start-taken)$|^notify\/(late-goes-on|loop|circle|bad-duration|unknown-event|events-file)$/;

describe("every rule of lint", () => {
  test("is silent about a flow that has every sort of step", () => {
    expect(findings(GOOD).map(findingLine)).toEqual([]);
  });

  test.each(SLIPS.map((slip, index) => [slip[0], index, slip] as const))(
    "%s finds its slip, where it is (%i)",
    (rule, _index, [, files, place]) => {
      const found = findings(files).filter((finding) => finding.rule === rule);
      expect(found.map((finding) => finding.rule)).toContain(rule);
      const { file, line = 0, column = 0 } = found[0] ?? {};
      const written =
        file === "flow.yaml" ? files.flow : file === "texts.en.yaml" ? files.en : files.pt;
      const there = (written.split("\n")[line - 1] ?? "").slice(column - 1);
      expect(there.slice(0, place.length)).toBe(place);
    },
  );

  test("has a slip here, and why and how in words", () => {
    const tried = new Set(SLIPS.map(([rule]) => rule));
    const silent = Object.keys(RULE_TEXTS).filter(
      (rule) => !tried.has(rule) && !ELSEWHERE.test(rule),
    );
    expect(silent).toEqual([]);
    for (const { why, how } of Object.values(RULE_TEXTS))
      for (const words of [why, how]) expect(words).toMatch(/^[A-Z].*\.$/);
  });

  test("that any check names is in the table", () => {
    const folder = new URL("../../src/flow/lint/", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const named = files
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => [
        ...readFileSync(new URL(name, folder), "utf8").matchAll(
          /(?:found(?:Text)?|unknown)\(\s*"([a-z]+\/[a-z-]+)"/g,
        ),
      ]);
    expect(named.length).toBeGreaterThan(30);
    for (const [, rule = ""] of named) expect(RULE_TEXTS[rule], rule).toBeDefined();
  });

  test("notify/loop finds two flows that ask each other, and notify/bad-duration a word that is none", () => {
    const asks = (flow: string, other: string, within: string): Ast => ({
      ...{ flow, version: 1, title: flow, audience: "nobody", slots: {}, outcomes: [], policy: {} },
      steps: [
        {
          ...{ t: "notify", id: "n", flow: other, to: { ref: "account.operators" }, input: {} },
          ...{ within, on: { late: [] } },
        },
      ],
    });
    const rules = (...flows: readonly Ast[]) =>
      createLibrary({
        flows: flows.map((ast) => ({ ast, texts: {} })),
        ...{ common: COMMON, effects: [] },
      }).findings.map(({ rule }) => rule);
    expect(rules(asks("one", "two", "1d"), asks("two", "one", "1d"))).toContain("notify/loop");
    expect(rules(asks("one", "one-more", "soon"))).toContain("notify/bad-duration");
  });

  test("notify/loop finds a flow inside itself, expr/wrong-type a place that is not on earth", () => {
    const ast: Ast = {
      ...{ flow: "one", version: 1, title: "One", audience: "nobody", slots: {}, outcomes: [] },
      policy: {},
      steps: [
        { t: "subflow", id: "again", flow: "one", input: {}, on: {} },
        { t: "say", id: "map", location: { val: { latitude: -91, longitude: 181 } } },
      ],
    };
    const told = createLibrary({ flows: [{ ast, texts: {} }], common: COMMON, effects: [] });
    expect(told.findings.map(({ rule, message }) => `${rule} ${message}`)).toEqual(
      expect.arrayContaining([
        'notify/loop "one" would begin inside itself, again and again.',
        'expr/wrong-type location: its "latitude" is -91; it is a number from -90 to 90.',
        'expr/wrong-type location: its "longitude" is 181; it is a number from -180 to 180.',
      ]),
    );
  });

  test("flow/folder and text/start-taken find a flow under another name, and a phrase of two", () => {
    const kept = (id: string, folder: string, phrase: string) => {
      const text = `flow: ${id}\nversion: 1\naudience: anyone\nslots: {}\nsteps:\n  - end:\n`;
      const parsed = parseFlow(text, "flow.yaml");
      const words = parseCatalogue(`locale: pt-BR\nstart: [ola, "${phrase}"]\n`, "texts.yaml");
      if (!parsed.ok || !words.ok) throw new Error("does not read");
      const file = `flows/${folder}/flow.yaml`;
      const texts = { "pt-BR": { file: `flows/${folder}/texts.yaml`, places: words.places } };
      const origin = { file, text, places: parsed.places, texts };
      return { ast: parsed.ast, texts: { "pt-BR": words.catalogue }, origin };
    };
    const flows = [kept("tea", "tea", "Quero Chá"), kept("mate", "matte", "quero cha")];
    const lines = createLibrary({ flows, common: COMMON, effects: [] }).findings.map(findingLine);
    expect(lines).toEqual([
      'flows/matte/flow.yaml:1:7 [flow/folder] The flow is called "mate" and its folder "matte".',
      'flows/matte/texts.yaml:2:1 [text/start-taken] "ola" (pt-BR) already begins tea, for the same people.',
      'flows/matte/texts.yaml:2:1 [text/start-taken] "quero cha" (pt-BR) already begins tea, for the same people.',
    ]);
  });

  test("flow/twice and flow/role-taken keep the first flow of an id, and of a role for the same people", () => {
    const menu = (id: string, audience: string, role = "") => {
      const text = `flow: ${id}\nversion: 1\naudience: ${audience}\n${role}slots: {}\nsteps:\n  - end:\n`;
      const parsed = parseFlow(text, "flow.yaml");
      if (!parsed.ok) throw new Error("does not read");
      const origin = {
        file: `${audience}/${id}/flow.yaml`,
        text,
        places: parsed.places,
        texts: {},
      };
      return { ast: parsed.ast, texts: {}, origin };
    };
    const role = "role: menu\n";
    const flows = [
      menu("staff", "operator", role),
      menu("home", "customer", role),
      menu("home", "anyone"),
      menu("welcome", "anyone", role),
    ];
    const made = createLibrary({ flows, common: COMMON, effects: [] });
    expect(made.findings.filter(({ severity }) => severity === "error").map(findingLine)).toEqual([
      'anyone/home/flow.yaml:1:1 [flow/twice] The flow "home" is there already in customer/home/flow.yaml: give one of them another id.',
      `anyone/welcome/flow.yaml:1:1 [flow/role-taken] The role "menu" is staff's already, for the same people.`,
    ]);
    expect(made.list().map(({ flow }) => flow)).toEqual(["staff", "home"]);
    expect(made.get("home")?.audience).toBe("customer");
  });

  test("flow/twice leaves the id to the folder of its name, also when a copy comes first", () => {
    const menu = (folder: string, title: string, step = "end: done") => {
      const text = `flow: home\nversion: 1\ntitle: ${title}\nslots: {}\nsteps:\n  - ${step}\n`;
      const parsed = parseFlow(text, "flow.yaml");
      if (!parsed.ok) throw new Error("does not read");
      const origin = { file: `${folder}/flow.yaml`, text, places: parsed.places, texts: {} };
      return { ast: parsed.ast, texts: {}, origin };
    };
    const taken = (...flows: ReturnType<typeof menu>[]) => {
      const made = createLibrary({ flows, common: COMMON, effects: [] });
      const twice = made.findings.filter(({ rule }) => rule === "flow/twice");
      return [made.get("home")?.title, ...twice.map(({ file }) => file)];
    };
    const own = menu("home", "Own");
    const copy = menu("a-home", "Copy");
    const broken = menu("b-home", "Broken", "goto: nowhere");
    expect(taken(copy, own)).toEqual(["Own", "a-home/flow.yaml"]);
    expect(taken(broken, own)).toEqual(["Own", "b-home/flow.yaml"]);
    expect(taken(own, copy)).toEqual(["Own", "a-home/flow.yaml"]);
    expect(taken(copy, menu("c-home", "Other"))).toEqual(["Copy", "c-home/flow.yaml"]);
  });

  test("flow/role-taken does not count a copy of a flow, which has the flow's role and is left out", () => {
    const menu = (folder: string, id: string) => {
      const text = `flow: ${id}\nversion: 1\nrole: menu\nslots: {}\nsteps:\n  - end:\n`;
      const parsed = parseFlow(text, "flow.yaml");
      if (!parsed.ok) throw new Error("does not read");
      const origin = { file: `${folder}/flow.yaml`, text, places: parsed.places, texts: {} };
      return { ast: parsed.ast, texts: {}, origin };
    };
    const made = (...flows: ReturnType<typeof menu>[]) => {
      const library = createLibrary({ flows, common: COMMON, effects: [] });
      const errors = library.findings.filter(({ severity }) => severity === "error");
      return [
        library.list().map(({ flow }) => flow),
        errors.map(({ rule, file }) => `${rule} ${file}`),
      ];
    };
    const [own, copy] = [menu("home", "home"), menu("a-home", "home")];
    expect(made(copy, own)).toEqual([["home"], ["flow/twice a-home/flow.yaml"]]);
    expect(made(own, copy)).toEqual([["home"], ["flow/twice a-home/flow.yaml"]]);
    // A third flow meets the role of the flow that is used.
    const other = menu("welcome", "welcome");
    expect(made(copy, own, other)).toEqual([
      ["home"],
      ["flow/twice a-home/flow.yaml", "flow/role-taken welcome/flow.yaml"],
    ]);
  });

  test("flow/role names a role that neither the runtime nor a plugin knows, and the nearest", () => {
    const flow = (id: string, role: string) => {
      const text = `flow: ${id}\nversion: 1\nrole: ${role}\nslots: {}\nsteps:\n  - end:\n`;
      const parsed = parseFlow(text, "flow.yaml");
      if (!parsed.ok) throw new Error("does not read");
      const origin = { file: `${id}/flow.yaml`, text, places: parsed.places, texts: {} };
      return { ast: parsed.ast, texts: {}, origin };
    };
    const flows = [flow("home", "manu"), flow("pay", "order"), flow("list", "past-orders")];
    const roles = { order: {}, "past-orders": { shared: true } } as const;
    const readers = [{ name: "pizzeria", roles }];
    const again = flow("again", "past-orders");
    const made = createLibrary({ flows: [...flows, again], common: COMMON, effects: [], readers });
    expect(made.findings.filter(({ severity }) => severity === "error").map(findingLine)).toEqual([
      'home/flow.yaml:1:1 [flow/role] No role is called "manu". Did you mean "menu"? There are: menu, person, my-data, export, erase, order, past-orders.',
    ]);
  });

  test("text/file names the key of a prompt that is none, and the nearest", () => {
    const read = parseCatalogue("locale: en\nask:\n  day: { txt: When? }\n", "t.yaml");
    expect(read.ok ? [] : read.findings.map(findingLine)).toEqual([
      't.yaml:3:10 [text/file] ask.day takes no "txt". Did you mean "text"?',
    ]);
  });
});

test("an effect that a flow may not name is offered to nobody who mistypes", () => {
  const told = (name: string) =>
    findings(flow("sample.lookup", name))
      .filter(({ rule }) => rule === "effect/unknown")
      .map(({ message }) => message)
      .join();
  expect(told("sample.lokup")).toMatch(/Did you mean "sample\.lookup"\?/);
  expect(told("gateway.fill")).toMatch(/^No effect "gateway\.fill"/);
  expect(told("gateway.fill")).not.toMatch(/Did you mean/);
});
