/** A listener that closes while something is still on its way: what comes on a line that was kept is refused, and told when to come again. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type House, inbound, openHouse, TOKEN } from "./house.ts";
import { withSteps } from "../../src/store/port/with-steps.ts";

let house: House;
let line: Socket | undefined;
afterEach(async () => {
  line?.destroy();
  await house.close();
});

const WEBHOOK = `/webhooks/engine-b/${TOKEN}`;

function ask(method: "GET" | "POST", path: string, body?: object): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [`${method} ${path} HTTP/1.1`, "host: x", "connection: keep-alive"];
  if (text !== "") head.push("content-type: application/json", `content-length: ${text.length}`);
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

/** All that a kept line hears which asks again while the listener closes, once the other side has ended it. */
async function late(again: string): Promise<string> {
  let arrived: (() => void) | undefined;
  let take: (() => void) | undefined;
  const there = new Promise<void>((done) => (arrived = done));
  const taken = new Promise<void>((done) => (take = done));
  house = await openHouse({
    store: (store) =>
      withSteps(store, (method) =>
        method === "mail.accept"
          ? async (...all: Parameters<typeof store.mail.accept>) => {
              arrived?.();
              await taken;
              return store.mail.accept(...all);
            }
          : undefined,
      ),
  });
  const kept = (line = connect(Number(new URL(house.url).port), "127.0.0.1"));
  let heard = "";
  kept.on("data", (data: Buffer) => (heard += data.toString()));
  const ended = once(kept, "close");
  kept.write(ask("POST", WEBHOOK, inbound("oi", "M1")));
  await there;
  const asked = once(house.app.server, "request");
  const closed = house.app.close();
  kept.write(again);
  await asked;
  take?.();
  await closed;
  await ended;
  return heard;
}

/** Status and Retry-After of each answer. */
const answers = (heard: string): readonly string[] =>
  heard
    .split(/(?=HTTP\/1\.1 )/)
    .map(
      (one) =>
        `${one.slice(9, 12)} ${/^retry-after: (\d+)\r$/im.exec(one)?.[1] ?? "without a time"}`,
    );

test("a webhook that comes while the listener closes is refused and told when to come again; the one before is taken", async () => {
  const heard = await late(ask("POST", WEBHOOK, inbound("oi de novo", "M2")));
  expect(answers(heard)).toEqual(["200 without a time", "503 5"]);
  expect(heard).toContain('"code":"UNAVAILABLE"');
});

test("nothing else is begun any more: a stream of events would hold the stop up", async () => {
  const heard = await late(ask("GET", "/api/events"));
  expect(answers(heard)).toEqual(["200 without a time", "503 5"]);
});
