/** Where the words of a message stand: wrappers of any name, and the forms that businesses send. */
import { describe, expect, test } from "vitest";
import { only, read, readB } from "./reading.ts";
import { engineA, engineC, infoC, record, type Body } from "./samples.ts";

const TEXT = "oi, preciso da nota";

const onB = (message: Body, key: Body = {}) => readB(record(message, {}, key));
const onC = (Message: Body) => read("engine-c", engineC("Message", { Info: infoC(), Message }));

const wrap = (message: Body, ...names: readonly string[]): Body =>
  names.reduceRight((inner, name) => ({ [name]: { message: inner } }), message);

/** A form and what a person reads of it. */
const FORMS: readonly (readonly [string, Body, string])[] = [
  ["the body of an interactive message", { interactiveMessage: { body: { text: TEXT } } }, TEXT],
  [
    "its title and its body, without the small print",
    {
      interactiveMessage: {
        header: { title: "Nota fiscal", hasMediaAttachment: false },
        body: { text: "valor 150 reais" },
        footer: { text: "Loja Um desde 1998" },
        nativeFlowMessage: { buttons: [{ name: "quick_reply", buttonParamsJson: "{}" }] },
      },
    },
    "Nota fiscal\nvalor 150 reais",
  ],
  ["small print that stands alone", { interactiveMessage: { footer: { text: TEXT } } }, TEXT],
  [
    "the cards of a carousel",
    {
      interactiveMessage: {
        carouselMessage: { cards: [{ body: { text: "Corte" } }, { body: { text: "Barba" } }] },
      },
    },
    "Corte\nBarba",
  ],
  [
    "a template, whose two generations stand side by side",
    {
      templateMessage: {
        hydratedTemplate: { hydratedContentText: TEXT, hydratedFooterText: "fim" },
        hydratedFourRowTemplate: { hydratedContentText: TEXT },
      },
    },
    TEXT,
  ],
  [
    "a template made of an interactive message",
    { templateMessage: { interactiveMessageTemplate: { body: { text: TEXT } } } },
    TEXT,
  ],
  [
    "a structured message",
    {
      highlyStructuredMessage: {
        hydratedHsm: { hydratedTemplate: { hydratedContentText: TEXT } },
      },
    },
    TEXT,
  ],
  ["the words above buttons", { buttonsMessage: { contentText: TEXT, footerText: "x" } }, TEXT],
  ["the description of a list", { listMessage: { description: TEXT, buttonText: "Ver" } }, TEXT],
  ["a list's title alone", { listMessage: { title: TEXT } }, TEXT],
  ["a product", { productMessage: { product: { title: "Pomada" }, body: "nova" } }, "Pomada\nnova"],
  [
    "an order",
    { orderMessage: { orderId: "1", orderTitle: "Loja", message: TEXT } },
    `Loja\n${TEXT}`,
  ],
  ["a payment's note", { sendPaymentMessage: { noteMessage: { conversation: TEXT } } }, TEXT],
  [
    "a payment request's note",
    { requestPaymentMessage: { noteMessage: { extendedTextMessage: { text: TEXT } } } },
    TEXT,
  ],
  ["an event", { eventMessage: { name: "Corte", description: "às 15h" } }, "Corte\nàs 15h"],
  ["an invitation", { groupInviteMessage: { groupName: "Loja", caption: TEXT } }, `Loja\n${TEXT}`],
  ["a poll somebody made", { pollCreationMessageV3: { name: TEXT, options: [] } }, TEXT],
  ["an answer in pieces", { richResponseMessage: { submessages: [{ messageText: TEXT }] } }, TEXT],
];

