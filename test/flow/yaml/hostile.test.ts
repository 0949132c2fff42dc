import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findingLine, MAX_FLOW_FILE, parseCatalogue, parseFlow } from "../../../src/flow/index.ts";

const EVERY = readFileSync(new URL("every-step.yaml", import.meta.url), "utf8");
const HEAD = "flow: tt\nversion: 1\nslots: { document: document, value: money }\nsteps:\n";

function complaint(text: string): string {
  const parsed = parseFlow(text, "flow.yaml");
  return parsed.ok ? "" : parsed.findings.map(findingLine).join("\n");
}

describe("a flow in YAML that is wrong", () => {
  test.each([
    ["  - confim: sum", '5:5 [flow/file] no step "confim". Did you mean "confirm"?'],
    [
      "  - notify: x\n    id: n\n    to: account.operators\n    withn: 2h\n    on: {}",
      '8:5 [flow/file] "notify" takes no "withn". Did you mean "within"?',
    ],
    [
      "  - when: document.type = 'cnpj'\n    then: []",
      "5:25 [flow/file] unexpected \"=\"; did you mean == at column 15 of: document.type = 'cnpj'",
    ],
    ['  - when: "value >= \'"\n    then: []', '5:21 [flow/file] unexpected "\'"'],
    ["  - say: hello\n    with: { who: Maria Souza }", '6:24 [flow/file] unexpected "Souza"'],
    ["  - say: 3", '5:10 [flow/file] "say" is a text; quote it'],
    ["  - say:", '5:5 [flow/file] "say" needs something behind its colon'],
    ["  - say: [a]", '5:10 [flow/file] "say" is one text'],
    ["  - ask: value\n    max: lots", '6:10 [flow/file] "max" of "ask" is a whole number'],
    [
      "  - ask: value\n    optional: false",
      '6:15 [flow/file] "optional" of "ask" is true or is left out',
    ],
    [
      "  - ask: value\n    onMax: handof",
      '6:12 [flow/file] "onMax" of "ask" is one of handoff, skip, cancel, not "handof". Did you mean "handoff"?',
    ],
    ["  - wait: x\n    id: x\n    within: soon\n    on: {}", "is no duration: 90s, 15m, 2h, 3d"],
    ["  - confirm: sum", '5:5 [flow/file] "confirm" needs "show"'],
    [
      "  - form: f\n    ask: [value, value]",
      '6:18 [flow/file] "value" stands in this form already',
    ],
    [
      "  - form: f\n    ask: [{ value: {}, document: {} }]",
      "6:11 [flow/file] one slot and its options",
    ],
    ["  - say", "5:5 [flow/file] a step is a map"],
    ["  - {}", "5:5 [flow/file] this step is empty"],
    ["  say: x", "5:3 [flow/file] steps are a list: - say: hello"],
    ["  - say: x\n    say: y", "6:5 [flow/file] this key stands here already"],
    ["  - say: &a x\n  - say: *a", "[flow/file] a"],
    ["  - &step { say: x }", "[flow/file] anchors (&) are not taken"],
    ["  - <<: { say: x }", "5:5 [flow/file] merge keys (<<) are not taken"],
    ["  - say: !!js/function x", "[flow/file] tags (!) are not taken"],
    ["  - ? [a]\n    : b", "[flow/file] a key must be a word"],
    ["  - __proto__: x", '[flow/file] "__proto__" is no name'],
    ["  - say: x\n---\nflow: b", "one file holds one document"],
    ["\t- say: x", "indent by spaces, not by tabs"],
    ["  - say: 'x", "[flow/file] a sign is missing"],
    ["  - ask: value\n    max: 99999999999999999999", "this number is too large"],
    ["  - ask: value\n    max: .nan", "this number is too large, or none"],
  ])("%j is refused where it stands", (steps, message) => {
    expect(complaint(`${HEAD}${steps}\n`)).toContain(message);
  });

  test.each([
    ["nothing", "", "a flow is a map"],
    ["a list", "[]", "a flow is a map"],
    ["no steps", "flow: tt\nversion: 1\nslots: {}", 'a flow needs "steps"'],
    ["an id that is none", "flow: T t\nversion: 1\nslots: {}\nsteps: []", '"T t" is no flow id'],
    ["an unknown key", "flwo: tt", 'a flow takes no "flwo". Did you mean "flow"?'],
    ["a huge file", "#".repeat(MAX_FLOW_FILE + 1), "at most 400000 are read"],
    ["a deep file", `a: ${"[".repeat(20_000)}`, "nested too deeply"],
    ["a deep and whole file", `a: ${"[".repeat(60)}${"]".repeat(60)}`, "nested too deeply"],
    ["very many values", `a: [${"1,".repeat(30_000)}]`, "more than 20000 values"],
    [
      "a billion laughs",
      `a: &a [x,x,x]\n${"bcdefghij"
        .split("")
        .map((name, index) => `${name}: &${name} [${`*${"abcdefghij"[index] ?? ""},`.repeat(9)}]`)
        .join("\n")}`,
      "are not taken",
    ],
  ])("%s is refused with a sentence", (_what, text, message) => {
    const said = complaint(text);
    expect(said).toContain(message);
    expect(said.length).toBeLessThan(300);
  });

  test("never throws, whatever stands there and whatever is cut out of a good one", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc
            .tuple(fc.nat(EVERY.length), fc.nat(30), fc.string({ maxLength: 6 }))
            .map(([at, gone, put]) => EVERY.slice(0, at) + put + EVERY.slice(at + gone)),
        ),
        (text) => {
          const parsed = parseFlow(text);
          if (parsed.ok) return;
          for (const { line, column, message } of parsed.findings)
            expect([line, column, message.length]).toEqual([
              expect.any(Number),
              expect.any(Number),
              expect.any(Number),
            ]);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("is refused in the same words when it is a catalogue", () => {
    for (const [text, message] of [
      ["locale: pt-BR\nsay: { a: &a x, b: *a }", "are not taken"],
      ["locale: pt-BR\nsay: { a: x, a: y }", "this key stands here already"],
      ["locale: pt-BR\nsay: { <<: { a: x } }", "merge keys (<<) are not taken"],
    ] as const) {
      const parsed = parseCatalogue(text, "texts.yaml");
      expect(parsed.ok ? "" : parsed.findings.map(findingLine).join()).toContain(message);
    }
  });
});
