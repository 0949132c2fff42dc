import { describe, expect, test } from "vitest";
import { channels, echoHash, SEND_LIMIT, withBold, withoutBold } from "../../src/channels/index.ts";
import { SMS_LIMIT } from "../../src/channels/sms.ts";
import { ChannelName, type Outbound } from "../../src/engine/index.ts";
import { routeOf, type RouteId } from "../../src/gateway/index.ts";
import { LID, PHONE, PHONE_JID, SENT_ID } from "./samples.ts";

const yesNo = [
  { id: "y", label: "Sim" },
  { id: "n", label: "Não" },
];
const messages: Readonly<Record<string, Outbound>> = {
  text: { text: "*Olá!* Tudo bem?" },
  choices: { text: "Qual serviço?", choices: yesNo },
  reply: { text: "Anotado.", reply: SENT_ID },
  "image by base64": {
    text: "Veja",
    media: { kind: "image", base64: "iVBORw0KGgo=", mimetype: "image/png", fileName: "a.png" },
  },
  "document by address": {
    text: "Sua nota",
    media: {
      kind: "document",
      url: "https://files.example.org/n.pdf",
      mimetype: "application/pdf",
      fileName: "n.pdf",
    },
  },
  place: { text: "", location: { latitude: -23.5, longitude: -46.6 } },
  "place with words": {
    text: "Estamos aqui",
    location: { latitude: -23.5, longitude: -46.6, name: "Loja", address: "Rua Exemplo, 100" },
  },
  audio: { text: "", media: { kind: "audio", base64: "T2dnUwACAAA=", mimetype: "audio/ogg" } },
  long: { text: "palavra ".repeat(2_000), choices: yesNo },
};
const cases = ChannelName.options.flatMap((name) =>
  Object.entries(messages)
    // A short message holds no bytes; the flows send a link there.
    .filter(([, message]) => name !== "sms" || !message.media?.base64)
    .flatMap(([what, message]) =>
      (["text", "poll"] as const).map((choices) => ({ name, what, message, choices })),
    ),
);

