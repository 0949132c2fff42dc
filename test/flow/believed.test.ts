/** What a flow believes of others, and what it passes on: a yes is for what it was given for, an event for whom it names. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { slot } from "../../src/flow/index.ts";
import { programOf, smallFlow } from "./fixtures/small.ts";
import { Chat, CONTEXT } from "./fixtures/world.ts";

const approve = smallFlow(
  "approve",
  {
    version: 1,
    input: z.object({ value: z.number() }),
    outcomes: ["yes", "no"],
    slots: z.object({ ok: slot.yesno() }),
  },
  (f, $) => [
    f.ask("ok", { ask: "Pode?" }),
    f.when($.ok.is(true), [f.end("yes", { id: "agreed" })], [f.end("no", { id: "denied" })]),
  ],
);

describe("the yes of somebody else", () => {
  const ast = smallFlow(
    "buy",
    {
      version: 1,
      slots: z.object({
        value: slot.money(),
        place: slot.text(),
        note: slot.text(),
        gift: slot.text(),
      }),
    },
    (f, $) => [
      f.ask("value", { ask: "Valor?" }),
      f.ask("place", { ask: "Onde?" }),
      f.notify("approve", {
        ...{ id: "approval", to: $.account.operators, within: "1d", input: { value: $.value } },
        on: { yes: [], no: [f.end()], late: [f.end()] },
      }),
      f.ask("note", { ask: "Algo mais?" }),
      f.ask("gift", { ask: "Para quem?" }),
      f.end(),
    ],
  );
  const approved = (): Chat => {
    const chat = new Chat(programOf(ast, {}, { flows: [{ ast: approve, texts: {} }] }));
    for (const text of ["150", "na praia"]) chat.says(text);
    expect(chat.reports("approval", "yes")).toContain("Algo mais?");
    return chat;
  };
  const asked = (chat: Chat) => chat.last.demands.filter(({ type }) => type === "notify").length;

  test.each([
    ["what it was asked for", { value: 900 }],
    ["what was known when it was given", { place: "na serra" }],
  ])(
    "is void once %s is corrected, and wanted again; the one before comes too late",
    (_, values) => {
      const chat = approved();
      const old = (chat.facts["done"] as unknown as Record<string, { for: string }>)["approval"];
      chat.event({ type: "CORRECT", values });
      expect([chat.at, asked(chat)]).toEqual(["approval", 1]);
      chat.event({ type: "approval.yes", for: old?.for ?? "", out: {} });
      expect(chat.at).toBe("approval");
      chat.reports("approval", "yes");
      expect(chat.at).toBe("note");
    },
  );

  test("stands when what was answered after it is corrected", () => {
    const chat = approved();
    chat.says("cedo");
    chat.event({ type: "CORRECT", values: { note: "tarde" } });
    expect([chat.at, asked(chat)]).toEqual(["gift", 0]);
  });
});

describe("an event from outside", () => {
  const ast = smallFlow(
    "parcel",
    { version: 1, slots: z.object({ order: slot.text(), place: slot.text() }) },
    (f, $) => [
      f.ask("order", { ask: "Pedido?" }),
      f.wait("parcel.ready", {
        ...{ id: "ready", within: "2d", where: (event) => event["order"]!.is($.order) },
        on: { got: [], late: [f.end()] },
      }),
      f.ask("place", { ask: "Onde?" }),
      f.end(),
    ],
  );

  test("that is about another one is not the one that is waited for", () => {
    const chat = new Chat(programOf(ast));
    chat.says("A-1");
    chat.reports("ready", "got", { order: "B-2" });
    expect(chat.at).toBe("ready");
    chat.reports("ready", "got", {});
    expect(chat.at).toBe("ready");
    chat.reports("ready", "got", { order: "A-1" });
    expect(chat.at).toBe("place");
  });
});

describe("a secret answer", () => {
  const ast = smallFlow(
    "sign-in",
    { version: 1, slots: z.object({ code: slot.password(), name: slot.text() }) },
    (f) => [f.ask("code", { ask: "Senha?" }), f.ask("name", { ask: "Nome?" }), f.end()],
  );

  test("is in nothing that a caller, a summary or the chat gets", () => {
    const chat = new Chat(programOf(ast));
    chat.says("segredo-123");
    const state = chat.state;
    expect(chat.program.summary(state, CONTEXT)).toEqual([]);
    expect(chat.program.answers(state)).toEqual({});
    chat.says("Maria");
    expect(chat.last.ended).toEqual({ outcome: "done", out: { name: "Maria" } });
    expect(JSON.stringify([chat.last.say, chat.last.demands, chat.last.ended])).not.toContain(
      "segredo",
    );
  });
});
