/** What engines post: repeated, at once, in floods, forged and broken. The process stays healthy and loses nothing. */
import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Answer,
  type Body,
  call,
  type Prosa,
  startProsa,
  textIn,
  until,
} from "../support/prosa.ts";
import { customer, toSummary } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const TOKEN = "demo0000000000000000000000000000";

/** A text message as engine B posts it. */
function message(number: string, id: string, text: string): string {
  const now = Date.now();
  return JSON.stringify({
    instance: "demo",
    data: {
      key: {
        remoteJid: `${number}@s.whatsapp.net`,
        addressingMode: "pn",
        fromMe: false,
        id,
        participant: "",
      },
      pushName: "Flora",
      status: "DELIVERY_ACK",
      message: { conversation: text },
      contextInfo: null,
      messageType: "conversation",
      messageTimestamp: Math.floor(now / 1000),
      instanceId: "00000000-0000-4000-8000-000000000001",
      source: "android",
    },
    destination: "http://127.0.0.1/",
    date_time: new Date(now).toISOString(),
    sender: "5511900000000@s.whatsapp.net",
    server_url: "http://127.0.0.1",
    apikey: null,
  });
}

describe("webhooks", () => {
  let prosa: Prosa;
  beforeAll(async () => {
    prosa = await startProsa({ store: "embedded" });
  });
  afterAll(async () => prosa.close());

  const post = (body: string, channel = "engine-b", token = TOKEN): Promise<Answer> =>
    prosa.http("POST", `/webhooks/${channel}/${token}`, body);
  const healthy = async (): Promise<void> => {
    expect((await prosa.http("GET", "/health/ready")).status).toBe(200);
  };
  /** Turns of a contact that came from messages, oldest first. */
  const turns = async (number: string): Promise<readonly Body[]> => {
    const { items } = (await prosa.http("GET", "/api/sessions?account=demo&limit=200")).body;
    const mine = (items as unknown as { contact: string; address?: string }[]).find((one) =>
      one.address?.includes(number),
    );
    const path = `/api/sessions/demo/${mine?.contact}/journal?limit=500`;
    const journal = (await prosa.http("GET", path)).body["items"] as unknown as readonly Body[];
    return journal.filter((record) => textIn(record["mail"]?.["kind"]) === "inbound");
  };
  const textOf = (record: Body): string => textIn(record["mail"]?.["event"]?.["content"]?.["text"]);

  test("the same message posted twenty times at once gets one reply", async () => {
    const flora = customer(prosa);
    const body = message(flora.number, "3EB0AAAAAAAAAAAAAA01", "oi");
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    await flora.waitFor(/assistente/);
    await pause(500);
    expect(await flora.all()).toHaveLength(1);
    expect(await turns(flora.number)).toHaveLength(1);
  });

  test("fifty messages of one contact posted at once are all applied, in the order they were accepted", async () => {
    const hugo = customer(prosa);
    await toSummary(hugo);
    const before = await turns(hugo.number);
    const values = Array.from({ length: 50 }, (_, index) => 300 + index);
    const answers = await Promise.all(
      values.map((value) =>
        post(message(hugo.number, `3EB0BBBBBBBBBBBBB${value}`, `o valor é ${value}`)),
      ),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);

    const applied = await until("all applied", async () => {
      const now = (await turns(hugo.number)).slice(before.length);
      return now.length >= 50 ? now : null;
    });
    expect(applied.map(textOf).sort()).toEqual(values.map((value) => `o valor é ${value}`));

    // What the phone read is what was applied, in that order; the last one stands.
    const said = applied.map((record) => /\d{3},00/.exec(textIn(record["said"]))?.[0]);
    const heard = await until(
      "all replies",
      async () => {
        const texts = (await hugo.all()).filter((text) => /3\d\d,00/.test(text));
        return texts.length >= 50 ? texts : null;
      },
      20_000,
    );
    expect(heard.map((text) => /3\d\d,00/.exec(text)?.[0])).toEqual(said);
    await healthy();
  });

  test("messages of five phones that each wait for the acknowledgement keep their order", async () => {
    const phones = Array.from({ length: 5 }, () => customer(prosa));
    await Promise.all(
      phones.map(async (phone, lane) => {
        for (let index = 0; index < 8; index++)
          await post(message(phone.number, `3EB0CCCCCCCCCCC${lane}${index}`, `atendente ${index}`));
      }),
    );
    for (const phone of phones) {
      const applied = await until("all applied", async () => {
        const now = await turns(phone.number);
        return now.length >= 8 ? now : null;
      });
      expect(applied.map(textOf)).toEqual(
        Array.from({ length: 8 }, (_, index) => `atendente ${index}`),
      );
    }
  });

  test("a wrong token, an unknown channel and a switched hook are one and the same 404", async () => {
    const body = message("5511987600001", "3EB0DDDDDDDDDDDDDD01", "oi");
    const answers = await Promise.all([
      post(body, "engine-b", "demo0000000000000000000000000001"),
      post(body, "engine-x"),
      prosa.http("POST", `/webhooks/engine-b/${TOKEN}/nohook`, body),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
    // Only the correlation id differs: nobody learns which part was wrong.
    const said = answers.map(({ body }) => [body["error"]?.["code"], body["error"]?.["message"]]);
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test("engine A is believed only with the right signature over the very bytes", async () => {
    const ivo = customer(prosa);
    const body = JSON.stringify({
      wook: "RECEIVE_MESSAGE",
      status: "RECEIVED",
      type: "text",
      fromMe: false,
      id: `false_${ivo.number}@c.us_3EB0EEEEEEEEEEEEEE01`,
      session: "demo",
      isGroupMsg: false,
      author: null,
      name: "Ivo",
      to: "5511900000000",
      from: ivo.number,
      content: "oi",
      quotedMsg: "",
      quotedMsgId: "",
      timestamp: Math.floor(Date.now() / 1000),
      datetime: "2026-11-21 10:00:00",
      data: { id: `false_${ivo.number}@c.us_3EB0EEEEEEEEEEEEEE01`, t: 0 },
    });
    const url = `${prosa.url}/webhooks/engine-a/${TOKEN}/message`;
    const sign = (bytes: string, secret = "demo-secret") => ({
      "x-signature": createHmac("sha256", secret).update(bytes).digest("hex"),
    });
    const answers = [
      await call("POST", url, body),
      await call("POST", url, body, sign(body, "other-secret")),
      await call("POST", url, body.replace('"oi"', '"oI"'), sign(body)),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401]);
    expect(await ivo.all()).toEqual([]);

    expect((await call("POST", url, body, sign(body))).status).toBe(200);
    await ivo.waitFor(/assistente/);
  });

  test("broken, wrong, deep and huge bodies get 4xx, and the next message is answered", async () => {
    const bodies = {
      empty: "",
      half: '{"instance":"demo","data":{',
      text: "oi",
      number: "42",
      null: "null",
      "wrong data": '{"instance":"demo","data":5}',
      "wrong key": '{"data":{"key":{"id":7,"remoteJid":[]},"message":"x"}}',
      deep: `{"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      prototype: '{"data":{"__proto__":{"fromMe":true}}}',
    };
    const statuses = await Promise.all(
      Object.entries(bodies).map(
        async ([name, body]) => [name, (await post(body)).status] as const,
      ),
    );
    for (const [name, status] of statuses)
      expect.soft([name, status >= 400 && status < 500]).toEqual([name, true]);
    const huge = JSON.stringify({ data: "x".repeat(17 * 1024 * 1024) });
    expect((await post(huge)).status).toBe(413);
    expect((await post(`["${"x".repeat(1_100_000)}"]`, "sms")).status).toBe(413);
    await healthy();
    const jana = customer(prosa);
    await jana.asks("oi", /assistente/);
  });

  test("an event nobody knows is taken and counted, and says nothing to anybody", async () => {
    const body = JSON.stringify({ instance: "demo", data: { something: "new" }, sender: "x" });
    expect((await post(body)).status).toBe(200);
    const metrics = (await prosa.http("GET", "/metrics")).text;
    expect(metrics).toMatch(/^prosa_\w*ignored\w*\{[^}]*engine-b[^}]*\} [1-9]/m);
    await healthy();
  });
});
