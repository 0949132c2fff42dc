import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { FlowEvent } from "../../src/engine/index.ts";
import { canonicalJson } from "../../src/base/index.ts";
import { ROOT_EVENTS } from "../../src/flow/machine/compile.ts";
import { type EffectInfo, slot } from "../../src/flow/index.ts";
import { programOf, smallFlow } from "./fixtures/small.ts";
import { ACCOUNT, Chat, CONTEXT, library } from "./fixtures/world.ts";

const program = library().get("request-sample");
if (!program) throw new Error("the sample does not load");

const VALUES = {
  service: "cut",
  document: "52998224725",
  name: "Maria Souza",
  value: 15_000,
  description: "Corte de cabelo",
  competence: "2026-10",
};
const SLOTS = [...Object.keys(VALUES), "address"];

/** Anything a person or the world may send, at any time. `fresh` outcomes carry the pending digest. */
type Sent = { readonly event: FlowEvent; readonly fresh?: true };
const value = fc.record({}, {}).chain(() =>
  fc.constantFrom(
    { document: "11222333000181" },
    { document: "52998224725" },
    { value: 20_000 },
    { value: 15_000 },
    { name: "Ana Lima" },
    { service: "dye" },
    { service: "cut" },
    { competence: "2026-09" },
    { description: "Corte" },
    { value: 15_000, description: "Barba" },
    {
      address: {
        logradouro: "Rua A",
        numero: "1",
        bairro: "Centro",
        codigo_municipio: "3550308",
        uf: "SP",
        cep: "01310100",
      },
    },
  ),
);
const sent: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 6, arbitrary: value.map((values): Sent => ({ event: { type: "ANSWER", values } })) },
  { weight: 3, arbitrary: value.map((values): Sent => ({ event: { type: "CORRECT", values } })) },
  fc.subarray(SLOTS).map((slots): Sent => ({ event: { type: "EDIT", slots } })),
  fc
    .constantFrom(
      "YES",
      "YES",
      "YES",
      "NO",
      "BACK",
      "SKIP",
      "REPEAT",
      "HELP",
      "WHY",
      "HUMAN",
      "RESUME",
      "quiet.nudge",
    )
    .map((type): Sent => ({ event: { type } })),
  fc.constant<Sent>({
    event: { type: "BAD", reason: "invalid", options: [{ id: "=1", label: "x" }] },
  }),
  fc
    .constantFrom(
      "approval.approved",
      "approval.refused",
      "approval.late",
      "issue.held",
      "issue.rejected",
      "issue.failed",
    )
    .map((type): Sent => ({
      event: {
        type: type as "a.b",
        for: "stale",
        out: { fixable: "customer", slots: ["description"], text: "x" },
      },
      fresh: true,
    })),
);

function play(chat: Chat, one: Sent): void {
  const pending = chat.facts.pending as unknown as { for: string } | null;
  const event =
    one.fresh && pending && "for" in one.event ? { ...one.event, for: pending.for } : one.event;
  chat.event(event);
}

/** Answers whatever is asked, confirms and reports success until the flow ends. */
function finish(chat: Chat): string | undefined {
  for (let turn = 0; turn < 40 && !chat.last.ended; turn++) {
    const { rests, slot } = chat.program.expects(chat.state, CONTEXT);
    if (slot === "address") chat.says("Rua das Flores, 123, Centro, São Paulo/SP, 01310-100");
    else if (slot) chat.event({ type: "ANSWER", values: { [slot]: VALUES[slot as "name"] } });
    else if (rests === "confirm") chat.event({ type: "YES" });
    else if (rests === "notify") chat.reports("approval", "approved");
    else if (rests === "effect") chat.reports("issue", "done", { number: "1", link: "l" });
    else chat.event({ type: "RESUME" });
  }
  return chat.last.ended?.outcome;
}

const walks = fc.array(sent, { maxLength: 25 });

describe("any walk through the sample", () => {
  test("can be finished from wherever it stands, also after edits of hidden slots", () => {
    fc.assert(
      fc.property(walks, (events) => {
        const chat = new Chat(program);
        for (const one of events) if (!chat.last.ended) play(chat, one);
        if (chat.last.ended) return;
        expect(["issued", "done"]).toContain(finish(chat));
      }),
      { numRuns: 150 },
    );
  });

  test("gives the same state and words whether or not it is serialised between turns", () => {
    fc.assert(
      fc.property(walks, (events) => {
        const stored = new Chat(program);
        let state = program.start(
          { input: {}, account: ACCOUNT, contact: { role: "customer" } },
          CONTEXT,
        ).state;
        for (const one of events) {
          const pending = stored.facts.pending as unknown as { for: string } | null;
          const event = (
            one.fresh && pending ? { ...one.event, for: pending.for } : one.event
          ) as FlowEvent;
          const direct = program.step(state, event, CONTEXT);
          stored.event(event);
          expect(canonicalJson(stored.state)).toBe(canonicalJson(direct.state));
          expect(stored.said).toEqual(direct.say.map(({ text }) => text));
          state = direct.state;
        }
      }),
      { numRuns: 100 },
    );
  });

  test("never begins a fiscal call twice without a definite end between", () => {
    fc.assert(
      fc.property(walks, (events) => {
        const chat = new Chat(program);
        let open = false;
        for (const one of events) {
          if (chat.last.ended) break;
          const before = (chat.facts.pending as unknown as { step: string } | null)?.step;
          play(chat, one);
          const definite = /^issue\.(rejected|failed|done)$/.test(one.event.type);
          if (before === "issue" && definite) open = false;
          const begun = chat.last.demands.filter((demand) => demand.type === "effect").length;
          expect(begun === 0 || !open).toBe(true);
          if (begun > 0) open = true;
        }
      }),
      { numRuns: 150 },
    );
  });

  test("is never cancelled, expired, corrected or turned back while the fiscal call is open", () => {
    const chat = new Chat(program);
    chat.fill();
    chat.event({ type: "YES" });
    chat.reports("approval", "approved");
    const facts = canonicalJson(chat.facts);
    for (const event of [
      { type: "CANCEL" },
      { type: "BACK" },
      { type: "quiet.expire" },
      { type: "CORRECT", values: { value: 1 } },
      { type: "ANSWER", values: { value: 1 } },
      { type: "EDIT", slots: ["value"] },
      { type: "issue.done", for: "another", out: {} },
    ] as FlowEvent[])
      chat.event(event);
    expect(canonicalJson(chat.facts)).toBe(facts);
  });
});

