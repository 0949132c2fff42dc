import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createLibrary, flowsOf, slot, type Ast, type Catalogue } from "../../src/flow/index.ts";
import { Chat, COMMON, CONTEXT, EFFECTS, type SampleRegistryOf } from "./fixtures/world.ts";

const flow = flowsOf<SampleRegistryOf>();
const ask = {
  document: "Documento?",
  cpf: "CPF?",
  value: "Valor?",
  name: "Nome?",
  city: "Cidade?",
};
const texts: Catalogue = {
  locale: "pt-BR",
  say: { hello: "Oi.", sent: "Enviado." },
  ask,
  confirm: { sum: "Certo?" },
};

const first = flow(
  "small",
  { version: 1, slots: z.object({ cpf: slot.cpf(), value: slot.money() }) },
  (f) => [
    f.say("hello"),
    f.form("all", { cpf: true, value: true }),
    f.confirm("sum", { show: ["cpf", "value"] }),
    f.wait("paid", { id: "pay", within: "1d", on: { got: [], late: [] } }),
    f.handoff("check"),
  ],
);

const second = flow(
  "small",
  {
    version: 2,
    slots: z.object({ document: slot.cpf(), value: slot.money() }),
    migrate: [{ from: 1, rename: { cpf: "document" } }],
  },
  (f) => [
    f.say("hello"),
    f.form("all", { document: true, value: true }),
    f.confirm("sum", { show: ["document", "value"] }),
    f.wait("paid", { id: "pay", within: "1d", on: { got: [], late: [] } }),
    f.handoff("check"),
  ],
);

function load(ast: Ast, older?: Ast) {
  const library = createLibrary({
    flows: [{ ast, texts: { "pt-BR": texts } }],
    ...(older ? { older: [{ ast: older, texts: { "pt-BR": texts } }] } : {}),
    common: COMMON,
    effects: EFFECTS,
  });
  const program = library.get(ast.flow);
  if (!program) throw new Error(JSON.stringify(library.findings));
  return program;
}

const old = load(first);
const renamed = load(second, first);

function adopt(chat: Chat, to = renamed) {
  return to.adopt({ version: 1, hash: old.hash, state: chat.state }, CONTEXT);
}
function moved(chat: Chat, to = renamed) {
  const adopted = adopt(chat, to);
  if (!adopted.ok) throw new Error(adopted.reason);
  return { ...adopted.step, at: to.expects(adopted.step.state, CONTEXT).step };
}

describe("a conversation under a newer version", () => {
  test("keeps its hash when only words change, and loses it when steps or kinds do", () => {
    expect(load({ ...first, title: "Other", version: 9 }).hash).toBe(old.hash);
    expect(renamed.hash).not.toBe(old.hash);
  });

  test("keeps renamed answers and asks only what is still open", () => {
    const chat = new Chat(old);
    chat.says("529.982.247-25");
    const step = moved(chat);
    expect(step.at).toBe("value");
    expect((step.state.facts as { slots: object }).slots).toEqual({ document: "52998224725" });
    expect(step.say.map(({ text }) => text)).toEqual(["Valor?"]);
  });

  test("a mere rename does not void a given confirm: its digest is stamped anew", () => {
    const chat = new Chat(old);
    chat.says("529.982.247-25");
    chat.says("150 reais");
    chat.event({ type: "YES" });
    chat.reports("pay", "got");
    expect(chat.at).toBe("handoff-check");
    expect(moved(chat).at).toBe("handoff-check");
    const withoutOld = load(second);
    expect(moved(chat, withoutOld).at).toBe("sum");
  });

  test("is pinned while something is under way in the world", () => {
    const chat = new Chat(old);
    chat.says("529.982.247-25");
    chat.says("150 reais");
    chat.event({ type: "YES" });
    expect(chat.at).toBe("pay");
    expect(adopt(chat)).toEqual({ ok: false, reason: "pending" });
  });

  test("asks a question that was inserted before, then goes back to where it was", () => {
    const more = load(
      flow(
        "small",
        {
          version: 2,
          slots: z.object({ cpf: slot.cpf(), value: slot.money(), city: slot.text() }),
        },
        (f) => [
          f.say("hello"),
          f.form("all", { city: true, cpf: true, value: true }),
          f.confirm("sum", { show: ["cpf", "value", "city"] }),
          f.wait("paid", { id: "pay", within: "1d", on: { got: [], late: [] } }),
          f.handoff("check"),
        ],
      ),
      first,
    );
    const chat = new Chat(old);
    chat.says("529.982.247-25");
    const step = moved(chat, more);
    expect(step.at).toBe("city");
    const next = more.step(step.state, { type: "ANSWER", values: { city: "Santos" } }, CONTEXT);
    expect(more.expects(next.state, CONTEXT).step).toBe("value");
  });

  test("moving to itself is silent and changes nothing", () => {
    const chat = new Chat(old);
    chat.says("529.982.247-25");
    const adopted = old.adopt({ version: 1, hash: old.hash, state: chat.state }, CONTEXT);
    expect(adopted).toMatchObject({ ok: true, step: { state: chat.state, say: [], demands: [] } });
  });

  test("values that no longer fit are asked again", () => {
    const strict = load(
      flow(
        "small",
        { version: 2, slots: z.object({ cpf: slot.cpf(), value: slot.money({ max: 100 }) }) },
        (f) => [
          f.say("hello"),
          f.form("all", { cpf: true, value: true }),
          f.confirm("sum", { show: ["cpf", "value"] }),
        ],
      ),
      first,
    );
    const chat = new Chat(old);
    chat.says("529.982.247-25");
    chat.says("150 reais");
    expect(moved(chat, strict).at).toBe("value");
  });

  test("a state of another shape is refused with a fault, not guessed at", () => {
    expect(() => old.expects({ value: "value", facts: { slots: [] } }, CONTEXT)).toThrow(
      /FLOW_FAILED/,
    );
    expect(() => old.expects({ value: "gone", facts: {} }, CONTEXT)).toThrow(/FLOW_FAILED/);
  });
});
