/** A call that counts was carried out: whatever is said afterwards, it is neither changed nor made a second time. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type EffectInfo, type FlowProgram, slot } from "../../src/flow/index.ts";
import { programOf, smallFlow } from "./fixtures/small.ts";
import { Chat } from "./fixtures/world.ts";

const PAY: EffectInfo = {
  ...{ name: "sample.pay", version: 1, class: "fiscal", result: ["number"] },
  input: [{ name: "document" }, { name: "value" }],
};
const TOO_LATE = "Isso já foi enviado e não dá mais pra mudar por aqui.";
const slots = z.object({
  document: slot.document(),
  kind: slot.choice(["new", "used"]),
  value: slot.money(),
  email: slot.email(),
  stars: slot.number({ min: 1, max: 5 }),
  again: slot.yesno(),
});
const ends = { rejected: [], held: [], failed: [] };

/** Paid for, then asked how it was: the place where people come back to what they said before. */
const paid = smallFlow("paid", { version: 1, slots }, (f, $) => [
  f.ask("email"),
  f.ask("document"),
  f.ask("kind"),
  f.when($.kind.is("new"), [f.say("fresh")]),
  f.ask("value"),
  f.confirm("summary", { show: ["document", "value"], word: "EMITIR" }),
  f.submit("sample.pay", { id: "pay", ...ends }),
  f.say("thanks"),
  f.ask("stars"),
  f.ask("again"),
  f.when($.again.is(true), [f.goto("value")]),
]);

function program(): FlowProgram {
  return programOf(
    paid,
    {
      confirm: { summary: { title: "Confere?" } },
      say: { thanks: "Nota {{pay.number}} emitida.", fresh: "Novo!" },
      ask: {
        email: { text: "Seu e-mail?", names: ["e-mail"] },
        document: { text: "Qual o CPF?", names: ["cpf"] },
        kind: { text: "Novo ou usado?", names: ["tipo"] },
        value: { text: "Qual o valor?", names: ["valor"] },
        stars: { text: "De 1 a 5, como foi?", names: ["estrelas"] },
        again: "Mais uma?",
      },
    },
    { effects: [PAY] },
  );
}

/** A chat that stands where the note is issued and something else is asked. */
function issued(): Chat {
  const chat = new Chat(program());
  for (const text of ["ana@example.com", "529.982.247-25", "new", "150 reais", "EMITIR"])
    chat.says(text);
  expect(calls(chat)).toEqual([{ document: "52998224725", value: 15_000 }]);
  chat.reports("pay", "done", { number: "12" });
  expect(chat.at).toBe("stars");
  return chat;
}

const calls = (chat: Chat): unknown[] =>
  chat.last.demands.flatMap((demand) => (demand.type === "effect" ? [demand.input] : []));

describe("after a call that counts was carried out", () => {
  test.each([
    ["in so many words", "na verdade o valor é 200 reais"],
    ["as another document", "o cpf é 111.444.777-35"],
    ["as what the way to it hung on", "o tipo é used"],
    ["by its name alone", "mudar o valor"],
  ])("what it was made of is no longer changed: %s", (_how, text) => {
    const chat = issued();
    const { slots: before, done } = chat.facts;
    const said = chat.says(text);
    expect(said).toEqual([TOO_LATE, "De 1 a 5, como foi?"]);
    expect([chat.at, calls(chat)]).toEqual(["stars", []]);
    expect([chat.facts.slots, chat.facts.done]).toEqual([before, done]);
    // And the way to it is not open again: its word means nothing here.
    chat.event({ type: "YES" });
    expect([chat.at, calls(chat)]).toEqual(["stars", []]);
    chat.says("5");
    expect(chat.at).toBe("again");
  });

  test("what it does not hang on is changed as ever, and so is what was asked since", () => {
    const chat = issued();
    chat.event({ type: "CORRECT", values: { email: "bia@example.com" } });
    expect([chat.at, calls(chat), chat.said.includes(TOO_LATE)]).toEqual(["stars", [], false]);
    expect(chat.facts.slots).toMatchObject({ email: "bia@example.com" });
    chat.says("5");
    chat.event({ type: "CORRECT", values: { stars: 4 } });
    expect([chat.at, calls(chat)]).toEqual(["again", []]);
    expect(chat.facts.slots).toMatchObject({ stars: 4 });
  });

  test("the same answer once more is no change", () => {
    const chat = issued();
    const said = chat.event({ type: "CORRECT", values: { value: 15_000 } });
    expect([chat.at, calls(chat), said.includes(TOO_LATE)]).toEqual(["stars", [], false]);
  });

  test("a flow that goes back by itself asks anew, and takes another yes for another call", () => {
    const chat = issued();
    chat.says("5");
    chat.says("sim");
    expect(chat.at).toBe("value");
    chat.says("200 reais");
    chat.event({ type: "CORRECT", values: { document: "11144477735" } });
    expect([chat.at, calls(chat)]).toEqual(["summary", []]);
    chat.says("EMITIR");
    expect(calls(chat)).toEqual([{ document: "11144477735", value: 20_000 }]);
  });

  test("a wish to change something, while somebody else is waited for, confirms nothing anew", () => {
    const few = slots.pick({ document: true, value: true });
    const waiting = smallFlow("shipped", { version: 1, slots: few }, (f) => [
      f.ask("document"),
      f.ask("value"),
      f.confirm("summary", { show: ["document", "value"], word: "EMITIR" }),
      f.submit("sample.pay", { id: "pay", ...ends }),
      f.wait("parcel", { id: "parcel", within: "1d", on: { got: [], late: [] } }),
    ]);
    const texts = {
      confirm: { summary: { title: "Confere?" } },
      ask: { document: "Qual o CPF?", value: "Qual o valor?" },
    };
    const chat = new Chat(programOf(waiting, texts, { effects: [PAY] }));
    for (const text of ["529.982.247-25", "150 reais", "EMITIR"]) chat.says(text);
    chat.reports("pay", "done", { number: "12" });
    const { done, pending } = chat.facts;
    chat.event({ type: "EDIT", slots: [] });
    expect([chat.at, calls(chat)]).toEqual(["parcel", []]);
    expect([chat.facts.done, chat.facts.pending]).toEqual([done, pending]);
  });
});
