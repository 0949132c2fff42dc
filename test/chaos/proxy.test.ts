/** The proxy fails in the ways lines fail. A line never puts one byte before another; if this one did, answers would change places. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Dice } from "../support/dice.ts";
import { FaultProxy } from "../support/proxy.ts";

const PIECES = 400;

/** Keeps the process from its timers, so that the clock they start from is behind. */
function busy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

test("a late piece comes behind the ones before it, however busy the process", async () => {
  const dice = new Dice(5);
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.setEncoding("utf8").on("data", (text: string) => heard.push(text));
    socket.on("error", () => undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const proxy = await FaultProxy.open(address.port, () => dice.unit());
  const client: Socket = connect(proxy.port, "127.0.0.1");
  await once(client, "connect");
  client.setNoDelay(true).on("error", () => undefined);
  const expected = Array.from({ length: PIECES }, (_, at) => `${at};`).join("");
  try {
    await proxy.set({ kind: "delay", ms: 3, jitterMs: 3 });
    for (let at = 0; at < PIECES; at += 1) {
      client.write(`${at};`);
      if (at === PIECES / 2) await proxy.set({ kind: "none" });
      if (at === (PIECES * 3) / 4) await proxy.set({ kind: "delay", ms: 2, jitterMs: 2 });
      busy(dice.unit() * 3);
      if (dice.unit() < 0.7) await pause(0);
    }
    while (heard.join("").length < expected.length) await pause(5);
    expect(heard.join("")).toBe(expected);
  } finally {
    client.destroy();
    await proxy.close();
    await new Promise((done) => server.close(done));
  }
});
