import { describe, expect, test } from "vitest";
import { only, read } from "../reading.ts";
import {
  LID,
  PHONE,
  PHONE_JID,
  SENT_ID,
  buttonShapes,
  engineC,
  infoC,
  type Body,
} from "../samples.ts";

const readC = (event: string, data: Body, more: Body = {}) =>
  read("engine-c", engineC(event, data, more));
const said = (Message: Body, info: Body = {}) => readC("Message", { Info: infoC(info), Message });

describe("engine C", () => {
  test("a text, with both names of the person", () => {
    expect(only(said({ conversation: "Oi" }), "message")).toEqual({
      kind: "message",
      id: "3A1F0C9D2B7E4A5566F1:message",
      at: Date.UTC(2026, 10, 21, 12),
      from: { address: PHONE_JID, phone: PHONE, lid: LID, name: "Marina Lopes" },
      messageId: "3A1F0C9D2B7E4A5566F1",
      content: { type: "text", text: "Oi" },
    });
  });

  test("choices, media, reactions and edits read as in engine B", () => {
    const press = buttonShapes["buttonsResponseMessage"] ?? {};
    expect(only(said(press), "message").content).toMatchObject({ via: "button" });
    expect(
      only(said({ imageMessage: { mimetype: "image/png" } }), "message").content,
    ).toMatchObject({
      media: "image",
    });
    const key = { ID: SENT_ID };
    expect(only(said({ reactionMessage: { key, text: "👍" } }), "reaction").of).toBe(SENT_ID);
    const edit = { key: { ID: "A1" }, type: 14, editedMessage: { conversation: "x" } };
    expect(only(said({ protocolMessage: edit }), "edit")).toMatchObject({
      messageId: "A1",
      text: "x",
    });
  });

  test("an unwrapped edit is told by its marks, and is not a new message", () => {
    const Message = { conversation: "Oi, quero cancelar" };
    const first = only(said(Message, { Edit: "1" }), "edit");
    expect(first).toMatchObject({ messageId: "3A1F0C9D2B7E4A5566F1", text: "Oi, quero cancelar" });
    const marked = { Info: infoC(), Message, IsEdit: true };
    expect(only(readC("Message", marked), "edit").id).toBe(first.id);
    const other = infoC({ MsgMetaInfo: { TargetID: "A0" } });
    expect(only(readC("Message", { ...marked, Info: other }), "edit").messageId).toBe("A0");
    const sticker = { Info: infoC(), Message: { stickerMessage: {} }, IsEdit: true };
    expect(only(readC("Message", sticker), "edit")).not.toHaveProperty("text");
  });

  test("an own message is an API send when its event says so", () => {
    expect(only(said({ conversation: "Olá!" }, { IsFromMe: true }), "own").api).toBe(false);
    const sent = { Info: infoC({ IsFromMe: true }), Message: { conversation: "Olá!" } };
    expect(only(readC("SendMessage", sent), "own")).toMatchObject({ api: true, text: "Olá!" });
  });

  test("one receipt acknowledges several messages", () => {
    const receipt = {
      Chat: PHONE_JID,
      Sender: PHONE_JID,
      IsFromMe: false,
      MessageIDs: [SENT_ID, "3EB0", { bad: 1 }],
      Timestamp: "2026-11-21T09:00:10-03:00",
      Type: "read",
    };
    const found = readC("Receipt", receipt, { state: "Read" });
    expect(found.events).toMatchObject([
      { kind: "ack", messageId: SENT_ID, status: "read" },
      { kind: "ack", messageId: "3EB0", status: "read" },
    ]);
    expect(readC("Receipt", receipt, { state: "ReadSelf" }).ignored).toEqual(["receipt"]);
  });

  test("connection, QR code and calls", () => {
    expect(only(readC("Connected", { status: "open" }), "connection").state).toBe("open");
    expect(only(readC("LoggedOut", {}), "connection").state).toBe("close");
    expect(only(readC("QRCode", { code: "2@A", qrcode: "data:," }), "qrcode").code).toBe("2@A");
    const call = { CallID: "C1", From: `${LID}@lid` };
    expect(only(readC("CallOffer", call), "call")).toMatchObject({
      status: "offer",
      from: { lid: LID },
    });
  });

  test("groups and unknown names are ignored; the filter knows names and groups of names", () => {
    expect(said({ conversation: "x" }, { IsGroup: true }).ignored).toEqual(["group"]);
    expect(readC("HistorySync", {}).ignored).toEqual(["history-sync"]);
    expect(readC("SomethingNew", {}).ignored).toEqual(["event"]);
    const body = engineC("Message", { Info: infoC(), Message: { conversation: "x" } });
    expect(read("engine-c", body, { filter: ["READ_RECEIPT"] }).ignored).toEqual(["filtered"]);
    expect(read("engine-c", body, { filter: ["MESSAGE"] }).events).toHaveLength(1);
    expect(read("engine-c", body, { filter: ["ALL"] }).events).toHaveLength(1);
  });

  test("the instance's secret gets into no event", () => {
    expect(JSON.stringify(said({ conversation: "Oi" }))).not.toContain("instance-secret");
  });
});
