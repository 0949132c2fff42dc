/** A list's items, and machines made by hand, under a newer version. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  against,
  createLibrary,
  defineRule,
  machineFlow,
  prosaSetup,
  slot,
  type Ast,
  type FlowProgram,
} from "../../src/flow/index.ts";
import { smallFlow, type Texts } from "./fixtures/small.ts";
import { Chat, COMMON, CONTEXT, EFFECTS } from "./fixtures/world.ts";

const texts: Texts = {
  ask: {
    ...{ client: "Para quem?", what: "O que foi?", price: "Quanto?", cost: "Quanto custou?" },
    ...{ hours: "Quantas horas?", symptom: "O que sente?", phone: "Telefone?", fever: "Febre?" },
    items: { text: "", label: "Itens", names: ["itens"] },
    things: { text: "", label: "Coisas", names: ["coisas"] },
  },
  confirm: { sum: { title: "Confere?" } },
};

/** The older and the newer version in one library, as after a deploy. */
function deployed(older: Ast, newer: Ast): readonly [FlowProgram, FlowProgram] {
  const source = (ast: Ast) => ({
    ast,
    texts: { "pt-BR": { locale: "pt-BR" as const, ...texts } },
  });
  const rules = {
    ...defineRule("inCents", { version: 1, run: (value) => Number(value) * 100 }),
    ...defineRule("fromOne", {
      version: 1,
      run: (value) => ((value as { at: string }).at === "symptom" ? "fever" : null),
    }),
  };
  const parts = { common: COMMON, effects: EFFECTS, rules };
  const before = createLibrary({ ...parts, flows: [source(older)] });
  const kept = before.asts().map(({ ast }) => source(ast));
  const after = createLibrary({ ...parts, flows: [source(newer)], older: kept });
  const old = after.get(older.flow, before.get(older.flow)?.hash);
  const now = after.get(newer.flow);
  if (!old || !now) throw new Error(JSON.stringify([...before.findings, ...after.findings]));
  return [old, now];
}

function adopt(now: FlowProgram, chat: Chat) {
  const { version, hash } = chat.program;
  return now.adopt({ version, hash, state: chat.state }, CONTEXT);
}

/** The same person in the newer version. */
function moved(now: FlowProgram, chat: Chat): Chat {
  const adopted = adopt(now, chat);
  if (!adopted.ok) throw new Error(adopted.reason);
  const next = new Chat(now);
  next.last = adopted.step;
  next.state = adopted.step.state;
  return next;
}

describe("the items of a list under a newer version", () => {
  const kinds = { client: slot.name(), items: slot.list(), what: slot.text(), price: slot.money() };
  const first = smallFlow("order", { version: 1, slots: z.object(kinds) }, (f) => [
    f.ask("client"),
    f.repeat("items", [f.ask("what"), f.ask("price")]),
    f.confirm("sum", { show: ["client", "items"] }),
    f.handoff("done"),
  ]);
  /** Two items, at the summary. */
  const begun = (old: FlowProgram): Chat => {
    const chat = new Chat(old);
    const answers = ["Maria Souza", "corte", "R$ 50,00", "sim", "barba", "R$ 30,00", "só isso"];
    for (const text of answers) chat.says(text);
    expect(chat.at).toBe("sum");
    return chat;
  };

  const { price: _price, ...without } = kinds;
  const renamed = (max: number, more: object): Ast =>
    smallFlow(
      "order",
      { version: 2, slots: z.object({ ...without, cost: slot.money({ max }) }), ...more },
      (f) => [
        f.ask("client"),
        f.repeat("items", [f.ask("what"), f.ask("cost")]),
        f.confirm("sum", { show: ["client", "items"] }),
        f.handoff("done"),
      ],
    );

  test("keep what they hold under its new name, and a yes to them stays a yes", () => {
    const [old, now] = deployed(
      first,
      renamed(1_000_000, { migrate: [{ from: 1, rename: { price: "cost" } }] }),
    );
    const chat = begun(old);
    expect(moved(now, chat).facts.slots).toMatchObject({
      items: [{ what: "Corte", cost: 5_000 }],
      ...{ what: "Barba", cost: 3_000, items_more: "done" },
    });
    chat.event({ type: "YES" });
    expect(moved(now, chat).at).toBe("handoff-done");
    expect(against(old, now, CONTEXT).rows.filter(({ word }) => word !== "stays")).toEqual([]);
  });

  test("are changed by the rule of their slot, and asked again where they no longer fit", () => {
    const rule = { from: 1, rename: { price: "cost" }, map: { price: "inCents" } };
    const [old, now] = deployed(first, renamed(400_000, { migrate: [rule] }));
    const chat = moved(now, begun(old));
    // The one in hand fits as 300,000; the one before it, 500,000, is over the limit.
    expect(chat.at).toBe("cost");
    expect(chat.facts.slots).toMatchObject({
      what: "Corte",
      items: [{ what: "Barba", cost: 300_000 }],
    });
    chat.says("R$ 60,00");
    expect(chat.at).toBe("sum");
    expect(chat.said.join()).toMatch(/Barba, R\$ 3.000,00\n2. Corte, R\$ 60,00/);
  });

  test("are each asked for what is new, and nothing else", () => {
    const more: Ast = smallFlow(
      "order",
      { version: 2, slots: z.object({ ...kinds, hours: slot.number() }) },
      (f) => [
        f.ask("client"),
        f.repeat("items", [f.ask("what"), f.ask("price"), f.ask("hours")]),
        f.confirm("sum", { show: ["client", "items"] }),
        f.handoff("done"),
      ],
    );
    const [old, now] = deployed(first, more);
    const chat = moved(now, begun(old));
    expect([chat.at, (chat.facts.slots as unknown as { what: string }).what]).toEqual([
      "hours",
      "Barba",
    ]);
    chat.says("2");
    expect([chat.at, (chat.facts.slots as unknown as { what: string }).what]).toEqual([
      "hours",
      "Corte",
    ]);
    chat.says("3");
    expect(chat.at).toBe("sum");
    expect(chat.facts.slots).toMatchObject({
      items: [{ what: "Barba", price: 3_000, hours: 2 }],
      hours: 3,
    });
    const words = against(old, now, CONTEXT).rows.filter(({ at }) => at === "sum");
    expect(words.map(({ word }) => word)).toEqual(["new question"]);
  });

  test("are told as lost when a slot of theirs is gone that no migration drops", () => {
    const fewer = (more: object): Ast =>
      smallFlow("order", { version: 2, slots: z.object(without), ...more }, (f) => [
        f.ask("client"),
        f.repeat("items", [f.ask("what")]),
        f.confirm("sum", { show: ["client", "items"] }),
        f.handoff("done"),
      ]);
    const [old, now] = deployed(first, fewer({}));
    const lost = against(old, now, CONTEXT).rows.filter(({ word }) => word === "loses");
    expect(lost.map(({ at }) => at)).toContain("client");
    expect(lost.flatMap((row) => row.lost)).toContain("price");
    const [, meant] = deployed(first, fewer({ migrate: [{ from: 1, drop: ["price"] }] }));
    expect(moved(meant, begun(old)).facts.slots).toMatchObject({ items: [{ what: "Corte" }] });
  });

  test("follow their list under its new name, with the question for another one", () => {
    const { items: _items, ...rest } = kinds;
    const things: Ast = smallFlow(
      "order",
      {
        version: 2,
        slots: z.object({ ...rest, things: slot.list() }),
        migrate: [{ from: 1, rename: { items: "things" } }],
      },
      (f) => [
        f.ask("client"),
        f.repeat("things", [f.ask("what"), f.ask("price")]),
        f.confirm("sum", { show: ["client", "things"] }),
        f.handoff("done"),
      ],
    );
    const [old, now] = deployed(first, things);
    const chat = moved(now, begun(old));
    expect(chat.at).toBe("sum");
    expect(chat.facts.slots).toMatchObject({ things: [{ what: "Corte" }], things_more: "done" });
  });
});

