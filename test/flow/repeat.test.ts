/** Lists of items: asked one by one, corrected, left out, and gone back over. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { slot } from "../../src/flow/index.ts";
import { findingsOf, programOf, smallFlow, type Texts } from "./fixtures/small.ts";
import { Chat, CONTEXT } from "./fixtures/world.ts";

const slots = z.object({
  client: slot.name(),
  items: slot.list(),
  what: slot.text(),
  price: slot.money(),
  note: slot.text().optional(),
});
const texts: Texts = {
  ask: {
    client: "Para quem?",
    items: { text: "", label: "Itens", names: ["itens", "serviços"] },
    what: "O que foi feito?",
    price: "Quanto custou?",
    note: "Alguma observação?",
  },
  confirm: { sum: { title: "Confere?" } },
  say: { thanks: "{{items.count}} itens, {{items.sum.price | brl}}" },
};
const order = smallFlow("order", { version: 1, slots }, (f, $) => [
  f.ask("client"),
  f.repeat(
    "items",
    [f.ask("what"), f.ask("price"), f.when($.price.atLeast(50_000), [f.ask("note")])],
    {
      max: 3,
    },
  ),
  f.confirm("sum", { show: ["client", "items"] }),
  f.say("thanks"),
  f.end("done", { output: { items: $.items } }),
]);

function begun(): Chat {
  const chat = new Chat(programOf(order, texts));
  for (const text of ["Maria Souza", "corte de cabelo", "R$ 50,00"]) chat.says(text);
  return chat;
}

describe("a list of items", () => {
  test("asks the same for each, and for another one after each", () => {
    const chat = begun();
    expect(chat.said.join()).toContain("Corte de cabelo, R$ 50,00");
    expect(chat.says("sim").join()).toBe("O que foi feito?");
    chat.says("barba");
    chat.says("R$ 30,00");
    expect(chat.at).toBe("items-more");
    expect(chat.says("só isso").join()).toContain(
      "1. Corte de cabelo, R$ 50,00\n2. Barba, R$ 30,00",
    );
    expect(chat.event({ type: "YES" }).join()).toBe("2 itens, R$ 80,00");
    expect(chat.last.ended?.out).toEqual({
      items: [
        { what: "Corte de cabelo", price: 5_000 },
        { what: "Barba", price: 3_000 },
      ],
    });
  });

  test("asks a condition's question of the one item that it holds for", () => {
    const chat = begun();
    chat.says("mais um");
    chat.says("mechas");
    expect(chat.says("R$ 600,00").join()).toBe("Alguma observação?");
    chat.says("pular");
    chat.says("sim");
    chat.says("barba");
    expect(chat.says("R$ 30,00").join()).not.toContain("observação");
    // Three is the most: nothing more is asked.
    expect(chat.at).toBe("sum");
    expect(chat.said.join()).toContain("2. Mechas, R$ 600,00\n3. Barba");
  });

  test("the item in hand is corrected like any answer, from the summary, too", () => {
    const chat = begun();
    chat.says("só isso");
    expect(chat.says("o valor é 80").join()).toContain("Corte de cabelo, R$ 80,00");
    expect(chat.at).toBe("sum");
  });

  test("an item is left out by its number", () => {
    const chat = begun();
    chat.says("sim");
    chat.says("barba");
    chat.says("R$ 30,00");
    expect(chat.last.say.at(-1)?.choices?.map(({ label }) => label)).toEqual([
      "Mais um",
      "Só isso",
      "Tirar 1: Corte de cabelo, R$ 50,00",
      "Tirar 2: Barba, R$ 30,00",
    ]);
    chat.says("4");
    expect(chat.says("só isso").join()).toContain("Corte de cabelo, R$ 50,00");
    expect(chat.said.join()).not.toContain("Barba");
  });

  test("the list is reopened from the summary by its name, and another item joins it", () => {
    const chat = begun();
    chat.says("só isso");
    expect(chat.says("mudar os itens").join()).toContain("Tem mais algum?");
    chat.says("mais um");
    chat.says("barba");
    chat.says("R$ 30,00");
    chat.says("não");
    expect(chat.said.join()).toContain("2. Barba");
  });

  test("back over “another one” takes the last item into hand again", () => {
    const chat = begun();
    const before = chat.facts.slots as unknown as object;
    chat.says("sim");
    expect(chat.at).toBe("what");
    chat.says("voltar");
    expect(chat.at).toBe("items-more");
    expect(chat.facts.slots).toEqual({ ...before, items: [] });
    chat.says("voltar");
    expect(chat.at).toBe("price");
  });

  test("back over an item that is finished asks for another one again, and loses nothing of it", () => {
    const after = smallFlow("after", { version: 1, slots: slots.omit({ note: true }) }, (f) => [
      f.repeat("items", [f.ask("what"), f.ask("price")]),
      f.ask("client"),
      f.confirm("sum", { show: ["client", "items"] }),
    ]);
    const chat = new Chat(programOf(after, texts));
    for (const text of ["corte de cabelo", "R$ 50,00", "sim", "barba", "R$ 30,00", "só isso"])
      chat.says(text);
    const before = chat.facts.slots;
    expect(chat.at).toBe("client");
    chat.says("voltar");
    expect([chat.at, chat.facts.slots]).toEqual(["items-more", before]);
    expect(chat.said.join()).toContain("1. Corte de cabelo, R$ 50,00\n2. Barba, R$ 30,00");
    chat.says("só isso");
    expect(chat.says("Maria Souza").join()).toContain("2. Barba, R$ 30,00");
  });

  test.each([
    ["what its author wrote", 3, 3],
    ["ten, where nothing is written", undefined, 10],
    ["fifty, whatever the account says", "account.policy.ceiling", 50],
  ])("a list takes no more than %s", (_title, max, most) => {
    const long = smallFlow(
      "long",
      { version: 1, slots: slots.pick({ items: true, what: true }) },
      (f) => [
        f.repeat("items", [f.ask("what")], max === undefined ? {} : { max: max as number }),
        f.end(),
      ],
    );
    const chat = new Chat(programOf(long, texts));
    let count = 0;
    while (chat.last.ended === undefined && count <= 60) {
      if (chat.at === "items-more") chat.event({ type: "ANSWER", values: { items_more: "add" } });
      chat.event({ type: "ANSWER", values: { what: "barba" } });
      count++;
    }
    expect([count, chat.last.ended?.outcome]).toEqual([most, "done"]);
  });

  test("an unfinished item is no item: it is finished first", () => {
    const chat = begun();
    chat.says("sim");
    chat.event({ type: "CORRECT", values: { client: "Ana Lima" } });
    expect(chat.at).toBe("what");
    expect(
      chat.program.summary(chat.state, CONTEXT).map(({ slot: name, echo }) => [name, echo]),
    ).toEqual([
      ["client", "Ana Lima"],
      ["items", "Corte de cabelo, R$ 50,00"],
    ]);
  });

  test("lint refuses to read one item of many, to list what is no list, and to call for each", () => {
    const findings = findingsOf(
      smallFlow("wrong", { version: 1, slots }, (f) => [
        f.ask("client"),
        f.repeat("items", [f.ask("what"), f.ask("price"), f.ask("note"), f.handoff("each")]),
        f.confirm("sum", { show: ["price"] }),
        f.say("thanks"),
      ]),
      texts,
    );
    expect(findings).toEqual([
      expect.stringContaining('slot/one-of-many: "price" is asked for each item of "items"'),
      expect.stringContaining("repeat/once-only: A handoff cannot be done for each item"),
    ]);
  });
});
