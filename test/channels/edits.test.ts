/** The forms in which engines tell of an edit: with its words, without them, as progress, as a deletion. */
import { describe, expect, test } from "vitest";
import { only, read, readB } from "./reading.ts";
import { infoC, OWN, PHONE_JID, record, type Body } from "./samples.ts";

const KEY = { remoteJid: PHONE_JID, fromMe: false, id: "V1" };
const secret = (more: Body = {}) => ({
  secretEncryptedMessage: { targetMessageKey: { id: "V1" }, encPayload: "x", ...more },
});
const readC = (Message: unknown, Info: Body = {}, more: Body = {}) =>
  read("engine-c", { event: "Message", data: { Info: infoC(Info), Message, ...more } });
const readA = (body: Body) => read("engine-a", body, { hook: "message" });

describe.each([
  ["engine B", (message: Body) => readB(record(message, {}, { id: "V1" }))],
  ["engine C", (message: Body) => readC(message, { ID: "V1" })],
])("an edit without words, by %s", (_name, said) => {
  test.each<[string, Body]>([
    ["encrypted", secret({ secretEncType: 2 })],
    ["encrypted, by its word", secret({ secretEncType: "MESSAGE_EDIT" })],
    ["encrypted, and no more said", secret()],
    ["encrypted, in a wrapper", { ephemeralMessage: { message: secret({ secretEncType: 2 }) } }],
    ["encrypted, in the wrapper of edits", { editedMessage: { message: secret() } }],
    ["by its number alone", { protocolMessage: { key: { id: "V1" }, type: 14 } }],
    ["by its word alone", { protocolMessage: { key: { id: "V1" }, type: "MESSAGE_EDIT" } }],
    [
      "of a picture without a caption",
      { protocolMessage: { key: { id: "V1" }, type: 14, editedMessage: { imageMessage: {} } } },
    ],
    ["an empty wrapper", { editedMessage: {} }],
    ["a wrapper around what nobody knows", { editedMessage: { message: { newMessage: {} } } }],
  ])("is one: %s", (_form, message) => {
    const edit = only(said(message), "edit");
    expect(edit.messageId).toBe("V1");
    expect(edit.text).toBeUndefined();
  });

  test("of an event or a poll is none", () => {
    for (const secretEncType of [1, "EVENT_EDIT", 4, "POLL_EDIT"])
      expect(said(secret({ secretEncType }))).toMatchObject({ events: [], ignored: ["secret"] });
  });

  test("with words in the wrapper of edits it is an edit, too, and not the message again", () => {
    const edit = only(said({ editedMessage: { message: { conversation: "1500" } } }), "edit");
    expect(edit).toMatchObject({ messageId: "V1", text: "1500" });
  });
});

describe("engine B", () => {
  test("tells two edits of one message apart by their time, and a redelivered one not", () => {
    const at = (messageTimestamp: number) =>
      only(readB(record(secret(), { messageTimestamp }, { id: "V1" })), "edit").id;
    expect(at(1_795_262_500)).toBe(at(1_795_262_500));
    expect(at(1_795_262_500)).not.toBe(at(1_795_262_560));
  });

  test.each<[string, Body, string | undefined]>([
    [
      "the new words beside it",
      { keyId: "V1", status: "SERVER_ACK", message: { editedMessage: { conversation: "1500" } } },
      "1500",
    ],
    [
      "the engine's own form",
      { key: KEY, update: { message: { editedMessage: { message: { conversation: "1500" } } } } },
      "1500",
    ],
    ["a word for it", { keyId: "V1", status: "EDITED" }, undefined],
    ["no words in it", { keyId: "V1", message: { editedMessage: {} } }, undefined],
  ])("reads an edit that is told as progress: %s", (_form, data, text) => {
    const edit = only(readB({ remoteJid: PHONE_JID, fromMe: false, ...data }), "edit");
    expect(edit).toMatchObject({ messageId: "V1", from: { address: PHONE_JID } });
    expect(edit.text).toBe(text);
  });

  test("leaves the edits of our own messages that are told as progress", () => {
    const data = { keyId: "V1", remoteJid: PHONE_JID, fromMe: true, status: "EDITED" };
    expect(readB(data)).toMatchObject({ events: [], ignored: ["own-edit"] });
  });

  test("says which deletions may be edits, and keeps both apart", () => {
    const head = { remoteJid: PHONE_JID, fromMe: false, status: "DELETED" };
    const unsure = only(readB({ ...head, keyId: "V1" }), "delete");
    const sure = only(readB({ ...head, id: "V1" }), "delete");
    expect([unsure.unsure, sure.unsure]).toEqual([true, undefined]);
    expect(unsure.id).not.toBe(sure.id);
  });

  test("does not judge by the key inside an edit whose it is", () => {
    const edit = { key: { ...KEY, fromMe: true }, editedMessage: { conversation: "1500" } };
    expect(only(readB(edit), "edit")).toMatchObject({ own: true, text: "1500" });
    const lid = { ...edit, key: { ...KEY, remoteJid: "98765432101234@lid" } };
    expect(only(readB(lid), "edit").from).toMatchObject({ lid: "98765432101234" });
    const self = { ...edit, key: { ...KEY, remoteJid: `${OWN}@s.whatsapp.net`, fromMe: true } };
    expect(readB(self).events).toEqual([]);
  });
});

