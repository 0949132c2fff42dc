import { describe, expect, test } from "vitest";
import { shapeOf } from "../../../src/channels/engine-b/engine-b.ts";
import { TEXT_LIMIT } from "../../../src/engine/index.ts";
import { only, read, readB } from "../reading.ts";
import {
  LID,
  OWN,
  PHONE,
  PHONE_JID,
  RECEIVED_AT,
  SENT_ID,
  buttonShapes,
  image,
  pollVote,
  record,
  type Body,
} from "../samples.ts";

const message = (data: Body) => only(readB(data), "message");

describe("engine B tells events apart by shape", () => {
  test.each([
    ["a list of people", [{ remoteJid: PHONE_JID, pushName: "Marina" }], "contacts"],
    ["a list of ids with pictures", [{ id: PHONE_JID, profilePicUrl: null }], "contacts"],
    ["a list of chats", [{ id: PHONE_JID, unreadMessages: 2 }], "chats"],
    ["a list of bare ids", [{ id: PHONE_JID }], "chats"],
    ["a list of anything else", [{ foo: 1 }], "unknown"],
    ["a list of messages", [record({ conversation: "oi" })], "unknown"],
    ["a QR code", { qrcode: { instance: "loja1", code: "2@AbC", base64: "x" } }, "qrcode"],
    ["the QR limit", { statusCode: 500, message: "limit reached" }, "qrcode-limit"],
    ["an open connection", { instance: "loja1", state: "open", statusReason: 200 }, "connection"],
    ["a logged-out instance", { status: "closed", disconnectionReasonCode: 401 }, "logged-out"],
    ["a message", record({ conversation: "oi" }), "message"],
    ["an ack of version 2", { keyId: SENT_ID, remoteJid: PHONE_JID, status: "READ" }, "ack"],
    [
      "an ack of version 1",
      { id: SENT_ID, remoteJid: PHONE_JID, fromMe: true, status: "READ", datetime: 1 },
      "ack",
    ],
    ["a deletion", { remoteJid: PHONE_JID, fromMe: false, id: "A1", status: "DELETED" }, "delete"],
    ["a bare deletion", { remoteJid: PHONE_JID, fromMe: false, id: "A1" }, "delete"],
    [
      "an edit",
      { key: { id: "A1" }, type: "MESSAGE_EDIT", editedMessage: { conversation: "x" } },
      "edited",
    ],
    ["a person", { remoteJid: PHONE_JID, pushName: "Marina" }, "contact"],
    ["a person of version 1", { id: PHONE_JID, profilePictureUrl: null }, "contact"],
    ["a call", { id: "C1", from: PHONE_JID, status: "offer" }, "call"],
    ["something new", { presences: {} }, "unknown"],
  ])("%s", (_what, data, shape) => {
    expect(shapeOf(data)).toBe(shape);
  });

  test("what it cannot tell is counted, never guessed", () => {
    expect(readB({ presences: {} })).toEqual({ ok: true, events: [], ignored: ["unknown"] });
  });

  test("a body without the envelope is read the same", () => {
    expect(only(read("engine-b", record({ conversation: "oi" })), "message").content).toEqual({
      type: "text",
      text: "oi",
    });
  });

  test("a stated event name that holds nothing for us is ignored", () => {
    const found = readB({ id: "1@g.us", subject: "x" }, { event: "GROUPS_UPSERT" });
    expect(found).toMatchObject({ events: [], ignored: ["event"] });
    expect(readB(record({ conversation: "oi" }), { event: "MESSAGES_UPSERT" }).events).toHaveLength(
      1,
    );
  });

  test("the account's filter leaves events out by name, in any spelling", () => {
    const body = { data: record({ conversation: "oi" }) };
    expect(read("engine-b", body, { filter: ["CONNECTION_UPDATE"] }).ignored).toEqual(["filtered"]);
    expect(read("engine-b", body, { filter: ["messages.upsert"] }).events).toHaveLength(1);
  });
});

