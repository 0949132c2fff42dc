/** The properties of every flow, each seen to notice the fault it is there for: a guard that is gone, an engine that errs. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type EffectInfo,
  type FlowConfig,
  type FlowProgram,
  generated,
  slot,
} from "../../src/flow/index.ts";
import type { Facts } from "../../src/flow/moves/facts.ts";
import { programOf, smallFlow, type Texts } from "./fixtures/small.ts";
import { CONTEXT } from "./fixtures/world.ts";

const CLOSE: EffectInfo = {
  ...{ name: "sale.close", version: 1, class: "fiscal" as const, result: [] },
  input: [{ name: "document" }, { name: "value" }],
};
const sale = smallFlow(
  "sale",
  {
    version: 1,
    slots: z.object({ document: slot.document(), value: slot.money(), note: slot.text() }),
  },
  (f, $) => [
    f.say("hello"),
    f.ask("document"),
    f.ask("value"),
    f.when($.document.type.is("cnpj"), [f.ask("note")]),
    f.confirm("sum", { show: ["document", "value"] }),
    f.submit("sale.close", {
      id: "close",
      done: () => [],
      rejected: () => [f.goto("sum", { clear: ["value"] })],
      held: () => [f.say("wait")],
      failed: () => [f.handoff("failed")],
    }),
  ],
);

/** A small sale, with a changed machine. */
function sample(shape?: (config: FlowConfig) => FlowConfig): FlowProgram {
  const texts: Texts = {
    say: { hello: "Oi.", wait: "Um momento." },
    ask: { document: "Documento?", value: "Valor?", note: "Observação?" },
    confirm: { sum: { title: "Confere?" } },
  };
  const probe = shape ? { probe: () => ({ shape }) } : {};
  return programOf(sale, texts, { effects: [CLOSE], ...probe });
}

/** A program of which one part errs. */
function erring(
  program: FlowProgram,
  part: Partial<Pick<FlowProgram, "step" | "adopt">>,
): FlowProgram {
  return Object.assign(Object.create(program) as FlowProgram, part);
}

const factsOf = (state: object): Facts => (state as { facts: Facts }).facts;
const withFacts = (state: object, facts: object): never =>
  ({ ...state, facts: { ...factsOf(state), ...facts } }) as never;

/** Properties that do not hold, once each. */
function broken(program: FlowProgram): string[] {
  const found = generated(program, CONTEXT, 100_000).broken;
  return [...new Set(found.map(({ property }) => property))];
}

/** The edges of one event of every state without the guard that is named. */
const unguarded =
  (event: string, name: string) =>
  (config: FlowConfig): FlowConfig => ({
    ...config,
    on: {
      ...config.on,
      [event]: (config.on[event] ?? []).map(({ guard, ...edge }) =>
        guard && guard.type !== name ? { ...edge, guard } : edge,
      ),
    },
  });

/** A sale after which something else is asked, with a changed machine. */
function paid(shape?: (config: FlowConfig) => FlowConfig): FlowProgram {
  const ast = smallFlow(
    "paid",
    {
      version: 1,
      slots: z.object({ document: slot.document(), value: slot.money(), another: slot.yesno() }),
    },
    (f) => [
      f.ask("document", { ask: "Documento?" }),
      f.ask("value", { ask: "Valor?" }),
      f.confirm("sum", { show: ["document", "value"] }),
      f.submit("sale.close", {
        id: "close",
        done: () => [f.ask("another", { ask: "Mais uma?" })],
        rejected: () => [f.end()],
        held: () => [],
        failed: () => [f.end()],
      }),
    ],
  );
  const probe = shape ? { probe: () => ({ shape }) } : {};
  return programOf(
    ast,
    { confirm: { sum: { title: "Confere?" } } },
    { effects: [CLOSE], ...probe },
  );
}

describe("what every flow is asked", () => {
  test("holds of the sample as it is, at every step where one may rest", () => {
    const { whole, unreached, broken: found } = generated(sample(), CONTEXT);
    expect({ whole, unreached, found }).toEqual({ whole: true, unreached: [], found: [] });
  });

  test("notices an answer that is lost when others come with it", () => {
    const whole = sample();
    const one = erring(whole, {
      step: (state, event, context) => {
        const after = whole.step(state, event, context);
        const last = "values" in event ? Object.keys(event.values).slice(1).at(-1) : undefined;
        if (last === undefined || after.ended) return after;
        const slots = { ...factsOf(after.state).slots, [last]: null };
        return { ...after, state: withFacts(after.state, { slots }) };
      },
    });
    expect(broken(one)).toContain("the order of answers does not matter");
  });

  test("notices an answer that does something the second time", () => {
    const whole = sample();
    const twice = erring(whole, {
      step: (state, event, context) => {
        const after = whole.step(state, event, context);
        const again =
          "values" in event &&
          Object.keys(event.values).every((slot) => factsOf(state).slots[slot] !== undefined);
        const { document: _document, ...slots } = factsOf(after.state).slots;
        return again && !after.ended
          ? { ...after, state: withFacts(after.state, { slots }) }
          : after;
      },
    });
    expect(broken(twice)).toContain("messages that come twice change nothing");
  });

  test("notices a second call that counts while the first is under way", () => {
    const found = broken(sample(unguarded("CORRECT", "open")));
    expect(found).toContain("a call that counts is begun once");
  });

  test("notices that back leads behind a call that was carried out", () => {
    const whole = paid();
    expect(generated(whole, CONTEXT).broken).toEqual([]);
    const crossing = erring(whole, {
      step: (state, event, context) => {
        const { done } = factsOf(state);
        if (event.type !== "BACK" || !done["close"]) return whole.step(state, event, context);
        const after = whole.step(
          withFacts(state, { done: {}, trail: ["value", "another"] }),
          event,
          context,
        );
        return { ...after, state: withFacts(after.state, { done }) };
      },
    });
    expect(broken(crossing)).toContain("back does not cross what was carried out");
  });

  test.each([
    ["wants changed", "EDIT"],
    ["says anew", "ANSWER"],
  ])("notices that what was carried out is open again to who %s it", (_how, event) => {
    expect(broken(paid(unguarded(event, "open")))).toContain("what was carried out stands");
  });

  test("notices a move to the same version that forgets what was said", () => {
    const whole = sample();
    const moved = erring(whole, {
      adopt: (from, context) =>
        whole.adopt({ ...from, state: withFacts(from.state, { marks: {} }) }, context),
    });
    expect(broken(moved)).toEqual(["a move to the very same version changes nothing"]);
  });

  test("notices what is kept of every turn", () => {
    const whole = sample();
    let turns = 0;
    const leaking = erring(whole, {
      step: (state, event, context) => {
        const after = whole.step(state, event, context);
        const { marks } = factsOf(after.state);
        const one = { ...marks, [`turn-${++turns}`]: "0123456789abcdef" };
        return after.ended ? after : { ...after, state: withFacts(after.state, { marks: one }) };
      },
    });
    expect(broken(leaking)).toContain("what is remembered does not grow for ever");
  });
});
