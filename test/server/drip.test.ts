/** Clients that drip: they hold a line for a bounded time, and nobody else waits for them. */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type House, inbound, openHouse, post, TOKEN } from "./house.ts";

let house: House;
const lines: Socket[] = [];
afterEach(async () => {
  for (const line of lines.splice(0)) line.destroy();
  await house.close();
});

/** A line that says a little at a time and never all; resolves with what it heard when the other side ends it. */
function drip(head: string): Promise<string> {
  const { port } = new URL(house.url);
  const line = connect(Number(port), "127.0.0.1");
  lines.push(line);
  let heard = "";
  line.on("data", (data: Buffer) => (heard += data.toString()));
  line.on("error", () => undefined);
  line.write(head);
  const drops = setInterval(() => line.writable && line.write("a"), 100);
  return new Promise((done) =>
    line.once("close", () => {
      clearInterval(drops);
      done(heard);
    }),
  );
}

const body = (bytes: number): string =>
  `POST /webhooks/engine-b/${TOKEN} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n{`;

test("five hundred bodies and heads that drip are given up in time, and others are served meanwhile", async () => {
  house = await openHouse({ deps: () => ({ limits: { requestMs: 2_000, headMs: 1_000 } }) });
  const bodies = Array.from({ length: 250 }, () => drip(body(4_096)));
  const heads = Array.from({ length: 250 }, () =>
    drip("POST /webhooks/engine-b/ HTTP/1.1\r\nx-a: "),
  );
  for (let at = 0; at < 5; at++) {
    const answer = await post(`${house.url}/webhooks/engine-b/${TOKEN}`, inbound("oi", `M${at}`));
    expect(answer.status).toBe(200);
  }
  const heard = await Promise.all([...bodies, ...heads]);
  expect(heard.filter((answer) => answer !== "" && !answer.includes(" 408 "))).toEqual([]);
  // Their room is free again: as many as before are taken.
  const answer = await post(`${house.url}/webhooks/engine-b/${TOKEN}`, inbound("oi", "after"));
  expect(answer.status).toBe(200);
});

test("more connections than may be open are closed at once, and let in again when others are gone", async () => {
  house = await openHouse({ deps: () => ({ limits: { connections: 40 } }) });
  const held = Array.from({ length: 60 }, () => drip("POST / HTTP/1.1\r\nx-a: "));
  const first = await Promise.race(held);
  expect(first).toBe("");
  for (const line of lines.splice(0)) line.destroy();
  await Promise.all(held);
  const answer = await post(`${house.url}/webhooks/engine-b/${TOKEN}`, inbound("oi", "in"));
  expect(answer.status).toBe(200);
});

test("a connection on which nothing was asked holds up no stop", async () => {
  house = await openHouse();
  const unused = connect(Number(new URL(house.url).port), "127.0.0.1");
  lines.push(unused);
  await new Promise((open) => unused.once("connect", open));
  const answer = await post(`${house.url}/webhooks/engine-b/${TOKEN}`, inbound("oi", "M1"));
  let isClosed = false;
  const closed = house.app.close().then(() => (isClosed = true));
  await Promise.race([closed, pause(1_000)]);
  expect(isClosed).toBe(true);
  expect(answer.status).toBe(200);
});
