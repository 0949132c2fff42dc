import { describe, expect, test } from "vitest";
import {
  callRows,
  wentWell,
  type CallEvent,
  type JournalRecord,
  type SessionLive,
} from "../../src/console/web/data/model.ts";
import { chatMessages, splitOptions } from "../../src/console/web/chat/chat.ts";
import {
  numberOf,
  printNumber,
  samePhone,
  sessionOf,
} from "../../src/console/web/chat/contacts.ts";
import { invoiceRow, maskDocument } from "../../src/plugins/invoicing/panels/invoices.ts";

const AT = Date.UTC(2026, 10, 21, 13);

function turn(rev: number, text: string, said?: string): JournalRecord {
  const at = AT + rev * 1_000;
  return {
    rev,
    at,
    event: `m${rev}`,
    mail: {
      kind: "inbound",
      channel: "engine-b",
      acceptedAt: at,
      event: {
        kind: "message",
        id: `m${rev}:message`,
        at,
        from: { address: "5511988880001@s.whatsapp.net" },
        messageId: `m${rev}`,
        content: { type: "text", text },
      },
    },
    moves: [],
    ...(said === undefined ? {} : { said }),
    effects: [],
    timers: [],
  };
}

describe("numbered lines of a message", () => {
  test("two or more counted lines at the end become options", () => {
    expect(splitOptions("Qual?\n1. Sim\n2. Não")).toEqual({
      words: "Qual?",
      options: [
        { send: "1", label: "Sim" },
        { send: "2", label: "Não" },
      ],
    });
  });

  test("a single line, a list in the middle, or one that does not count from 1 stays text", () => {
    for (const text of ["Nota\n1. Consulta", "1. Sim\n2. Não\nQual delas?", "Itens\n2. B\n3. C"])
      expect(splitOptions(text)).toEqual({ words: text, options: [] });
  });
});

describe("one chat out of journal, sandbox and own sends", () => {
  const message = {
    id: "o1",
    at: new Date(AT + 1_300).toISOString(),
    route: "message.sendText",
    body: {},
  };

  test("a message that this page sent and the journal tells is shown once", () => {
    const rows = chatMessages({
      journal: [turn(1, "oi")],
      sent: [{ id: "m1", at: AT + 900, text: "oi", kind: "text", tick: "delivered" }],
      messages: [],
      sandbox: true,
    });
    expect(rows).toMatchObject([{ id: "m1", side: "me", text: "oi", tick: "read" }]);
  });

  test("what the bot said is there at once as sending, and is replaced by what arrived", () => {
    const journal = [turn(1, "oi", "Qual?\n1. Sim\n2. Não")];
    const before = chatMessages({ journal, sent: [], messages: [], sandbox: true });
    expect(before[1]).toMatchObject({ side: "bot", text: "Qual?", tick: "sending" });
    const messages = [{ ...message, text: "Qual?\n1. Sim\n2. Não" }];
    const after = chatMessages({ journal, sent: [], messages, sandbox: true });
    expect(after.map((row) => [row.id, row.tick])).toEqual([
      ["m1", "read"],
      ["o1", undefined],
    ]);
    expect(after[1]?.options).toHaveLength(2);
  });

  test("the same words said twice and delivered once leave nothing missing before the delivery", () => {
    const journal = [turn(1, "a", "Pode repetir?"), turn(900, "b", "Pode repetir?")];
    const rows = chatMessages({
      journal,
      sent: [],
      messages: [{ ...message, text: "Pode repetir?" }],
      sandbox: true,
    });
    expect(rows.filter((row) => row.side === "bot").map((row) => row.tick)).toEqual([
      undefined,
      "sending",
    ]);
  });

  test("against a real gateway the journal alone tells the chat, without ticks of sending", () => {
    const rows = chatMessages({
      journal: [turn(1, "oi", "Olá!")],
      sent: [],
      messages: [],
      sandbox: false,
    });
    expect(rows.map((row) => row.text)).toEqual(["oi", "Olá!"]);
    expect(rows[1]).not.toHaveProperty("tick");
  });

  test("a message whose document the journal hides is still the one that arrived", () => {
    const journal = [
      turn(1, "x", "Confere? CPF ***.***.***-25, fone (**) *****-0001, *R$ 350,00*"),
    ];
    const text = "Confere? CPF 529.982.247-25, fone (11) 98888-0001, *R$ 350,00*";
    const messages = [{ ...message, at: AT + 1_300, text }];
    const rows = chatMessages({ journal, sent: [], messages, sandbox: true });
    expect(rows.map((row) => row.id)).toEqual(["m1", "o1"]);
  });

  test("words said twice within a moment stand for two messages", () => {
    const journal = [turn(1, "a", "Pode repetir?"), turn(2, "b", "Pode repetir?")];
    const messages = [
      { ...message, text: "Pode repetir?" },
      { ...message, id: "o2", at: AT + 2_300, text: "Pode repetir?" },
    ];
    const one = chatMessages({ journal, sent: [], messages: messages.slice(0, 1), sandbox: true });
    expect(one.filter((row) => row.side === "bot" && row.tick === "sending")).toHaveLength(1);
    const two = chatMessages({ journal, sent: [], messages, sandbox: true });
    expect(two.filter((row) => row.tick === "sending")).toHaveLength(0);
  });

  test("media of the bot is told by kind and words", () => {
    const messages = [{ ...message, text: "[document nota.pdf] Aqui está" }];
    const rows = chatMessages({ journal: [], sent: [], messages, sandbox: true });
    expect(rows[0]).toMatchObject({ kind: "document", text: "nota.pdf\nAqui está" });
  });
});

