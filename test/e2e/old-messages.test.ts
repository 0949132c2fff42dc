/** Webhooks of messages that were written long ago: they decide nothing that was shown since, and are answered once. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call, type Prosa, startProsa } from "../support/prosa.ts";
import { codeOf, customer, ISSUED, notesOf, OPERATOR, REQUEST, toSummary } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const TOKEN = "demo0000000000000000000000000000";
const HOUR = 3_600_000;
const BEFORE = /escrita antes de eu mostrar/;

interface Text {
  readonly from: string;
  readonly id: string;
  readonly text: string;
  /** When it was written, ms. */
  readonly at: number;
}

/** A text as each engine posts it: with the sender's time. */
const BODIES = {
  "engine-a": ({ from, id, text, at }: Text) => ({
    ...{ wook: "RECEIVE_MESSAGE", status: "RECEIVED", type: "text", fromMe: false },
    ...{ id: `false_${from}@c.us_${id}`, session: "demo", isGroupMsg: false, name: "Ivo", from },
    ...{ to: "5511900000000", content: text, timestamp: Math.floor(at / 1_000) },
    data: { id: `false_${from}@c.us_${id}`, t: Math.floor(at / 1_000) },
  }),
  "engine-b": ({ from, id, text, at }: Text) => ({
    instance: "demo",
    data: {
      key: { remoteJid: `${from}@s.whatsapp.net`, fromMe: false, id },
      ...{ pushName: "Ivo", message: { conversation: text }, messageType: "conversation" },
      messageTimestamp: Math.floor(at / 1_000),
    },
  }),
  "engine-c": ({ from, id, text, at }: Text) => ({
    event: "Message",
    data: {
      Info: {
        ...{ Chat: `${from}@s.whatsapp.net`, Sender: `${from}@s.whatsapp.net`, ID: id },
        ...{ IsFromMe: false, IsGroup: false, Type: "text", PushName: "Ivo" },
        Timestamp: new Date(at).toISOString(),
      },
      Message: { conversation: text },
    },
    ...{ instanceToken: "instance-secret", instanceName: "demo" },
  }),
} as const;
type Engine = keyof typeof BODIES;
const ENGINES = Object.keys(BODIES) as Engine[];

describe("an old message", () => {
  let prosa: Prosa;
  let count = 0;
  beforeAll(async () => {
    prosa = await startProsa({ store: "embedded" });
  });
  afterAll(async () => prosa.close());

  /** A message of some time ago arrives now, by a webhook of that engine. */
  const arrives = async (engine: Engine, from: string, text: string, ago: number) => {
    const id = `3EB0F0F0F0F0F0${String(++count).padStart(6, "0")}`;
    const body = JSON.stringify(BODIES[engine]({ from, id, text, at: Date.now() - ago }));
    const signature = createHmac("sha256", "demo-secret").update(body).digest("hex");
    const url = `${prosa.url}/webhooks/${engine}/${TOKEN}${engine === "engine-a" ? "/message" : ""}`;
    expect((await call("POST", url, body, { "x-signature": signature })).status).toBe(200);
  };

  test.each(ENGINES)("of %s confirms and approves nothing that was shown since", async (engine) => {
    const document = { "engine-a": "11144477735", "engine-b": "12345678909" }[engine as string];
    const ivo = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    await toSummary(ivo, { document: document ?? "98765432100" });

    await arrives(engine, ivo.number, "EMITIR", 8 * HOUR);
    expect(await ivo.waitFor(BEFORE)).toContain("R$ 150,00");
    expect((await operator.hears()).join("\n")).not.toMatch(REQUEST);
    await arrives(engine, ivo.number, "EMITIR", 0);
    await ivo.waitFor(/enviado para a empresa/);

    const code = codeOf(await operator.waitFor(REQUEST));
    await arrives(engine, operator.number, `aprovar ${code}`, 8 * HOUR);
    expect(await operator.waitFor(BEFORE)).toContain(code);
    expect(await notesOf(prosa, document ?? "98765432100")).toEqual([]);
    await arrives(engine, operator.number, `aprovar ${code}`, 0);
    await ivo.waitFor(ISSUED);
    expect(await notesOf(prosa, document ?? "98765432100")).toHaveLength(1);
  });

  test.concurrent.each(ENGINES)(
    "of %s is answered together with others as old, once",
    async (engine) => {
      const eva = customer(prosa);
      const written = ["preciso da nota", "1", "529.982.247-25", "Eva Prado"];
      // The latest comes first.
      for (const [index, text] of [...written.entries()].reverse())
        await arrives(engine, eva.number, text, 3 * HOUR - index * 60_000);
      expect(await eva.waitFor(/Desculpa a demora/)).toMatch(/valor do serviço/);
      expect(await eva.all()).toHaveLength(1);
    },
  );
});
