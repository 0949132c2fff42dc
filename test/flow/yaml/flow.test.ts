import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { effectInfos } from "../../../src/app/authoring/effect-infos.ts";
import {
  type Ast,
  flowHash,
  flowsOf,
  type FlowAccount,
  parseFlow,
  slot,
  vocabularyOf,
} from "../../../src/flow/index.ts";
import type { Kit } from "../../../src/flow/authoring/kit-types.ts";
import type { AnyRegistry } from "../../../src/flow/authoring/registry.ts";
import { eachStep, METHODS, STEP_KINDS } from "../../../src/flow/machine/steps.ts";
import { requestInvoice } from "../fixtures/request-invoice.ts";
import { effects as shippedEffects } from "../../support/plugins.ts";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

function astOf(text: string, file = "flow.yaml"): Ast {
  const parsed = parseFlow(text, file);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings[0]));
  return parsed.ast;
}

const flow = flowsOf<{ account: FlowAccount }>();
const everyStep = flow(
  "every-step",
  {
    version: 3,
    title: "Every step",
    audience: "operator",
    outcomes: ["sent", "refused"],
    input: z.object({ code: z.string().optional(), from: z.string() }),
    takes: ["item", "day"],
    quiet: { nudge: "5m", expire: "2h" },
    max: 4,
    onSendFailed: (f) => [f.say("lost"), f.goto("item")],
    repair: {
      cancel: "off",
      why: "why-we-ask",
      human: [
        { t: "say", id: "calling" },
        { t: "handoff", id: "handoff-asked", reason: "asked" },
      ] as never,
    },
    migrate: [{ from: 2, rename: { thing: "item" }, steps: { sum: "summary" }, drop: ["colour"] }],
    slots: z.object({
      item: slot.text({ max: 200, secret: true }),
      day: slot.date(),
      reach: slot.choice(["here", "phone"]),
      phone: slot.phone().optional(),
      value: slot.money({ min: 100, max: "account.policy.ceiling" }),
      parts: slot.list(),
      part: slot.text(),
    }),
  },
  (f, $) => [
    f.say("hello", {
      id: "hello-again",
      with: {
        what: $.item,
        shop: $.account.name,
        how: "by hand",
        many: 3,
        flags: [true, "x"] as never,
        all: [$.item, $.day] as never,
      },
      media: $.input.from as never,
    }),
    f.ask("item", {
      ask: "What did you leave?",
      optional: true,
      max: 5,
      onMax: "cancel",
      quiet: { nudge: "off" },
      repair: { back: [f.say("no-way-back")] },
    }),
    f.form("when", { day: { id: "the-day", from: ["item"] }, value: true }),
    f.choose(
      "reach",
      {
        here: [],
        phone: [
          f.ask("phone", { options: { from: $.account.services, value: "id", label: "label" } }),
        ],
      },
      { max: 2 },
    ),
    f.confirm("summary", {
      show: ["day", "value"],
      edit: ["day"],
      word: "SEND",
      quiet: { expire: "1h" },
      repair: { help: "how-to" },
      no: [f.goto("when", { clear: ["day", "value"] }), f.goto("when")],
    }),
    f.call("message.sendContact", {
      id: "card",
      input: {
        number: $.phone,
        contact: [{ fullName: $.account.name, phoneNumber: "5511900000002" }],
      },
      rejected: (r) => [f.say("rejected", { with: { why: r["text"] as never } })],
      failed: [],
    }),
    f.submit("invoice.issue", {
      id: "issue",
      input: { again: true },
      done: (r) => [f.end("sent", { output: { number: r["number"] as never } })],
      rejected: (r) => [f.goto("summary", { clear: r["slots"] as never })],
      held: [],
      failed: [f.end("refused", { id: "the-end" }), f.goto("item")],
    }),
    f.when(
      $.phone.known().not().and($.value.atLeast(100_000)),
      [f.say("large")],
      [f.handoff("small", { id: "a-person" })],
    ),
    f.subflow("talk-to-human", {
      id: "talking",
      input: { why: "x" },
      on: { cancelled: [f.say("as-you-like")] },
    }),
    f.notify("approve-invoice", {
      id: "approval",
      to: $.account.operators,
      within: "24h",
      remind: "2h",
      on: { approved: [], late: [f.end()] },
    }),
    f.repeat("parts", [f.ask("part")], {
      max: 3,
      more: { ask: "Mais?", max: "account.policy.tries" },
    }),
    f.wait("pickup", {
      id: "pause",
      where: (it) => it["item"]!.is($.item),
      within: "2d",
      on: { got: [], late: [f.say("how-was-it")] },
      repair: { cancel: "off" },
    }),
    f.end(),
  ],
);

describe("a flow in YAML", () => {
  test("is the same flow, step by step and by its hash, as in TypeScript", () => {
    const words = vocabularyOf({ effects: effectInfos(shippedEffects) });
    const yaml = astOf(read("request-invoice.yaml"));
    expect(yaml).toEqual(requestInvoice);
    expect(flowHash(yaml, words)).toBe(flowHash(requestInvoice, words));
    const every = astOf(read("every-step.yaml"));
    expect(every).toEqual(everyStep);
    expect(flowHash(every, words)).toBe(flowHash(everyStep, words));
  });

  test("has each step of the kit, each with all its options", () => {
    const typed: Record<keyof Kit<string, Record<never, never>, AnyRegistry>, true> = {
      ...{ say: true, ask: true, form: true, choose: true, confirm: true, repeat: true },
      ...{ submit: true, call: true, when: true, goto: true, subflow: true, notify: true },
      ...{ wait: true, handoff: true, end: true },
    };
    expect(Object.keys(METHODS).sort()).toEqual(Object.keys(typed).sort());
    const used = new Set(eachStep(everyStep).map(({ t }) => t));
    expect([...used].sort()).toEqual(Object.keys(STEP_KINDS).sort());
  });
});
