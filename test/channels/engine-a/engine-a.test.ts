import { describe, expect, test } from "vitest";
import { only, read } from "../reading.ts";
import { LID, OWN, PHONE, SENT_ID, buttonShapes, engineA, type Body } from "../samples.ts";

const readA = (more: Body = {}, hook?: string) =>
  read("engine-a", engineA(more), hook ? { hook } : {});

describe("engine A", () => {
  test("a text, its id without chat and direction, its address from the id", () => {
    expect(only(readA(), "message")).toEqual({
      kind: "message",
      id: "3A1F0C9D2B7E4A5566F1:message",
      at: 1_795_262_400_000,
      from: { address: `${PHONE}@c.us`, phone: PHONE, name: "Marina Lopes" },
      messageId: "3A1F0C9D2B7E4A5566F1",
      content: { type: "text", text: "Oi, quero a nota" },
    });
  });

  test("bare digits of a linked id are not taken for a phone", () => {
    const found = only(readA({ id: `false_${LID}@lid_A1`, from: LID }), "message");
    expect(found.from).toEqual({ address: `${LID}@lid`, lid: LID, name: "Marina Lopes" });
  });

  test("both senders of SEND_MESSAGE look alike, so who wrote stays open", () => {
    const found = readA({
      wook: "SEND_MESSAGE",
      status: "SENT",
      fromMe: true,
      id: `true_${PHONE}@c.us_${SENT_ID}`,
      from: OWN,
      to: PHONE,
      content: "Olá!",
    });
    expect(only(found, "own")).toMatchObject({
      api: false,
      messageId: SENT_ID,
      text: "Olá!",
      from: { address: `${PHONE}@c.us`, phone: PHONE },
    });
  });

  test("media without its bytes, places, cards, list rows and buttons", () => {
    const content = (more: Body) => only(readA({ content: "", ...more }), "message").content;
    expect(content({ type: "ptt", mimetype: "audio/ogg", base64: "AAAA".repeat(100) })).toEqual({
      type: "media",
      media: "audio",
      ref: { key: `false_${PHONE}@c.us_3A1F0C9D2B7E4A5566F1`, mimetype: "audio/ogg", bytes: 300 },
    });
    expect(content({ type: "location", lat: -23.5, lng: -46.6, loc: "Loja" })).toEqual({
      type: "location",
      latitude: -23.5,
      longitude: -46.6,
      name: "Loja",
    });
    const vcard = "FN:Pedro\nTEL;waid=5511955554444:+55";
    expect(content({ type: "vcard", contactName: "Pedro", contactVcard: vcard })).toEqual({
      type: "contacts",
      contacts: [{ name: "Pedro", phone: "5511955554444" }],
    });
    const list = { title: "SIM", singleSelectReply: { selectedRowId: "btn_sim" } };
    expect(content({ type: "list_response", listResponse: list })).toEqual({
      type: "choice",
      via: "list",
      picks: [{ id: "btn_sim", label: "SIM" }],
    });
    const reply = buttonShapes["templateButtonReplyMessage"]?.["templateButtonReplyMessage"];
    expect(content({ wook: "TEMPLATE_BUTTON_REPLY", templateButtonReply: reply })).toMatchObject({
      via: "button",
      picks: [{ id: "btn_sim", label: "SIM" }],
    });
    expect(content({ type: "order" })).toEqual({ type: "other", what: "order" });
  });

  test("acks by word or by number; an ack of what a contact wrote is none", () => {
    const status = (more: Body) =>
      readA({ wook: "MESSAGE_STATUS", id: `true_${PHONE}@c.us_${SENT_ID}`, ...more });
    expect(only(status({ status: "READ" }), "ack")).toMatchObject({
      status: "read",
      messageId: SENT_ID,
    });
    expect(only(status({ status: "?", data: { ack: 2 } }), "ack").status).toBe("delivered");
    expect(only(status({ status: "?", data: { ack: -3 } }), "ack").status).toBe("error");
    expect(status({ id: `false_${PHONE}@c.us_A1`, status: "READ" }).ignored).toEqual([
      "ack-of-inbound",
    ]);
    expect(status({ status: "?" }).ignored).toEqual(["update-without-status"]);
  });

  test("connection and QR code", () => {
    const state = (more: Body) =>
      only(read("engine-a", { wook: "STATUS_CONNECT", session: "loja1", ...more }), "connection")
        .state;
    expect(state({ state: "CONNECTED", status: "inChat" })).toBe("open");
    expect(state({ state: "UNPAIRED", status: "notLogged" })).toBe("close");
    expect(state({ state: "TIMEOUT", status: "autocloseCalled" })).toBe("refused");
    expect(state({ state: "OPENING", status: "INITIALIZING" })).toBe("connecting");
    const code = { wook: "QRCODE", state: "QRCODE_RECEIVED", urlCode: "2@AbCdEf" };
    expect(only(read("engine-a", code), "qrcode").code).toBe("2@AbCdEf");
  });

  test("the URL names the event where the body does not", () => {
    const { wook: _, ...body } = engineA();
    expect(read("engine-a", body, { hook: "message" }).events).toHaveLength(1);
    expect(read("engine-a", body).ignored).toEqual(["unknown"]);
    expect(read("engine-a", { urlCode: "2@A" }, { hook: "qrcode" }).events).toHaveLength(1);
  });

  test("groups, other event names and filtered names are ignored", () => {
    expect(readA({ isGroupMsg: true }).ignored).toEqual(["group"]);
    expect(readA({ id: "false_12036@g.us_A1_5511@c.us" }).ignored).toEqual(["group"]);
    expect(readA({ wook: "E2E_NOTIFICATION" }).ignored).toEqual(["e2e-notice"]);
    expect(readA({ wook: "SOMETHING_NEW" }).ignored).toEqual(["event"]);
    const filter = ["MESSAGE_STATUS"];
    expect(read("engine-a", engineA(), { filter }).ignored).toEqual(["filtered"]);
  });

  test("a body that is no object is malformed", () => {
    expect(() => read("engine-a", [])).toThrow("malformed");
    expect(() => read("engine-a", "x")).toThrow("malformed");
  });
});
