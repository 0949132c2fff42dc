/**
 * An engine may tell of our own send before it answers that send. The echo must settle it, whatever becomes of the answer,
 * and must never be taken for a person: then the bot would fall silent, or talk to itself.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { channels } from "../../../src/channels/index.ts";
import { CUSTOMER, rig, type Rig } from "../rig.ts";

let it: Rig;
let heard: string[];
let close: () => Promise<void>;

const SIGNALS: ReadonlySet<string> = new Set(["own", "ack", "contact", "connection", "qrcode"]);

beforeEach(async () => {
  it = await rig();
  heard = [];
  // A bot that hands every event to the worker before it answers 200, as the ingress does.
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as unknown;
      const parsed = channels["engine-b"].parse({ headers: {}, body, receivedAt: 0 });
      for (const event of parsed.ok ? parsed.events : [])
        if (SIGNALS.has(event.kind))
          heard.push(`${event.kind} ${await it.worker.signals.handle("demo", "engine-b", event)}`);
      response.end("{}");
    })();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  close = () => new Promise((closed) => server.close(() => closed()));
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/bot`];
  await it.stage.http("PUT", "/sandbox/subscriptions", { channel: "engine-b", urls });
  await it.stage.http("PUT", "/sandbox/delivery", { early: true, acks: "read" });
});
afterEach(async () => {
  await it.close();
  await close();
});

// The first version says nothing of an API send: there only the words and the person tell that it is ours.
test.each([
  ["second", false],
  ["first", true],
])(
  "of the %s version: echo and acks before the answer are ours, and it is sent once",
  async (_version, v1) => {
    await it.stage.http("PUT", "/sandbox/delivery", { v1 });
    await it.says(CUSTOMER, "oi");
    await it.worker.drain();

    expect(heard).toEqual(["own echo", "ack done", "ack done", "ack done"]);
    expect(await it.received(CUSTOMER)).toHaveLength(1);
    const contact = await it.contact(CUSTOMER);
    const view = await it.store.views.session("demo", contact);
    expect(view?.session).not.toHaveProperty("handoff");
    expect(await it.store.views.effects({ account: "demo", contact, limit: 10 })).toEqual([]);
  },
);

test("an echo before an answer that is lost settles the send: it is not repeated", async () => {
  const effect = { kind: "accepted_then_lost" };
  await it.fault({ route: "message.sendText", effect, times: 1 });
  await it.says(CUSTOMER, "oi");
  await it.worker.drain();
  for (let round = 0; round < 3; round++) {
    it.clock.moveTo(it.clock.now() + 120_000);
    await it.worker.drain();
  }

  expect(heard[0]).toBe("own echo");
  expect(await it.received(CUSTOMER)).toHaveLength(1);
  const lines = await it.journal(CUSTOMER);
  expect(JSON.stringify(lines).includes('"dropped":"echoed"')).toBe(true);
});

test("notes of echoes that nobody came for go, however many newer ones stand before them", async () => {
  const old = it.clock.now() - 3_600_000;
  for (let at = 0; at < 250; at++) {
    await it.store.documents.put("echoes", `a${at}`, { at: it.clock.now(), id: "young" });
    await it.store.documents.put("echoes", `b${at}`, { at: old, id: "old" });
  }
  await it.worker.echoes.sweep();
  const { items } = await it.store.documents.list("echoes", { limit: 1_000 });
  expect(items.filter(({ value }) => value["id"] === "old")).toEqual([]);
  expect(items).toHaveLength(250);
});