describe("a machine made by hand under a newer version", () => {
  const asks = { symptom: { slot: "symptom" }, phone: { slot: "phone" } } as const;
  const chart = (states: object) =>
    prosaSetup().createMachine({
      initial: "symptom",
      states: { ...states, "ended-done": { type: "final" } } as never,
    });
  const passes = (target: string) => ({ entry: "ask", always: { guard: "filled", target } });
  const first = machineFlow(
    "triage",
    { version: 1, slots: z.object({ symptom: slot.text(), phone: slot.phone() }), asks },
    chart({ symptom: passes("phone"), phone: passes("ended-done") }),
  );
  const second = (migrate: readonly object[]): Ast =>
    machineFlow(
      "triage",
      {
        version: 2,
        slots: z.object({ symptom: slot.text(), fever: slot.yesno(), number: slot.phone() }),
        asks: {
          symptom: { slot: "symptom" },
          fever: { slot: "fever" },
          number: { slot: "number", ask: "Telefone?" },
        },
        migrate: migrate as never,
      },
      chart({ symptom: passes("fever"), fever: passes("number"), number: passes("ended-done") }),
    );
  const rename = { phone: "number" };
  const words = (now: Ast): string[] => {
    const [old, program] = deployed(first, now);
    return against(old, program, CONTEXT).rows.map(({ at, word, to }) => `${at}: ${word} ${to}`);
  };

  test("keeps everybody in the older one until it says how they move", () => {
    expect(words(second([]))).toEqual(["symptom: pinned symptom", "phone: pinned phone"]);
  });

  test("moves them to the state of the same name, or of the one that it names", () => {
    expect(words(second([{ from: 1, rename, steps: { phone: "number" } }]))).toEqual([
      "symptom: stays symptom",
      "phone: stays number",
    ]);
  });

  test("moves them as its own function says, or leaves them where that says nothing", () => {
    const now = second([{ from: 1, rename, place: "fromOne" }]);
    expect(words(now)).toEqual(["symptom: new question fever", "phone: pinned phone"]);
    const [old, program] = deployed(first, now);
    const chat = moved(program, new Chat(old));
    expect(chat.said).toEqual(["Febre?"]);
    chat.says("não");
    expect(chat.at).toBe("number");
  });

  test("says which answers are lost on the way", () => {
    const fewer = machineFlow(
      "triage",
      {
        version: 2,
        slots: z.object({ phone: slot.phone() }),
        asks: { phone: { slot: "phone" } },
        migrate: [{ from: 1 }],
      },
      prosaSetup().createMachine({
        initial: "phone",
        states: {
          phone: { entry: "ask", always: { guard: "filled", target: "ended-done" } },
          "ended-done": { type: "final" },
        },
      }),
    );
    expect(words(fewer)).toEqual(["symptom: pinned symptom", "phone: loses phone"]);
  });
});
