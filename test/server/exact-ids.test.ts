import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, post, SECRET, TOKEN, type House } from "./house.ts";

/** Two ids that one double stands for. */
const FIRST = "9007199254740993";
const SECOND = "9007199254740992";
const JID = "5511987650001@s.whatsapp.net";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const deliver = async (channel: string, body: string, to = house) => {
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const url = `${to.url}/webhooks/${channel}/${TOKEN}`;
  expect((await post(url, body, { "x-signature": signature })).status).toBe(200);
};
type Event = { readonly kind: string; readonly messageId: string; readonly quoted?: string };
const events = async (of = house) =>
  (await of.mail()).map((mail) => (mail as { readonly event: Event }).event);

/** The same words twice, under an id that stands in the bytes as a number. */
const MESSAGES: Readonly<Record<string, (id: string) => string>> = {
  sms: (id) => `[{"id":${id},"status":"reply","reply":"sim","from":"5511987650001"}]`,
  "engine-a": (id) =>
    `{"wook":"RECEIVE_MESSAGE","id":${id},"from":"5511987650001@c.us","content":"sim","type":"text"}`,
  "engine-b": (id) =>
    `{"data":{"key":{"remoteJid":"${JID}","id":${id}},"message":{"conversation":"sim"}}}`,
  "engine-c": (id) =>
    `{"event":"Message","data":{"Info":{"ID":${id},"Chat":"${JID}","Sender":"${JID}"},"Message":{"conversation":"sim"}}}`,
};
const ACKS: Readonly<Record<string, (id: string) => string>> = {
  sms: (id) => `[{"id":${id},"status":"DELIVERED"}]`,
  "engine-a": (id) => `{"wook":"MESSAGE_STATUS","id":${id},"status":"READ"}`,
  "engine-b": (id) => `{"data":{"keyId":${id},"remoteJid":"${JID}","fromMe":true,"status":"READ"}}`,
  "engine-c": (id) =>
    `{"event":"Receipt","state":"Read","data":{"MessageIDs":[${id}],"Chat":"${JID}","Type":"read"}}`,
};

describe.each(Object.keys(MESSAGES))("ids above 2^53 on %s", (channel) => {
  test("two messages that differ only in the last digit are two", async () => {
    const other = await openHouse();
    const body = (id: string) => MESSAGES[channel]?.(id) ?? "";
    for (const id of [FIRST, SECOND, FIRST]) await deliver(channel, body(id), other);
    expect((await events(other)).map(({ messageId }) => messageId)).toEqual([FIRST, SECOND]);
    await other.close();
  });

  test("an acknowledgement names the message it is of", async () => {
    const before = house.signals.length;
    for (const id of [FIRST, SECOND]) await deliver(channel, ACKS[channel]?.(id) ?? "");
    const told = house.signals.slice(before);
    expect(told).toMatchObject([
      { channel, event: { kind: "ack", messageId: FIRST } },
      { channel, event: { kind: "ack", messageId: SECOND } },
    ]);
  });
});

describe("what a message refers to", () => {
  test("engine A: the message quoted", async () => {
    const body = `{"wook":"RECEIVE_MESSAGE","id":"Q1","from":"5511987650001@c.us","content":"isso","type":"text","quotedMsgId":${FIRST}}`;
    await deliver("engine-a", body);
    expect((await events()).at(-1)).toMatchObject({ quoted: FIRST });
  });

  test("engines B and C: the message quoted and the message reacted to", async () => {
    const reply = `{"extendedTextMessage":{"text":"isso","contextInfo":{"stanzaId":${FIRST}}}}`;
    const reaction = `{"reactionMessage":{"key":{"id":${FIRST}},"text":"👍"}}`;
    for (const [id, message] of Object.entries({ R1: reply, R2: reaction })) {
      await deliver(
        "engine-b",
        `{"data":{"key":{"remoteJid":"${JID}","id":"${id}"},"message":${message}}}`,
      );
      await deliver(
        "engine-c",
        `{"event":"Message","data":{"Info":{"ID":"C${id}","Chat":"${JID}","Sender":"${JID}"},"Message":${message}}}`,
      );
    }
    expect((await events()).slice(-4)).toMatchObject([
      ...Array<object>(2).fill({ kind: "message", quoted: FIRST }),
      ...Array<object>(2).fill({ kind: "reaction", of: FIRST }),
    ]);
  });

  test("the issuer's notice: an access key and an id that came as numbers", async () => {
    const key = "35261111222333000181550010000000011000000017000000";
    const body = `{"chave":${key},"id":${FIRST},"numero":12}`;
    const answer = await post(`${house.url}/webhooks/invoicing/${TOKEN}`, body);
    expect(answer.status).toBe(200);
    expect(house.claims).toEqual([{ chave: key, id: FIRST, numero: 12 }]);
  });
});
