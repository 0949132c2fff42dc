/** The compiler's answers to wrong flows: each marked line must not compile, and the type checker says so if it does. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Fault } from "../../../src/base/index.ts";
import { effect, type EffectTypes, flowsOf, slot } from "../../../src/flow/index.ts";
import { requestInvoice, sampleFlow, type SampleRegistry } from "../fixtures/request-invoice.ts";

const slots = z.object({
  document: slot.document(),
  value: slot.money(),
  kind: slot.choice(["a", "b"]),
});
const all = ["document", "value", "kind"] as const;

describe("flow()", () => {
  test("gives plain data that survives JSON unchanged", () => {
    expect(JSON.parse(JSON.stringify(requestInvoice))).toEqual(requestInvoice);
  });

  test("names steps by slot, text or id, and those where nobody rests by their neighbours", () => {
    expect(requestInvoice.steps.map(({ id }) => id)).toEqual([
      "hello",
      "service",
      "taker",
      "if-address",
      "sale",
      "summary",
      "if-sent",
      "issue",
    ]);
  });

  test("refuses refined and foreign schemas by name instead of losing them", () => {
    const refined = slot.money().refine((value) => value > 1);
    expect(() =>
      sampleFlow("x", { version: 1, slots: z.object({ value: refined }) }, (f) => [f.ask("value")]),
    ).toThrow(/Slot "value" has a custom check/);
    expect(() =>
      sampleFlow("x", { version: 1, slots: z.object({ value: z.string() }) }, (f) => [
        f.ask("value"),
      ]),
    ).toThrow(/Slot "value" is no slot kind/);
  });

  test("answers that a caller may hand in are its input, and are slots of it", () => {
    const taking = (takes: readonly string[]) =>
      sampleFlow(
        "x",
        { version: 1, takes: takes as "value"[], slots: z.object({ value: slot.money() }) },
        (f) => [f.ask("value")],
      );
    expect(taking(["value"]).input).toEqual({ value: { optional: true } });
    expect(() => taking(["name"])).toThrow('Flow x takes "name", which is none of its slots.');
  });

  test("a reference put into a text says what to do instead", () => {
    expect(() =>
      sampleFlow("x", { version: 1, slots: z.object({}) }, (f, $) => [
        f.handoff(`${$.contact.name as unknown as string}`),
      ]),
    ).toThrow(/put it into a text as \{\{contact.name\}\}/);
  });

  test("a function smuggled in is named with its path", () => {
    const smuggled = { from: "x", value: (() => "x") as unknown as string, label: "y" };
    expect(() =>
      sampleFlow("x", { version: 1, slots: z.object({ value: slot.choice() }) }, (f, $) => [
        f.ask("value", { options: { ...smuggled, from: $.account.services } }),
      ]),
    ).toThrow(Fault);
  });
});

describe("what does not compile", () => {
  test("unknown slots, texts and options, unasked slots, and wrong comparisons", () => {
    const made = () => [
      sampleFlow("x", { version: 1, slots }, (f) => [
        // @ts-expect-error "valeu" is no slot
        f.form("a", { document: true, valeu: true, value: true, kind: true }),
      ]),
      // @ts-expect-error value and kind are never asked
      sampleFlow("x", { version: 1, slots }, (f) => [f.ask("document")]),
      sampleFlow("x", { version: 1, slots }, (f) => [
        ...all.map((name) => f.ask(name)),
        // @ts-expect-error "valeu" is no slot to show
        f.confirm("c", { show: ["valeu"] }),
      ]),
      sampleFlow("x", { version: 1, slots }, (f, $) => [
        f.ask("document"),
        f.ask("value"),
        f.ask("kind"),
        // @ts-expect-error a facet has two values, and "cnpjj" is none of them
        f.when($.document.type.is("cnpjj"), []),
        // @ts-expect-error a comparison in JavaScript is no condition
        f.when($.document.type === "cnpj", []),
      ]),
      sampleFlow("x", { version: 1, slots }, (f) => [
        f.ask("document"),
        f.ask("value"),
        // @ts-expect-error the branch of option "b" is missing
        f.choose("kind", { a: [] }),
      ]),
    ];
    expect(made).toBeTypeOf("function");
  });

  // What must not compile has no type to speak of.
  /* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-argument,
     @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access */
  test("a result that this end does not bring, or as another type", () => {
    const input = { service: "s", name: "n", description: "d", competence: "c" };
    const made = () => [
      sampleFlow("x", { version: 1, slots }, (f, $) => [
        ...all.map((name) => f.ask(name)),
        f.submit("sample.issue", {
          ...{ id: "i", input, held: [] },
          // @ts-expect-error a note that was refused has no number
          rejected: (r) => [f.say("refused", { with: { reason: r.number } })],
          // @ts-expect-error who can mend it is none of these
          failed: (r) => [f.when(r.reason.is(7), [f.end()])],
        }),
        f.submit("sample.issue", {
          ...{ id: "j", input, held: [] },
          done: (r) => [f.say("issued", { with: { number: r.number, link: r.link } })],
          // @ts-expect-error "custmer" is none of three
          rejected: (r) => [f.when(r.fixable.is("custmer"), [f.end()])],
          // @ts-expect-error a failure says nothing of slots
          failed: (r) => [f.goto("document", { clear: r.slots })],
        }),
        f.notify("approve-sample", {
          ...{ id: "n", to: $.account.operators, within: "1h", input: { name: "x" } },
          on: {
            // @ts-expect-error who approves gives no reason
            approved: (r) => [f.say("refused", { with: { reason: r.reason } })],
            refused: (r) => [f.when(r.times.atLeast(2), [f.end()])],
            // @ts-expect-error nobody answered
            late: (r) => [f.say("refused", { with: { reason: r.reason } })],
          },
        }),
        f.subflow("approve-sample", {
          ...{ id: "s", input: { name: "x" } },
          on: {
            refused: (r) => [f.say("refused", { with: { reason: r.reason } })],
            // @ts-expect-error a reason is a text
            cancelled: (r) => [f.when(r.reason.is("x"), [f.end()])],
          },
        }),
      ]),
    ];
    expect(made).toBeTypeOf("function");
  });
  /* eslint-enable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-argument,
     @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access */

  test("unknown effects, missing inputs, forgotten branches", () => {
    const base = { rejected: [], failed: [] };
    const made = () => [
      sampleFlow("x", { version: 1, slots }, (f) => [
        ...all.map((name) => f.ask(name)),
        // @ts-expect-error no such effect
        f.submit("sample.isue", { id: "i", ...base, held: [] }),
      ]),
      sampleFlow("x", { version: 1, slots }, (f) => [
        ...all.map((name) => f.ask(name)),
        // @ts-expect-error a fiscal call may end held
        f.submit("sample.issue", {
          id: "i",
          ...base,
          input: { service: "s", name: "n", description: "d", competence: "c" },
        }),
      ]),
      sampleFlow("x", { version: 1, slots }, (f) => [
        ...all.map((name) => f.ask(name)),
        // @ts-expect-error inputs that no slot gives
        f.submit("sample.issue", { id: "i", ...base, held: [], input: { service: "s" } }),
      ]),
      sampleFlow("x", { version: 1, slots }, (f) => [
        ...all.map((name) => f.ask(name)),
        // @ts-expect-error only calls that may be repeated
        f.call("sample.issue", { id: "i" }),
      ]),
      sampleFlow("x", { version: 1, slots }, (f, $) => [
        ...all.map((name) => f.ask(name)),
        f.notify("approve-sample", {
          id: "n",
          to: $.account.operators,
          within: "1h",
          input: { name: "x" },
          // @ts-expect-error the refusal is not handled
          on: { approved: [], late: [] },
        }),
      ]),
    ];
    expect(made).toBeTypeOf("function");
  });

  test("declared texts are checked by name", () => {
    type Registry = SampleRegistry & { texts: { x: { say: "hello"; ask: "a"; confirm: "sum" } } };
    const made = () =>
      flowsOf<Registry>()("x", { version: 1, slots: z.object({}) }, (f) => [
        f.say("hello"),
        // @ts-expect-error no such text
        f.say("helo"),
      ]);
    expect(made().steps).toHaveLength(2);
  });

  test("a slot without a prompt in any catalogue brings its own, or does not compile", () => {
    type Registry = SampleRegistry & {
      texts: { x: { say: "hello"; ask: "value"; confirm: "sum" } };
    };
    const two = z.object({ value: slot.money(), document: slot.document() });
    const made = () => [
      flowsOf<Registry>()("x", { version: 1, slots: two }, (f) => [
        f.ask("value"),
        f.ask("document", { ask: "Qual o documento?" }),
      ]),
      flowsOf<Registry>()("x", { version: 1, slots: two }, (f) => [
        // @ts-expect-error no prompt: add ask.document to texts.*.yaml, or write { ask: ... }
        f.form("both", { value: true, document: true }),
      ]),
      flowsOf<Registry>()("x", { version: 1, slots: two }, (f) => [
        f.ask("value"),
        // @ts-expect-error no prompt, either
        f.ask("document"),
      ]),
    ];
    expect(made()[0]?.steps).toHaveLength(2);
  });

  test("a question in a branch of another flow, of a request or of a wait counts as asked", () => {
    type Registry = SampleRegistry & { events: { "parcel.ready": { shelf: string } } };
    const three = z.object({ value: slot.money(), name: slot.name(), kind: slot.choice(["a"]) });
    const made = () => [
      flowsOf<Registry>()("x", { version: 1, slots: three }, (f, $) => [
        f.subflow("approve-sample", {
          id: "s",
          input: { name: "x" },
          on: { refused: (r) => [f.say("why", { with: { why: r.reason } }), f.ask("value")] },
        }),
        f.notify("approve-sample", {
          ...{ id: "n", to: $.account.operators, within: "1h", input: { name: "x" } },
          on: { approved: [], refused: [f.ask("name")], late: () => [] },
        }),
        f.wait("parcel.ready", {
          id: "w",
          within: "2d",
          on: {
            got: (event) => [f.say("on", { with: { shelf: event.shelf } }), f.ask("kind")],
            late: [f.end()],
          },
        }),
      ]),
      // @ts-expect-error the name is asked in no branch
      flowsOf<Registry>()("x", { version: 1, slots: three }, (f) => [
        f.subflow("approve-sample", {
          id: "s",
          input: { name: "x" },
          on: { refused: [f.ask("value")], approved: [f.ask("kind")] },
        }),
      ]),
      // @ts-expect-error another flow without branches asks for nothing of this one
      flowsOf<Registry>()("x", { version: 1, slots: z.object({ value: slot.money() }) }, (f) => [
        f.subflow("approve-sample", { id: "s", input: { name: "x" } }),
      ]),
      flowsOf<Registry>()("x", { version: 1, slots: z.object({}) }, (f) => [
        // @ts-expect-error "refusd" is no outcome of that flow
        f.subflow("approve-sample", { id: "s", input: { name: "x" }, on: { refusd: [] } }),
      ]),
    ];
    expect(made()).toHaveLength(4);
  });

  test("an effect that takes nothing is called without an input", () => {
    const doctors = effect("clinic.doctors", {
      class: "read",
      input: z.object({}),
      output: z.object({ names: z.string() }),
      http: { method: "GET", url: "$CLINIC_URL/doctors" },
    });
    type Registry = SampleRegistry & { effects: EffectTypes<typeof doctors> };
    const made = flowsOf<Registry>()("x", { version: 1, slots: z.object({}) }, (f) => [
      f.call("clinic.doctors", {
        id: "list",
        done: (r) => [f.say("who", { with: { names: r.names } })],
      }),
    ]);
    expect(made.steps).toMatchObject([{ effect: doctors.name }]);
  });

  test("an outcome that the flow does not declare, a list that is none, an event that is none", () => {
    type Registry = SampleRegistry & { events: { "parcel.ready": { shelf: string } } };
    const list = z.object({ parts: slot.list(), part: slot.text() });
    const made = () => [
      sampleFlow("x", { version: 1, slots: z.object({}), outcomes: ["sent"] }, (f) => [
        f.end("sent"),
        // @ts-expect-error "snet" is no outcome of this flow
        f.end("snet"),
      ]),
      sampleFlow("x", { version: 1, slots: list }, (f) => [
        f.repeat("parts", [f.ask("part")]),
        // @ts-expect-error "part" is no list
        f.repeat("part", [f.ask("part")]),
      ]),
      // @ts-expect-error the items' slot is never asked
      sampleFlow("x", { version: 1, slots: list }, (f) => [f.repeat("parts", [])]),
      flowsOf<Registry>()("x", { version: 1, slots: z.object({}) }, (f) => [
        // @ts-expect-error no such event
        f.wait("parcel.redy", { id: "other", within: "2d", on: { got: [], late: [] } }),
        // @ts-expect-error silence must be answered
        f.wait("parcel.ready", { id: "third", within: "2d", on: { got: [] } }),
      ]),
    ];
    expect(made()).toHaveLength(4);
  });
});
