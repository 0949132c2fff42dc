import { describe, expect, test } from "vitest";
import { aliases, channels, sentAlias } from "../../../src/channels/index.ts";
import {
  SEGMENT_LIMIT,
  SMS_LIMIT,
  smsSegments,
  withoutAccents,
} from "../../../src/channels/sms.ts";
import { only, read } from "../reading.ts";
import { PHONE } from "../samples.ts";

const ID = "9f3c2b7d1e8a4c55b0f1d2e3a4b5c6d7";

describe("SMS", () => {
  test("progress comes as a list, in any case of its words", () => {
    const found = read("sms", [
      { id: ID, status: "inserted_for_processing" },
      { id: ID, status: "SENT_TO_CARRIER" },
      { id: 17, status: "invalid" },
    ]);
    expect(found.events).toMatchObject([
      { kind: "ack", messageId: ID, status: "pending" },
      { kind: "ack", messageId: ID, status: "sent" },
      { kind: "ack", messageId: "17", status: "error" },
    ]);
  });

  test("a lone object is read like a list of one", () => {
    expect(only(read("sms", { id: ID, status: "valid" }), "ack").status).toBe("pending");
  });

  test.each(["reply", "text", "message", "body", "content"])(
    "the answer's words are found in `%s`",
    (name) => {
      const found = read("sms", [{ message_id: ID, status: "reply", [name]: "SAIR" }]);
      expect(only(found, "message")).toMatchObject({
        content: { type: "text", text: "SAIR" },
        quoted: ID,
      });
    },
  );

  test("who answers without a phone is named by the message answered", () => {
    const { from } = only(read("sms", [{ id: ID, status: "reply", message: "SAIR" }]), "message");
    expect(from).toEqual({ address: `id:${ID}` });
    expect(aliases(from, "sms")).toEqual([sentAlias("sms", ID)]);
  });

  test("a phone in the answer is used, with the country's code", () => {
    const item = { id: ID, status: "reply", message: "oi", from: "(11) 98765-0001" };
    expect(only(read("sms", [item]), "message").from).toEqual({ address: PHONE, phone: PHONE });
  });

  test("an answer delivered again is the same event, another answer is not", () => {
    const id = (message: string) =>
      only(read("sms", [{ id: ID, status: "reply", message }]), "message").id;
    expect(id("SIM")).toBe(id("SIM"));
    expect(id("SIM")).not.toBe(id("NÃO"));
  });

  test("one bad item does not spoil the others, and more than a thousand are refused whole", () => {
    const found = read("sms", ["x", null, { status: "valid" }, { id: ID, status: "valid" }]);
    expect(found.events).toHaveLength(1);
    expect(found.ignored).toEqual(["malformed-item", "malformed-item", "unknown"]);
    const item = { id: ID, status: "valid" };
    const parse = (count: number) =>
      channels.sms.parse({ headers: {}, body: Array(count).fill(item), receivedAt: 0 });
    expect(parse(1_000)).toMatchObject({ ok: true });
    expect(parse(1_001)).toEqual({ ok: false, reason: "more than 1000 items in one body" });
  });

  test("a message leaves without stars, with numbered choices, asking for answers", () => {
    const choices = [
      { id: "a", label: "Sim" },
      { id: "b", label: "Não" },
    ];
    const sent = channels.sms.render({ text: "*Emitir* a nota?", choices }, PHONE, {
      webhookUrl: "https://bot.example.org/webhooks/sms/token",
    });
    expect(sent).toEqual({
      route: "sms.send",
      body: {
        number: PHONE,
        message: "Emitir a nota?\n1. Sim\n2. Não",
        tipo: "sms-otp",
        user_reply: true,
        webhook_url: "https://bot.example.org/webhooks/sms/token",
      },
      text: "Emitir a nota?\n1. Sim\n2. Não",
    });
  });

  test("a sender is found under any name, as people write phones; a short code is none", () => {
    const from = (more: Record<string, unknown>) =>
      only(read("sms", [{ id: ID, status: "reply", message: "oi", ...more }]), "message").from;
    for (const more of [
      { phone: 5511987650001 },
      { telefone: "+55 11 98765-0001" },
      { remetente: "011 98765.0001" },
      { sender: { phone: "5511987650001" } },
      { from: "LOJA", msisdn: "11987650001" },
    ])
      expect(from(more).phone).toBe(PHONE);
    for (const more of [{ from: "27182" }, { to: PHONE }, { from: "oi 11987650001" }, { from: [] }])
      expect(from(more)).toEqual({ address: `id:${ID}` });
  });

  test("an answer without an id is taken, too, and names its sender or nobody", () => {
    const named = only(read("sms", { status: "REPLY", text: "oi", from: PHONE }), "message");
    expect(named.from.phone).toBe(PHONE);
    expect(named.messageId).toMatch(/^sms-/);
    expect(named).not.toHaveProperty("quoted");
    const nameless = only(read("sms", { status: "reply", text: "oi" }), "message");
    expect(nameless.from).toEqual({ address: `id:${nameless.messageId}` });
    expect(nameless).not.toHaveProperty("quoted");
    expect(read("sms", { error: false, message: "oi" }).ignored).toEqual(["unknown"]);
  });
});

describe("the segments of a short message", () => {
  test("are counted in the alphabet, with its double letters, or in Unicode", () => {
    expect(smsSegments("a".repeat(160))).toBe(1);
    expect(smsSegments("a".repeat(161))).toBe(2);
    expect(smsSegments("é".repeat(160))).toBe(1);
    expect(smsSegments("€".repeat(80))).toBe(1);
    expect(smsSegments("€".repeat(81))).toBe(2);
    expect(smsSegments("ã".repeat(70))).toBe(1);
    expect(smsSegments("ã".repeat(71))).toBe(2);
    expect(smsSegments("😀".repeat(36))).toBe(2);
  });

  test("a long text loses its accents before it loses a word", () => {
    const text = "Não há notas pendentes — você já pode pedir. ".repeat(25).trim();
    const sent = channels.sms.render({ text }, PHONE).text;
    expect(sent).toBe(withoutAccents(text));
    expect(sent).toMatch(/^Nao há|^Nao ha notas pendentes - voce ja pode pedir\./);
    expect(smsSegments(sent)).toBeLessThanOrEqual(SEGMENT_LIMIT);
  });

  test.each(["ç".repeat(5_000), "😀".repeat(3_000), "€{}".repeat(2_000), "a".repeat(9_999)])(
    "whatever is said, ten are enough, the choices and the link stay, and no letter is halved (%#)",
    (text) => {
      const choices = [{ id: "1", label: "Sim" }];
      const url = "https://files.example.org/nota.pdf";
      const media = { kind: "document", url, mimetype: "application/pdf" } as const;
      const sent = channels.sms.render({ text, choices, media }, PHONE).text;
      expect(smsSegments(sent)).toBeLessThanOrEqual(SEGMENT_LIMIT);
      expect(sent.endsWith(`...\n1. Sim\n${url}`)).toBe(true);
      expect(sent).not.toMatch(/\p{Surrogate}/u);
      expect(sent.length).toBeLessThanOrEqual(SMS_LIMIT);
    },
  );
});
