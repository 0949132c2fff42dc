import { describe, expect, test } from "vitest";
import { aliases, channels, sentAlias } from "../../src/channels/index.ts";
import { only, read } from "./reading.ts";
import { PHONE } from "./samples.ts";

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

  test("one bad item does not spoil the others, and ten thousand are bounded", () => {
    const found = read("sms", ["x", null, { status: "valid" }, { id: ID, status: "valid" }]);
    expect(found.events).toHaveLength(1);
    expect(found.ignored).toEqual(["malformed-item", "malformed-item", "unknown"]);
    const many = read("sms", Array(10_000).fill({ id: ID, status: "valid" }));
    expect(many.events).toHaveLength(1_000);
    expect(many.ignored).toEqual(["too-many"]);
  });

  test("a bubble leaves without stars, with numbered choices, asking for answers", () => {
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
});