describe("numbers and documents", () => {
  test("a conversation is found by contact id, by phone, or by name when only a linked id is known", () => {
    const session = (contact: string, address: string, name: string): SessionLive => ({
      contact,
      account: "demo",
      address,
      name,
      role: "customer",
      frames: [],
      requests: [],
    });
    const all = [
      session("c1", "551188880001@s.whatsapp.net", "Ana"),
      session("c2", "123456789012345@lid", "Bruno"),
    ];
    const find = (number: string, name = "") => sessionOf(all, { number, name })?.contact;
    expect([find("5511988880001"), find("c2"), find("5511977770002", "Bruno")]).toEqual([
      "c1",
      "c2",
      "c2",
    ]);
    expect(find("5511977770003", "Carla")).toBeUndefined();
  });

  test("the ninth digit makes no other person, a linked id is no number", () => {
    expect(samePhone(numberOf("551188880001@s.whatsapp.net"), "5511988880001")).toBe(true);
    expect(numberOf("123456789012345@lid")).toBeUndefined();
    expect(samePhone("5511988880001", "5511988880002")).toBe(false);
    expect(printNumber("5511988880001")).toBe("+55 11 98888-0001");
  });

  test("documents are masked beyond use", () => {
    expect(maskDocument("52998224725")).toBe("•••.982.247-••");
    expect(maskDocument("11444777000161")).toBe("11.•••.•••/0001-••");
    expect(maskDocument("1234")).toBe("•••");
  });

  test("an invoice is read from what the gateway was sent", () => {
    const row = invoiceRow({
      id: "i",
      numero: "7",
      status: "autorizada",
      chave: "k",
      dados: {
        tomador: { cpf: "52998224725", razao_social: "Ana" },
        servico: { valor_servicos: 350 },
      },
    });
    expect(row).toMatchObject({ number: "7", value: 350, taker: "Ana", document: "52998224725" });
    expect(invoiceRow(null)).toMatchObject({ number: "", status: "" });
  });
});

describe("calls joined with what the sandbox received", () => {
  const call = (seq: number, status: number | undefined, outcome: string): CallEvent => ({
    seq,
    at: AT + seq,
    type: "call",
    route: "message.sendText",
    method: "POST",
    path: "/x",
    outcome,
    ms: 5,
    ...(status === undefined ? {} : { status }),
  });

  test("the n-th last call of a route gets the n-th last body of that route", () => {
    const request = (at: number, body: unknown) => ({
      at,
      method: "POST",
      path: "/x",
      route: "message.sendText",
      status: 200,
      body,
    });
    const rows = callRows(
      [call(2, 200, "done"), call(3, 200, "done")],
      [request(AT, "old"), request(AT + 2, "b"), request(AT + 3, "c")],
    );
    expect(rows.map((row) => [row.body, row.ms])).toEqual([
      ["c", 5],
      ["b", 5],
      ["old", undefined],
    ]);
  });

  test("an unknown outcome, an error status and no answer are no success", () => {
    const good = [call(1, 200, "done"), call(2, 503, "unknown"), call(3, undefined, "unknown")];
    expect(callRows(good, []).map(wentWell)).toEqual([false, false, true]);
  });
});
