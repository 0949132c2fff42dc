import { describe, expect, test } from "vitest";
import { leftOut } from "../../../src/app/authoring/finding-formats.ts";
import { costLines, formatted, type Checked } from "../../../src/app/index.ts";
import { costsOf, parseFlow, vocabularyOf } from "../../../src/flow/index.ts";

const CHECKED: Checked = {
  findings: [
    {
      ...{ rule: "text/bold", severity: "error", flow: "menu", file: "flows/menu/texts.en.yaml" },
      ...{ line: 4, column: 3, message: "Text say.hello (en): a star, 100% alone:\nhere." },
    },
    { rule: "cost/calls", severity: "warning", flow: "menu", message: "Many." },
  ],
  costs: [{ flow: "menu", costs: [{ outcome: "done", calls: [2, 14], brl: [0.5, 0.5] }] }],
};

describe("what flows check found", () => {
  test("is told to people with its place, why, and how to mend it", () => {
    expect(formatted(CHECKED, "text")).toBe(
      [
        "error flows/menu/texts.en.yaml:4:3 [text/bold] Text say.hello (en): a star, 100% alone:\nhere.",
        "    why: A star alone is shown as a star.",
        "    how: Write *bold* with two stars around words in one line.",
        "warning menu [cost/calls] Many.",
        "    why: Every message is a call of the plan.",
        "    how: Ask for several answers at once, or say less; or raise the flow's budget.",
      ].join("\n"),
    );
    expect(costLines(CHECKED.costs)).toEqual(["menu → done: 2 to 14 calls of the plan, R$ 0.50"]);
  });

  test("is JSON with findings and costs", () => {
    const read = JSON.parse(formatted(CHECKED, "json")) as Checked;
    expect(read.costs).toEqual(CHECKED.costs);
    expect(read.findings[0]).toMatchObject({
      ...{ rule: "text/bold", file: "flows/menu/texts.en.yaml", line: 4, column: 3 },
      why: "A star alone is shown as a star.",
    });
  });

  test("is one annotation a line for GitHub, whatever stands in it", () => {
    const lines = formatted(CHECKED, "github").split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^::error file=flows\/menu\/texts\.en\.yaml,line=4,col=3,title=text\/bold::Text say\.hello \(en\): a star, 100%25 alone:%0Ahere\. /,
    );
    expect(lines[1]).toMatch(/^::warning title=cost\/calls::Many\./);
  });

  test("counts a bubble for each question, what other people are told, and each call, once for a way back", () => {
    const flow = `flow: paid
version: 1
outcomes: [paid]
slots: { value: money, name: name }
steps:
  - say: hello
  - form: both
    ask: [value, name]
  - confirm: sum
    show: [value]
  - submit: pay
    id: pay
    done: [{ say: thanks }, { end: paid }]
    rejected: [{ goto: sum }]
    failed: [{ say: sorry }, { handoff: failed }]
    held: [{ say: wait }]
`;
    const parsed = parseFlow(flow);
    if (!parsed.ok) throw new Error("the flow is wrong");
    const pay = { name: "pay", version: 1, class: "costly", input: [], result: [] } as const;
    const words = vocabularyOf({ effects: [{ ...pay, brl: 19, calls: 1 }] });
    expect(costsOf(parsed.ast, { words, flows: new Map() })).toEqual([
      // Two questions, the summary, the call, the thanks.
      { outcome: "paid", calls: [5, 5], brl: [19, 19] },
      // Held in silence at least; with the sorry and the word to the operators at most.
      { outcome: "done", calls: [5, 6], brl: [19, 19] },
    ]);
  });

  test("is a line for each flow and file at a start, with its first error and how many more there are", () => {
    const broken = { severity: "error", rule: "effect/unknown", flow: "order" } as const;
    const file = { severity: "error", rule: "bot/file", file: "config.ts" } as const;
    const lines = leftOut([
      ...CHECKED.findings,
      { ...broken, step: "pay", message: "No effect." },
      { ...broken, step: "send", message: "No effect, either." },
      { ...file, message: "names a part that is none." },
    ]);
    expect(
      lines.map(([fields, message]) => [(fields as { where: string }).where, message]),
    ).toEqual([
      [expect.stringContaining("[text/bold]"), "a flow is left out"],
      [
        "order › pay [effect/unknown] No effect.",
        "a flow is left out, for this and 1 more: prosa flows check",
      ],
      ["config.ts [bot/file] names a part that is none.", "a part of the bot is left out"],
    ]);
  });
});