describe.each([
  ["engine B", onB],
  ["engine C", onC],
] as const)("%s", (_engine, said) => {
  test.each(FORMS)("reads %s", (_what, message, text) => {
    expect(only(said(message), "message").content).toEqual({ type: "text", text });
  });

  test.each([
    [["viewOnceMessage"]],
    [["viewOnceMessageV2"]],
    [["viewOnceMessageV2Extension"]],
    [["ephemeralMessage"]],
    [["deviceSentMessage"]],
    [["documentWithCaptionMessage"]],
    [["groupMentionedMessage"]],
    [["someMessageOfNextYearV7"]],
    [["deviceSentMessage", "ephemeralMessage", "viewOnceMessageV2"]],
    [["ephemeralMessage", "documentWithCaptionMessage", "viewOnceMessage", "botInvokeMessage"]],
  ])("reads through %j", (names) => {
    const form = { interactiveMessage: { body: { text: TEXT } }, messageContextInfo: {} };
    for (const inner of [{ conversation: TEXT }, form])
      expect(only(said(wrap(inner, ...names)), "message").content).toEqual({
        type: "text",
        text: TEXT,
      });
    const file = { documentMessage: { fileName: "a.pdf", caption: TEXT } };
    expect(only(said(wrap(file, ...names)), "message").content).toMatchObject({
      type: "media",
      media: "document",
      caption: TEXT,
    });
  });

  test("finds what a wrapped form answers", () => {
    const part = { body: { text: TEXT }, contextInfo: { stanzaId: "3EB0" } };
    const form = wrap({ interactiveMessage: part }, "viewOnceMessage");
    expect(only(said(form), "message").quoted).toBe("3EB0");
  });

  test("reads the answer to buttons in a wrapper as a choice still", () => {
    const press = { buttonsResponseMessage: { selectedButtonId: "1", selectedDisplayText: "SIM" } };
    expect(only(said(wrap(press, "ephemeralMessage")), "message").content).toMatchObject({
      type: "choice",
      picks: [{ id: "1", label: "SIM" }],
    });
  });

  test("takes the picture of a form that has no words", () => {
    const part = { header: { imageMessage: { mimetype: "image/png" } } };
    expect(only(said({ interactiveMessage: part }), "message").content).toMatchObject({
      type: "media",
      media: "image",
    });
    const buttons = { buttonsMessage: { documentMessage: { fileName: "a.pdf" } } };
    expect(only(said(buttons), "message").content).toMatchObject({ media: "document" });
  });

  test("tells which album a picture belongs to; the album itself is no message", () => {
    const parentMessageKey = { id: "3AALBUM" };
    const messageContextInfo = { messageAssociation: { associationType: 1, parentMessageKey } };
    const picture = { imageMessage: {}, messageContextInfo };
    expect(only(said(picture), "message").content).toMatchObject({ album: "3AALBUM" });
    expect(only(said(wrap(picture, "associatedChildMessage")), "message").content).toMatchObject({
      album: "3AALBUM",
    });
    const album = { albumMessage: { expectedImageCount: 2 }, messageContextInfo: {} };
    expect(said(album)).toMatchObject({ events: [], ignored: ["no-words"] });
  });

  test.each(["pinInChatMessage", "keepInChatMessage", "encReactionMessage", "callLogMesssage"])(
    "does not take %s for something that was said",
    (name) => {
      expect(said({ [name]: { key: { id: "A1" } } })).toMatchObject({ ignored: ["no-words"] });
    },
  );

  test("keeps the name of a form nobody knows, inside its wrapper too", () => {
    const content = { type: "other", what: "messageOfNextYear" };
    expect(only(said({ messageOfNextYear: { x: 1 } }), "message").content).toEqual(content);
    const inside = wrap({ messageOfNextYear: { x: 1 } }, "ephemeralMessage");
    expect(only(said(inside), "message").content).toEqual(content);
  });

  test("wrappers without end do no harm", () => {
    const deep = wrap({ conversation: TEXT }, ...Array.from({ length: 40 }, () => "xMessage"));
    expect(only(said(deep), "message").content).toEqual({ type: "other", what: "xMessage" });
  });
});

test("engine B shows the words of its own forms in the echo", () => {
  const found = onB(
    wrap({ interactiveMessage: { body: { text: "Escolha" } } }, "viewOnceMessage"),
    { fromMe: true },
  );
  expect(only(found, "own").text).toBe("Escolha");
});

describe("engine A", () => {
  const readA = (more: Body) => read("engine-a", engineA({ content: "", data: {}, ...more }));

  test.each<[string, Body, string]>([
    ["an interactive message", { type: "interactive", content: TEXT }, TEXT],
    [
      "its title and its body",
      { type: "interactive", interactiveHeader: { title: "Nota" }, data: { body: TEXT } },
      TEXT,
    ],
    ["a template", { type: "hsm", data: { body: TEXT, footer: "fim" } }, TEXT],
    ["a list", { type: "list", list: { title: "Nota", description: TEXT } }, `Nota\n${TEXT}`],
    ["buttons", { type: "buttons", data: { caption: TEXT } }, TEXT],
    ["an order", { type: "order", data: { orderTitle: "Loja", message: TEXT } }, `Loja\n${TEXT}`],
    ["a product", { type: "product", title: "Pomada", data: { body: "/9j/4AAQSkZJRg" } }, "Pomada"],
    ["an event", { type: "event_creation", data: { eventName: TEXT } }, TEXT],
    ["a poll", { type: "poll_creation", data: { pollName: TEXT } }, TEXT],
    ["an invitation", { type: "groups_v4_invite", data: { comment: TEXT } }, TEXT],
  ])("reads %s", (_what, body, text) => {
    for (const wook of ["RECEIVE_MESSAGE", "EVENT"]) {
      if (wook === "EVENT" && /poll|invite/.test(String(body["type"]))) continue;
      const { content } = only(readA({ ...body, wook }), "message");
      expect(content).toMatchObject({ type: "text" });
      expect((content as { text: string }).text).toContain(text);
    }
  });

  test("reads a wook that names the form", () => {
    const found = readA({ wook: "GROUPS_V4_INVITE", type: "text", data: { comment: TEXT } });
    expect(only(found, "message").content).toEqual({ type: "text", text: TEXT });
  });

  test("takes no small picture for words", () => {
    const found = readA({ type: "product", content: "A".repeat(400) });
    expect(only(found, "message").content).toEqual({ type: "other", what: "product" });
  });

  test("tells which album a picture belongs to; the album itself is no message", () => {
    const parentMsgKey = { _serialized: "false_5511987650001@c.us_3AALBUM" };
    const found = readA({ type: "image", data: { parentMsgKey } });
    expect(only(found, "message").content).toMatchObject({ album: "3AALBUM" });
    for (const wook of ["RECEIVE_MESSAGE", "EVENT"])
      expect(readA({ wook, type: "album" })).toMatchObject({ events: [], ignored: ["no-words"] });
  });

  test("names an event whose type nobody knows", () => {
    expect(readA({ wook: "EVENT", type: "type_of_next_year" })).toMatchObject({
      ignored: ["unmapped-type"],
      forms: ["type_of_next_year"],
    });
  });
});