describe("a message becomes one gateway call", () => {
  test.each(cases)("$name: $what, choices as $choices", ({ name, message, choices }) => {
    const sent = channels[name].render(message, PHONE_JID, { choices, delayMs: 800 });

    const route = routeOf(sent.route as RouteId);
    const fits = Object.values(route.variants).some(
      (variant) => variant.body.safeParse(sent.body).success,
    );
    expect(fits, JSON.stringify(sent.body).slice(0, 300)).toBe(true);
    expect(sent.body["number"]).toBe(PHONE);
    expect(sent.text.length).toBeLessThanOrEqual(name === "sms" ? SMS_LIMIT : SEND_LIMIT);
  });

  test("numbered text is the default, and a linked id stays whole", () => {
    const sent = channels["engine-b"].render(
      { text: "Qual serviço?", choices: yesNo },
      `${LID}@lid`,
    );
    expect(sent).toMatchObject({
      route: "message.sendText",
      body: { number: `${LID}@lid`, text: "Qual serviço?\n1. Sim\n2. Não" },
    });
  });

  test.each(["engine-b", "engine-c"] as const)(
    "a poll of %s tells with each row for which request it is",
    (name) => {
      const choices = yesNo.map((choice) => ({ ...choice, of: "K3" }));
      const { body } = channels[name].render({ text: "Sim?", choices }, PHONE, { choices: "poll" });
      expect(body["values"] ?? body["options"]).toEqual(
        yesNo.map(({ label }) => `${label} \u00b7 K3`),
      );
      const { body: plain } = channels[name].render({ text: "Sim?", choices }, PHONE, {});
      expect(plain["text"]).not.toContain("K3");
    },
  );

  test("a poll is sent when the account asks for it and the message fits one", () => {
    const poll = (message: Outbound) =>
      channels["engine-b"].render(message, PHONE, { choices: "poll" });
    expect(poll({ text: "*Qual* serviço?", choices: yesNo })).toMatchObject({
      route: "message.sendPoll",
      body: { name: "Qual serviço?", selectableCount: 1, values: ["Sim", "Não"] },
    });
    const eleven = Array.from({ length: 11 }, (_, n) => ({ id: `${n}`, label: `Opção ${n}` }));
    const same = [
      { id: "1", label: "Igual" },
      { id: "2", label: "Igual" },
    ];
    for (const message of [
      { text: "Qual?", choices: eleven },
      { text: "Qual?", choices: same },
      { text: "Qual?", choices: yesNo.slice(0, 1) },
      { text: "a ".repeat(200), choices: yesNo },
    ])
      expect(poll(message).route).toBe("message.sendText");
  });

  test("a text over the limit gives way, its choices do not", () => {
    const { text } = channels["engine-a"].render(
      { text: "ç".repeat(9_000), choices: yesNo },
      PHONE,
    );
    expect(text).toHaveLength(5_000);
    expect(text.endsWith("…\n1. Sim\n2. Não")).toBe(true);
  });

  test("a place is a place where it stands alone, and words with a link beside words", () => {
    const location = { latitude: -23.5, longitude: -46.6, name: "Loja" };
    const route = (name: ChannelName, text: string) =>
      channels[name].render({ text, location }, PHONE_JID).route;
    expect(ChannelName.options.map((name) => route(name, ""))).toEqual([
      "sms.send",
      "engineA.sendLocation",
      "message.sendLocation",
      "engineC.sendLocation",
    ]);
    for (const name of ChannelName.options)
      expect(channels[name].render({ text: "Aqui", location }, PHONE_JID).text).toBe(
        "Aqui\nLoja\nhttps://www.google.com/maps?q=-23.5,-46.6",
      );
  });

  test("engine A is told the message answered by its whole id", () => {
    const reply = (address: string, id: string) =>
      channels["engine-a"].render({ text: "ok", reply: id }, address).body["messageid"];
    expect(reply(PHONE_JID, SENT_ID)).toBe(`false_${PHONE}@c.us_${SENT_ID}`);
    expect(reply(`${LID}@lid`, SENT_ID)).toBe(`false_${LID}@lid_${SENT_ID}`);
    expect(reply(PHONE_JID, `false_${PHONE}@c.us_A1`)).toBe(`false_${PHONE}@c.us_A1`);
  });

  test("an audio with words goes as a file, so that no word is lost", () => {
    const media = { kind: "audio", base64: "T2dnUwACAAA=", mimetype: "audio/ogg" } as const;
    const sent = channels["engine-b"].render({ text: "Ouça", media }, PHONE);
    expect(sent).toMatchObject({
      route: "message.sendMedia",
      body: { caption: "Ouça", mediatype: "document" },
    });
  });
});

describe("words and their echo", () => {
  test("stars go, arithmetic stays", () => {
    expect(withoutBold("*Total:* R$ 2 * 3 e *sim*, *ok*.")).toBe("Total: R$ 2 * 3 e sim, ok.");
    expect(withoutBold("a*b*c * d")).toBe("a*b*c * d");
  });

  test.each(["***.982.247-**", "**.222.333/0001-**", "(11) *****-0001"])(
    "%s keeps each of its stars on every channel",
    (mask) => {
      const text = `*Maria* (${mask}), ${mask} *e* ${mask}.`;
      for (const name of ChannelName.options) {
        const shown = channels[name].render({ text, choices: yesNo }, PHONE_JID).text;
        expect(shown.split(mask)).toHaveLength(4);
      }
      expect(withBold(text, (words) => `<${words}>`)).toBe(
        `<Maria> (${mask}), ${mask} <e> ${mask}.`,
      );
    },
  );

  test("an echo with other white space and without stars has the same hash; other words do not", () => {
    expect(echoHash("*Olá!*\n\nTudo bem?")).toBe(echoHash("Olá! Tudo bem? "));
    expect(echoHash("Olá!")).not.toBe(echoHash("Olá"));
  });

  test("a hundred thousand stars take no time", () => {
    const began = performance.now();
    withoutBold("*a".repeat(50_000));
    withoutBold(`${"*".repeat(100_000)}x`);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
