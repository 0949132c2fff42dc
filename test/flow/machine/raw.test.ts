/** Machines made by hand: the same facts, the same repair, the same life, and a lint that keeps the traps out. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Fault } from "../../../src/base/index.ts";
import {
  chartOf,
  machineFlow,
  prosaSetup,
  RULE_TEXTS,
  slot,
  type Ast,
} from "../../../src/flow/index.ts";
import { triage as walked, triageTexts } from "../fixtures/kinds-of-steps.ts";
import { findingsOf, programOf, type Texts } from "../fixtures/small.ts";
import { Chat, CONTEXT } from "../fixtures/world.ts";

const slots = z.object({ symptom: slot.text(), fever: slot.yesno(), phone: slot.phone() });
const hot = { cmp: "==", l: { ref: "fever" }, r: { val: true } };

const triage = machineFlow(
  "triage",
  {
    version: 1,
    outcomes: ["urgent"],
    slots,
    asks: {
      symptom: { slot: "symptom" },
      fever: { slot: "fever", ask: "Tem febre?" },
      phone: { slot: "phone" },
    },
    steps: (f) => [f.handoff("nurse", { id: "nurse" })],
  },
  prosaSetup().createMachine({
    initial: "symptom",
    on: { HELP: { actions: { type: "wordOnly", params: { word: "human" } } } },
    states: {
      symptom: { entry: "ask", always: { guard: "filled", target: "fever" } },
      fever: {
        entry: "ask",
        always: [
          { guard: { type: "is", params: { if: hot } as never }, target: "nurse" },
          { guard: "filled", target: "phone" },
        ],
      },
      nurse: {
        entry: "handoff",
        always: { guard: { type: "settled", params: { is: "back" } }, target: "ended-urgent" },
        on: { RESUME: { actions: { type: "settle", params: { is: "back" } } } },
      },
      phone: { entry: "ask", always: { guard: "filled", target: "ended-done" } },
      "ended-urgent": { type: "final" },
      "ended-done": { type: "final" },
    },
  }),
);
const texts: Texts = { ask: { symptom: "O que você sente?", phone: "Qual o telefone?" } };
const begun = () => new Chat(programOf(triage, texts));

describe("a machine made by hand", () => {
  test("is data that survives JSON, and runs as a flow", () => {
    expect(JSON.parse(JSON.stringify(triage))).toEqual(triage);
    const chat = begun();
    expect(chat.said).toEqual(["O que você sente?"]);
    expect(chat.says("dor de cabeça")).toEqual(["Tem febre?"]);
    expect(chat.says("não")).toEqual(["Qual o telefone?"]);
    chat.says("(11) 98888-0001");
    expect(chat.last.ended).toMatchObject({ outcome: "done", out: { fever: false } });
  });

  test("waits for a person, and goes on when it is given back", () => {
    const chat = begun();
    chat.says("dor");
    chat.says("sim");
    expect(chat.last.demands).toContainEqual({ type: "handoff", step: "nurse", reason: "nurse" });
    chat.event({ type: "RESUME" });
    expect(chat.last.ended?.outcome).toBe("urgent");
  });

  test("has the repair of every flow behind its own entries", () => {
    const chat = begun();
    chat.says("dor de cabeça");
    chat.says("não");
    expect(chat.says("voltar").join()).toContain("Tem febre?");
    expect(chat.says("não").join()).toContain("Qual o telefone?");
    expect(chat.says("o fever é sim")).not.toEqual([]);
    expect(chat.event({ type: "HELP" }).join()).toContain("Vou chamar uma pessoa");
    expect(begun().says("cancelar").join()).toContain("cancelei");
  });

  test("rests where its chart says, and says where that is", () => {
    const chart = chartOf(programOf(triage, texts));
    expect(chart.nodes.map(({ id }) => id).sort()).toEqual(
      ["ended-done", "ended-urgent", "fever", "nurse", "phone", "start", "symptom"].sort(),
    );
    expect(chart.edges.map(({ from, to }) => `${from}>${to}`)).toContain("nurse>ended-urgent");
  });

  test("decides nothing at a question that is asked again", () => {
    const chat = begun();
    chat.says("dor");
    chat.says("sim");
    // The answer that led to the nurse may be another one now.
    chat.event({ type: "BACK" });
    expect(chat.at).toBe("fever");
    chat.says("não");
    expect(chat.at).toBe("phone");
  });

  test("has an answer to a lost bubble: its own edge, or steps of its own", () => {
    const machine = { ...triage.machine, on: { "send.failed": { target: ".nurse" } } };
    const edge = new Chat(programOf({ ...triage, machine }, texts));
    edge.event({ type: "send.failed", reason: "unreachable" });
    expect(edge.at).toBe("nurse");

    const steps = machineFlow(
      "steps",
      {
        version: 1,
        slots: z.object({ phone: slot.phone() }),
        asks: { phone: { slot: "phone", ask: "Qual o telefone?" } },
        onSendFailed: (f) => [f.handoff("undelivered")],
      },
      prosaSetup().createMachine({
        initial: "phone",
        states: {
          phone: { entry: "ask", always: { guard: "filled", target: "ended-done" } },
          "ended-done": { type: "final" },
        },
      }),
    );
    const chat = new Chat(programOf(steps));
    chat.event({ type: "send.failed", reason: "unreachable" });
    expect(chat.last.demands).toContainEqual(
      expect.objectContaining({ type: "handoff", reason: "undelivered" }),
    );
    expect(chat.event({ type: "RESUME" })).toEqual(["Qual o telefone?"]);
  });

  test("is never moved into another version: who is in it ends in it", () => {
    const chat = begun();
    const newer = programOf({ ...triage, outcomes: ["urgent", "other"] } satisfies Ast, texts);
    const from = { version: 1, hash: chat.program.hash, state: chat.state };
    expect(newer.hash).not.toBe(chat.program.hash);
    expect(newer.adopt(from, CONTEXT)).toEqual({ ok: false, reason: "raw" });
  });
});

describe("what a machine must not have", () => {
  const wrong = (states: object, root: object = {}): string[] =>
    findingsOf(
      {
        ...triage,
        machine: {
          ...triage.machine,
          ...root,
          states: { ...(triage.machine?.["states"] as object), ...states },
        },
      },
      texts,
    );

  test.each([
    [{ phone: { invoke: { src: "call" } } }, "raw/invoke"],
    [{ phone: { after: { 1000: "fever" } } }, "raw/after"],
    [{ phone: { type: "parallel" } }, "raw/parallel"],
    [{ phone: { type: "history" } }, "raw/history"],
    [{ phone: { states: { a: {} }, initial: "a" } }, "raw/nested"],
    [{ phone: { entry: "callHome" } }, "raw/unregistered-action"],
    [{ phone: { always: { guard: "maybe", target: "fever" } } }, "raw/unregistered-action"],
    [{ phone: { entry: "ask" } }, "raw/not-passed"],
    [{ lost: { on: { YES: "phone" } } }, "raw/silent-rest"],
    [{ bye: { type: "final" } }, "raw/final"],
    [{ phone: { always: { guard: "filled", target: "fevr" } } }, "raw/unknown-target"],
    [
      { phone: { always: { guard: "filled", target: "fever" }, on: { HLEP: {} } } },
      "raw/unknown-event",
    ],
    [{ lost: { entry: "begin", always: "phone" } }, "raw/no-step"],
    [{ one: { always: "other" }, other: { always: "one" } }, "graph/loop-without-rest"],
  ])("%j", (states, rule) => {
    expect(wrong(states).map((line) => line.split(":")[0])).toContain(rule);
  });

  test("names what was meant, and each rule has a way of its own to mend it", () => {
    const near = wrong({ phone: { always: { guard: "filed", target: "fevr" }, on: { HLEP: {} } } });
    expect(near.join()).toMatch(/"filled"\?.*"HELP"\?.*"fever"\?/s);
    const raw = Object.entries(RULE_TEXTS).filter(([rule]) => rule.startsWith("raw/"));
    expect(new Set(raw.map(([, { how }]) => how)).size).toBe(raw.length);
  });

  test("a call that may end in a way nobody takes", () => {
    const look = structuredClone(walked) as Ast & {
      machine: { states: { look: { on: Record<string, unknown> } } };
    };
    delete look.machine.states.look.on["look.rejected"];
    expect(findingsOf(look, triageTexts)).toEqual([
      'raw/outcome-unhandled: State "look" does not take "look.rejected".',
    ]);
  });

  test("a context of its own, or nowhere to begin", () => {
    expect(wrong({}, { context: { a: 1 } }).join()).toContain("raw/context");
    expect(wrong({}, { initial: "nowhere" }).join()).toContain("raw/initial");
  });

  test("a function in it is named with its path", () => {
    const inline = { config: { initial: "a", states: { a: { entry: () => undefined } } } };
    expect(() => machineFlow("x", { version: 1, slots: z.object({}), asks: {} }, inline)).toThrow(
      Fault,
    );
  });

  test("names that are none of the kit's do not compile", () => {
    const made = () =>
      prosaSetup().createMachine({
        initial: "a",
        // @ts-expect-error the kit has no such action
        states: { a: { entry: "callHome" } },
      });
    expect(made).toBeTypeOf("function");
  });
});
