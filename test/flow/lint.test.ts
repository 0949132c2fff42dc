import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createLibrary,
  findingLine,
  flowsOf,
  parseCatalogue,
  slot,
  type Ast,
  type Catalogue,
  type FlowAccount,
} from "../../src/flow/index.ts";
import { COMMON, EFFECTS, SOURCES, library } from "./fixtures/world.ts";
import { model } from "../support/plugins.ts";

/** No effects, flows or texts declared: every name is a plain string, and lint is what checks it. */
const flow = flowsOf<{ account: FlowAccount }>();
const slots = z.object({ document: slot.document(), value: slot.money() });
const TEXTS: Catalogue = {
  locale: "pt-BR",
  say: { hello: "Oi." },
  ask: { document: "Documento?", value: "Valor?" },
  confirm: { sum: "Certo?" },
};

function rules(ast: Ast, texts: Catalogue = TEXTS): string[] {
  const { findings } = createLibrary({
    flows: [{ ast, texts: { "pt-BR": texts } }, ...SOURCES],
    common: COMMON,
    effects: EFFECTS,
    account: model.paths,
  });
  return findings.filter(({ flow: of }) => of === ast.flow).map(({ rule }) => rule);
}
const both = flow("tt", { version: 1, slots }, (f) => [f.ask("document"), f.ask("value")]);
const on = { rejected: [], failed: [] };