describe("engine C", () => {
  test.each<[string, unknown, Body, Body]>([
    ["nothing but the mark", {}, { Edit: "1" }, {}],
    ["a picture", { imageMessage: {} }, {}, { IsEdit: true }],
  ])("tells an edit by its mark alone: %s", (_form, message, info, more) => {
    const edit = only(readC(message, { ID: "V1", ...info }, more), "edit");
    expect(edit.messageId).toBe("V1");
    expect(edit.text).toBeUndefined();
  });
});

describe("new words under the id of the message they edit, marked beside them", () => {
  const words = { conversation: "1500" };
  const a = { from: PHONE_JID, fromMe: false, type: "chat", content: "1500", timestamp: 1 };
  const id = `false_${PHONE_JID}_V1`;
  test.each<[string, () => ReturnType<typeof readB>]>([
    ["engine B, edited", () => readB(record(words, { edited: true }, { id: "V1" }))],
    ["engine B, isEdited", () => readB(record(words, { isEdited: true }, { id: "V1" }))],
    ["engine C, IsEdit", () => readC(words, { ID: "V1" }, { IsEdit: true })],
    ["engine C, Edit", () => readC(words, { ID: "V1", Edit: "1" })],
    [
      "engine A, latestEditMsgKey",
      () => readA({ ...a, id, wook: "RECEIVE_MESSAGE", data: { latestEditMsgKey: { id: "V9" } } }),
    ],
    ["engine A, by its event", () => readA({ ...a, id, wook: "MESSAGE_EDIT" })],
  ])("are an edit: %s", (_form, said) => {
    expect(only(said(), "edit")).toMatchObject({ messageId: "V1", text: "1500" });
  });

  test("are told apart from other new words, and a mark of no is none", () => {
    const edit = (text: string) =>
      only(readB(record({ conversation: text }, { edited: true }, { id: "V1" })), "edit").id;
    expect(edit("1500")).not.toBe(edit("1600"));
    expect(only(readB(record(words, { edited: false }, { id: "V1" })), "message").messageId).toBe(
      "V1",
    );
  });
});

describe("engine A", () => {
  const body = { id: `false_${PHONE_JID}_E1`, from: PHONE_JID, fromMe: false, timestamp: 1 };
  const edit = { subtype: "message_edit", data: { protocolMessageKey: { id: "V1" } } };

  test("tells an edit without words, by the name of the event or of the type", () => {
    for (const name of [{ wook: "PROTOCOL" }, { wook: "RECEIVE_MESSAGE", type: "protocol" }]) {
      const found = only(readA({ ...body, ...edit, ...name }), "edit");
      expect(found.messageId).toBe("V1");
      expect(found.text).toBeUndefined();
    }
    const said = { ...body, ...edit, wook: "PROTOCOL", content: "1500" };
    expect(only(readA(said), "edit").text).toBe("1500");
  });
});