describe("engine B reads what people write", () => {
  test("a text with its time, name and phone", () => {
    expect(message(record({ conversation: "Oi, quero a nota" }))).toEqual({
      kind: "message",
      id: "3A1F0C9D2B7E4A5566F1:message",
      at: 1_795_262_400_000,
      from: { address: PHONE_JID, phone: PHONE, name: "Marina Lopes" },
      messageId: "3A1F0C9D2B7E4A5566F1",
      content: { type: "text", text: "Oi, quero a nota" },
    });
  });

  test("times as text, as a 64-bit pair, or absent", () => {
    const at = (messageTimestamp: unknown) =>
      message(record({ conversation: "oi" }, { messageTimestamp })).at;
    expect(at("1795262400")).toBe(1_795_262_400_000);
    expect(at({ low: 1_795_262_400 | 0, high: 0, unsigned: true })).toBe(1_795_262_400_000);
    expect(at(undefined)).toBe(RECEIVED_AT);
    expect(at(-5)).toBe(RECEIVED_AT);
  });

  test("a reply, and a link of version 1", () => {
    const reply = record({ conversation: "esse" }, { contextInfo: { stanzaId: SENT_ID } });
    expect(message(reply).quoted).toBe(SENT_ID);
    const link = record({ extendedTextMessage: { text: "veja https://example.org" } });
    expect(message(link).content).toEqual({ type: "text", text: "veja https://example.org" });
  });

  test("media of every kind, as a reference without bytes", () => {
    const key = "3A1F0C9D2B7E4A5566F1";
    expect(message(record(image)).content).toEqual({
      type: "media",
      media: "image",
      ref: { key, mimetype: "image/jpeg", bytes: 184_213 },
      caption: "meu recibo",
    });
    const audio = { audioMessage: { mimetype: "audio/ogg; codecs=opus", seconds: 9, ptt: true } };
    expect(message(record(audio)).content).toMatchObject({ media: "audio", ref: { seconds: 9 } });
    const file = { documentMessage: { fileName: "a1.pfx", mimetype: "application/x-pkcs12" } };
    const wrapped = { documentWithCaptionMessage: { message: file } };
    expect(message(record(wrapped)).content).toMatchObject({
      media: "document",
      ref: { fileName: "a1.pfx" },
    });
    for (const [name, media] of [
      ["videoMessage", "video"],
      ["ptvMessage", "video"],
      ["stickerMessage", "sticker"],
    ] as const)
      expect(
        message(record({ viewOnceMessageV2: { message: { [name]: {} } } })).content,
      ).toMatchObject({ type: "media", media });
  });

  test("places and contact cards", () => {
    const place = { degreesLatitude: -23.56, degreesLongitude: -46.65, name: "Loja" };
    expect(message(record({ locationMessage: place })).content).toEqual({
      type: "location",
      latitude: -23.56,
      longitude: -46.65,
      name: "Loja",
    });
    const vcard =
      "BEGIN:VCARD\nVERSION:3.0\nFN:Pedro Reis\nTEL;waid=5511955554444:+55 11 95555-4444\nEND:VCARD";
    const one = { contactMessage: { displayName: "Pedro Reis", vcard } };
    expect(message(record(one)).content).toEqual({
      type: "contacts",
      contacts: [{ name: "Pedro Reis", phone: "5511955554444" }],
    });
    const many = {
      contactsArrayMessage: { contacts: [{ vcard }, { vcard: "TEL:(11) 3333-4444 ramal" }] },
    };
    expect(message(record(many)).content).toMatchObject({
      contacts: [{ name: "Pedro Reis" }, { name: "1133334444", phone: "1133334444" }],
    });
  });

  test.each(Object.entries(buttonShapes))("a press as %s", (shape, body) => {
    expect(message(record(body)).content).toEqual({
      type: "choice",
      via: shape === "listResponseMessage" ? "list" : "button",
      picks: [{ id: "btn_sim", label: "SIM" }],
      of: SENT_ID,
    });
  });

  test("hostile button parameters leave only the words on the button", () => {
    const press = (paramsJson: string) =>
      message(
        record({
          interactiveResponseMessage: {
            body: { text: "SIM" },
            nativeFlowResponseMessage: { paramsJson },
          },
        }),
      ).content;
    for (const bad of ["{".repeat(4_000), "{".repeat(100_000), "[1]", '{"id":{"a":1}}'])
      expect(press(bad)).toEqual({ type: "choice", via: "button", picks: [{ label: "SIM" }] });
  });

  test("a poll vote is the whole current selection; withdrawn is empty; a change is a new event", () => {
    const vote = message(pollVote(["Quarta 15h", "Quinta 9h"]));
    expect(vote.content).toEqual({
      type: "choice",
      via: "poll",
      picks: [{ label: "Quarta 15h" }, { label: "Quinta 9h" }],
      of: SENT_ID,
    });
    expect(message(pollVote([])).content).toMatchObject({ picks: [] });
    expect(message(pollVote(["Quarta 15h"])).id).not.toBe(vote.id);
    expect(message(pollVote(["Quarta 15h", "Quinta 9h"])).id).toBe(vote.id);
  });

  test("a vote opened beside the message is read; one that nobody could open is told apart from a withdrawn one", () => {
    const beside = pollVote(undefined, {
      pollUpdates: [
        { name: "Terça 10h", voters: [] },
        { name: "Quarta 15h", voters: [PHONE_JID] },
      ],
    });
    expect(message(beside).content).toMatchObject({ picks: [{ label: "Quarta 15h" }] });
    expect(message(pollVote(undefined)).content).toEqual({ type: "other", what: "poll-vote" });
    expect(message(pollVote([])).content).toMatchObject({ type: "choice", picks: [] });
  });

  test("a sort of message without use is kept by its name", () => {
    expect(message(record({ orderMessage: { orderId: "1" } })).content).toEqual({
      type: "other",
      what: "orderMessage",
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ["only what comes along with one", { message: { messageContextInfo: {} } }],
    ["an empty one", { message: {} }],
    ["an empty text", { message: { conversation: "" } }],
    ["none", { message: undefined }],
    ["null", { message: null }],
    ["a text where fields belong", { message: "oi" }],
    ["a stub", { message: undefined, messageStubType: 2, messageStubParameters: [] }],
    ["a stub beside an empty one", { message: {}, messageStubType: "2" }],
    ["a stub of a newer form", { message: null, messageStubType: "FUTUREPROOF" }],
    ["a wrapped placeholder", { message: { xMessage: { message: { placeholderMessage: {} } } } }],
  ])("a message that is %s came without its words", (_what, more) => {
    const sent = record({}, { messageType: undefined, ...more });
    expect(only(readB(sent), "unreadable")).toEqual({
      kind: "unreadable",
      id: "3A1F0C9D2B7E4A5566F1:unreadable",
      at: 1_795_262_400_000,
      from: { address: PHONE_JID, phone: PHONE, name: "Marina Lopes" },
      messageId: "3A1F0C9D2B7E4A5566F1",
    });
  });

  test("the least that tells of words that are missing is a key and a stub", () => {
    const key = { remoteJid: PHONE_JID, fromMe: false, id: "A1" };
    expect(only(readB({ key, messageStubType: 2 }), "unreadable").messageId).toBe("A1");
    expect(readB({ key }).ignored).toEqual(["unknown"]);
    expect(readB({ key, update: { status: 4 }, messageTimestamp: 1 }).ignored).toEqual(["unknown"]);
    const update = readB({ key, messageTimestamp: 1 }, { event: "messages.update" });
    expect(update.ignored).toEqual(["update-without-status"]);
  });

  test("reactions, edits and deletions, each with its own id", () => {
    const key = { remoteJid: PHONE_JID, fromMe: true, id: SENT_ID };
    const reaction = only(readB(record({ reactionMessage: { key, text: "👍" } })), "reaction");
    expect(reaction).toMatchObject({ emoji: "👍", of: SENT_ID });
    const edit = (text: string, stamp: string) =>
      only(
        readB({
          key: { remoteJid: PHONE_JID, fromMe: false, id: "A1" },
          type: "MESSAGE_EDIT",
          editedMessage: { conversation: text },
          timestampMs: stamp,
        }),
        "edit",
      );
    const first = edit("Oi, quero cancelar", "1795262470000");
    expect(first).toMatchObject({
      messageId: "A1",
      text: "Oi, quero cancelar",
      at: 1_795_262_470_000,
    });
    expect(edit("Oi, quero cancelar", "1795262470000").id).toBe(first.id);
    expect(edit("outra coisa", "1795262470000").id).not.toBe(first.id);
    const inside = {
      protocolMessage: { key: { id: "A1" }, type: 14, editedMessage: { conversation: "x" } },
    };
    expect(only(readB(record({ editedMessage: { message: inside } })), "edit").text).toBe("x");
    const gone = only(readB(record({ protocolMessage: { key: { id: "A1" }, type: 0 } })), "delete");
    const bare = only(readB({ remoteJid: PHONE_JID, fromMe: false, id: "A1" }), "delete");
    const word = { key: { remoteJid: PHONE_JID, fromMe: false, id: "A1" }, type: "REVOKE" };
    expect([gone.id, bare.id, only(readB(word), "delete").id]).toEqual(
      Array<string>(3).fill("A1:delete"),
    );
  });

  test("a very long text is cut, and lone surrogates and NUL never get in", () => {
    const { content } = message(record({ conversation: `a\0b\uD800${"x".repeat(70_000)}` }));
    if (content.type !== "text") throw new Error("no text");
    expect(content.text.length).toBeLessThanOrEqual(TEXT_LIMIT);
    expect(content.text.startsWith("ab\uFFFDx")).toBe(true);
  });
});

describe("engine B tells who it is", () => {
  const from = (key: Body, more: Body = {}) =>
    message(record({ conversation: "oi" }, more, key)).from;

  test("a linked id stays the address and is never made a phone", () => {
    expect(from({ remoteJid: `${LID}@lid` })).toEqual({
      address: `${LID}@lid`,
      lid: LID,
      name: "Marina Lopes",
    });
  });

  test("every version's second form completes the first, in both directions", () => {
    const both = { lid: LID, phone: PHONE };
    expect(from({ remoteJid: `${LID}@lid`, remoteJidAlt: PHONE_JID })).toMatchObject(both);
    expect(from({ remoteJidAlt: `${LID}@lid` })).toMatchObject({ ...both, address: PHONE_JID });
    expect(from({ remoteJid: `${LID}@lid`, senderPn: PHONE_JID })).toMatchObject(both);
    expect(from({ previousRemoteJid: `${LID}@lid` })).toMatchObject(both);
  });

  test("the same message under both forms has one id", () => {
    const one = message(record({ conversation: "oi" }, {}, { remoteJid: `${LID}@lid` }));
    expect(one.id).toBe(message(record({ conversation: "oi" })).id);
  });

  test("a device suffix belongs to a handset and is taken off", () => {
    expect(from({ remoteJid: `${PHONE}:12@s.whatsapp.net` })).toMatchObject({
      address: PHONE_JID,
      phone: PHONE,
    });
  });

  test("the business's own number is never the other side", () => {
    const key = { remoteJid: `${LID}@lid`, senderPn: `${OWN}:3@s.whatsapp.net` };
    expect(from(key)).not.toHaveProperty("phone");
    const self = record({ conversation: "oi" }, {}, { remoteJid: `${OWN}@s.whatsapp.net` });
    expect(readB(self).ignored).toEqual(["self"]);
  });

  test.each([
    ["120363314888103300@g.us", "group"],
    ["status@broadcast", "status"],
    ["1234567890@broadcast", "broadcast"],
    ["120363000000000001@newsletter", "newsletter"],
    ["someone@elsewhere", "address"],
    ["", "address"],
  ])("%s is ignored with its reason", (remoteJid, reason) => {
    const found = readB(record({ conversation: "oi" }, {}, { remoteJid, participant: PHONE_JID }));
    expect(found).toMatchObject({ events: [], ignored: [reason] });
  });
});

describe("engine B tells what happened to our side", () => {
  const own = (more: Body = {}, envelope: Body = {}) =>
    only(
      readB(record({ conversation: "Olá!" }, more, { fromMe: true, id: SENT_ID }), envelope),
      "own",
    );

  test("an API send is known by its pending status or its stated name; else it stays open", () => {
    expect(own({ status: "PENDING" })).toMatchObject({
      api: true,
      text: "Olá!",
      messageId: SENT_ID,
    });
    expect(own({ status: "SERVER_ACK" }, { event: "send.message" }).api).toBe(true);
    expect(own({ status: "SERVER_ACK" }).api).toBe(false);
    expect(own().from).toEqual({ address: PHONE_JID, phone: PHONE });
    expect(own({ status: "PENDING" }).id).toBe(own({ status: "SERVER_ACK" }).id);
  });

  test("what names the sender names us there, never the person who was written to", () => {
    const lid = `${LID}@lid`;
    const ours = { senderPn: OWN, participantAlt: `${OWN}@s.whatsapp.net`, senderLid: "111@lid" };
    const key = { remoteJid: lid, fromMe: true, id: SENT_ID, ...ours };
    const told = readB(record({ conversation: "Olá!" }, {}, key), { sender: undefined });
    expect(only(told, "own").from).toEqual({ address: lid, lid: LID });
  });

  test("the words of a poll and of a caption come back in the echo", () => {
    const words = (message: Body) => only(readB(record(message, {}, { fromMe: true })), "own").text;
    expect(words({ pollCreationMessageV3: { name: "Qual serviço?" } })).toBe("Qual serviço?");
    expect(words({ documentMessage: { caption: "Sua nota" } })).toBe("Sua nota");
    expect(words({ stickerMessage: {} })).toBe("");
  });

  test("acks of both versions, whatever their order; an ack of somebody's message is none", () => {
    const two = { keyId: SENT_ID, remoteJid: PHONE_JID, fromMe: true, status: "READ" };
    expect(only(readB(two), "ack")).toMatchObject({ messageId: SENT_ID, status: "read" });
    const one = {
      remoteJid: PHONE_JID,
      fromMe: true,
      id: SENT_ID,
      status: "DELIVERY_ACK",
      datetime: 1_795_262_480_123,
      owner: "loja1",
    };
    expect(only(readB(one), "ack")).toMatchObject({ status: "delivered", at: 1_795_262_480_123 });
    expect(only(readB({ ...two, status: 5 }), "ack").status).toBe("played");
    expect(only(readB({ ...two, status: "ERROR" }), "ack").status).toBe("error");
    expect(readB({ ...two, fromMe: false }).ignored).toEqual(["ack-of-inbound"]);
    expect(readB({ ...two, status: undefined }).ignored).toEqual(["update-without-status"]);
    expect(readB({ ...two, remoteJid: "status@broadcast" }).ignored).toEqual(["status"]);
  });

  test("connection, QR code, its limit, and log-out", () => {
    const state = (data: Body) => only(readB(data), "connection");
    expect(state({ instance: "loja1", state: "open", statusReason: 200 })).toMatchObject({
      state: "open",
      reason: 200,
    });
    expect(state({ state: "close", statusReason: 401 })).toMatchObject({ state: "close" });
    expect(state({ statusCode: 500, message: "limit" }).state).toBe("refused");
    expect(state({ status: "closed", disconnectionReasonCode: 401 })).toMatchObject({
      state: "close",
      reason: 401,
    });
    const code = { qrcode: { instance: "loja1", pairingCode: null, code: "2@AbCdEf" } };
    expect(only(readB(code), "qrcode").code).toBe("2@AbCdEf");
  });

  test("people and calls", () => {
    const people = [
      { remoteJid: PHONE_JID, pushName: "Marina Lopes", profilePicUrl: null },
      { remoteJid: "1@g.us", pushName: "Grupo" },
    ];
    expect(readB(people)).toMatchObject({
      events: [{ kind: "contact", from: { phone: PHONE, name: "Marina Lopes" } }],
      ignored: ["group"],
    });
    const call = {
      id: "C1",
      chatId: PHONE_JID,
      from: `${LID}@lid`,
      status: "offer",
      isVideo: false,
    };
    expect(only(readB(call), "call")).toMatchObject({
      status: "offer",
      from: { lid: LID, phone: PHONE },
    });
  });

  test("no secret of the envelope gets into an event", () => {
    const all = readB(record(image), { apikey: "engine-secret" });
    expect(JSON.stringify(all)).not.toContain("engine-secret");
    expect(JSON.stringify(all)).not.toContain("SkZJRg");
  });
});