describe("lint", () => {
  test("finds nothing in the sample, and each flow is loaded", () => {
    expect(library().findings.map(findingLine)).toEqual([]);
    expect(
      rules(both, { locale: "pt-BR", ask: { document: "Documento?", value: "Valor?" } }),
    ).toEqual([]);
  });

  test.each(["constructor", "toString", "__proto__"])(
    "takes a slot called %s for no text of its own",
    (name) => {
      const ast = {
        ...both,
        slots: Object.fromEntries([[name, { kind: "name" }]]),
        steps: [{ t: "ask", id: "who", slot: name }],
      } as Ast;
      const inline = { ...ast, texts: { ask: Object.fromEntries([["other", "Quem?"]]) } } as Ast;
      for (const one of [ast, inline])
        expect(rules(one, { locale: "pt-BR" })).not.toContain("text/inline-and-catalogue");
      const written = { ...ast, texts: { ask: Object.fromEntries([[name, "Quem?"]]) } } as Ast;
      expect(rules(written, { locale: "pt-BR", ask: {} })).not.toContain(
        "text/inline-and-catalogue",
      );
    },
  );

  test.each<[string, Ast]>([
    [
      "effect/unknown",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.submit("sample.isue", { id: "i", ...on }),
      ]),
    ],
    [
      "effect/no-held",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.submit("sample.issue", { id: "i", ...on }),
      ]),
    ],
    [
      "effect/not-confirmed",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.submit("sample.issue", { id: "i", ...on, held: [] }),
      ]),
    ],
    [
      "effect/input-missing",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.submit("sample.issue", { id: "i", ...on, held: [] }),
      ]),
    ],
    [
      "effect/input-unknown",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.call("sample.lookup", { id: "l", input: { documnet: "x" } }),
      ]),
    ],
    [
      "notify/unknown-flow",
      flow("tt", { version: 1, slots }, (f, $) => [
        f.ask("document"),
        f.ask("value"),
        f.notify("nobody", { id: "n", to: $.account.operators, within: "1d", on: { late: [] } }),
      ]),
    ],
    [
      "notify/flow-needs-input",
      flow("tt", { version: 1, slots }, (f, $) => [
        f.ask("document"),
        f.ask("value"),
        f.notify("approve-sample", {
          id: "n",
          to: $.account.operators,
          within: "1d",
          on: { approved: [], refused: [], late: [] },
        }),
      ]),
    ],
    [
      "notify/outcome-unhandled",
      flow("tt", { version: 1, slots }, (f, $) => [
        f.ask("document"),
        f.ask("value"),
        f.notify("approve-sample", {
          id: "n",
          to: $.account.operators,
          within: "1d",
          on: { late: [] },
        }),
      ]),
    ],
    [
      "notify/bad-duration",
      flow("tt", { version: 1, slots }, (f, $) => [
        f.ask("document"),
        f.ask("value"),
        f.notify("approve-sample", {
          id: "n",
          to: $.account.operators,
          within: "soon",
          on: { late: [] },
        }),
      ]),
    ],
    [
      "graph/goto-unknown",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.goto("confim"),
      ]),
    ],
    [
      "graph/unreachable",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.end(),
        f.say("hello"),
      ]),
    ],
    [
      "graph/unknown-outcome",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.end("isued" as never),
      ]),
    ],
    [
      "graph/goto-into-branch",
      flow("tt", { version: 1, slots }, (f, $) => [
        f.ask("document"),
        f.goto("value"),
        f.when($.document.type.is("cpf"), [f.ask("value")]),
      ]),
    ],
    [
      "slot/asked-after-use",
      flow("tt", { version: 1, slots }, (f, $) => [
        f.when($.value.atLeast(1), [f.say("hello")]),
        f.ask("document"),
        f.ask("value"),
      ]),
    ],
    [
      "expr/unknown-name",
      {
        ...both,
        steps: [...both.steps, { t: "when", id: "if-x", if: { has: "documnet" }, then: [] }],
      },
    ],
    [
      "expr/unknown-rule",
      {
        ...both,
        steps: [
          ...both.steps,
          { t: "when", id: "if-x", if: { rule: "isHoliday", of: [] }, then: [] },
        ],
      },
    ],
    ["slot/unknown-kind", { ...both, slots: { ...both.slots, value: { kind: "mony" } } }],
    ["slot/never-asked", { ...both, slots: { ...both.slots, email: { kind: "email" } } }],
    [
      "slot/unknown",
      { ...both, steps: [...both.steps, { t: "confirm", id: "sum", show: ["valeu"] }] },
    ],
    [
      "id/unstable",
      flow("tt", { version: 1, slots }, (f) => [
        f.say("hello"),
        f.ask("document"),
        f.ask("value"),
        f.say("hello"),
      ]),
    ],
    [
      "id/reserved",
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.say("hello", { id: "start" }),
      ]),
    ],
    ["id/bad-name", { ...both, flow: "T t" }],
    [
      "text/missing",
      flow("tt", { version: 1, slots }, (f) => [f.say("helo"), f.ask("document"), f.ask("value")]),
    ],
  ])("%s is an error", (rule, ast) => {
    expect(rules(ast)).toContain(rule);
  });

  test("a no is a no: its branch must not go on to a fiscal call", () => {
    const refused = (no: "falls" | "ends") =>
      flow("tt", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        f.confirm("sum", {
          show: ["document", "value"],
          no: no === "ends" ? [f.say("hello"), f.end()] : [f.say("hello")],
        }),
        f.submit("sample.issue", { id: "i", ...on, held: [] }),
      ]);
    expect(rules(refused("falls"))).toContain("effect/no-goes-on");
    expect(rules(refused("ends"))).not.toContain("effect/no-goes-on");
  });

  test("silence is no yes: a late branch must not go on to a fiscal call", () => {
    const ast = flow("tt", { version: 1, slots }, (f, $) => [
      f.ask("document"),
      f.ask("value"),
      f.notify("approve-sample", {
        id: "n",
        to: $.account.operators,
        within: "1d",
        input: { name: "x" },
        on: { approved: [], refused: [f.end()], late: [f.handoff("late")] },
      }),
      f.submit("sample.issue", { id: "i", ...on, held: [] }),
    ]);
    expect(rules(ast)).toContain("notify/late-goes-on");
  });

  test.each<[string, Catalogue]>([
    ["ask/no-prompt", { ...TEXTS, ask: { document: "Documento?" } }],
    ["text/unknown-name", { ...TEXTS, say: { hello: "Oi {{documnet}}" } }],
    ["text/unknown-pipe", { ...TEXTS, say: { hello: "Oi {{value | reais}}" } }],
  ])("%s is an error of the texts", (rule, texts) => {
    expect(rules(both, texts)).toContain(rule);
  });

  test("a secret slot is never shown by a text", () => {
    const ast = flow(
      "tt",
      {
        version: 1,
        slots: z.object({ document: slot.document(), value: slot.text({ secret: true }) }),
      },
      (f) => [f.ask("document"), f.ask("value")],
    );
    expect(rules(ast, { ...TEXTS, say: { hello: "{{value}}" } })).toContain("slot/secret-in-text");
  });

  test("names the nearest thing that exists", () => {
    const { findings } = createLibrary({
      flows: [
        {
          ast: flow("tt", { version: 1, slots }, (f) => [
            f.ask("document"),
            f.ask("value"),
            f.goto("vlaue"),
          ]),
          texts: { "pt-BR": TEXTS },
        },
      ],
      common: COMMON,
      effects: EFFECTS,
      account: model.paths,
    });
    expect(findings.map(findingLine)).toContain(
      'tt › to-vlaue [graph/goto-unknown] No step "vlaue". Did you mean "value"?',
    );
  });

  test("a flow with errors is left out, and the others stay", () => {
    const loaded = createLibrary({
      flows: [{ ast: { ...both, slots: {} }, texts: { "pt-BR": TEXTS } }, ...SOURCES],
      common: COMMON,
      effects: EFFECTS,
      account: model.paths,
    });
    expect(loaded.get("tt")).toBeUndefined();
    expect(loaded.list().map(({ flow: id }) => id)).toEqual(["request-sample", "approve-sample"]);
  });
});

describe("a catalogue file", () => {
  test.each([
    ["locale: pt-BR\nsay:\n  hello: [", 3],
    ["locale: pt-BR\nask:\n  x: { txt: 1 }", 3],
    ["locale: fr", 1],
  ])("that is wrong is refused with its line", (text, line) => {
    const parsed = parseCatalogue(text, "t.yaml");
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.findings[0]).toMatchObject({ file: "t.yaml", line });
  });

  test("cannot grow by aliases", () => {
    const bomb = "a: &a [x, x]\nb: &b [*a, *a]\nsay: { c: [*b, *b] }\nlocale: en";
    expect(parseCatalogue(bomb).ok).toBe(false);
  });
});