describe("repair", () => {
  test("all thirteen root events are declared once, for every state", () => {
    expect(Object.keys(program.machine.config.on).sort()).toEqual([...ROOT_EVENTS].sort());
    expect(ROOT_EVENTS).toHaveLength(13);
  });

  test("a person's event is answered in words at every resting place", () => {
    fc.assert(
      fc.property(walks, fc.constantFrom(...ROOT_EVENTS), (events, type) => {
        const chat = new Chat(program);
        for (const one of events) if (!chat.last.ended) play(chat, one);
        if (chat.last.ended || type.startsWith("quiet.")) return;
        const { slot } = chat.program.expects(chat.state, CONTEXT);
        const extra =
          type === "EDIT"
            ? { slots: ["value"] }
            : type === "BAD"
              ? { reason: "invalid" }
              : {
                  values:
                    slot && slot !== "address" ? { [slot]: VALUES[slot as "name"] } : { value: 1 },
                };
        expect(chat.event({ type, ...extra } as FlowEvent).join("")).not.toBe("");
      }),
      { numRuns: 200 },
    );
  });

  test("back and the same answer change nothing", () => {
    const chat = new Chat(program);
    for (const text of ["1", "529.982.247-25", "Maria Souza", "150 reais", "corte", "10/2026"]) {
      chat.says(text);
      const { at, facts } = { at: chat.at, facts: canonicalJson(chat.facts) };
      chat.event({ type: "BACK" });
      expect(chat.at).not.toBe(at);
      const slot = chat.at;
      chat.event({ type: "ANSWER", values: { [slot]: (chat.facts.slots as never)[slot] } });
      expect(canonicalJson(chat.facts)).toBe(facts);
    }
  });

  test("a correction to the same value keeps a pending approval and only answers in words", () => {
    const chat = new Chat(program);
    chat.fill();
    chat.event({ type: "YES" });
    const facts = canonicalJson(chat.facts);
    expect(chat.event({ type: "CORRECT", values: { value: 15_000 } })).not.toEqual([]);
    expect(chat.last.demands).toEqual([]);
    expect(canonicalJson(chat.facts)).toBe(facts);
  });

  test("the order of answers does not matter for where they end", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(VALUES), { minLength: 6 }), (order) => {
        const chat = new Chat(program);
        for (const [slot, given] of order)
          chat.event({ type: "ANSWER", values: { [slot]: given } });
        expect(chat.at).toBe("summary");
        expect(chat.facts.slots).toEqual(VALUES);
      }),
      { numRuns: 60 },
    );
  });

  test("an answer to another question counts as understood: three wrong ones in a row call a person, not three in all", () => {
    const chat = new Chat(program);
    const wrong = (): number[] =>
      [1, 2].map(() => chat.event({ type: "BAD", reason: "absent" }).length);
    wrong();
    chat.event({ type: "ANSWER", values: { name: "Maria Souza" } });
    wrong();
    expect(chat.last.demands.filter(({ type }) => type === "handoff")).toEqual([]);
    chat.event({ type: "BAD", reason: "absent" });
    expect(chat.last.demands.filter(({ type }) => type === "handoff")).toHaveLength(1);
  });

  test("back does not lead behind a call that counts once it was carried out: there is nothing before what is asked then", () => {
    const ast = smallFlow(
      "paid",
      { version: 1, slots: z.object({ document: slot.document(), another: slot.yesno() }) },
      (f) => [
        f.ask("document", { ask: "Qual o documento?" }),
        f.confirm("summary", { show: ["document"] }),
        f.submit("sample.pay", { id: "pay", rejected: [f.end()], held: [], failed: [f.end()] }),
        f.ask("another", { ask: "Mais uma?" }),
      ],
    );
    const pay: EffectInfo = {
      ...{ name: "sample.pay", version: 1, class: "costly" },
      ...{ input: [{ name: "document" }], result: [] },
    };
    const chat = new Chat(programOf(ast, { confirm: { summary: "Certo?" } }, { effects: [pay] }));
    chat.says("529.982.247-25");
    chat.event({ type: "YES" });
    chat.reports("pay", "done");
    expect(chat.at).toBe("another");
    chat.event({ type: "BACK" });
    expect(chat.at).toBe("another");
  });

  test("a nudge does not put off the end, and an end closes the conversation", () => {
    const chat = new Chat(program);
    chat.says("1");
    expect(chat.event({ type: "quiet.nudge" })[0]).toBe("Ainda por aí?");
    expect(chat.last.demands).toEqual([]);
    chat.event({ type: "quiet.expire" });
    expect(chat.last.ended?.outcome).toBe("expired");
  });
});

describe("the compiled machine", () => {
  test("is pure JSON: no function, no actor, no timer in it", () => {
    const { config } = program.machine;
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
    expect(JSON.stringify(config)).not.toMatch(/"(?:invoke|after|history|spawn)"/);
  });

  test("stops a walk without end instead of hanging", () => {
    expect(program.machine.config.options.maxIterations).toBeLessThan(1000);
  });
});
